// What every kernel's binding needs: typed views of NumPy arrays, owned results, checked
// boundaries.
#pragma once
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

// Loops that profit from wide vectors are compiled for several instruction sets; the loader picks.
#if defined(__x86_64__) && defined(__gnu_linux__) && defined(__GNUC__) && !defined(__clang__)
#define LABELRANK_SIMD __attribute__((target_clones("default", "avx2", "avx512f")))
#else
#define LABELRANK_SIMD
#endif

namespace labelrank {
namespace nb = nanobind;

template <class T>
using In = nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
template <class T>
using In2 = nb::ndarray<const T, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
template <class T>
using Out = nb::ndarray<nb::numpy, T, nb::c_contig, nb::device::cpu>;

// Uninitialised memory: a kernel writes every element it hands out.
template <class T>
std::unique_ptr<T[]> raw(size_t n) {
  return std::unique_ptr<T[]>(new T[n]);
}

// Gives the memory to NumPy; it is freed with the array.
template <class T>
Out<T> own(std::unique_ptr<T[]> data, size_t rows) {
  T* p = data.release();
  nb::capsule owner(p, [](void* q) noexcept { delete[] static_cast<T*>(q); });
  return Out<T>(p, {rows}, owner);
}
template <class T>
Out<T> own(std::unique_ptr<T[]> data, size_t rows, size_t cols) {
  T* p = data.release();
  nb::capsule owner(p, [](void* q) noexcept { delete[] static_cast<T*>(q); });
  return Out<T>(p, {rows, cols}, owner);
}
template <class T>
Out<T> own(std::vector<T>&& values) {
  auto* v = new std::vector<T>(std::move(values));
  nb::capsule owner(v, [](void* q) noexcept { delete static_cast<std::vector<T>*>(q); });
  return Out<T>(v->data(), {v->size()}, owner);
}

// A row pointer is trusted by every loop after this: starts at 0, never falls, ends at `size`.
inline void check_indptr(const In<int64_t>& indptr, size_t size, const char* name) {
  const size_t n = indptr.shape(0);
  const int64_t* p = indptr.data();
  bool good = n >= 1 && p[0] == 0;
  for (size_t i = 1; good && i < n; ++i) good = p[i] >= p[i - 1];
  if (!good || p[n - 1] != static_cast<int64_t>(size))
    throw std::invalid_argument(std::string(name) + " must start at 0, never fall and end at " +
                                std::to_string(size) + ", the number of entries");
}

// The size of the largest group of a checked row pointer.
inline int64_t longest_group(const In<int64_t>& indptr) {
  int64_t longest = 0;
  for (size_t i = 1; i < indptr.shape(0); ++i)
    longest = std::max(longest, indptr.data()[i] - indptr.data()[i - 1]);
  return longest;
}

inline void check_indices(const In<int32_t>& indices, int64_t bound, const char* name) {
  const int32_t* p = indices.data();
  bool bad = false;
  for (size_t i = 0; i < indices.shape(0); ++i) bad |= p[i] < 0 || p[i] >= bound;
  if (bad)
    throw std::invalid_argument(std::string(name) + " must lie in 0.." + std::to_string(bound - 1));
}

inline void check_length(size_t found, size_t wanted, const char* name) {
  if (found != wanted)
    throw std::invalid_argument(std::string(name) + " has " + std::to_string(found) +
                                " values where " + std::to_string(wanted) + " are needed");
}
}  // namespace labelrank
