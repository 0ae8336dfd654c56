// Lists of whole numbers in one pool, as data/lists.py keeps them; whatever is read is checked.
#pragma once
#include "arrays.hpp"

namespace labelrank {

struct Span {
  const int32_t* first;
  const int32_t* last;
  const int32_t* begin() const { return first; }
  const int32_t* end() const { return last; }
  size_t size() const { return static_cast<size_t>(last - first); }
  int32_t operator[](size_t i) const { return first[i]; }
};

// (where each list begins in the pool, how long it is, the pool)
using ListArrays = std::tuple<In<int64_t>, In<int32_t>, In<int32_t>>;

class Lists {
 public:
  explicit Lists(const ListArrays& arrays)
      : starts_(std::get<0>(arrays).data()),
        sizes_(std::get<1>(arrays).data()),
        pool_(std::get<2>(arrays).data()),
        n_(std::get<0>(arrays).shape(0)),
        end_(static_cast<int64_t>(std::get<2>(arrays).shape(0))) {
    check_length(std::get<1>(arrays).shape(0), n_, "sizes of lists");
  }
  size_t n() const { return n_; }
  bool has(int32_t i) const { return i >= 0 && static_cast<size_t>(i) < n_; }
  Span operator[](int32_t i) const {
    if (!has(i)) throw std::invalid_argument("there is no list " + std::to_string(i));
    const int64_t start = starts_[i], size = sizes_[i];
    if (start < 0 || size < 0 || start > end_ - size)
      throw std::invalid_argument("list " + std::to_string(i) + " lies outside its pool");
    return {pool_ + start, pool_ + start + size};
  }
  // Ask for what list i needs before it is read: lists lie anywhere.
  void fetch_place(int32_t i) const {
    if (has(i)) {
      fetch(starts_ + i);
      fetch(sizes_ + i);
    }
  }
  void fetch_list(int32_t i) const {
    if (!has(i) || starts_[i] < 0 || starts_[i] > end_ - kLine) return;
    fetch(pool_ + starts_[i]);
    fetch(pool_ + starts_[i] + kLine);
  }
  int32_t size(int32_t i) const { return static_cast<int32_t>((*this)[i].size()); }

 private:
  static constexpr int64_t kLine = 16;  // numbers in a cache line
  static void fetch([[maybe_unused]] const void* at) {
#if defined(__GNUC__) || defined(__clang__)
    __builtin_prefetch(at);
#endif
  }
  const int64_t* starts_;
  const int32_t* sizes_;
  const int32_t* pool_;
  size_t n_;
  int64_t end_;
};
}  // namespace labelrank
