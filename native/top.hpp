// The k best of a stream of scores, used wherever a list is cut.
#pragma once
#include <algorithm>
#include <cstdint>
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

// Keeps a buffer of a little over 2k candidates; whenever it is full, the best k stay and the worst
// of them becomes the threshold that nearly every later score fails. Labels must come in rising
// order: then a later score equal to the threshold has the larger id, and the strict comparison
// keeps the tie rule.
template <class S>
class Best {
 public:
  static constexpr size_t kBlock = 64;

  explicit Best(size_t k) : k_(k) { buffer_.reserve(2 * k + kBlock); }

  // Forgets everything; from now on only scores above `floor` count (all, when not `bounded`).
  void restart(bool bounded, S floor) {
    buffer_.clear();
    bounded_ = bounded;
    threshold_ = floor;
  }

  // At most kBlock scores, of the labels first, first + 1, ...
  inline void push(const S* x, size_t n, int32_t first) {
    if (bounded_) {
      int above = 0;  // without a branch, so that it vectorises
      for (size_t j = 0; j < n; ++j) above |= x[j] > threshold_;
      if (!above) return;
    }
    for (size_t j = 0; j < n; ++j)
      if (!bounded_ || x[j] > threshold_) buffer_.push_back({x[j], first + static_cast<int32_t>(j)});
    if (buffer_.size() >= 2 * k_) shrink();
  }

  // The best, in order. The reference lives until the next restart().
  const std::vector<Entry<S>>& finish() {
    const size_t kept = std::min(k_, buffer_.size());
    std::partial_sort(buffer_.begin(), buffer_.begin() + kept, buffer_.end());
    buffer_.resize(kept);
    return buffer_;
  }

 private:
  void shrink() {
    std::nth_element(buffer_.begin(), buffer_.begin() + (k_ - 1), buffer_.end());
    buffer_.resize(k_);
    threshold_ = buffer_[k_ - 1].score;
    bounded_ = true;
  }

  size_t k_;
  std::vector<Entry<S>> buffer_;
  S threshold_ = 0;
  bool bounded_ = false;
};
}  // namespace labelrank
