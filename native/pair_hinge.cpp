// RankSVM's loss: the hinge of every pair of candidates of a group with different grades, in
// O(n log n): pairs are never listed, sums over them are kept by grade while scores are swept.
#include <numeric>

#include "arrays.hpp"

namespace labelrank {
namespace {
// Sums of three values over all grade levels below some level (a Fenwick tree).
class Below {
 public:
  struct Sums {
    double a = 0, b = 0, c = 0;
  };
  void reset(size_t levels) { tree_.assign(levels + 1, Sums{}); }
  void add(size_t level, double a, double b, double c) {
    for (size_t i = level + 1; i < tree_.size(); i += i & (0 - i)) {
      tree_[i].a += a;
      tree_[i].b += b;
      tree_[i].c += c;
    }
  }
  Sums operator()(size_t level) const {
    Sums sums;
    for (size_t i = level; i > 0; i -= i & (0 - i)) {
      sums.a += tree_[i].a;
      sums.b += tree_[i].b;
      sums.c += tree_[i].c;
    }
    return sums;
  }

 private:
  std::vector<Sums> tree_;
};

struct Candidate {
  double score, grade, weight;
  int64_t place;  // where it stands in the arrays
  size_t level;   // of its grade within the group, 0 the lowest
};

class PairHinge {
 public:
  explicit PairHinge(bool squared) : squared_(squared) {}

  // Loss of one group; writes its gradient.
  double operator()(std::vector<Candidate>& group, double* gradient) {
    std::sort(group.begin(), group.end(),
              [](const Candidate& a, const Candidate& b) { return a.grade < b.grade; });
    size_t levels = 0;
    for (size_t i = 0; i < group.size(); ++i) {
      levels += i > 0 && group[i].grade != group[i - 1].grade;
      group[i].level = levels;
    }
    if (group.empty() || levels++ == 0) return 0;
    std::sort(group.begin(), group.end(),
              [](const Candidate& a, const Candidate& b) { return a.score > b.score; });
    const double top = group[0].score;
    for (auto& c : group) c.score -= top;  // squares of large scores would cancel badly

    // each as the better of its pairs; from the top, those above score - 1 only grow
    double loss = 0;
    below_.reset(levels);
    for (size_t i = 0, next = 0; i < group.size(); ++i) {
      const Candidate& c = group[i];
      for (; next < group.size() && group[next].score > c.score - 1; ++next) {
        const double s = group[next].score;
        below_.add(group[next].level, 1, s, s * s);
      }
      const auto [n, sum, squares] = below_(c.level);
      const double room = 1 - c.score, hinges = n * room + sum;
      loss += c.weight * (squared_ ? room * (n * room + 2 * sum) + squares : hinges);
      gradient[c.place] -= c.weight * (squared_ ? 2 * hinges : n);
    }
    // each as the worse of its pairs; from the bottom, those below score + 1 only grow
    below_.reset(levels);
    for (size_t i = group.size(), next = group.size(); i-- > 0;) {
      const Candidate& c = group[i];
      for (; next > 0 && group[next - 1].score - 1 < c.score; --next) {
        const Candidate& d = group[next - 1];
        below_.add(levels - 1 - d.level, d.weight, d.weight * d.score, 0);
      }
      const auto [weight, sum, none] = below_(levels - 1 - c.level);
      gradient[c.place] += squared_ ? 2 * (weight * (1 + c.score) - sum) : weight;
    }
    return loss;
  }

 private:
  bool squared_;
  Below below_;
};

// (loss of each group, gradient): sum over pairs with grade_i > grade_j of
// weight_i max(0, 1 - score_i + score_j), or its square.
std::pair<Out<double>, Out<double>> pair_hinge(In<int64_t> indptr, In<double> scores,
                                               In<double> grades, In<double> weights,
                                               bool squared) {
  const size_t size = scores.shape(0);
  check_indptr(indptr, size, "indptr");
  check_length(grades.shape(0), size, "grades");
  check_length(weights.shape(0), size, "weights");
  const size_t n = indptr.shape(0) - 1;
  const int64_t* at = indptr.data();
  auto losses = raw<double>(n);
  auto gradient = raw<double>(size);
  {
    nb::gil_scoped_release release;
    std::fill(gradient.get(), gradient.get() + size, 0.0);
    PairHinge hinge(squared);
    std::vector<Candidate> group;
    for (size_t g = 0; g < n; ++g) {
      group.clear();
      for (int64_t i = at[g]; i < at[g + 1]; ++i)
        group.push_back({scores.data()[i], grades.data()[i], weights.data()[i], i, 0});
      losses[g] = hinge(group, gradient.get());
    }
  }
  return {own(std::move(losses), n), own(std::move(gradient), size)};
}
}  // namespace

void bind_pair_hinge(nb::module_& m) {
  using nb::arg;
  m.def("pair_hinge", &pair_hinge, arg("indptr").noconvert(), arg("scores").noconvert(),
        arg("grades").noconvert(), arg("weights").noconvert(), arg("squared"));
}
}  // namespace labelrank
