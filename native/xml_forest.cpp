// Predictions of a forest of FastXML's trees: rows go down together, leaves are added up.
#include <variant>

#include "arrays.hpp"
#include "top.hpp"

namespace labelrank {
namespace {
[[noreturn]] void refuse(const std::string& what) {
  throw std::invalid_argument("the trees are not sound: " + what);
}

// Whole numbers in the narrowest type that holds them: half the memory to read.
using Ids = std::variant<In<uint16_t>, In<int32_t>>;

void check_ids(const Ids& ids, int64_t bound, const char* name) {
  std::visit(
      [&](const auto& array) {
        bool bad = false;
        for (size_t i = 0; i < array.shape(0); ++i) {
          const int64_t id = array.data()[i];
          bad |= id < 0 || id >= bound;
        }
        if (bad) refuse(std::string(name) + " must lie in 0.." + std::to_string(bound - 1));
      },
      ids);
}

// One more than the largest: what is kept for each label need not be larger.
int64_t reach(const Ids& ids) {
  return std::visit(
      [](const auto& array) {
        int64_t most = 0;
        for (size_t i = 0; i < array.shape(0); ++i)
          most = std::max<int64_t>(most, static_cast<int64_t>(array.data()[i]) + 1);
        return most;
      },
      ids);
}

size_t length(const Ids& ids) {
  return std::visit([](const auto& array) { return array.shape(0); }, ids);
}

// Scratch memory of one thread: dense arrays that are all zero between uses.
struct Scratch {
  std::vector<float> dense;      // one number a feature
  std::vector<float> sums;       // one number a label
  std::vector<uint8_t> touched;  // one flag a block of labels
  Best<float> best;
};

struct Rows {
  const int64_t* indptr;
  const int32_t* indices;
  const float* data;
  size_t n;
};

constexpr size_t kBlock = 64;

// The arrays of all trees, checked once; they stay where they are, in memory or in a mapped file.
// roots[t] and children are the number of a node, or ~leaf; a child comes after its parent.
class XmlForest {
 public:
  XmlForest(In<int32_t> roots, In<int32_t> children, In<int64_t> weight_starts, Ids features,
            In<float> weights, In<float> intercepts, In<int64_t> leaf_starts, Ids labels,
            In<uint16_t> values, int64_t n_features, int64_t n_labels)
      : roots_(roots),
        children_(children),
        weight_starts_(weight_starts),
        features_(features),
        weights_(weights),
        intercepts_(intercepts),
        leaf_starts_(leaf_starts),
        labels_(labels),
        values_(values),
        n_features_(n_features),
        n_labels_(reach(labels)) {
    const int64_t n = static_cast<int64_t>(intercepts.shape(0));
    const int64_t n_leaves = static_cast<int64_t>(leaf_starts.shape(0)) - 1;
    check_length(children.shape(0), static_cast<size_t>(2 * n), "children");
    check_length(weight_starts.shape(0), static_cast<size_t>(n) + 1, "weight_starts");
    check_indptr(weight_starts, weights.shape(0), "weight_starts");
    check_length(length(features), weights.shape(0), "features");
    check_indptr(leaf_starts, values.shape(0), "leaf_starts");
    check_length(length(labels), values.shape(0), "labels");
    check_ids(features, n_features, "features");
    check_ids(labels, n_labels, "labels");
    if (roots.shape(0) == 0) refuse("there are none");
    for (size_t t = 0; t < roots.shape(0); ++t) {
      const int64_t root = roots.data()[t];
      if (root >= n || root < -n_leaves) refuse("a root does not exist");
    }
    for (int64_t i = 0; i < 2 * n; ++i) {
      const int64_t child = children.data()[i];
      if (child >= n || child < -n_leaves) refuse("a child does not exist");
      if (child >= 0 && child <= i / 2) refuse("a child comes before its parent");
    }
  }

  // The leaf of each row in each tree, (rows, trees).
  Out<int32_t> leaves(In<int64_t> indptr, In<int32_t> indices, In<float> data) const {
    const Rows X = checked(indptr, indices, data);
    auto out = raw<int32_t>(X.n * roots_.shape(0));
    {
      nb::gil_scoped_release release;
      go_down(X, out.get());
    }
    return own(std::move(out), X.n, roots_.shape(0));
  }

  // The k labels with the largest means over the trees, scaled, best first.
  std::tuple<Out<int64_t>, Out<int32_t>, Out<float>> rank(In<int64_t> indptr, In<int32_t> indices,
                                                          In<float> data, float scale,
                                                          int64_t k) const {
    if (k < 1) throw std::invalid_argument("k must be at least 1");
    return collect(checked(indptr, indices, data), scale, std::min(k, n_labels_));
  }

  // All labels with a mean above 0, by number.
  std::tuple<Out<int64_t>, Out<int32_t>, Out<float>> candidates(In<int64_t> indptr,
                                                                In<int32_t> indices, In<float> data,
                                                                float scale) const {
    return collect(checked(indptr, indices, data), scale, 0);
  }

 private:
  Rows checked(const In<int64_t>& indptr, const In<int32_t>& indices, const In<float>& data) const {
    check_indptr(indptr, indices.shape(0), "indptr");
    check_length(data.shape(0), indices.shape(0), "data");
    check_indices(indices, n_features_, "indices");
    return {indptr.data(), indices.data(), data.data(), indptr.shape(0) - 1};
  }

  static Scratch& scratch() {
    static thread_local Scratch scratch;
    return scratch;
  }

  void go_down(const Rows& X, int32_t* leaf_of) const {
    Scratch& memory = scratch();
    if (memory.dense.size() < static_cast<size_t>(n_features_))
      memory.dense.resize(static_cast<size_t>(n_features_), 0.0f);
    std::vector<int32_t> order(X.n);
    std::visit(
        [&](const auto& features) {
          for (size_t t = 0; t < roots_.shape(0); ++t) {
            for (size_t i = 0; i < X.n; ++i) order[i] = static_cast<int32_t>(i);
            together(X, features.data(), t, order, memory.dense.data(), leaf_of);
          }
        },
        features_);
  }

  // Rows at a node are divided in place. The weights of a node are spread over a dense array once
  // for all its rows. Where a row is alone, or has many more features than the node weights, it is
  // spread itself, once for the rest of its way.
  template <class F>
  void together(const Rows& X, const F* features, size_t t, std::vector<int32_t>& order,
                float* dense, int32_t* leaf_of) const {
    struct Part {
      int32_t node;
      size_t begin, end;
    };
    std::vector<Part> waiting{{roots_.data()[t], 0, X.n}};
    const int64_t half_row = X.n ? X.indptr[X.n] / static_cast<int64_t>(2 * X.n) : 0;
    const auto light = [&](int32_t node) {
      const int64_t* starts = weight_starts_.data() + node;
      return starts[1] - starts[0] < half_row;
    };
    while (!waiting.empty()) {
      const Part part = waiting.back();
      waiting.pop_back();
      if (part.node < 0) {
        for (size_t i = part.begin; i < part.end; ++i)
          leaf_of[static_cast<size_t>(order[i]) * roots_.shape(0) + t] = ~part.node;
      } else if (part.end - part.begin == 1 || light(part.node)) {
        for (size_t at = part.begin; at < part.end; ++at) {
          const size_t i = static_cast<size_t>(order[at]);
          leaf_of[i * roots_.shape(0) + t] = alone(X, i, features, part.node, dense);
        }
      } else if (part.end > part.begin) {
        const size_t node = static_cast<size_t>(part.node);
        const int64_t first = weight_starts_.data()[node], last = weight_starts_.data()[node + 1];
        for (int64_t w = first; w < last; ++w)
          dense[static_cast<size_t>(features[w])] = weights_.data()[w];
        size_t low = part.begin, high = part.end;
        while (low < high) {
          const size_t i = static_cast<size_t>(order[low]);
          float margin = intercepts_.data()[node];
          for (int64_t e = X.indptr[i]; e < X.indptr[i + 1]; ++e)
            margin += X.data[e] * dense[static_cast<size_t>(X.indices[e])];
          if (margin > 0)
            std::swap(order[low], order[--high]);
          else
            ++low;
        }
        for (int64_t w = first; w < last; ++w) dense[static_cast<size_t>(features[w])] = 0;
        waiting.push_back({children_.data()[2 * node + 1], low, part.end});
        waiting.push_back({children_.data()[2 * node], part.begin, low});
      }
    }
  }

  template <class F>
  int32_t alone(const Rows& X, size_t i, const F* features, int32_t node, float* dense) const {
    for (int64_t e = X.indptr[i]; e < X.indptr[i + 1]; ++e)
      dense[static_cast<size_t>(X.indices[e])] = X.data[e];
    while (node >= 0) {
      const size_t at = static_cast<size_t>(node);
      float margin = intercepts_.data()[at];
      for (int64_t w = weight_starts_.data()[at]; w < weight_starts_.data()[at + 1]; ++w)
        margin += weights_.data()[w] * dense[static_cast<size_t>(features[w])];
      node = children_.data()[2 * at + (margin > 0)];
    }
    for (int64_t e = X.indptr[i]; e < X.indptr[i + 1]; ++e)
      dense[static_cast<size_t>(X.indices[e])] = 0;
    return ~node;
  }

  // k = 0: all, unordered.
  std::tuple<Out<int64_t>, Out<int32_t>, Out<float>> collect(const Rows& X, float scale,
                                                             int64_t k) const {
    std::vector<int64_t> starts(1, 0);
    std::vector<int32_t> ids;
    std::vector<float> scores;
    {
      nb::gil_scoped_release release;
      const size_t n_trees = roots_.shape(0), m = static_cast<size_t>(n_labels_);
      std::vector<int32_t> leaf_of(X.n * n_trees);
      go_down(X, leaf_of.data());
      Scratch& memory = scratch();
      if (memory.sums.size() < m) memory.sums.resize(m, 0.0f);
      if (memory.touched.size() < m / kBlock + 1) memory.touched.resize(m / kBlock + 1, 0);
      const float factor = scale / static_cast<float>(n_trees);
      for (size_t i = 0; i < X.n; ++i) {
        std::visit(
            [&](const auto& labels) { add_up(labels.data(), &leaf_of[i * n_trees], memory); },
            labels_);
        if (k > 0)
          take_best(memory, static_cast<size_t>(k), factor, ids, scores);
        else
          take_all(memory, factor, ids, scores);
        clear(memory);
        starts.push_back(static_cast<int64_t>(ids.size()));
      }
    }
    return {own(std::move(starts)), own(std::move(ids)), own(std::move(scores))};
  }

  // Sums of whole numbers: exact as floats for 256 trees, and in any order.
  template <class L>
  void add_up(const L* labels, const int32_t* leaf, Scratch& memory) const {
    for (size_t t = 0; t < roots_.shape(0); ++t) {
      const size_t at = static_cast<size_t>(leaf[t]);
      for (int64_t e = leaf_starts_.data()[at]; e < leaf_starts_.data()[at + 1]; ++e) {
        const size_t label = static_cast<size_t>(labels[e]);
        memory.sums[label] += static_cast<float>(values_.data()[e]);
        memory.touched[label / kBlock] = 1;
      }
    }
  }

  void take_best(Scratch& memory, size_t k, float factor, std::vector<int32_t>& ids,
                 std::vector<float>& scores) const {
    const float zero = 0;
    const size_t m = static_cast<size_t>(n_labels_);
    for (const auto& entry :
         memory.best.select<kBlock>(memory.sums.data(), m, k, &zero, memory.touched.data())) {
      ids.push_back(entry.label);
      scores.push_back(entry.score * factor);
    }
  }

  void take_all(const Scratch& memory, float factor, std::vector<int32_t>& ids,
                std::vector<float>& scores) const {
    const size_t m = static_cast<size_t>(n_labels_);
    for (size_t start = 0; start < m; start += kBlock) {
      if (!memory.touched[start / kBlock]) continue;
      for (size_t l = start; l < std::min(start + kBlock, m); ++l) {
        if (memory.sums[l] == 0) continue;
        ids.push_back(static_cast<int32_t>(l));
        scores.push_back(memory.sums[l] * factor);
      }
    }
  }

  void clear(Scratch& memory) const {
    const size_t m = static_cast<size_t>(n_labels_);
    for (size_t start = 0; start < m; start += kBlock) {
      if (!memory.touched[start / kBlock]) continue;
      std::fill_n(memory.sums.begin() + static_cast<std::ptrdiff_t>(start),
                  std::min(kBlock, m - start), 0.0f);
      memory.touched[start / kBlock] = 0;
    }
  }

  In<int32_t> roots_, children_;
  In<int64_t> weight_starts_;
  Ids features_;
  In<float> weights_, intercepts_;
  In<int64_t> leaf_starts_;
  Ids labels_;
  In<uint16_t> values_;
  int64_t n_features_, n_labels_;  // labels: those that a leaf has, and all before them
};
}  // namespace

void bind_xml_forest(nb::module_& m) {
  using nb::arg;
  nb::class_<XmlForest>(m, "XmlForest")
      .def("__init__",
           [](XmlForest* self, In<int32_t> roots, In<int32_t> children, In<int64_t> weight_starts,
              nb::object features, In<float> weights, In<float> intercepts, In<int64_t> leaf_starts,
              nb::object labels, In<uint16_t> values, int64_t n_features, int64_t n_labels) {
             const auto ids = [](const nb::object& array) -> Ids {
               In<uint16_t> narrow;
               if (nb::try_cast<In<uint16_t>>(array, narrow, false)) return narrow;
               return nb::cast<In<int32_t>>(array, false);
             };
             new (self)
                 XmlForest(roots, children, weight_starts, ids(features), weights, intercepts,
                           leaf_starts, ids(labels), values, n_features, n_labels);
           })
      .def("leaves", &XmlForest::leaves, arg("indptr").noconvert(), arg("indices").noconvert(),
           arg("data").noconvert())
      .def("rank", &XmlForest::rank, arg("indptr").noconvert(), arg("indices").noconvert(),
           arg("data").noconvert(), arg("scale"), arg("k"))
      .def("candidates", &XmlForest::candidates, arg("indptr").noconvert(),
           arg("indices").noconvert(), arg("data").noconvert(), arg("scale"));
}
}  // namespace labelrank
