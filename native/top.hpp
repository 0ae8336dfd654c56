// The k best of an array of scores, used wherever a list is cut.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

namespace labelrank {

// The order of every list in the library: higher score first, then the smaller label id.
template <class S>
struct Entry {
  S score;
  int32_t label;
  bool operator<(const Entry& other) const {
    return score > other.score || (score == other.score && label < other.label);
  }
};

// Two passes. The first takes the maximum of every block of B scores; what k of the
// maxima reach is reached by k scores at least, so nothing below it is among the k best. The second
// collects what reaches it from the few blocks that do. Little more than k scores are left to be
// sorted.
template <class S>
class Best {
 public:
  // Scores x[0..m) of the labels 0..m-1; blocks whose flag in `touched` is 0 are not looked at.
  // `above`: only scores greater than it count; null: all do. The result lives until the next call.
  template <size_t B>
  inline const std::vector<Entry<S>>& select(const S* x, size_t m, size_t k, const S* above,
                                             const uint8_t* touched) {
    blocks_.clear();
    maxima_.clear();
    for (size_t start = 0; start < m; start += B) {
      if (touched && !touched[start / B]) continue;
      const S most = start + B <= m ? largest<B>(x + start) : *std::max_element(x + start, x + m);
      if (above && !(most > *above)) continue;
      blocks_.push_back(start);
      maxima_.push_back(most);
    }
    const bool bounded = maxima_.size() > k;
    const S threshold = bounded ? reached_by(k) : S(0);
    size_t n = 0;
    for (size_t b = 0; b < blocks_.size(); ++b) {
      if (bounded && maxima_[b] < threshold) continue;
      const size_t start = blocks_[b], stop = std::min(start + B, m);
      if (entries_.size() < n + B) entries_.resize(2 * (n + B));
      Entry<S>* out = entries_.data();
      for (size_t j = start; j < stop; ++j) {  // written always, kept when it counts: no branch
        out[n] = {x[j], static_cast<int32_t>(j)};
        n += static_cast<size_t>((!bounded || x[j] >= threshold) && (!above || x[j] > *above));
      }
    }
    const size_t kept = std::min(k, n);
    const auto first = entries_.begin(), last = first + static_cast<std::ptrdiff_t>(n);
    if (kept < n) std::nth_element(first, first + static_cast<std::ptrdiff_t>(kept), last);
    std::sort(first, first + static_cast<std::ptrdiff_t>(kept));
    result_.assign(first, first + static_cast<std::ptrdiff_t>(kept));
    return result_;
  }

 private:
  // A value that at least k maxima reach, and few more than k where that is found quickly. Halving
  // the range of values takes no branch that depends on a comparison, so each step is a vector
  // loop.
  inline S reached_by(size_t k) {
    S low = maxima_[0], high = maxima_[0];
    for (const S most : maxima_) {
      low = most < low ? most : low;
      high = most > high ? most : high;
    }
    size_t reached = maxima_.size();
    for (int step = 0; step < 16 && reached > k + k / 4; ++step) {
      const S middle = low / 2 + high / 2;
      uint32_t count = 0;
      for (const S most : maxima_) count += static_cast<uint32_t>(most >= middle);
      if (count >= k) {
        low = middle;
        reached = count;
      } else {
        high = middle;
      }
    }
    if (reached <= 2 * k) return low;
    ordered_ = maxima_;  // a few values far above the rest: find the k-th itself
    std::nth_element(ordered_.begin(), ordered_.begin() + static_cast<std::ptrdiff_t>(k - 1),
                     ordered_.end(), std::greater<S>());
    return ordered_[k - 1];
  }

  // Running maxima side by side, so that the loop is vector instructions and not a chain of
  // comparisons.
  template <size_t B>
  static inline S largest(const S* x) {
    constexpr size_t kLanes = B < 16 ? B : 16;
    S lanes[kLanes];
    for (size_t l = 0; l < kLanes; ++l) lanes[l] = x[l];
    for (size_t j = kLanes; j < B; j += kLanes)
      for (size_t l = 0; l < kLanes; ++l) lanes[l] = x[j + l] > lanes[l] ? x[j + l] : lanes[l];
    S most = lanes[0];
    for (size_t l = 1; l < kLanes; ++l) most = lanes[l] > most ? lanes[l] : most;
    return most;
  }

  std::vector<size_t> blocks_;
  std::vector<S> maxima_, ordered_;
  std::vector<Entry<S>> entries_, result_;
};
}  // namespace labelrank
