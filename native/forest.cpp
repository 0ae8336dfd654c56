// Scores of a forest: blocks of candidates tree by tree, or one candidate over all trees.
#include "forest.hpp"

#include <cstring>

namespace labelrank {
namespace {
// The largest float that is not above t: to a float x, x <= t and x <= floor_of(t) are the same.
// What is as near to zero as kZero counts as zero.
float floor_of(double t) {
  if (t >= 0 && t < kZero) return kZero;
  if (t < 0 && t >= -kZero) return std::nextafter(-kZero, -1.0f);
  const float most = std::numeric_limits<float>::max();
  if (t >= most) return most;
  if (t < -most) return -std::numeric_limits<float>::infinity();
  const float f = static_cast<float>(t);
  return static_cast<double>(f) > t ? std::nextafter(f, -most) : f;
}

[[noreturn]] void refuse(const std::string& what) {
  throw std::invalid_argument("the forest is not sound: " + what);
}
}  // namespace

Forest::Forest(In<int64_t> starts, In<int32_t> features, In<double> thresholds,
               In<uint8_t> decisions, In<int32_t> left, In<int32_t> right, In<double> values,
               In<double> covers, int64_t n_features)
    : n_features_(static_cast<size_t>(n_features)) {
  const size_t n = features.shape(0);
  check_indptr(starts, n, "starts");
  check_length(thresholds.shape(0), n, "thresholds");
  check_length(decisions.shape(0), n, "decisions");
  check_length(left.shape(0), n, "left");
  check_length(right.shape(0), n, "right");
  const size_t n_trees = starts.shape(0) - 1;
  check_length(values.shape(0), n + n_trees, "values");
  check_length(covers.shape(0), n + n_trees, "covers");
  if (n_features < 1 || n + n_trees >= (1u << 30)) refuse("its size is not possible");
  check_indices(features, n_features, "features");
  for (size_t i = 0; i < n + n_trees; ++i) {
    if (!std::isfinite(values.data()[i])) refuse("a value is not finite");
    if (!(covers.data()[i] > 0 && std::isfinite(covers.data()[i])))
      refuse("a cover is not above 0");
  }
  splits_.resize(n);
  for (size_t i = 0; i < n; ++i) {
    if (std::isnan(thresholds.data()[i])) refuse("a threshold is NaN");
    splits_[i].threshold = floor_of(thresholds.data()[i]);
    splits_[i].column = column_of(features.data()[i], decisions.data()[i]);
  }
  if (columns_.empty()) column_of(0, 0);  // a leaf is compared too, with any column there is
  leaf_values_.assign(values.data(), values.data() + n + n_trees);
  for (size_t t = 0; t < n_trees; ++t)
    add(t, starts.data(), left.data(), right.data(), covers.data());
}

uint32_t Forest::column_of(int32_t feature, uint8_t decision) {
  // LightGBM's bits: 1 categorical, 2 missing goes left, 12 what is missing
  const uint8_t missing = decision >> 2;
  if ((decision & 1) != 0 || missing > Column::kNaN) refuse("a split is not numerical");
  const bool left = missing != Column::kNone && (decision & 2) != 0;
  const uint64_t key = static_cast<uint64_t>(feature) * 8 + missing * 2 + left;
  const auto [found, is_new] = column_numbers_.try_emplace(key, columns_.size());
  if (is_new) columns_.push_back({static_cast<uint32_t>(feature), missing, left});
  return static_cast<uint32_t>(found->second);
}

// Checks and packs tree t.
void Forest::add(size_t t, const int64_t* starts, const int32_t* left, const int32_t* right,
                 const double* covers) {
  const size_t at = static_cast<size_t>(starts[t]);
  const int64_t m = starts[t + 1] - starts[t];
  Tree tree{at, at + t, nodes_.size(), tests_.size(), static_cast<uint32_t>(m), 0.0};
  std::vector<uint8_t> reached(static_cast<size_t>(2 * m + 1), 0);  // splits, then leaves
  for (int64_t i = 0; i < m; ++i) {
    for (const int32_t child : {left[at + i], right[at + i]}) {
      const int64_t place = child >= 0 ? child : m + ~static_cast<int64_t>(child);
      if (child >= 0 ? child <= i || child >= m : place > 2 * m) refuse("a child is out of place");
      if (reached[place]++) refuse("a split or leaf has two parents");
    }
    splits_[at + i].left = left[at + i];
    splits_[at + i].right = right[at + i];
  }
  // 2m children, all different, are the m - 1 later splits and m + 1 leaves: none is left out.
  std::vector<double> cover(static_cast<size_t>(m)), mean(static_cast<size_t>(m));
  const auto of = [&](int32_t child, const double* of_leaves, const std::vector<double>& own) {
    return child >= 0 ? own[child] : of_leaves[tree.leaves + static_cast<size_t>(~child)];
  };
  for (int64_t i = m - 1; i >= 0; --i) {
    Split& split = splits_[at + i];
    const double a = of(split.left, covers, cover), b = of(split.right, covers, cover);
    cover[i] = a + b;
    split.left_share = a / cover[i];
    split.right_share = b / cover[i];
    mean[i] = split.left_share * of(split.left, leaf_values_.data(), mean) +
              split.right_share * of(split.right, leaf_values_.data(), mean);
  }
  tree.mean = m > 0 ? mean[0] : leaf_values_[tree.leaves];
  pack(tree);
  trees_.push_back(tree);
}

// Breadth first, so that the splits most rows meet lie together.
void Forest::pack(const Tree& tree) {
  struct Place {
    int32_t child;       // a split, or ~leaf
    uint32_t from, end;  // its leaves, counted from left to right
  };
  std::vector<uint32_t> below(tree.n_splits, 0);  // leaves below a split
  for (size_t i = tree.n_splits; i-- > 0;)
    for (const int32_t child : {splits_[tree.splits + i].left, splits_[tree.splits + i].right})
      below[i] += child >= 0 ? below[child] : 1;
  ordered_values_.resize(tree.leaves + tree.n_splits + 1);
  std::vector<Place> queue{{tree.n_splits > 0 ? 0 : ~0, 0, tree.n_splits + 1}};
  for (size_t q = 0; q < queue.size(); ++q) {
    const Place place = queue[q];
    if (place.child < 0) {
      const double value = leaf_values_[tree.leaves + static_cast<size_t>(~place.child)];
      nodes_.push_back({std::numeric_limits<float>::infinity(), 0, 0});
      node_values_.push_back(value);
      ordered_values_[tree.leaves + place.from] = value;
      continue;
    }
    const Split& split = splits_[tree.splits + place.child];
    const uint32_t middle = place.from + (split.left >= 0 ? below[split.left] : 1);
    nodes_.push_back({split.threshold, split.column, static_cast<uint32_t>(queue.size() - q)});
    node_values_.push_back(0.0);
    queue.push_back({split.left, place.from, middle});
    queue.push_back({split.right, middle, place.end});
    if (tree.small())
      tests_.push_back(
          {split.threshold, split.column, ~(((1u << (middle - place.from)) - 1u) << place.from)});
  }
}

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
