// A tree of FastXML: nodes are split until few rows are left, whose labels make a leaf.
#include <cmath>

#include "arrays.hpp"
#include "l1_logistic.hpp"
#include "ndcg_partition.hpp"
#include "spill.hpp"

namespace labelrank {
namespace {
struct Settings {
  size_t leaf_size, leaf_labels, rounds;
  L1Logistic::Settings split;
  float least;         // columns whose values sum up to no more than this cannot matter
  std::string folder;  // for what is too much for memory; "" where nothing is
};

// The rows of a node by column and by label, both renumbered from 0, so that what a node needs lies
// together. The root's stand in the arrays of the caller.
struct Node {
  std::vector<int32_t> rows;      // of the training data
  std::vector<int32_t> features;  // of its columns
  std::vector<int64_t> column_starts, label_starts;
  Spilling<int32_t> column_rows;
  Spilling<float> column_values;
  std::vector<int32_t> label_ids;
  std::vector<uint16_t> label_gains;
  size_t n_labels = 0;
  int32_t parent = -1;  // where its number is to be written: children[parent]
};

// A tree as flat arrays. Of node i children[2 * i] is where a margin <= 0 goes, children[2 * i + 1]
// where the others go: another node, or ~leaf. The first node is the root; without any, leaf 0 is.
struct Tree {
  std::vector<int32_t> children;
  std::vector<int64_t> weight_starts{0};
  std::vector<int32_t> weight_features;
  std::vector<float> weights, intercepts;
  std::vector<int64_t> leaf_starts{0};
  std::vector<int32_t> leaf_labels;
  std::vector<float> leaf_values;
};

class Grower {
 public:
  Grower(const Columns& X, const LabelRows& Y, const float* shares, const Settings& settings,
         uint64_t seed)
      : X_(X),
        Y_(Y),
        shares_(shares),
        settings_(settings),
        chance_(seed),
        sums_(Y.n_labels, 0.0f) {}

  Tree grow() {
    std::vector<Node> waiting;
    Node root;
    root.rows.resize(Y_.n_rows);
    for (size_t i = 0; i < Y_.n_rows; ++i) root.rows[i] = static_cast<int32_t>(i);
    root.n_labels = Y_.n_labels;
    if (Y_.n_rows <= settings_.leaf_size)
      add_leaf(root);
    else
      split(root, X_, Y_, waiting);
    while (!waiting.empty()) {
      Node node = std::move(waiting.back());
      waiting.pop_back();
      const Columns X{node.column_starts.data(), node.column_rows.data(),
                      X_.values ? node.column_values.data() : nullptr, node.features.size(),
                      node.rows.size()};
      const LabelRows Y{node.label_starts.data(), node.label_ids.data(), node.label_gains.data(),
                        node.rows.size(), node.n_labels};
      split(node, X, Y, waiting);
    }
    return std::move(tree_);
  }

 private:
  // Writes the node and its leaves; children that are to be split wait.
  void split(Node& node, const Columns& X, const LabelRows& Y, std::vector<Node>& waiting) {
    if (!find_sides(X, Y)) return add_leaf(node);
    const size_t n = node.rows.size();
    const int32_t number = static_cast<int32_t>(tree_.intercepts.size());
    hang(node, number);
    for (size_t c = 0; c < solver_.columns.size(); ++c) {
      const size_t j = static_cast<size_t>(solver_.columns[c]);
      tree_.weight_features.push_back(node.features.empty() ? static_cast<int32_t>(j)
                                                            : node.features[j]);
      tree_.weights.push_back(solver_.weights[c]);
    }
    tree_.weight_starts.push_back(static_cast<int64_t>(tree_.weights.size()));
    tree_.intercepts.push_back(solver_.intercept);
    tree_.children.insert(tree_.children.end(), 2, 0);
    Node child[2];
    place_.resize(n);
    for (size_t i = 0; i < n; ++i) {
      place_[i] = static_cast<int32_t>(child[side_[i]].rows.size());
      child[side_[i]].rows.push_back(node.rows[i]);
    }
    bool splits[2];
    for (size_t s = 0; s < 2; ++s) {
      child[s].parent = 2 * number + static_cast<int32_t>(s);
      splits[s] = child[s].rows.size() > settings_.leaf_size;
    }
    if (X.values)
      divide_columns<false>(node, X, child, splits);
    else
      divide_columns<true>(node, X, child, splits);
    divide_labels(Y, child, splits);
    node = Node();  // what was divided is not needed while its parts are
    for (size_t s = 2; s-- > 0;) {
      if (splits[s])
        waiting.push_back(std::move(child[s]));
      else
        add_leaf(child[s]);
    }
  }

  // δ by nDCG, then w; a row is on the side of its margin. False where one side stays empty.
  bool find_sides(const Columns& X, const LabelRows& Y) {
    const size_t n = Y.n_rows;
    side_.resize(n);
    for (int attempt = 0; attempt < 2; ++attempt) {
      uint64_t bits = 0;
      for (size_t i = 0; i < n; ++i, bits >>= 1) {
        if (i % 64 == 0) bits = chance_.bits();
        side_[i] = bits & 1;
      }
      partition_.improve(Y, side_.data(), settings_.rounds, n / 256);
      if (!both_sides()) continue;
      solver_.fit(X, side_.data(), settings_.split);
      for (size_t i = 0; i < n; ++i) side_[i] = solver_.margins[i] > 0;
      if (both_sides()) return true;
    }
    return false;
  }

  bool both_sides() const {
    return std::find(side_.begin(), side_.end(), 0) != side_.end() &&
           std::find(side_.begin(), side_.end(), 1) != side_.end();
  }

  // Each column in two; of a child only columns whose values may matter further down.
  template <bool kOnes>
  void divide_columns(const Node& node, const Columns& X, Node* child, const bool* splits) {
    if (!splits[0] && !splits[1]) return;
    const int64_t size = X.starts[X.n_columns];
    size_t on_one = 0;
    for (int64_t e = 0; e < size; ++e) on_one += side_[static_cast<size_t>(X.rows[e])];
    const size_t entries[2] = {static_cast<size_t>(size) - on_one, on_one};
    for (size_t s = 0; s < 2; ++s) {
      const size_t room = entries[s] + 1;  // one to spare: both sides are written
      child[s].column_rows = Spilling<int32_t>(room, settings_.folder);
      if (!kOnes) child[s].column_values = Spilling<float>(room, settings_.folder);
      child[s].column_starts.push_back(0);
    }
    int32_t* rows[2] = {child[0].column_rows.data(), child[1].column_rows.data()};
    float* values[2] = {child[0].column_values.data(), child[1].column_values.data()};
    size_t end[2] = {0, 0};
    for (size_t j = 0; j < X.n_columns; ++j) {
      const size_t begin[2] = {end[0], end[1]};
      for (int64_t e = X.starts[j]; e < X.starts[j + 1]; ++e) {
        const size_t i = static_cast<size_t>(X.rows[e]);
        const size_t s = side_[i];
        rows[0][end[0]] = rows[1][end[1]] = place_[i];
        if (!kOnes) values[0][end[0]] = values[1][end[1]] = X.values[e];
        end[0] += 1 - s, end[1] += s;
      }
      for (size_t s = 0; s < 2; ++s) {
        float mass = static_cast<float>(end[s] - begin[s]);
        if (!kOnes) {
          mass = 0;
          for (size_t e = begin[s]; e < end[s]; ++e) mass += std::fabs(values[s][e]);
        }
        if (!splits[s] || mass <= settings_.least) {
          end[s] = begin[s];
          continue;
        }
        child[s].column_starts.push_back(static_cast<int64_t>(end[s]));
        child[s].features.push_back(node.features.empty() ? static_cast<int32_t>(j)
                                                          : node.features[j]);
      }
    }
    for (size_t s = 0; s < 2; ++s) {
      child[s].column_rows.cut(end[s]);
      if (!kOnes) child[s].column_values.cut(end[s]);
    }
  }

  void divide_labels(const LabelRows& Y, Node* child, const bool* splits) {
    for (size_t s = 0; s < 2; ++s) {
      if (!splits[s]) continue;
      Node& to = child[s];
      renumbered_.assign(Y.n_labels, -1);
      to.label_starts.reserve(to.rows.size() + 1);
      to.label_starts.push_back(0);
      for (size_t i = 0; i < Y.n_rows; ++i) {
        if (side_[i] != s) continue;
        for (int64_t e = Y.starts[i]; e < Y.starts[i + 1]; ++e) {
          int32_t& id = renumbered_[static_cast<size_t>(Y.ids[e])];
          if (id < 0) id = static_cast<int32_t>(to.n_labels++);
          to.label_ids.push_back(id);
          to.label_gains.push_back(Y.gains[e]);
        }
        to.label_starts.push_back(static_cast<int64_t>(to.label_ids.size()));
      }
    }
  }

  // The mean of its rows' shares; the largest are kept, of equal ones the smaller ids.
  void add_leaf(const Node& node) {
    hang(node, ~static_cast<int32_t>(tree_.leaf_starts.size() - 1));
    met_.clear();
    for (const int32_t row : node.rows) {
      const size_t i = static_cast<size_t>(row);
      for (int64_t e = Y_.starts[i]; e < Y_.starts[i + 1]; ++e) {
        float& sum = sums_[static_cast<size_t>(Y_.ids[e])];
        if (sum == 0) met_.push_back(Y_.ids[e]);
        sum += shares_[e];
      }
    }
    const auto better = [this](int32_t a, int32_t b) {
      const float x = sums_[static_cast<size_t>(a)], y = sums_[static_cast<size_t>(b)];
      return x > y || (x == y && a < b);
    };
    const size_t kept = std::min(met_.size(), settings_.leaf_labels);
    const auto end = met_.begin() + static_cast<std::ptrdiff_t>(kept);
    if (kept < met_.size()) std::nth_element(met_.begin(), end, met_.end(), better);
    std::sort(met_.begin(), end);
    const float size = static_cast<float>(std::max<size_t>(node.rows.size(), 1));
    for (size_t k = 0; k < kept; ++k) {
      tree_.leaf_labels.push_back(met_[k]);
      tree_.leaf_values.push_back(sums_[static_cast<size_t>(met_[k])] / size);
    }
    for (const int32_t label : met_) sums_[static_cast<size_t>(label)] = 0;
    tree_.leaf_starts.push_back(static_cast<int64_t>(tree_.leaf_labels.size()));
  }

  void hang(const Node& node, int32_t number) {
    if (node.parent >= 0) tree_.children[static_cast<size_t>(node.parent)] = number;
  }

  const Columns X_;
  const LabelRows Y_;
  const float* shares_;
  const Settings settings_;
  Chance chance_;
  NdcgPartition partition_;
  L1Logistic solver_;
  Tree tree_;
  std::vector<uint8_t> side_;
  std::vector<int32_t> place_, renumbered_, met_;
  std::vector<float> sums_;
};

// Rows by feature (CSC; without values all are 1), by label with whole gains (CSR) and with the
// share that a leaf counts.
std::tuple<Out<int32_t>, Out<int64_t>, Out<int32_t>, Out<float>, Out<float>, Out<int64_t>,
           Out<int32_t>, Out<float>>
grow_xml_tree(In<int64_t> f_indptr, In<int32_t> f_rows, In<float> f_values, In<int64_t> l_indptr,
              In<int32_t> l_labels, In<uint16_t> l_gains, In<float> l_shares, int64_t n_labels,
              int64_t leaf_size, int64_t leaf_labels, int64_t rounds, float cost, float bias,
              float tolerance, int steps, int sweeps, float screen, float least,
              const std::string& folder, uint64_t seed) {
  check_indptr(f_indptr, f_rows.shape(0), "f_indptr");
  const bool ones = f_values.shape(0) == 0;
  if (!ones) check_length(f_values.shape(0), f_rows.shape(0), "f_values");
  check_indptr(l_indptr, l_labels.shape(0), "l_indptr");
  check_length(l_gains.shape(0), l_labels.shape(0), "l_gains");
  check_length(l_shares.shape(0), l_labels.shape(0), "l_shares");
  const size_t n = l_indptr.shape(0) - 1;
  check_indices(f_rows, static_cast<int64_t>(n), "f_rows");
  check_indices(l_labels, n_labels, "l_labels");
  if (n > 0x7fffffff) throw std::invalid_argument("there are too many rows");
  if (leaf_size < 1 || leaf_labels < 1 || rounds < 1 || steps < 0 || sweeps < 1)
    throw std::invalid_argument("sizes must be at least 1");
  std::vector<uint32_t> totals(static_cast<size_t>(n_labels), 0);
  for (size_t e = 0; e < l_labels.shape(0); ++e) {
    uint32_t& total = totals[static_cast<size_t>(l_labels.data()[e])];
    if (total + l_gains.data()[e] < total) throw std::invalid_argument("gains are too large");
    total += l_gains.data()[e];
    if (!(l_shares.data()[e] > 0)) throw std::invalid_argument("shares must be above 0");
  }
  Tree tree;
  {
    nb::gil_scoped_release release;
    const Columns X{f_indptr.data(), f_rows.data(), ones ? nullptr : f_values.data(),
                    f_indptr.shape(0) - 1, n};
    const LabelRows Y{l_indptr.data(), l_labels.data(), l_gains.data(), n,
                      static_cast<size_t>(n_labels)};
    const Settings settings{static_cast<size_t>(leaf_size),
                            static_cast<size_t>(leaf_labels),
                            static_cast<size_t>(rounds),
                            {cost, bias, tolerance, steps, sweeps, screen},
                            least,
                            folder};
    tree = Grower(X, Y, l_shares.data(), settings, seed).grow();
  }
  return {own(std::move(tree.children)),        own(std::move(tree.weight_starts)),
          own(std::move(tree.weight_features)), own(std::move(tree.weights)),
          own(std::move(tree.intercepts)),      own(std::move(tree.leaf_starts)),
          own(std::move(tree.leaf_labels)),     own(std::move(tree.leaf_values))};
}
}  // namespace

void bind_grow_xml_tree(nb::module_& m) {
  using nb::arg;
  m.def("grow_xml_tree", &grow_xml_tree, arg("f_indptr").noconvert(), arg("f_rows").noconvert(),
        arg("f_values").noconvert(), arg("l_indptr").noconvert(), arg("l_labels").noconvert(),
        arg("l_gains").noconvert(), arg("l_shares").noconvert(), arg("n_labels"), arg("leaf_size"),
        arg("leaf_labels"), arg("rounds"), arg("cost"), arg("bias"), arg("tolerance"), arg("steps"),
        arg("sweeps"), arg("screen"), arg("least"), arg("folder"), arg("seed"));
}
}  // namespace labelrank
