// Pairs of labels that stand in the right order, when the truth has grades (RLSEP, section 5.3).
#include <algorithm>

#include "arrays.hpp"

namespace labelrank {
namespace {
constexpr int64_t kMissing = -1;  // the place of a label that is not in the list

struct Graded {
  int32_t label;
  double grade;
  int64_t place, group;  // in the list; labels with equal scores share a group
};
struct Listed {
  int32_t label;
  int64_t place, group;
  bool graded;
};
// Of the pairs u < v with different grades: how many have the greater grade first (`positive`), how
// many second (`negative`), and how many of each the list has in that order.
struct Pairs {
  double positive = 0, negative = 0, true_positive = 0, true_negative = 0;
  void add(bool first_is_greater, double count, double right) {
    (first_is_greater ? positive : negative) += count;
    (first_is_greater ? true_positive : true_negative) += count * right;
  }
  // 0/0 is 1 on a row without a mistake and 0 on any other.
  double precision() const {
    const double false_positive = negative - true_negative;
    if (true_positive + false_positive > 0) return true_positive / (true_positive + false_positive);
    return positive == true_positive ? 1.0 : 0.0;
  }
};

// How right is a list that should have `high` above `low`? Two missing labels have no order, which
// counts as wrong; tied scores count `tie`, or by place when tie < 0.
template <class A, class B>
double rightness(const A& high, const B& low, double tie) {
  if (high.place == kMissing) return 0;
  if (low.place == kMissing) return 1;
  if (tie >= 0 && high.group == low.group) return tie;
  return high.place < low.place ? 1 : 0;
}

// Labels whose grade is below `level` count as grade zero.
Pairs count_pairs(const std::vector<Graded>& graded, const std::vector<Listed>& listed,
                  int64_t n_labels, double level, double tie) {
  Pairs pairs;
  int64_t kept = 0;
  for (const Graded& u : graded) kept += u.grade >= level;
  int64_t kept_before = 0;
  for (size_t a = 0; a < graded.size(); ++a) {
    const Graded& u = graded[a];
    if (u.grade < level) continue;
    for (size_t b = a + 1; b < graded.size(); ++b) {
      const Graded& v = graded[b];
      if (v.grade < level || u.grade == v.grade) continue;
      const bool first = u.grade > v.grade;
      pairs.add(first, 1, first ? rightness(u, v, tie) : rightness(v, u, tie));
    }
    // Against the labels of grade zero: the listed ones here, the missing ones by their number.
    int64_t zero_after = n_labels - 1 - u.label - (kept - kept_before - 1);
    int64_t zero_before = u.label - kept_before;
    const auto against = [&](const auto& v) {
      pairs.add(u.label < v.label, 1, rightness(u, v, tie));
      (u.label < v.label ? zero_after : zero_before) -= 1;
    };
    for (const Listed& v : listed)
      if (!v.graded) against(v);
    for (const Graded& v : graded)
      if (v.grade < level && v.place != kMissing) against(v);
    const double right = u.place == kMissing ? 0 : 1;
    pairs.add(true, static_cast<double>(zero_after), right);
    pairs.add(false, static_cast<double>(zero_before), right);
    ++kept_before;
  }
  return pairs;
}

// For each row (positive, negative, true positive, true negative pairs, mean ranked precision).
// The last is the mean over the levels of the truth of the precision that is left when all lower
// levels are set to zero; it is computed when `levels` is set.
template <class S>
Out<double> ordered_pairs(In<int64_t> indptr, In<int32_t> labels, In<S> scores,
                          In<int64_t> t_indptr, In<int32_t> t_labels, In<double> t_grades,
                          int64_t n_labels, double tie, bool levels) {
  check_indptr(indptr, labels.shape(0), "indptr");
  check_length(scores.shape(0), labels.shape(0), "scores");
  check_indptr(t_indptr, t_labels.shape(0), "t_indptr");
  check_length(t_grades.shape(0), t_labels.shape(0), "t_grades");
  check_length(t_indptr.shape(0), indptr.shape(0), "t_indptr");
  check_indices(labels, n_labels, "labels");
  check_indices(t_labels, n_labels, "t_labels");
  const size_t n = indptr.shape(0) - 1;
  auto out = raw<double>(n * 5);
  {
    nb::gil_scoped_release release;
    std::vector<Graded> graded;
    std::vector<Listed> listed;
    std::vector<double> cuts;
    for (size_t i = 0; i < n; ++i) {
      graded.clear();
      listed.clear();
      for (int64_t e = t_indptr.data()[i]; e < t_indptr.data()[i + 1]; ++e)
        graded.push_back({t_labels.data()[e], t_grades.data()[e], kMissing, kMissing});
      const int64_t begin = indptr.data()[i];
      for (int64_t e = begin, group = 0; e < indptr.data()[i + 1]; ++e) {
        if (e > begin && scores.data()[e] != scores.data()[e - 1]) ++group;
        const int32_t label = labels.data()[e];
        const auto at = std::lower_bound(graded.begin(), graded.end(), label,
                                         [](const Graded& g, int32_t l) { return g.label < l; });
        const bool is_graded = at != graded.end() && at->label == label;
        if (is_graded) {
          at->place = e - begin;
          at->group = group;
        }
        listed.push_back({label, e - begin, group, is_graded});
      }
      const Pairs all = count_pairs(graded, listed, n_labels, 0, tie);
      double mean = 0;
      if (levels && !graded.empty()) {
        cuts.clear();
        for (const Graded& g : graded) cuts.push_back(g.grade);
        std::sort(cuts.begin(), cuts.end());
        cuts.erase(std::unique(cuts.begin(), cuts.end()), cuts.end());
        for (double cut : cuts) mean += count_pairs(graded, listed, n_labels, cut, tie).precision();
        mean /= static_cast<double>(cuts.size());
      }
      const double row[5] = {all.positive, all.negative, all.true_positive, all.true_negative,
                             mean};
      std::copy_n(row, 5, out.get() + i * 5);
    }
  }
  return own(std::move(out), n, 5);
}
}  // namespace

void bind_ordered(nb::module_& m) {
  using nb::arg;
  const auto def = [&m](auto type) {
    using S = decltype(type);
    m.def("ordered_pairs", &ordered_pairs<S>, arg("indptr").noconvert(), arg("labels").noconvert(),
          arg("scores").noconvert(), arg("t_indptr").noconvert(), arg("t_labels").noconvert(),
          arg("t_grades").noconvert(), arg("n_labels"), arg("tie"), arg("levels"));
  };
  def(float{});
  def(double{});
}
}  // namespace labelrank
