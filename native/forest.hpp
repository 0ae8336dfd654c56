// A forest of binary trees, checked once when it is made and packed for scoring.
#pragma once
#include <cmath>
#include <limits>
#include <unordered_map>
#include <vector>

#include "arrays.hpp"

namespace labelrank {

// Values this near to zero are zero to LightGBM.
constexpr float kZero = 1e-35f;

// A column as some splits see it: a feature whose missing values have been put where they go, so
// that every split asks nothing but x <= threshold.
struct Column {
  enum Missing : uint8_t { kNone = 0, kZeros = 1, kNaN = 2 };
  uint32_t feature;
  uint8_t missing;
  bool left;
  float operator()(float x) const {
    const bool nan = std::isnan(x);
    const bool gone = missing == kNaN ? nan : missing == kZeros && (nan || std::fabs(x) <= kZero);
    const float away = std::numeric_limits<float>::infinity();
    return gone ? (left ? -away : away) : nan ? 0.0f : x;
  }
};

class Forest {
 public:
  // Splits of all trees one after the other, tree t in starts[t]..starts[t + 1]; it has one leaf
  // more than splits. A child is a later split of its tree, or ~leaf. Raises where a number points
  // outside its tree, a split is reached twice or never, or a value is not finite.
  Forest(In<int64_t> starts, In<int32_t> features, In<double> thresholds, In<uint8_t> decisions,
         In<int32_t> left, In<int32_t> right, In<double> values, In<double> covers,
         int64_t n_features);

  Out<double> scores(In2<float> F) const;
  // (n, n_features + 1): what each feature added, and last what the score is without them.
  Out<double> contributions(In2<float> F) const;

 private:
  struct Split {  // in the order of the model
    float threshold;
    uint32_t column;
    int32_t left, right;
    double left_share, right_share;  // of the training rows that came here
  };
  struct Node {  // children stand side by side at `jump` after their parent; a leaf jumps 0 far
    float threshold;
    uint32_t column;
    uint32_t jump;
  };
  struct Test {  // a split of a small tree: who goes right cannot end in the leaves it clears
    float threshold;
    uint32_t column;
    uint32_t clears;
  };
  struct Tree {
    size_t splits, leaves, nodes, tests;  // where each begins
    uint32_t n_splits;
    double mean;
    bool small() const { return n_splits < kSmall; }
  };
  static constexpr uint32_t kSmall = 31;  // leaves are bits of an int32 that is never negative
  static constexpr size_t kRows = 256;    // rows scored at a time, a multiple of 16
  static constexpr size_t kFew = 16;      // fewer rows are not worth a block

  void add(size_t t, const int64_t* starts, const int32_t* left, const int32_t* right,
           const double* covers);
  void pack(const Tree& tree);
  uint32_t column_of(int32_t feature, uint8_t decision);
  void check_width(const In2<float>& F) const;
  void seen(const float* row, float* out) const;
  double one(const float* x) const;
  void block(const float* x, const float* turned, size_t n, double* sums) const;
  static void small_trees(const Tree* tree, const Tree* end, const Test* tests,
                          const double* leaves, const float* turned, size_t n, double* sums);
  void walk(const Tree& tree, const float* x, size_t n, double* sums) const;
  void shares(const Tree& tree, const float* x, size_t n, double* out) const;

  size_t n_features_;
  std::unordered_map<uint64_t, size_t> column_numbers_;
  std::vector<Column> columns_;
  std::vector<Tree> trees_;
  std::vector<Split> splits_;
  std::vector<Node> nodes_;
  std::vector<double> node_values_;  // one a node, of use where it is a leaf
  std::vector<Test> tests_;
  std::vector<double> leaf_values_;     // in the order of the model
  std::vector<double> ordered_values_;  // of small trees, from left to right
};
}  // namespace labelrank
