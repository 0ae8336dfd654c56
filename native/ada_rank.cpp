// AdaRank (Xu & Li 2007): what every single feature is worth on every group, once, and what scores
// would be worth with one more feature. Features lie one after another: (n_features, n_candidates);
// groups are the outer loop, so that what is read of a group stays near.
#include "arrays.hpp"
#include "group_measure.hpp"

namespace labelrank {
namespace {
// Checked groups, and the worth of the best order of each.
struct Groups {
  Groups(const In<int64_t>& indptr, const In<double>& gains, const In2<float>& columns,
         const std::string& measure, int64_t k)
      : at(indptr.data()),
        n((check_indptr(indptr, gains.shape(0), "indptr"), indptr.shape(0) - 1)),
        longest(longest_group(indptr)),
        gains(gains.data()),
        value(measure, k, longest) {
    check_length(columns.shape(1), gains.shape(0), "columns");
    best.reserve(n);
    for (size_t g = 0; g < n; ++g) best.push_back(value.best(gains.data() + at[g], size(g)));
  }

  int64_t size(size_t g) const { return at[g + 1] - at[g]; }
  double operator()(size_t g, const double* scores) {
    return value(scores, gains + at[g], size(g), best[g]);
  }

  const int64_t* at;
  size_t n;
  int64_t longest;
  const double* gains;
  GroupMeasure value;
  std::vector<double> best;
};

// (2 d, n_groups): the measure of each group when one feature sorts it, falling (rows 0 to d - 1)
// and rising (rows d to 2 d - 1).
Out<double> feature_values(In<int64_t> indptr, In2<float> columns, In<double> gains,
                           const std::string& measure, int64_t k) {
  Groups groups(indptr, gains, columns, measure, k);
  const size_t d = columns.shape(0), n = columns.shape(1);
  auto out = raw<double>(2 * d * groups.n);
  {
    nb::gil_scoped_release release;
    std::vector<double> own(static_cast<size_t>(groups.longest));
    for (size_t g = 0; g < groups.n; ++g)
      for (size_t row = 0; row < 2 * d; ++row) {
        const double sign = row < d ? 1 : -1;
        const float* x = columns.data() + row % d * n + groups.at[g];
        for (int64_t i = 0; i < groups.size(g); ++i) own[i] = sign * static_cast<double>(x[i]);
        out[row * groups.n + g] = groups(g, own.data());
      }
  }
  return labelrank::own(std::move(out), 2 * d, groups.n);
}

// (m, n_groups): the measure of each group under scores + steps[j] * columns[on[j]].
Out<double> stepped_values(In<int64_t> indptr, In2<float> columns, In<double> gains,
                           const std::string& measure, int64_t k, In<double> scores, In<int32_t> on,
                           In<double> steps) {
  Groups groups(indptr, gains, columns, measure, k);
  const size_t m = on.shape(0), n = columns.shape(1);
  check_length(scores.shape(0), n, "scores");
  check_length(steps.shape(0), m, "steps");
  check_indices(on, static_cast<int64_t>(columns.shape(0)), "on");
  auto out = raw<double>(m * groups.n);
  {
    nb::gil_scoped_release release;
    std::vector<double> own(static_cast<size_t>(groups.longest));
    for (size_t g = 0; g < groups.n; ++g) {
      const double* score = scores.data() + groups.at[g];
      for (size_t j = 0; j < m; ++j) {
        const float* x = columns.data() + static_cast<size_t>(on.data()[j]) * n + groups.at[g];
        const double step = steps.data()[j];
        for (int64_t i = 0; i < groups.size(g); ++i)
          own[i] = score[i] + step * static_cast<double>(x[i]);
        out[j * groups.n + g] = groups(g, own.data());
      }
    }
  }
  return labelrank::own(std::move(out), m, groups.n);
}
}  // namespace

void bind_ada_rank(nb::module_& m) {
  using nb::arg;
  m.def("feature_values", &feature_values, arg("indptr").noconvert(), arg("columns").noconvert(),
        arg("gains").noconvert(), arg("measure"), arg("k"));
  m.def("stepped_values", &stepped_values, arg("indptr").noconvert(), arg("columns").noconvert(),
        arg("gains").noconvert(), arg("measure"), arg("k"), arg("scores").noconvert(),
        arg("on").noconvert(), arg("steps").noconvert());
}
}  // namespace labelrank
