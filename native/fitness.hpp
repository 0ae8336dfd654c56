// What the scores of all groups are worth by a measure, for many formulas one after another.
#pragma once
#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "arrays.hpp"
#include "group_measure.hpp"

namespace labelrank {
// How many of a group's scores are above those of some of its members, and how many equal.
LABELRANK_SIMD static void count(const float* scores, int32_t n, const int32_t* members, int32_t m,
                                 int32_t* above, int32_t* equal) {
  for (int32_t r = 0; r < m; ++r) {
    const float own = scores[members[r]];
    int32_t more = 0, same = 0;
    for (int32_t i = 0; i < n; ++i) {
      more += scores[i] > own;
      same += scores[i] == own;
    }
    above[r] = more;
    equal[r] = same;
  }
}

// The mean of a measure over groups. Where few candidates are relevant, nDCG counts what stands
// above each of them instead of sorting the group.
class Fitness {
 public:
  Fitness(const In<int64_t>& indptr, const double* gains, const std::string& measure, int64_t k)
      : at_(indptr.data()),
        n_groups_(static_cast<int64_t>(indptr.shape(0)) - 1),
        gains_(gains),
        value_(measure, k, longest_group(indptr)),
        best_(n_groups_),
        first_(n_groups_ + 1, 0),
        reach_(value_.k() + 1, 0) {
    for (int64_t j = 0; j < value_.k(); ++j) reach_[j + 1] = reach_[j] + value_.discount(j);
    for (int64_t g = 0; g < n_groups_; ++g) {
      const int64_t size = at_[g + 1] - at_[g];
      best_[g] = value_.best(gains_ + at_[g], size);
      for (int64_t i = 0; i < size; ++i)
        if (gains_[at_[g] + i] > 0) relevant_.push_back(static_cast<int32_t>(i));
      first_[g + 1] = static_cast<int64_t>(relevant_.size());
    }
    above_.resize(relevant_.size());
    equal_.resize(relevant_.size());
  }

  double operator()(const float* scores) {
    double sum = 0;
    for (int64_t g = 0; g < n_groups_; ++g) {
      const int64_t size = at_[g + 1] - at_[g], m = first_[g + 1] - first_[g];
      if (!(best_[g] > 0)) continue;
      const bool few = static_cast<double>(m) < 16 * std::log2(static_cast<double>(size) + 1);
      if (value_.kind() == GroupMeasure::Kind::kNDCG && few)
        sum += counted(g, scores + at_[g], size);
      else if (size > 4 * value_.k())
        sum += cut(g, scores + at_[g], size);
      else
        sum += value_(scores + at_[g], gains_ + at_[g], size, best_[g]);
    }
    return n_groups_ ? sum / static_cast<double>(n_groups_) : 0;
  }

 private:
  double counted(int64_t g, const float* scores, int64_t size) {
    const int64_t from = first_[g], m = first_[g + 1] - from;
    count(scores, static_cast<int32_t>(size), relevant_.data() + from, static_cast<int32_t>(m),
          above_.data(), equal_.data());
    double sum = 0;
    for (int64_t r = 0; r < m; ++r) {  // the mean discount of the places that its tie holds
      const int64_t above = std::min<int64_t>(above_[r], value_.k());
      const int64_t end = std::min<int64_t>(above + equal_[r], value_.k());
      sum += gains_[at_[g] + relevant_[from + r]] * (reach_[end] - reach_[above]) / equal_[r];
    }
    return sum / best_[g];
  }

  // Of a long group only those matter that reach the first k places, or tie with the last of them.
  double cut(int64_t g, const float* scores, int64_t size) {
    top_.assign(scores, scores + size);
    const auto last = top_.begin() + (value_.k() - 1);
    std::nth_element(top_.begin(), last, top_.end(), std::greater<float>());
    const float least = *last;
    top_.clear();
    top_gains_.clear();
    for (int64_t i = 0; i < size; ++i) {
      if (scores[i] < least) continue;
      top_.push_back(scores[i]);
      top_gains_.push_back(gains_[at_[g] + i]);
    }
    return value_(top_.data(), top_gains_.data(), static_cast<int64_t>(top_.size()), best_[g]);
  }

  const int64_t* at_;
  int64_t n_groups_;
  const double* gains_;
  GroupMeasure value_;
  std::vector<double> best_;
  std::vector<int64_t> first_;  // of each group, among the relevant
  std::vector<double> reach_;
  std::vector<int32_t> relevant_, above_, equal_;
  std::vector<float> top_;
  std::vector<double> top_gains_;
};
}  // namespace labelrank
