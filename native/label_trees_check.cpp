// Label trees from arrays that may come from a file: verified once, and an index over them.
#include "label_trees.hpp"

namespace labelrank {
namespace {
void refuse(bool wrong, const char* what) {
  if (wrong) throw std::invalid_argument(what);
}
}  // namespace

LabelTrees::LabelTrees(In<int32_t> roots, In<int64_t> starts, In<int32_t> children, In<float> bias,
                       In<int64_t> feature_starts, In<int32_t> features, In<int64_t> weight_starts,
                       In<uint16_t> slots, In<float> weights, int64_t n_features, int64_t n_labels)
    : roots_(roots),
      starts_(starts),
      children_(children),
      bias_(bias),
      feature_starts_(feature_starts),
      features_(features),
      weight_starts_(weight_starts),
      slots_(slots),
      weights_(weights),
      n_features_(n_features),
      n_labels_(n_labels) {
  check();
  index();
}

// Everything that is followed later: no node is reached twice or never, none lies before its
// parent, no label stands twice in a tree.
void LabelTrees::check() {
  const size_t nodes = starts_.shape(0) - 1, edges = children_.shape(0), trees = roots_.shape(0);
  check_indptr(starts_, edges, "starts");
  check_length(bias_.shape(0), edges, "bias");
  check_length(feature_starts_.shape(0), starts_.shape(0), "feature_starts");
  check_indptr(feature_starts_, features_.shape(0), "feature_starts");
  check_length(weight_starts_.shape(0), features_.shape(0) + 1, "weight_starts");
  check_indptr(weight_starts_, slots_.shape(0), "weight_starts");
  check_length(weights_.shape(0), slots_.shape(0), "weights");
  refuse(n_features_ < 0 || n_features_ > INT32_MAX || n_labels_ < 0 || n_labels_ > INT32_MAX,
         "sizes must lie in 0..2147483647");
  refuse(nodes > INT32_MAX, "too many nodes");
  check_indices(features_, n_features_, "features");
  check_indices(roots_, static_cast<int64_t>(nodes), "roots");
  std::vector<int32_t> tree(nodes, -1);  // that a node belongs to
  for (size_t t = 0; t < trees; ++t) {
    int32_t& of_root = tree[static_cast<size_t>(roots_.data()[t])];
    refuse(of_root >= 0, "a root stands twice");
    of_root = static_cast<int32_t>(t);
  }
  // labels by tree: a bit would do, but trees are few and labels are visited once a tree
  std::vector<std::pair<int32_t, int32_t>> leaves;
  for (size_t node = 0; node < nodes; ++node) {
    refuse(tree[node] < 0, "a node belongs to no tree, or lies before its parent");
    const int64_t first = starts_.data()[node], last = starts_.data()[node + 1];
    for (int64_t c = first; c < last; ++c) {
      const int32_t child = children_.data()[c];
      if (child < 0) {
        refuse(~child >= n_labels_, "a label lies outside those there are");
        leaves.push_back({tree[node], ~child});
        continue;
      }
      refuse(static_cast<size_t>(child) <= node || static_cast<size_t>(child) >= nodes,
             "a child does not lie after its parent");
      refuse(tree[static_cast<size_t>(child)] >= 0, "a node has two parents");
      tree[static_cast<size_t>(child)] = tree[node];
    }
    const int64_t begin = feature_starts_.data()[node], end = feature_starts_.data()[node + 1];
    for (int64_t f = begin + 1; f < end; ++f)
      refuse(features_.data()[f] <= features_.data()[f - 1], "a node's features do not rise");
    for (int64_t w = weight_starts_.data()[begin]; w < weight_starts_.data()[end]; ++w)
      refuse(slots_.data()[w] >= last - first, "a weight belongs to no child");
  }
  for (const auto& leaf : leaves)
    met_labels_ = std::max(met_labels_, static_cast<size_t>(leaf.second) + 1);
  std::sort(leaves.begin(), leaves.end());
  refuse(std::adjacent_find(leaves.begin(), leaves.end()) != leaves.end(),
         "a label stands twice in a tree");
}

// Buckets as wide as leave about one feature of the node in each, were they spread evenly.
void LabelTrees::index() {
  const size_t nodes = starts_.shape(0) - 1;
  buckets_.resize(nodes);
  shifts_.resize(nodes);
  filled_.resize(features_.shape(0));
  leaf_.resize(nodes);
  for (size_t node = 0; node < nodes; ++node) {
    const int64_t begin = feature_starts_.data()[node], end = feature_starts_.data()[node + 1];
    const int32_t* children = children_.data();
    leaf_[node] = std::all_of(children + starts_.data()[node], children + starts_.data()[node + 1],
                              [](int32_t child) { return child < 0; });
    uint8_t shift = 0;
    while ((n_features_ >> shift) > 2 * (end - begin) + 1) ++shift;
    shifts_[node] = shift;
    buckets_[node] = firsts_.size();
    const int64_t n_buckets = (n_features_ >> shift) + 1;
    const size_t width = static_cast<size_t>(starts_.data()[node + 1] - starts_.data()[node]);
    for (int64_t f = begin; f < end; ++f) {
      const int64_t first = weight_starts_.data()[f];
      bool filled = static_cast<size_t>(weight_starts_.data()[f + 1] - first) == width;
      for (size_t j = 0; filled && j < width; ++j) filled = slots_.data()[first + j] == j;
      filled_[static_cast<size_t>(f)] = filled;
    }
    int64_t f = begin;
    for (int64_t bucket = 0; bucket <= n_buckets; ++bucket) {
      while (f < end && (features_.data()[f] >> shift) < bucket) ++f;
      firsts_.push_back(static_cast<int32_t>(f - begin));
    }
  }
}
}  // namespace labelrank
