// Sixteen queries side by side: what is done for one is done for all, in vector instructions.
#pragma once
#include <cstddef>
#include <cstdint>
#include <limits>

namespace labelrank {
constexpr size_t kLanes = 16;

// One number for each of the sixteen queries of a block. Vectors of a fixed width and not plain
// loops, because compilers keep arrays of accumulators in memory but these in registers; where an
// instruction set is narrower the compiler takes several instructions.
struct alignas(64) Sixteen {
  float lane[kLanes];
};
struct alignas(64) SixteenDoubles {
  double lane[kLanes];
};
using Floats = float __attribute__((vector_size(64), may_alias));
using Ints = int32_t __attribute__((vector_size(64), may_alias));

// Distances are not negative, so their bits are in their order as whole numbers. Infinity is what
// is not there; a distance that is too large for float32 becomes the largest that is not.
constexpr float kAbsent = std::numeric_limits<float>::infinity();
constexpr int32_t kAbsentBits = 0x7f800000;

// How many rows of `Sixteen` the scratch memory of `smallest` has.
inline size_t smallest_scratch(size_t k) {
  size_t size = kLanes;
  while (size < k) size *= 2;
  return 2 * size;
}

// The k smallest of distances[rows[0]], …, distances[rows[n - 1]] in each lane, rising, in the
// first min(k, n) of `scratch`.
void smallest(const Sixteen* distances, const int32_t* rows, size_t n, size_t k, Sixteen* scratch);
}  // namespace labelrank
