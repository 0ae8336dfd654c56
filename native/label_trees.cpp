// Trees whose leaves are labels and whose nodes score their children by sparse linear functions;
// searched from the root with a beam.
#include <cmath>

#include "arrays.hpp"
#include "top.hpp"

namespace labelrank {
namespace {
LABELRANK_SIMD void add_all(float* products, const float* weights, size_t n, float value) {
  for (size_t j = 0; j < n; ++j) products[j] += value * weights[j];
}

class LabelTrees {
 public:
  // Node n has the children starts[n]:starts[n + 1], of which each is a later node or ~label, and a
  // bias for each. It looks at the features feature_starts[n]:feature_starts[n + 1], rising; entry
  // f of them has weights weight_starts[f]:weight_starts[f + 1], each for the child at its slot.
  LabelTrees(In<int32_t> roots, In<int64_t> starts, In<int32_t> children, In<float> bias,
             In<int64_t> feature_starts, In<int32_t> features, In<int64_t> weight_starts,
             In<uint16_t> slots, In<float> weights, int64_t n_features, int64_t n_labels)
      : roots_(roots), starts_(starts), children_(children), bias_(bias),
        feature_starts_(feature_starts), features_(features), weight_starts_(weight_starts),
        slots_(slots), weights_(weights), n_features_(n_features), n_labels_(n_labels) {
    check();
    index();
  }

  std::tuple<Out<int64_t>, Out<int32_t>, Out<float>> rank(In<int64_t> indptr, In<int32_t> indices,
                                                          In<float> data, In<float> scales,
                                                          int64_t beam, int64_t k) const {
    check_indptr(indptr, indices.shape(0), "indptr");
    check_length(data.shape(0), indices.shape(0), "data");
    check_indices(indices, n_features_, "indices");
    const size_t n = indptr.shape(0) - 1;
    check_length(scales.shape(0), n, "scales");
    if (beam < 1 || k < 1) throw std::invalid_argument("beam and k must be at least 1");
    auto ends = raw<int64_t>(n + 1);
    std::vector<int32_t> labels;
    std::vector<float> scores;
    ends[0] = 0;
    {
      nb::gil_scoped_release release;
      Search search(static_cast<size_t>(n_labels_));
      for (size_t i = 0; i < n; ++i) {
        const int64_t begin = indptr.data()[i];
        const Query query{indices.data() + begin, data.data() + begin,
                          static_cast<size_t>(indptr.data()[i + 1] - begin), scales.data()[i]};
        for (size_t t = 0; t < roots_.shape(0); ++t)
          descend(query, roots_.data()[t], static_cast<size_t>(beam), search);
        best(search, static_cast<size_t>(k));
        for (const auto& entry : search.ranked) {
          labels.push_back(entry.label);
          scores.push_back(entry.score);
        }
        ends[i + 1] = static_cast<int64_t>(labels.size());
      }
    }
    return {own(std::move(ends), n + 1), own(std::move(labels)), own(std::move(scores))};
  }

 private:
  struct Query {
    const int32_t* features;
    const float* values;
    size_t size;
    float scale;
  };
  using Place = Entry<float>;  // a node and the logarithm of its score
  struct Search {
    explicit Search(size_t n_labels) : sums(n_labels, 0), seen(n_labels, 0) {}
    std::vector<Place> level, next, ranked;
    std::vector<float> products;
    std::vector<float> sums;    // of a label's scores in the trees
    std::vector<uint8_t> seen;  // whether it has been met
    std::vector<int32_t> met;
  };

  void check() const;
  void index();

  // Where the weights of a feature at a node are, or -1.
  int64_t find(size_t node, int32_t feature) const {
    const size_t bucket = buckets_[node] + static_cast<size_t>(feature >> shifts_[node]);
    const int64_t base = feature_starts_.data()[node];
    for (int64_t f = base + firsts_[bucket]; f < base + firsts_[bucket + 1]; ++f)
      if (features_.data()[f] >= feature) return features_.data()[f] == feature ? f : -1;
    return -1;
  }

  void multiply(const Query& query, size_t node, size_t width, float* products) const {
    const float* bias = bias_.data() + starts_.data()[node];
    std::copy(bias, bias + width, products);
    for (size_t e = 0; e < query.size; ++e) {
      const int64_t f = find(node, query.features[e]);
      if (f < 0) continue;
      const int64_t begin = weight_starts_.data()[f], end = weight_starts_.data()[f + 1];
      const float value = query.values[e] * query.scale;
      const float* weights = weights_.data() + begin;
      const size_t size = static_cast<size_t>(end - begin);
      if (filled_[static_cast<size_t>(f)]) {
        add_all(products, weights, width, value);
        continue;
      }
      const uint16_t* slots = slots_.data() + begin;
      for (size_t w = 0; w < size; ++w) products[slots[w]] += value * weights[w];
    }
  }

  void descend(const Query& query, int32_t root, size_t beam, Search& search) const {
    search.level.assign(1, {0.0f, root});
    while (!search.level.empty()) {
      search.next.clear();
      for (const Place& place : search.level) {
        const size_t node = static_cast<size_t>(place.label);
        const int64_t first = starts_.data()[node];
        const size_t width = static_cast<size_t>(starts_.data()[node + 1] - first);
        search.products.resize(std::max(search.products.size(), width));
        multiply(query, node, width, search.products.data());
        for (size_t j = 0; j < width; ++j) {
          const float missing = std::max(0.0f, 1 - search.products[j]);
          const float score = place.score - missing * missing;
          const int32_t child = children_.data()[static_cast<size_t>(first) + j];
          if (child >= 0) {
            search.next.push_back({score, child});
            continue;
          }
          const size_t label = static_cast<size_t>(~child);
          if (!search.seen[label]) search.met.push_back(~child);
          search.seen[label] = 1;
          search.sums[label] += std::exp(score);
        }
      }
      if (search.next.size() > beam) {
        std::nth_element(search.next.begin(),
                         search.next.begin() + static_cast<std::ptrdiff_t>(beam),
                         search.next.end());
        search.next.resize(beam);
      }
      std::swap(search.level, search.next);
    }
  }

  // The k best labels met, and a clean slate.
  void best(Search& search, size_t k) const {
    const float trees = static_cast<float>(roots_.shape(0));
    search.ranked.clear();
    for (const int32_t label : search.met) {
      search.ranked.push_back({search.sums[static_cast<size_t>(label)] / trees, label});
      search.sums[static_cast<size_t>(label)] = 0;
      search.seen[static_cast<size_t>(label)] = 0;
    }
    search.met.clear();
    auto& ranked = search.ranked;
    if (ranked.size() > k) {
      std::nth_element(ranked.begin(), ranked.begin() + static_cast<std::ptrdiff_t>(k),
                       ranked.end());
      ranked.resize(k);
    }
    std::sort(ranked.begin(), ranked.end());
  }

  In<int32_t> roots_;
  In<int64_t> starts_;
  In<int32_t> children_;
  In<float> bias_;
  In<int64_t> feature_starts_;
  In<int32_t> features_;
  In<int64_t> weight_starts_;
  In<uint16_t> slots_;
  In<float> weights_;
  int64_t n_features_, n_labels_;
  // Features of a node in buckets of 2^shift: where each begins among those of the node.
  std::vector<size_t> buckets_;
  std::vector<int32_t> firsts_;
  std::vector<uint8_t> shifts_;
  std::vector<uint8_t> filled_;  // entries with a weight for every child, in their order
};

void refuse(bool wrong, const char* what) {
  if (wrong) throw std::invalid_argument(what);
}

// Everything that is followed later: no node is reached twice or never, none lies before its
// parent, no label stands twice in a tree.
void LabelTrees::check() const {
  const size_t nodes = starts_.shape(0) - 1, edges = children_.shape(0), trees = roots_.shape(0);
  check_indptr(starts_, edges, "starts");
  check_length(bias_.shape(0), edges, "bias");
  check_length(feature_starts_.shape(0), starts_.shape(0), "feature_starts");
  check_indptr(feature_starts_, features_.shape(0), "feature_starts");
  check_length(weight_starts_.shape(0), features_.shape(0) + 1, "weight_starts");
  check_indptr(weight_starts_, slots_.shape(0), "weight_starts");
  check_length(weights_.shape(0), slots_.shape(0), "weights");
  refuse(n_features_ < 0 || n_labels_ < 0 || n_labels_ > INT32_MAX, "sizes must not be negative");
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
  for (size_t node = 0; node < nodes; ++node) {
    const int64_t begin = feature_starts_.data()[node], end = feature_starts_.data()[node + 1];
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
}  // namespace

void bind_label_trees(nb::module_& m) {
  using nb::arg;
  nb::class_<LabelTrees>(m, "LabelTrees")
      .def(nb::init<In<int32_t>, In<int64_t>, In<int32_t>, In<float>, In<int64_t>, In<int32_t>,
                    In<int64_t>, In<uint16_t>, In<float>, int64_t, int64_t>(),
           arg("roots").noconvert(), arg("starts").noconvert(), arg("children").noconvert(),
           arg("bias").noconvert(), arg("feature_starts").noconvert(), arg("features").noconvert(),
           arg("weight_starts").noconvert(), arg("slots").noconvert(), arg("weights").noconvert(),
           arg("n_features"), arg("n_labels"))
      .def("rank", &LabelTrees::rank, arg("indptr").noconvert(), arg("indices").noconvert(),
           arg("data").noconvert(), arg("scales").noconvert(), arg("beam"), arg("k"));
}
}  // namespace labelrank
