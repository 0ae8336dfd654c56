// Contributions of features to a forest's scores: exact Shapley values, leaf by leaf.
#include "forest.hpp"

namespace labelrank {
namespace {
// The features on the way to one leaf, and the polynomial of Lundberg et al. 2018, Algorithm 2:
// after extend() with every feature, p[j] weighs the orders in which j of them are known.
struct Way {
  std::vector<double> p, zero;  // zero: the share of training rows that pass, feature unknown
  std::vector<uint32_t> features;
  std::vector<uint8_t> one;  // whether this candidate passes

  void extend() {
    const size_t d = features.size();
    p.assign(d + 1, 0.0);
    p[0] = 1;
    for (size_t i = 1; i <= d; ++i) {
      const double z = zero[i - 1], all = static_cast<double>(i + 1);
      for (size_t j = i; j-- > 0;) {
        if (one[i - 1]) p[j + 1] += p[j] * static_cast<double>(j + 1) / all;
        p[j] *= z * static_cast<double>(i - j) / all;
      }
    }
  }

  // The sum of the weights when feature e is taken out again.
  double without(size_t e) const {
    const size_t d = features.size();
    const double all = static_cast<double>(d + 1), z = zero[e];
    double total = 0, next = p[d];
    for (size_t j = d; j-- > 0;) {
      const double rest = static_cast<double>(d - j);
      if (one[e]) {
        const double known = next * all / static_cast<double>(j + 1);
        total += known;
        next = p[j] - known * z * rest / all;
      } else {
        total += p[j] * all / (z * rest);
      }
    }
    return total;
  }
};

struct Step {
  int32_t split;
  bool right;
};
}  // namespace

// Adds one tree's contributions of n candidates (rows of columns) to rows of n_features + 1.
void Forest::shares(const Tree& tree, const float* x, size_t n, double* out) const {
  const size_t width = columns_.size(), row = n_features_ + 1;
  for (size_t r = 0; r < n; ++r) out[r * row + n_features_] += tree.mean;
  if (tree.n_splits == 0) return;
  Way way;
  std::vector<size_t> element;  // of each step: its place among the features of the way
  std::vector<Step> steps{{0, false}};
  while (!steps.empty()) {
    const Split& last = splits_[tree.splits + steps.back().split];
    const int32_t child = steps.back().right ? last.right : last.left;
    if (child >= 0) {
      steps.push_back({child, false});
      continue;
    }
    way.features.clear();
    way.zero.clear();
    element.clear();
    for (const Step& step : steps) {
      const Split& split = splits_[tree.splits + step.split];
      const uint32_t feature = columns_[split.column].feature;
      const auto found = std::find(way.features.begin(), way.features.end(), feature);
      element.push_back(static_cast<size_t>(found - way.features.begin()));
      if (found == way.features.end()) {
        way.features.push_back(feature);
        way.zero.push_back(1.0);
      }
      way.zero[element.back()] *= step.right ? split.right_share : split.left_share;
    }
    const double value = leaf_values_[tree.leaves + static_cast<size_t>(~child)];
    for (size_t r = 0; r < n; ++r) {
      way.one.assign(way.features.size(), 1);
      for (size_t s = 0; s < steps.size(); ++s) {
        const Split& split = splits_[tree.splits + steps[s].split];
        way.one[element[s]] &= (x[r * width + split.column] > split.threshold) == steps[s].right;
      }
      way.extend();
      for (size_t e = 0; e < way.features.size(); ++e)
        out[r * row + way.features[e]] += way.without(e) * (way.one[e] - way.zero[e]) * value;
    }
    while (!steps.empty() && steps.back().right) steps.pop_back();
    if (!steps.empty()) steps.back().right = true;
  }
}

Out<double> Forest::contributions(In2<float> F) const {
  check_width(F);
  const size_t n = F.shape(0), width = columns_.size(), size = n * (n_features_ + 1);
  auto out = raw<double>(size);
  {
    nb::gil_scoped_release release;
    std::fill_n(out.get(), size, 0.0);
    std::vector<float> x(n * width);
    for (size_t r = 0; r < n; ++r) seen(F.data() + r * n_features_, x.data() + r * width);
    for (const Tree& tree : trees_) shares(tree, x.data(), n, out.get());
  }
  return own(std::move(out), n, n_features_ + 1);
}
}  // namespace labelrank
