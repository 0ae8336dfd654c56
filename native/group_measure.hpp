// What a group's order is worth: nDCG@k, MAP@k or RR@k under scores, from 0 to 1. Rankers that
// optimise a measure share it.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

namespace labelrank {

// Tied scores count the mean over all their orders: a training measure that broke ties by place
// would reward a constant feature for whatever order the candidates came in.
class GroupMeasure {
 public:
  enum class Kind { kNDCG, kMAP, kRR };

  // k: how many places count, 0 for all; `longest`: the size of the largest group.
  GroupMeasure(const std::string& name, int64_t k, int64_t longest) : kind_(named(name)) {
    if (k < 0) throw std::invalid_argument("k must be 0 or more");
    k_ = k == 0 ? longest : std::min(k, longest);
    reach_.assign(static_cast<size_t>(k_) + 1, 0.0);
    for (int64_t j = 0; j < k_; ++j)
      reach_[j + 1] = reach_[j] + 1 / std::log2(static_cast<double>(j) + 2);
  }

  static Kind named(const std::string& name) {
    if (name == "nDCG") return Kind::kNDCG;
    if (name == "MAP") return Kind::kMAP;
    if (name == "RR") return Kind::kRR;
    throw std::invalid_argument("the measure must be nDCG, MAP or RR, found " + name);
  }

  Kind kind() const { return kind_; }
  int64_t k() const { return k_; }
  // 1 / log2(1 + place) of the place j = 0, 1, …; 0 beyond k.
  double discount(int64_t j) const { return j < k_ ? reach_[j + 1] - reach_[j] : 0.0; }

  // The worth of the best order, by which every other is divided; 0 when nothing is relevant.
  double best(const double* gains, int64_t n) {
    if (kind_ != Kind::kNDCG) {
      const auto relevant = std::count_if(gains, gains + n, [](double g) { return g > 0; });
      return kind_ == Kind::kMAP ? static_cast<double>(relevant) : relevant > 0 ? 1.0 : 0.0;
    }
    falling_.assign(gains, gains + n);
    std::sort(falling_.begin(), falling_.end(), std::greater<double>());
    double sum = 0;
    for (int64_t j = 0; j < std::min(n, k_); ++j) sum += falling_[j] * discount(j);
    return sum;
  }

  // Of the group under these scores; `most` is what best() said of it.
  template <class S>
  double operator()(const S* scores, const double* gains, int64_t n, double most) {
    if (!(most > 0)) return 0.0;
    const double least =
        k_ < n / 4 ? kth_best(scores, n) : -std::numeric_limits<double>::infinity();
    sorted_.clear();
    for (int64_t i = 0; i < n; ++i)
      if (scores[i] >= least) sorted_.push_back({static_cast<double>(scores[i]), gains[i]});
    n = static_cast<int64_t>(sorted_.size());
    std::sort(sorted_.begin(), sorted_.end(),
              [](const Placed& a, const Placed& b) { return a.score > b.score; });
    double sum = 0, hits = 0;
    for (int64_t from = 0, to; from < std::min(n, k_); from = to) {
      double gain = 0, relevant = 0;
      for (to = from; to < n && sorted_[to].score == sorted_[from].score; ++to) {
        gain += sorted_[to].gain;
        relevant += sorted_[to].gain > 0;
      }
      const double size = static_cast<double>(to - from);
      const int64_t end = std::min(to, k_);
      if (kind_ == Kind::kNDCG) {
        sum += gain / size * (reach_[end] - reach_[from]);
      } else if (kind_ == Kind::kMAP) {
        // McSherry & Najork 2008, as the kernel precision_sum has it
        const double pairs = size > 1 ? (relevant - 1) / (size - 1) : 0;
        for (int64_t e = from; relevant > 0 && e < end; ++e)
          sum += relevant / size * (hits + static_cast<double>(e - from) * pairs + 1) /
                 static_cast<double>(e + 1);
        hits += relevant;
      } else if (relevant > 0) {
        double none = 1;  // the chance that no place of this tie has held a relevant candidate yet
        for (int64_t e = from; e < end; ++e) {
          const double left = size - static_cast<double>(e - from);
          const double chance = std::min(1.0, relevant / left);
          sum += none * chance / static_cast<double>(e + 1);
          none *= 1 - chance;
        }
        break;
      }
    }
    return sum / most;
  }

 private:
  struct Placed {
    double score, gain;
  };

  // The score at place k: what is below it is not worth sorting, what ties with it is.
  template <class S>
  double kth_best(const S* scores, int64_t n) {
    heap_.assign(scores, scores + k_);
    const auto by = std::greater<double>();
    std::make_heap(heap_.begin(), heap_.end(), by);
    for (int64_t i = k_; i < n; ++i) {
      if (!(scores[i] > heap_.front())) continue;
      std::pop_heap(heap_.begin(), heap_.end(), by);
      heap_.back() = scores[i];
      std::push_heap(heap_.begin(), heap_.end(), by);
    }
    return heap_.front();
  }

  Kind kind_;
  int64_t k_;
  std::vector<double> reach_, falling_, heap_;
  std::vector<Placed> sorted_;
};
}  // namespace labelrank
