// RankBoost (Freund, Iyer, Schapire & Singer 2003): weights of pairs as products of two factors,
// the r of every threshold by one histogram, and scores that are sums of steps.
#include <cmath>
#include <limits>

#include "arrays.hpp"

namespace labelrank {
namespace {
// What runs over the grades of a group need: grades never fall within a group.
void check_rising(const In<int64_t>& indptr, const In<double>& grades) {
  bool good = true;
  for (size_t g = 0; g + 1 < indptr.shape(0); ++g)
    for (int64_t i = indptr.data()[g] + 1; i < indptr.data()[g + 1]; ++i)
      good &= grades.data()[i - 1] <= grades.data()[i];
  if (!good) throw std::invalid_argument("grades must not fall within a group");
}

// The end of the run of equal grades that begins at i.
int64_t run_end(const double* grades, int64_t i, int64_t end) {
  const double grade = grades[i];
  while (i < end && grades[i] == grade) ++i;
  return i;
}

// Of candidates passed in order of grade: Σ weight * exp(score - anchor), split by what a step
// says, where the anchor is the largest score so far. So nothing overflows, and what underflows is
// nothing beside the largest, however far apart the scores of a group are.
struct Passed {
  double anchor = -std::numeric_limits<double>::infinity();
  double sum[2] = {0, 0};

  void raise(double highest) {
    if (!(highest > anchor)) return;
    const double less = std::exp(anchor - highest);
    sum[0] *= less;
    sum[1] *= less;
    anchor = highest;
  }
};

// Pairs of a group with grade(u) > grade(v) have the weight w_u exp(f(v) - f(u)). The force of a
// candidate is what its pairs want of it: the share of weight of those that it should win less of
// those that it should lose, so that r(h) = Σ force * h. Sums over the grades below and above a
// candidate stand for its pairs. Returns (force, sum of weights / exp(farthest), farthest), where
// farthest is the largest f(v) - f(u); without any pair all are 0 and farthest is -inf.
std::tuple<Out<double>, double, double> pair_forces(In<int64_t> indptr, In<double> grades,
                                                    In<double> weights, In<double> scores) {
  const size_t n = grades.shape(0);
  check_indptr(indptr, n, "indptr");
  check_length(weights.shape(0), n, "weights");
  check_length(scores.shape(0), n, "scores");
  check_rising(indptr, grades);
  auto force = raw<double>(n);
  double total = 0, farthest = -std::numeric_limits<double>::infinity();
  {
    nb::gil_scoped_release release;
    const int64_t* at = indptr.data();
    const double *y = grades.data(), *w = weights.data(), *f = scores.data();
    const size_t n_groups = indptr.shape(0) - 1;
    for (size_t g = 0; g < n_groups; ++g) {
      double highest = -std::numeric_limits<double>::infinity();
      for (int64_t i = at[g], end; i < at[g + 1]; i = end) {
        end = run_end(y, i, at[g + 1]);
        for (int64_t j = i; j < end; ++j)
          if (w[j] > 0) farthest = std::max(farthest, highest - f[j]);
        for (int64_t j = i; j < end; ++j) highest = std::max(highest, f[j]);
      }
    }
    for (size_t g = 0; g < n_groups; ++g) {
      const int64_t from = at[g], to = at[g + 1];
      Passed below, above;
      for (int64_t i = from, end; i < to; i = end) {
        end = run_end(y, i, to);
        double highest = below.anchor;
        for (int64_t j = i; j < end; ++j) {
          const bool wins = i > from && w[j] > 0;
          force[j] = wins ? w[j] * std::exp(below.anchor - f[j] - farthest) * below.sum[0] : 0.0;
          total += force[j];
          highest = std::max(highest, f[j]);
        }
        if (end == to) break;
        below.raise(highest);
        for (int64_t j = i; j < end; ++j) below.sum[0] += std::exp(f[j] - below.anchor);
      }
      for (int64_t end = to, i; end > from; end = i) {
        double highest = above.anchor;
        for (i = end; i > from && y[i - 1] == y[end - 1]; --i) {
          if (above.sum[0] > 0)
            force[i - 1] -= std::exp(above.anchor + f[i - 1] - farthest) * above.sum[0];
          if (w[i - 1] > 0) highest = std::max(highest, -f[i - 1]);
        }
        if (i == from) break;
        above.raise(highest);
        for (int64_t j = i; j < end; ++j)
          if (w[j] > 0) above.sum[0] += w[j] * std::exp(-f[j] - above.anchor);
      }
    }
    const double share = total > std::numeric_limits<double>::min() ? 1 / total : 0.0;
    for (size_t i = 0; i < n; ++i) force[i] *= share;
  }
  return {own(std::move(force), n), total, farthest};
}

// The weight / exp(farthest) of the pairs that a step puts right, and of those it puts wrong.
std::pair<double, double> moved_weight(In<int64_t> indptr, In<double> grades, In<double> weights,
                                       In<double> scores, In<bool> high, double farthest) {
  const size_t n = grades.shape(0);
  check_indptr(indptr, n, "indptr");
  check_length(weights.shape(0), n, "weights");
  check_length(scores.shape(0), n, "scores");
  check_length(high.shape(0), n, "high");
  check_rising(indptr, grades);
  nb::gil_scoped_release release;
  const double *w = weights.data(), *f = scores.data();
  double right = 0, wrong = 0;
  for (size_t g = 0; g + 1 < indptr.shape(0); ++g) {
    const int64_t from = indptr.data()[g], to = indptr.data()[g + 1];
    Passed below;
    for (int64_t i = from, end; i < to; i = end) {
      end = run_end(grades.data(), i, to);
      double highest = below.anchor;
      for (int64_t j = i; j < end; ++j) {
        const bool h = high.data()[j];
        if (i > from && w[j] > 0)
          (h ? right : wrong) +=
              w[j] * std::exp(below.anchor - f[j] - farthest) * below.sum[h ? 0 : 1];
        highest = std::max(highest, f[j]);
      }
      if (end == to) break;
      below.raise(highest);
      for (int64_t j = i; j < end; ++j)
        below.sum[high.data()[j] ? 1 : 0] += std::exp(f[j] - below.anchor);
    }
  }
  return {right, wrong};
}

// r of every step: the sum of force over the candidates whose bin is above b, for each feature and
// b. Row by row, because then one addition does not wait for the one before.
Out<double> step_forces(In2<uint8_t> bins, In<double> force, int64_t n_bins) {
  const size_t n = bins.shape(0), d = bins.shape(1);
  check_length(force.shape(0), n, "force");
  if (n_bins < 1 || n_bins > 256) throw std::invalid_argument("n_bins must lie in 1..256");
  const size_t width = static_cast<size_t>(n_bins);
  if (std::any_of(bins.data(), bins.data() + n * d, [&](uint8_t b) { return b >= width; }))
    throw std::invalid_argument("a bin lies outside 0.." + std::to_string(n_bins - 1));
  auto sums = raw<double>(d * width);
  {
    nb::gil_scoped_release release;
    std::fill(sums.get(), sums.get() + d * width, 0.0);
    for (size_t i = 0; i < n; ++i) {
      const double own = force.data()[i];
      if (own == 0) continue;
      const uint8_t* row = bins.data() + i * d;
      double* feature = sums.get();
      for (size_t j = 0; j < d; ++j, feature += width) feature[row[j]] += own;
    }
    for (size_t j = 0; j < d; ++j) {  // bins to what lies above them
      double above = 0, *feature = sums.get() + j * width;
      for (size_t b = width; b-- > 0;) above += std::exchange(feature[b], above);
    }
  }
  return own(std::move(sums), d, width);
}

// Sums of steps: column j of F adds values[e] where e counts its thresholds below x. Feature j has
// thresholds[indptr[j]:indptr[j + 1]], rising, and one value more than thresholds.
Out<double> step_values(In2<float> F, In<int64_t> indptr, In<float> thresholds, In<double> values) {
  const size_t n = F.shape(0), d = F.shape(1);
  check_indptr(indptr, thresholds.shape(0), "indptr");
  check_length(indptr.shape(0), d + 1, "indptr");
  check_length(values.shape(0), thresholds.shape(0) + d, "values");
  auto out = raw<double>(n * d);
  {
    nb::gil_scoped_release release;
    for (size_t j = 0; j < d; ++j) {
      const float* first = thresholds.data() + indptr.data()[j];
      const float* last = thresholds.data() + indptr.data()[j + 1];
      const double* value = values.data() + indptr.data()[j] + j;
      for (size_t i = 0; i < n; ++i)
        out[i * d + j] = value[std::lower_bound(first, last, F.data()[i * d + j]) - first];
    }
  }
  return own(std::move(out), n, d);
}
}  // namespace

void bind_rank_boost(nb::module_& m) {
  using nb::arg;
  m.def("pair_forces", &pair_forces, arg("indptr").noconvert(), arg("grades").noconvert(),
        arg("weights").noconvert(), arg("scores").noconvert());
  m.def("moved_weight", &moved_weight, arg("indptr").noconvert(), arg("grades").noconvert(),
        arg("weights").noconvert(), arg("scores").noconvert(), arg("high").noconvert(),
        arg("farthest"));
  m.def("step_forces", &step_forces, arg("bins").noconvert(), arg("force").noconvert(),
        arg("n_bins"));
  m.def("step_values", &step_values, arg("F").noconvert(), arg("indptr").noconvert(),
        arg("thresholds").noconvert(), arg("values").noconvert());
}
}  // namespace labelrank
