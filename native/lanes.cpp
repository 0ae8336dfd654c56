// The k smallest of a list in sixteen lanes at once, by a sorting network: no branch depends on a
// distance, and every comparison is done for sixteen queries by two instructions.
#include "lanes.hpp"

#include "arrays.hpp"

namespace labelrank {
namespace {
#define LABELRANK_INLINE [[gnu::always_inline]] inline

template <size_t I, size_t J>
LABELRANK_INLINE void order(Ints* v) {
  const Ints a = v[I], b = v[J];
  v[I] = a < b ? a : b;
  v[J] = a < b ? b : a;
}

// Batcher's odd-even merge sort of v[kLow .. kLow + kSize), step kStep, unrolled by the compiler.
template <size_t kLow, size_t kSize, size_t kStep, size_t I>
LABELRANK_INLINE void odd_even_pairs(Ints* v) {
  if constexpr (I + kStep < kLow + kSize) {
    order<I, I + kStep>(v);
    odd_even_pairs<kLow, kSize, kStep, I + 2 * kStep>(v);
  }
}
template <size_t kLow, size_t kSize, size_t kStep>
LABELRANK_INLINE void odd_even_merge(Ints* v) {
  if constexpr (2 * kStep < kSize) {
    odd_even_merge<kLow, kSize, 2 * kStep>(v);
    odd_even_merge<kLow + kStep, kSize, 2 * kStep>(v);
    odd_even_pairs<kLow, kSize, kStep, kLow + kStep>(v);
  } else {
    order<kLow, kLow + kStep>(v);
  }
}
template <size_t kLow, size_t kSize>
LABELRANK_INLINE void odd_even_sort(Ints* v) {
  if constexpr (kSize > 1) {
    odd_even_sort<kLow, kSize / 2>(v);
    odd_even_sort<kLow + kSize / 2, kSize / 2>(v);
    odd_even_merge<kLow, kSize, 1>(v);
  }
}

// Sixteen vectors that first fall and then rise (or the reverse), into rising order.
template <size_t kDistance, size_t I>
LABELRANK_INLINE void half_clean(Ints* v) {
  if constexpr (I < 16) {
    if constexpr ((I & kDistance) == 0) order<I, I + kDistance>(v);
    half_clean<kDistance, I + 1>(v);
  }
}
LABELRANK_INLINE void clean_sixteen(Ints* from) {
  Ints v[16];
  for (size_t i = 0; i < 16; ++i) v[i] = from[i];
  half_clean<8, 0>(v);
  half_clean<4, 0>(v);
  half_clean<2, 0>(v);
  half_clean<1, 0>(v);
  for (size_t i = 0; i < 16; ++i) from[i] = v[i];
}

// The same for any power of two from sixteen.
LABELRANK_INLINE void clean(Ints* v, size_t size) {
  for (size_t distance = size / 2; distance >= 16; distance /= 2)
    for (size_t start = 0; start < size; start += 2 * distance)
      for (size_t i = start; i < start + distance; ++i) {
        const Ints a = v[i], b = v[i + distance];
        v[i] = a < b ? a : b;
        v[i + distance] = a < b ? b : a;
      }
  for (size_t start = 0; start < size; start += 16) clean_sixteen(v + start);
}

// Gathers n rows, fills up to `size` (a power of two from sixteen) and sorts.
LABELRANK_INLINE void sorted(const Sixteen* distances, const int32_t* rows, size_t n, Ints* out,
                             size_t size) {
  const Ints absent = Ints{} + kAbsentBits;
  for (size_t start = 0; start < size; start += 16) {
    Ints v[16];
    if (start + 16 <= n) {
      for (size_t i = 0; i < 16; ++i)
        v[i] = *reinterpret_cast<const Ints*>(distances + rows[start + i]);
    } else {
      for (size_t i = 0; i < 16; ++i)
        v[i] = start + i < n ? *reinterpret_cast<const Ints*>(distances + rows[start + i]) : absent;
    }
    odd_even_sort<0, 16>(v);
    for (size_t i = 0; i < 16; ++i) out[start + i] = v[i];
  }
  for (size_t run = 16; run < size; run *= 2)
    for (size_t start = 0; start < size; start += 2 * run) {
      Ints* v = out + start;
      for (size_t i = 0; i < run; ++i) {
        const Ints a = v[i], b = v[2 * run - 1 - i];
        v[i] = a < b ? a : b;
        v[2 * run - 1 - i] = a < b ? b : a;
      }
      clean(v, run);
      clean(v + run, run);
    }
}

LABELRANK_INLINE size_t power_of_two(size_t n) {
  size_t size = 16;
  while (size < n) size *= 2;
  return size;
}

LABELRANK_SIMD void smallest_of(const Sixteen* distances, const int32_t* rows, size_t n, size_t k,
                                Sixteen* scratch) {
  const size_t size = power_of_two(std::min(n, k));
  Ints* best = reinterpret_cast<Ints*>(scratch);
  Ints* next = best + size;
  sorted(distances, rows, std::min(n, size), best, size);
  for (size_t at = size; at < n; at += size) {
    const size_t count = std::min(n - at, size), filled = power_of_two(count);
    sorted(distances, rows + at, count, next, filled);
    // The smaller of best from above and next from below: the `size` smallest of both.
    for (size_t i = 0; i < filled; ++i) {
      const Ints a = best[size - 1 - i], b = next[i];
      best[size - 1 - i] = a < b ? a : b;
    }
    clean(best, size);
  }
}

// For tests: the k smallest of some rows of an array (n, 16), column by column.
Out<float> smallest_in_lanes(In2<float> distances, In<int32_t> rows, int64_t k) {
  check_indices(rows, static_cast<int64_t>(distances.shape(0)), "rows");
  check_length(distances.shape(1), kLanes, "a row of distances");
  if (k < 1) throw std::invalid_argument("k must be at least 1");
  const size_t n = distances.shape(0);
  const size_t kept = std::min(static_cast<size_t>(k), rows.shape(0));
  auto out = raw<float>(kept * kLanes);
  std::vector<Sixteen> copy(n), scratch(smallest_scratch(kept));
  std::copy_n(distances.data(), n * kLanes, copy.empty() ? nullptr : copy[0].lane);
  if (kept) smallest(copy.data(), rows.data(), rows.shape(0), kept, scratch.data());
  for (size_t i = 0; i < kept; ++i) std::copy_n(scratch[i].lane, kLanes, out.get() + i * kLanes);
  return own(std::move(out), kept, kLanes);
}
}  // namespace

void smallest(const Sixteen* distances, const int32_t* rows, size_t n, size_t k, Sixteen* scratch) {
  smallest_of(distances, rows, n, k, scratch);
}

void bind_lanes(nb::module_& m) {
  using nb::arg;
  m.def("smallest_in_lanes", &smallest_in_lanes, arg("distances").noconvert(),
        arg("rows").noconvert(), arg("k"));
}
}  // namespace labelrank
