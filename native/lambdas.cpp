// Lambdas: every pair of a group pulls by how much exchanging it changes the measure. LambdaRank's
// network and LambdaMART's trees learn from them.
#include <cmath>

#include "arrays.hpp"
#include "group_measure.hpp"

namespace labelrank {
namespace {
class Lambdas {
 public:
  Lambdas(const std::string& measure, int64_t k, int64_t longest, bool normed)
      : measure_(measure, k, longest), normed_(normed) {}

  // Writes first and second derivatives of a cost by each score, which falls as the measure grows:
  // a pair pulls by |change of the measure| / (1 + exp(score of the better - of the worse)).
  // Normed, the change is divided by 0.01 + |difference of scores|, and the sum S of all pulls is
  // brought down to log2(1 + S): groups with many pairs and gaps that are wide already count less.
  void operator()(const double* scores, const double* gains, int64_t n, double weight,
                  double* gradient, double* hessian) {
    std::fill(gradient, gradient + n, 0.0);
    std::fill(hessian, hessian + n, 0.0);
    const double best = measure_.best(gains, n);
    if (!(best > 0)) return;
    order_.resize(static_cast<size_t>(n));
    for (int64_t i = 0; i < n; ++i) order_[i] = i;
    std::stable_sort(order_.begin(), order_.end(),
                     [scores](int64_t a, int64_t b) { return scores[a] > scores[b]; });
    count(gains, n);
    const bool spread = normed_ && scores[order_[0]] != scores[order_[n - 1]];
    const int64_t reach = std::min(n, measure_.k());
    double sum = 0;
    for (int64_t p = 0; p < reach; ++p) {  // pairs beyond the cut change nothing
      const int64_t a = order_[p];
      for (int64_t q = p + 1; q < n; ++q) {
        const int64_t b = order_[q];
        if (!differs(gains[a], gains[b])) continue;
        const bool upper = gains[a] > gains[b];
        const int64_t better = upper ? a : b, worse = upper ? b : a;
        const double gap = scores[better] - scores[worse];
        double moved = change(p, q, gains[a], gains[b]) / best;
        if (spread) moved /= 0.01 + std::fabs(gap);
        const double chance = 1 / (1 + std::exp(gap));
        const double pull = moved * chance, bend = pull * (1 - chance);
        gradient[better] -= pull;
        gradient[worse] += pull;
        hessian[better] += bend;
        hessian[worse] += bend;
        sum += 2 * pull;
      }
    }
    const double factor = weight * (normed_ && sum > 0 ? std::log2(1 + sum) / sum : 1.0);
    for (int64_t i = 0; i < n; ++i) {
      gradient[i] *= factor;
      hessian[i] *= factor;
    }
  }

 private:
  bool differs(double a, double b) const {
    return measure_.kind() == GroupMeasure::Kind::kNDCG ? a != b : (a > 0) != (b > 0);
  }

  // Running counts of relevant places, for MAP and RR.
  void count(const double* gains, int64_t n) {
    if (measure_.kind() == GroupMeasure::Kind::kNDCG) return;
    hits_.assign(static_cast<size_t>(n), 0.0);
    parts_.assign(static_cast<size_t>(n), 0.0);
    first_ = second_ = n;
    double hits = 0, parts = 0;
    for (int64_t p = 0; p < n; ++p) {
      if (gains[order_[p]] > 0) {
        hits += 1;
        parts += share(p, 1);
        if (first_ == n)
          first_ = p;
        else if (second_ == n)
          second_ = p;
      }
      hits_[p] = hits;
      parts_[p] = parts;
    }
  }

  double share(int64_t p, double hits) const {
    return p < measure_.k() ? hits / static_cast<double>(p + 1) : 0.0;
  }

  // By how much the undivided measure changes when the places p < q are exchanged.
  double change(int64_t p, int64_t q, double at_p, double at_q) const {
    if (measure_.kind() == GroupMeasure::Kind::kNDCG)
      return std::abs(at_p - at_q) * (measure_.discount(p) - measure_.discount(q));
    if (measure_.kind() == GroupMeasure::Kind::kMAP) {
      if (at_p > 0)  // the relevant one falls: those between lose a hit above them
        return share(p, hits_[p]) + (parts_[q] - parts_[p]) - share(q, hits_[q]);
      return share(p, hits_[p] + 1) + (parts_[q - 1] - parts_[p]) - share(q, hits_[q]);
    }
    if (at_p > 0) return p == first_ ? share(p, 1) - share(std::min(q, second_), 1) : 0.0;
    return p < first_ ? share(p, 1) - share(first_, 1) : 0.0;
  }

  GroupMeasure measure_;
  bool normed_;
  std::vector<int64_t> order_;
  std::vector<double> hits_, parts_;  // relevant places up to p: their number, and sum of 1/place
  int64_t first_ = 0, second_ = 0;
};

// (first, second derivatives) of every candidate; all 0 where a group has nothing relevant.
std::pair<Out<double>, Out<double>> lambdas(In<int64_t> indptr, In<double> scores, In<double> gains,
                                            In<double> weights, const std::string& measure,
                                            int64_t k, bool normed) {
  const size_t size = scores.shape(0), n = indptr.shape(0) - (indptr.shape(0) > 0);
  check_indptr(indptr, size, "indptr");
  check_length(gains.shape(0), size, "gains");
  check_length(weights.shape(0), n, "weights");
  const int64_t* at = indptr.data();
  Lambdas pull(measure, k, longest_group(indptr), normed);
  auto gradient = raw<double>(size), hessian = raw<double>(size);
  {
    nb::gil_scoped_release release;
    for (size_t g = 0; g < n; ++g)
      pull(scores.data() + at[g], gains.data() + at[g], at[g + 1] - at[g], weights.data()[g],
           gradient.get() + at[g], hessian.get() + at[g]);
  }
  return {own(std::move(gradient), size), own(std::move(hessian), size)};
}
}  // namespace

void bind_lambdas(nb::module_& m) {
  using nb::arg;
  m.def("lambdas", &lambdas, arg("indptr").noconvert(), arg("scores").noconvert(),
        arg("gains").noconvert(), arg("weights").noconvert(), arg("measure"), arg("k"),
        arg("normed"));
}
}  // namespace labelrank
