// RLSEP's loss (paper 002, formula 6) over all pairs of labels of different grades, exactly: the
// sum of exp(f_v - f_u) over r_u > r_v is, level by level, a sum over the better labels of
// exp(-f_u) times a sum over all worse ones of exp(f_v). So pairs are never listed: O(n + k log k)
// for n labels of which k have a grade above 0, and those of grade 0 are one level that is never
// sorted.
#include <cmath>
#include <unordered_set>

#include "arrays.hpp"

namespace labelrank {
namespace {
// The sum of exp(x) over what was added, as exp(top) * sum: nothing overflows or vanishes.
class LogSum {
 public:
  void add(double x) {
    if (x <= top_) {
      sum_ += std::exp(x - top_);
    } else {
      sum_ = sum_ * std::exp(top_ - x) + 1;  // exp(-inf) * 0 at the first
      top_ = x;
    }
  }
  bool empty() const { return sum_ == 0; }
  // exp(shift) times the sum; 0 when nothing was added
  double times_exp(double shift) const { return empty() ? 0 : sum_ * std::exp(top_ + shift); }
  double log() const { return top_ + std::log(sum_); }

 private:
  double top_ = -INFINITY, sum_ = 0;
};

struct Graded {
  double grade;
  int64_t place;  // in the row
};

class Rlsep {
 public:
  explicit Rlsep(bool levels) : levels_(levels) {}

  // Loss of a row of n scores; `graded` are the places of the labels of grade above 0, rising.
  // Writes first and second derivatives by each score.
  template <class S>
  double operator()(const S* scores, int64_t n, std::vector<Graded>& graded, double weight,
                    double* slope, double* bend) {
    std::fill(slope, slope + n, 0.0);
    std::fill(bend, bend + n, 0.0);
    const auto zeros = [&](const auto& visit) {  // places between the graded ones
      int64_t at = 0;
      for (const Graded& g : graded) {
        while (at < g.place) visit(at++);
        ++at;
      }
      while (at < n) visit(at++);
    };
    if (graded.empty()) return 0;
    LogSum below;
    zeros([&](int64_t i) { below.add(scores[i]); });
    order_ = graded;
    if (levels_)
      std::sort(order_.begin(), order_.end(), [](const Graded& a, const Graded& b) {
        return a.grade != b.grade ? a.grade < b.grade : a.place < b.place;
      });
    const size_t k = order_.size();
    const auto level_end = [&](size_t begin) {
      size_t end = begin + 1;
      while (end < k && (!levels_ || order_[end].grade == order_[begin].grade)) ++end;
      return end;
    };
    // upwards: the worse ones of each level, and with them the sum over all pairs
    starts_.clear();
    below_.clear();
    LogSum pairs;
    for (size_t begin = 0, end; begin < k; begin = end) {
      end = level_end(begin);
      starts_.push_back(begin);
      below_.push_back(below);
      if (!below.empty())
        for (size_t e = begin; e < end; ++e) pairs.add(below.log() - scores[order_[e].place]);
      for (size_t e = begin; e < end; ++e) below.add(scores[order_[e].place]);
    }
    if (pairs.empty()) return 0;  // all of one level: there is no pair
    pairs.add(0);                 // the 1 of the formula
    const double loss = pairs.log();
    // downwards: the better ones of each level; `up` and `down` are shares of the pairs' sum that a
    // label is in as the worse and as the better, each divided by 1 + sum
    LogSum above;
    const auto derive = [&](int64_t i, double up, double down) {
      slope[i] = weight * (up - down);
      bend[i] = weight * std::max(0.0, up + down - (up - down) * (up - down));
    };
    for (size_t level = starts_.size(), end = k; level-- > 0; end = starts_[level]) {
      for (size_t e = starts_[level]; e < end; ++e) {
        const double s = scores[order_[e].place];
        derive(order_[e].place, above.times_exp(s - loss), below_[level].times_exp(-s - loss));
      }
      for (size_t e = starts_[level]; e < end; ++e) above.add(-scores[order_[e].place]);
    }
    zeros([&](int64_t i) { derive(i, above.times_exp(scores[i] - loss), 0); });
    return weight * loss;
  }

 private:
  bool levels_;
  std::vector<Graded> order_;
  std::vector<size_t> starts_;
  std::vector<LogSum> below_;
};

using Derived = std::tuple<Out<double>, Out<double>, Out<double>>;

// (loss of each group, slope, bend) over entries with a grade each. Without `levels` every grade
// above 0 is one level: LSEP (formula 3).
template <class S>
Derived rlsep(In<int64_t> indptr, In<S> scores, In<double> grades, In<double> weights,
              bool levels) {
  const size_t size = scores.shape(0);
  check_indptr(indptr, size, "indptr");
  check_length(grades.shape(0), size, "grades");
  const size_t n = indptr.shape(0) - 1;
  check_length(weights.shape(0), n, "weights");
  const int64_t* at = indptr.data();
  auto losses = raw<double>(n), slope = raw<double>(size), bend = raw<double>(size);
  {
    nb::gil_scoped_release release;
    Rlsep loss(levels);
    std::vector<Graded> graded;
    for (size_t g = 0; g < n; ++g) {
      graded.clear();
      for (int64_t i = at[g]; i < at[g + 1]; ++i)
        if (grades.data()[i] > 0) graded.push_back({grades.data()[i], i - at[g]});
      losses[g] = loss(scores.data() + at[g], at[g + 1] - at[g], graded, weights.data()[g],
                       slope.get() + at[g], bend.get() + at[g]);
    }
  }
  return {own(std::move(losses), n), own(std::move(slope), size), own(std::move(bend), size)};
}

// The same over every label: scores (n, labels) and the truth as CSR with rising labels.
template <class S>
Derived rlsep_dense(In2<S> scores, In<int64_t> t_indptr, In<int32_t> t_labels, In<double> t_grades,
                    bool levels) {
  const size_t n = scores.shape(0), m = scores.shape(1);
  check_length(t_indptr.shape(0), n + 1, "t_indptr");
  check_indptr(t_indptr, t_labels.shape(0), "t_indptr");
  check_length(t_grades.shape(0), t_labels.shape(0), "t_grades");
  check_indices(t_labels, static_cast<int64_t>(m), "t_labels");
  const int64_t* at = t_indptr.data();
  for (size_t i = 0; i < n; ++i)
    for (int64_t e = at[i] + 1; e < at[i + 1]; ++e)
      if (t_labels.data()[e] <= t_labels.data()[e - 1])
        throw std::invalid_argument("t_labels must rise within each row");
  auto losses = raw<double>(n), slope = raw<double>(n * m), bend = raw<double>(n * m);
  {
    nb::gil_scoped_release release;
    Rlsep loss(levels);
    std::vector<Graded> graded;
    for (size_t i = 0; i < n; ++i) {
      graded.clear();
      for (int64_t e = at[i]; e < at[i + 1]; ++e)
        if (t_grades.data()[e] > 0) graded.push_back({t_grades.data()[e], t_labels.data()[e]});
      losses[i] = loss(scores.data() + i * m, static_cast<int64_t>(m), graded, 1.0,
                       slope.get() + i * m, bend.get() + i * m);
    }
  }
  return {own(std::move(losses), n), own(std::move(slope), n, m), own(std::move(bend), n, m)};
}

// A small generator of its own, so that a seed gives the same pairs everywhere (SplitMix64).
class Random {
 public:
  explicit Random(uint64_t seed) : state_(seed) {}
  uint64_t below(uint64_t bound) {
    const uint64_t uneven = (0 - bound) % bound;  // what would make small numbers likelier
    for (;;) {
      uint64_t z = (state_ += 0x9e3779b97f4a7c15ull);
      z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
      z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
      z ^= z >> 31;
      if (z >= uneven) return z % bound;
    }
  }

 private:
  uint64_t state_;
};

// Some pairs of each group: (row pointer, better, worse), t different ones drawn at random where
// there are more, all where there are not.
std::tuple<Out<int64_t>, Out<int64_t>, Out<int64_t>> sampled_pairs(In<int64_t> indptr,
                                                                   In<double> grades, int64_t t,
                                                                   uint64_t seed) {
  check_indptr(indptr, grades.shape(0), "indptr");
  if (t < 1) throw std::invalid_argument("t must be 1 or more");
  const size_t n = indptr.shape(0) - 1;
  std::vector<int64_t> pointer{0}, better, worse;
  {
    nb::gil_scoped_release release;
    Random random(seed);
    std::vector<Graded> order;
    std::vector<uint64_t> before;  // pairs of the first i of the order
    std::vector<int64_t> lower;    // how many have a lower grade
    std::unordered_set<uint64_t> drawn;
    for (size_t g = 0; g < n; ++g) {
      order.clear();
      for (int64_t i = indptr.data()[g]; i < indptr.data()[g + 1]; ++i)
        order.push_back({grades.data()[i], i});
      std::sort(order.begin(), order.end(), [](const Graded& a, const Graded& b) {
        return a.grade != b.grade ? a.grade < b.grade : a.place < b.place;
      });
      before.assign(1, 0);
      lower.clear();
      for (size_t i = 0; i < order.size(); ++i) {
        const bool tied = i > 0 && order[i].grade == order[i - 1].grade;
        lower.push_back(tied ? lower.back() : static_cast<int64_t>(i));
        before.push_back(before.back() + static_cast<uint64_t>(lower.back()));
      }
      const uint64_t pairs = before.back(), most = static_cast<uint64_t>(t);
      const auto take = [&](uint64_t pair) {
        const auto next = std::upper_bound(before.begin(), before.end(), pair);
        const size_t i = static_cast<size_t>(next - before.begin()) - 1;
        better.push_back(order[i].place);
        worse.push_back(order[pair - before[i]].place);
      };
      if (pairs <= most) {
        for (uint64_t pair = 0; pair < pairs; ++pair) take(pair);
      } else {  // Floyd's way: each of the sets of t pairs is as likely as any other
        drawn.clear();
        for (uint64_t last = pairs - most; last < pairs; ++last) {
          uint64_t pair = random.below(last + 1);
          if (!drawn.insert(pair).second) drawn.insert(pair = last);
          take(pair);
        }
      }
      pointer.push_back(static_cast<int64_t>(better.size()));
    }
  }
  return {own(std::move(pointer)), own(std::move(better)), own(std::move(worse))};
}
}  // namespace

void bind_rlsep(nb::module_& m) {
  using nb::arg;
  const auto def = [&m](auto type) {
    using S = decltype(type);
    m.def("rlsep", &rlsep<S>, arg("indptr").noconvert(), arg("scores").noconvert(),
          arg("grades").noconvert(), arg("weights").noconvert(), arg("levels"));
    m.def("rlsep_dense", &rlsep_dense<S>, arg("scores").noconvert(), arg("t_indptr").noconvert(),
          arg("t_labels").noconvert(), arg("t_grades").noconvert(), arg("levels"));
  };
  def(float{});
  def(double{});
  m.def("sampled_pairs", &sampled_pairs, arg("indptr").noconvert(), arg("grades").noconvert(),
        arg("t"), arg("seed"));
}
}  // namespace labelrank
