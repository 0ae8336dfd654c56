// Scores of a forest: blocks of candidates tree by tree, or one candidate over all trees.
#include "forest.hpp"

#include <cstring>

namespace labelrank {
void Forest::check_width(const In2<float>& F) const {
  if (F.shape(1) != n_features_)
    throw std::invalid_argument("F has " + std::to_string(F.shape(1)) + " columns where " +
                                std::to_string(n_features_) + " are needed");
}

// One candidate as the splits see it.
void Forest::seen(const float* row, float* out) const {
  for (size_t c = 0; c < columns_.size(); ++c) out[c] = columns_[c](row[columns_[c].feature]);
}

// One candidate walks many trees side by side, so that their cache misses overlap: round by round
// two steps in each tree that has not come to a leaf yet.
double Forest::one(const float* x) const {
  constexpr size_t kTrees = 512;
  struct Walker {
    uint32_t tree, at;
  };
  Walker walkers[kTrees];
  uint32_t ends[kTrees];
  const auto next = [x, nodes = nodes_.data()](uint32_t at) {
    return at + nodes[at].jump + (x[nodes[at].column] > nodes[at].threshold);
  };
  double sum = 0;
  for (size_t t = 0; t < trees_.size(); t += kTrees) {
    const size_t n = std::min(kTrees, trees_.size() - t);
    for (size_t i = 0; i < n; ++i)
      walkers[i] = {static_cast<uint32_t>(i), next(static_cast<uint32_t>(trees_[t + i].nodes))};
    for (size_t left = n; left > 0;) {
      size_t kept = 0;
      for (size_t i = 0; i < left; ++i) {
        const Walker walker = walkers[i];
        const uint32_t at = next(walker.at);
        ends[walker.tree] = at;
        walkers[kept] = {walker.tree, next(at)};
        kept += nodes_[at].jump != 0;
      }
      left = kept;
    }
    for (size_t i = 0; i < n; ++i) sum += node_values_[ends[i]];
  }
  return sum;
}

// Small trees over a whole block: every split clears, for the rows that go right, the leaves on its
// left; the first leaf that remains is where a row ends (QuickScorer, Lucchese et al. 2015). Plain
// loops over rows that the compiler turns into wide ones.
LABELRANK_SIMD void Forest::small_trees(const Tree* tree, const Tree* end, const Test* tests,
                                        const double* leaves, const float* turned, size_t n,
                                        double* sums) {
  alignas(64) int32_t open[kRows];
  n = (n + 15) / 16 * 16;  // whole vectors; what is past the rows is of no use
  for (; tree != end; ++tree) {
    for (size_t r = 0; r < n; ++r) open[r] = -1;
    const Test* test = tests + tree->tests;
    for (const Test* last = test + tree->n_splits; test != last; ++test) {
      const float* x = turned + test->column * kRows;
      const float threshold = test->threshold;
      const int32_t clears = static_cast<int32_t>(test->clears);
      for (size_t r = 0; r < n; ++r) open[r] &= x[r] > threshold ? clears : -1;
    }
    const double* values = leaves + tree->leaves;
    for (size_t r = 0; r < n; ++r) {
      const int32_t first = open[r] & -open[r];
      const float power = static_cast<float>(first);  // exact: 2^leaf, told by its exponent
      int32_t bits;
      std::memcpy(&bits, &power, sizeof bits);
      sums[r] += values[(bits >> 23) - 127];
    }
  }
}

// A large tree over a block: first as many steps as a balanced tree would have, eight rows side by
// side and never a branch; then round by round those that are not in a leaf yet.
void Forest::walk(const Tree& tree, const float* x, size_t n, double* sums) const {
  constexpr size_t kLanes = 8;
  struct Walker {
    uint32_t row, at;
  };
  const size_t width = columns_.size();
  const Node* nodes = nodes_.data() + tree.nodes;
  const auto next = [nodes](uint32_t at, const float* row) {
    return at + nodes[at].jump + (row[nodes[at].column] > nodes[at].threshold);
  };
  Walker walkers[kRows];
  uint32_t ends[kRows];
  for (size_t r = 0; r < n; r += kLanes) {
    uint32_t at[kLanes] = {};
    for (uint32_t leaves = tree.n_splits; leaves > 1; leaves /= 2)
      for (size_t l = 0; l < kLanes; ++l) at[l] = next(at[l], x + (r + l) * width);
    for (size_t l = 0; l < kLanes; ++l) walkers[r + l] = {static_cast<uint32_t>(r + l), at[l]};
  }
  for (size_t left = n; left > 0;) {
    size_t kept = 0;
    for (size_t i = 0; i < left; ++i) {
      const Walker walker = walkers[i];
      const float* row = x + walker.row * width;
      const uint32_t at = next(walker.at, row);
      ends[walker.row] = at;
      walkers[kept] = {walker.row, next(at, row)};
      kept += nodes[at].jump != 0;
    }
    left = kept;
  }
  for (size_t r = 0; r < n; ++r) sums[r] += node_values_[tree.nodes + ends[r]];
}

// x: n rows of columns; turned: columns of kRows rows each. Sums are in the order of the trees,
// whichever way a tree is walked, so that a score does not depend on the company it is in.
void Forest::block(const float* x, const float* turned, size_t n, double* sums) const {
  for (size_t t = 0; t < trees_.size();) {
    size_t end = t;
    while (end < trees_.size() && trees_[end].small()) ++end;
    if (end > t) {
      small_trees(trees_.data() + t, trees_.data() + end, tests_.data(), ordered_values_.data(),
                  turned, n, sums);
      t = end;
      continue;
    }
    walk(trees_[t], x, n, sums);
    ++t;
  }
}

Out<double> Forest::scores(In2<float> F) const {
  check_width(F);
  const size_t n = F.shape(0), width = columns_.size();
  auto out = raw<double>(n);
  {
    nb::gil_scoped_release release;
    std::vector<float> x((n < kFew ? 1 : kRows) * width), turned;
    for (size_t at = 0; at < n;) {
      const size_t rows = std::min(kRows, n - at);
      if (rows < kFew) {
        for (; at < n; ++at) {
          seen(F.data() + at * n_features_, x.data());
          out[at] = one(x.data());
        }
        break;
      }
      alignas(64) double sums[kRows] = {};
      turned.resize(kRows * width);
      for (size_t r = 0; r < rows; ++r) {
        seen(F.data() + (at + r) * n_features_, x.data() + r * width);
        for (size_t c = 0; c < width; ++c) turned[c * kRows + r] = x[r * width + c];
      }
      block(x.data(), turned.data(), rows, sums);  // past `rows` are numbers of an earlier block
      std::copy_n(sums, rows, out.get() + at);
      at += rows;
    }
  }
  return own(std::move(out), n);
}

void bind_forest(nb::module_& m) {
  using nb::arg;
  nb::class_<Forest>(m, "Forest")
      .def(nb::init<In<int64_t>, In<int32_t>, In<double>, In<uint8_t>, In<int32_t>, In<int32_t>,
                    In<double>, In<double>, int64_t>(),
           arg("starts").noconvert(), arg("features").noconvert(), arg("thresholds").noconvert(),
           arg("decisions").noconvert(), arg("left").noconvert(), arg("right").noconvert(),
           arg("values").noconvert(), arg("covers").noconvert(), arg("n_features"))
      .def("scores", &Forest::scores, arg("F").noconvert())
      .def("contributions", &Forest::contributions, arg("F").noconvert());
}
}  // namespace labelrank
