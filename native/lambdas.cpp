// Gradients of boosted rankers: lambdas of nDCG over pairs, and a cross entropy over lists.
#include <cmath>
#include <numeric>

#include "arrays.hpp"

namespace labelrank {
namespace {
using Gradients = std::pair<Out<float>, Out<float>>;

void check_groups(const In<int64_t>& indptr, const In<double>& gains, const In<double>& scores) {
  check_indptr(indptr, gains.shape(0), "indptr");
  check_length(scores.shape(0), gains.shape(0), "scores");
}

// What the lambdas of one group need, kept from group to group.
class Lambdas {
 public:
  Lambdas(int64_t k, int64_t longest, bool normed) : k_(k), normed_(normed) {
    for (int64_t j = 0; j < longest; ++j)
      discounts_.push_back(1 / std::log2(static_cast<double>(j) + 2));
  }

  // A pair of different gains, one of them among the first k under the scores s, pulls by
  //   |change of nDCG@k| / (1 + exp(s of the better - s of the worse)).
  // Normed, the change is divided by 0.01 + |difference of s|, and the sum S of all pulls is
  // brought down to log2(1 + S): groups with many pairs and gaps that are wide already count less.
  void operator()(const double* gains, const double* s, int64_t n, float* gradients,
                  float* hessians) {
    const int64_t cut = std::min(n, k_);
    falling_.assign(gains, gains + n);
    std::sort(falling_.begin(), falling_.end(), std::greater<double>());
    double best = 0;
    for (int64_t j = 0; j < cut; ++j) best += falling_[j] * discounts_[j];
    if (!(best > 0)) return;
    order_.resize(static_cast<size_t>(n));
    std::iota(order_.begin(), order_.end(), int64_t{0});
    std::stable_sort(order_.begin(), order_.end(),
                     [s](int64_t a, int64_t b) { return s[a] > s[b]; });
    g_.assign(static_cast<size_t>(n), 0.0);
    h_.assign(static_cast<size_t>(n), 0.0);
    const bool spread = normed_ && s[order_[0]] != s[order_[n - 1]];
    double sum = 0;
    for (int64_t i = 0; i < cut; ++i) {
      const int64_t a = order_[i];
      for (int64_t j = i + 1; j < n; ++j) {
        const int64_t b = order_[j];
        if (gains[a] == gains[b]) continue;
        const double gap = gains[a] > gains[b] ? s[a] - s[b] : s[b] - s[a];
        double change = std::fabs(gains[a] - gains[b]) * (discounts_[i] - discounts_[j]) / best;
        if (spread) change /= 0.01 + std::fabs(gap);
        const double p = 1 / (1 + std::exp(gap));
        const double pull = change * p, bend = change * p * (1 - p);
        g_[a] += gains[a] > gains[b] ? -pull : pull;
        g_[b] += gains[a] > gains[b] ? pull : -pull;
        h_[a] += bend;
        h_[b] += bend;
        sum += 2 * pull;
      }
    }
    const double factor = normed_ && sum > 0 ? std::log2(1 + sum) / sum : 1.0;
    for (int64_t i = 0; i < n; ++i) {
      gradients[i] = static_cast<float>(g_[i] * factor);
      hessians[i] = static_cast<float>(h_[i] * factor);
    }
  }

 private:
  int64_t k_;
  bool normed_;
  std::vector<double> discounts_, falling_, g_, h_;
  std::vector<int64_t> order_;
};

// Groups that nothing can be learned from have gradients and hessians of 0.
Gradients ndcg_lambdas(In<int64_t> indptr, In<double> gains, In<double> scores, int64_t k,
                       bool normed) {
  check_groups(indptr, gains, scores);
  if (k < 1) throw std::invalid_argument("k must be at least 1");
  const size_t n = gains.shape(0);
  auto gradients = raw<float>(n), hessians = raw<float>(n);
  {
    nb::gil_scoped_release release;
    std::fill_n(gradients.get(), n, 0.0f);
    std::fill_n(hessians.get(), n, 0.0f);
    Lambdas lambdas(k, longest_group(indptr), normed);
    for (size_t q = 0; q + 1 < indptr.shape(0); ++q) {
      const int64_t at = indptr.data()[q], size = indptr.data()[q + 1] - at;
      if (size > 1)
        lambdas(gains.data() + at, scores.data() + at, size, gradients.get() + at,
                hessians.get() + at);
    }
  }
  return {own(std::move(gradients), n), own(std::move(hessians), n)};
}

// Cross entropy between the shares of worth in a group and the softmax of its scores. `worth` is
// above 0 everywhere, also for what is not relevant; groups whose gains are all 0 are left out.
Gradients entropy_lambdas(In<int64_t> indptr, In<double> gains, In<double> scores,
                          In<double> worth) {
  check_groups(indptr, gains, scores);
  check_length(worth.shape(0), gains.shape(0), "worth");
  const size_t n = gains.shape(0);
  auto gradients = raw<float>(n), hessians = raw<float>(n);
  {
    nb::gil_scoped_release release;
    std::vector<double> p(static_cast<size_t>(longest_group(indptr)));
    for (size_t q = 0; q + 1 < indptr.shape(0); ++q) {
      const int64_t at = indptr.data()[q], size = indptr.data()[q + 1] - at;
      const double *g = gains.data() + at, *s = scores.data() + at, *w = worth.data() + at;
      const bool learn = std::any_of(g, g + size, [](double gain) { return gain > 0; });
      const double most = size > 0 ? *std::max_element(s, s + size) : 0.0;
      double all = 0, total = 0;
      for (int64_t i = 0; i < size; ++i) {
        all += p[i] = std::exp(s[i] - most);
        total += w[i];
      }
      for (int64_t i = 0; i < size; ++i) {
        const double share = p[i] / all;
        gradients[at + i] = learn ? static_cast<float>(share - w[i] / total) : 0.0f;
        hessians[at + i] = learn ? static_cast<float>(share * (1 - share)) : 0.0f;
      }
    }
  }
  return {own(std::move(gradients), n), own(std::move(hessians), n)};
}
}  // namespace

void bind_lambdas(nb::module_& m) {
  using nb::arg;
  m.def("ndcg_lambdas", &ndcg_lambdas, arg("indptr").noconvert(), arg("gains").noconvert(),
        arg("scores").noconvert(), arg("k"), arg("normed"));
  m.def("entropy_lambdas", &entropy_lambdas, arg("indptr").noconvert(), arg("gains").noconvert(),
        arg("scores").noconvert(), arg("worth").noconvert());
}
}  // namespace labelrank
