// Trees whose leaves are labels and whose nodes score their children by sparse linear functions.
#pragma once
#include "arrays.hpp"
#include "top.hpp"

namespace labelrank {
class LabelTrees {
 public:
  // Node n has the children starts[n]:starts[n + 1], of which each is a later node or ~label, and a
  // bias for each. It looks at the features feature_starts[n]:feature_starts[n + 1], rising; entry
  // f of them has weights weight_starts[f]:weight_starts[f + 1], each for the child at its slot.
  // Raises where a number points outside, a node is reached twice or never, or a label stands twice
  // in a tree.
  LabelTrees(In<int32_t> roots, In<int64_t> starts, In<int32_t> children, In<float> bias,
             In<int64_t> feature_starts, In<int32_t> features, In<int64_t> weight_starts,
             In<uint16_t> slots, In<float> weights, int64_t n_features, int64_t n_labels);

  // (indptr, labels, scores): the k best labels of each row that a search comes by which looks into
  // `beam` nodes of each level.
  std::tuple<Out<int64_t>, Out<int32_t>, Out<float>> rank(In<int64_t> indptr, In<int32_t> indices,
                                                          In<float> data, In<float> scales,
                                                          int64_t beam, int64_t k) const;

 private:
  static constexpr size_t kBlock = 512;  // rows that go down a tree together

  struct Query {
    const int32_t* features;
    const float* values;
    size_t size;
    float scale;
  };
  using Place = Entry<float>;  // a node and the logarithm of its score, or a label and its score
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

  void check();
  void index();
  int64_t find(size_t node, int32_t feature) const;
  void multiply(const Query& query, size_t node, size_t width, float* products) const;
  void descend(const std::vector<Query>& queries, int32_t root, size_t beam, Search& search) const;
  void look(const Query& query, const Visit& visit, Search& search) const;
  void best(std::vector<Place>& found, size_t k, Search& search) const;
  static void keep(std::vector<Place>& places, size_t k);

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
  size_t met_labels_ = 0;  // one more than the largest label of any leaf
  // Features of a node in buckets of 2^shift: where each begins among those of the node.
  std::vector<size_t> buckets_;
  std::vector<int32_t> firsts_;
  std::vector<uint8_t> shifts_;
  std::vector<uint8_t> leaf_;    // nodes whose children are labels
  std::vector<uint8_t> filled_;  // entries with a weight for every child, in their order
};
}  // namespace labelrank
