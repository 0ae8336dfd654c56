// Many rows go down trees of linear classifiers together, with a beam.
#include "label_trees.hpp"

#include <cstring>

namespace labelrank {
namespace {
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
}  // namespace

// Where the weights of a feature at a node are, or -1.
int64_t LabelTrees::find(size_t node, int32_t feature) const {
  const size_t bucket = buckets_[node] + static_cast<size_t>(feature >> shifts_[node]);
  const int64_t base = feature_starts_.data()[node];
  for (int64_t f = base + firsts_[bucket]; f < base + firsts_[bucket + 1]; ++f)
    if (features_.data()[f] >= feature) return features_.data()[f] == feature ? f : -1;
  return -1;
}

void LabelTrees::multiply(const Query& query, size_t node, size_t width, float* products) const {
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
void LabelTrees::descend(const std::vector<Query>& queries, int32_t root, size_t beam,
                         Search& search) const {
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
void LabelTrees::look(const Query& query, const Visit& visit, Search& search) const {
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

void LabelTrees::keep(std::vector<Place>& places, size_t k) {
  if (places.size() <= k) return;
  std::nth_element(places.begin(), places.begin() + static_cast<std::ptrdiff_t>(k - 1),
                   places.end());
  places.resize(k);
}

// The k best of the labels found, by the mean over trees; and a clean slate. Only what may be
// among them is kept: whenever twice as many are, the worse half goes.
void LabelTrees::best(std::vector<Place>& found, size_t k, Search& search) const {
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

std::tuple<Out<int64_t>, Out<int32_t>, Out<float>> LabelTrees::rank(In<int64_t> indptr,
                                                                    In<int32_t> indices,
                                                                    In<float> data,
                                                                    In<float> scales, int64_t beam,
                                                                    int64_t k) const {
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
    Search search(met_labels_);
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
