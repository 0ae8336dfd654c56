// Trees whose leaves are labels and whose nodes score their children by sparse linear functions;
// searched from the root with a beam.
#include <cmath>
#include <cstring>

#include "arrays.hpp"
#include "top.hpp"

namespace labelrank {
namespace {
constexpr size_t kBlock = 512;  // rows that go down a tree together

// exp(x) for x <= 0, to a few roundings: 2^i times a polynomial, which vector instructions can do.
inline float fast_exp(float x) {
  const float t = std::max(x, -87.0f) * 1.44269504f;
  const float whole = static_cast<float>(static_cast<int32_t>(t - 0.5f));
  const float part = t - whole;  // -0.5..0.5
  float p = 1.54035304e-4f;
  p = p * part + 1.33335581e-3f;
  p = p * part + 9.61812911e-3f;
  p = p * part + 5.55041087e-2f;
  p = p * part + 2.40226507e-1f;
  p = p * part + 6.93147181e-1f;
  p = p * part + 1.0f;
  const int32_t bits = (static_cast<int32_t>(whole) + 127) << 23;
  float power;
  std::memcpy(&power, &bits, sizeof power);
  return p * power;
}

// From margins to what is added to the logarithm of a score, -max(0, 1 - margin)².
LABELRANK_SIMD void follow(float* margins, size_t n, float score) {
  for (size_t j = 0; j < n; ++j) {
    const float missing = 1 - margins[j] > 0 ? 1 - margins[j] : 0.0f;
    margins[j] = score - missing * missing;
  }
}
LABELRANK_SIMD void exponentiate(float* scores, size_t n) {
  for (size_t j = 0; j < n; ++j) scores[j] = fast_exp(scores[j]);
}

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
      std::vector<Query> queries;
      for (size_t at = 0; at < n; at += kBlock) {
        queries.clear();
        for (size_t i = at; i < std::min(at + kBlock, n); ++i) {
          const int64_t begin = indptr.data()[i];
          queries.push_back({indices.data() + begin, data.data() + begin,
                             static_cast<size_t>(indptr.data()[i + 1] - begin), scales.data()[i]});
        }
        for (size_t t = 0; t < roots_.shape(0); ++t)
          descend(queries, roots_.data()[t], static_cast<size_t>(beam), search);
        for (size_t q = 0; q < queries.size(); ++q) {
          best(search.found[q], static_cast<size_t>(k), search);
          for (const auto& place : search.ranked) {
            labels.push_back(place.label);
            scores.push_back(place.score);
          }
          ends[at + q + 1] = static_cast<int64_t>(labels.size());
        }
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
  struct Visit {
    int32_t node;
    uint32_t query;
    float score;
    bool operator<(const Visit& other) const { return node < other.node; }
  };
  struct Search {
    explicit Search(size_t n_labels)
        : found(kBlock), next(kBlock), sums(n_labels, 0), met(n_labels + 1) {}
    std::vector<std::vector<Place>> found;  // by each query: labels, in all trees
    std::vector<std::vector<Place>> next;   // of each query: nodes of the next level
    std::vector<Visit> visits;
    std::vector<float> products;
    std::vector<float> sums;   // of a label's scores in the trees; 0 where it has not been met
    std::vector<int32_t> met;  // the first n_met
    size_t n_met = 0;
    std::vector<Place> ranked;
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

  // Many rows go down a tree together, a level at a time, so that what a node needs is near when
  // the next row visits it.
  void descend(const std::vector<Query>& queries, int32_t root, size_t beam, Search& search) const {
    search.visits.clear();
    for (size_t q = 0; q < queries.size(); ++q)
      search.visits.push_back({root, static_cast<uint32_t>(q), 0.0f});
    while (!search.visits.empty()) {
      for (const Visit& visit : search.visits) look(queries[visit.query], visit, search);
      search.visits.clear();
      for (size_t q = 0; q < queries.size(); ++q) {
        auto& next = search.next[q];
        keep(next, beam);
        for (const Place& place : next)
          search.visits.push_back({place.label, static_cast<uint32_t>(q), place.score});
        next.clear();
      }
      std::stable_sort(search.visits.begin(), search.visits.end());
    }
  }

  // Scores the children of a node.
  void look(const Query& query, const Visit& visit, Search& search) const {
    const size_t node = static_cast<size_t>(visit.node);
    const int64_t first = starts_.data()[node];
    const size_t width = static_cast<size_t>(starts_.data()[node + 1] - first);
    if (search.products.size() < width) search.products.resize(width);
    float* scores = search.products.data();
    multiply(query, node, width, scores);
    follow(scores, width, visit.score);
    const int32_t* children = children_.data() + first;
    auto& found = search.found[visit.query];
    if (leaf_[node]) {
      exponentiate(scores, width);
      const size_t size = found.size();
      found.resize(size + width);
      for (size_t j = 0; j < width; ++j) found[size + j] = {scores[j], ~children[j]};
      return;
    }
    for (size_t j = 0; j < width; ++j) {
      if (children[j] >= 0)
        search.next[visit.query].push_back({scores[j], children[j]});
      else
        found.push_back({fast_exp(scores[j]), ~children[j]});
    }
  }

  static void keep(std::vector<Place>& places, size_t k) {
    if (places.size() <= k) return;
    std::nth_element(places.begin(), places.begin() + static_cast<std::ptrdiff_t>(k - 1),
                     places.end());
    places.resize(k);
  }

  // The k best of the labels found, by the mean over trees; and a clean slate. Only what may be
  // among them is kept: whenever twice as many are, the worse half goes.
  void best(std::vector<Place>& found, size_t k, Search& search) const {
    for (const Place& place : found) {
      const size_t label = static_cast<size_t>(place.label);
      search.met[search.n_met] = place.label;
      search.n_met += search.sums[label] == 0;  // what has been met has a score above zero
      search.sums[label] += place.score;
    }
    found.clear();
    const float trees = static_cast<float>(roots_.shape(0));
    const size_t room = std::max<size_t>(2 * k, 64);
    auto& ranked = search.ranked;
    ranked.clear();
    Place least{-1, 0};  // the k-th best so far
    for (size_t m = 0; m < search.n_met; ++m) {
      const int32_t label = search.met[m];
      float& sum = search.sums[static_cast<size_t>(label)];
      const Place place{sum / trees, label};
      sum = 0;
      if (!(place < least)) continue;
      ranked.push_back(place);
      if (ranked.size() < room) continue;
      keep(ranked, k);
      least = ranked[k - 1];
    }
    search.n_met = 0;
    keep(ranked, k);
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
  std::vector<uint8_t> leaf_;    // nodes whose children are labels
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
