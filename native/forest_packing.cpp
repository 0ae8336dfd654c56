// A forest as it is made: every number of the model checked, then packed for scoring.
#include "forest.hpp"

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
}  // namespace labelrank
