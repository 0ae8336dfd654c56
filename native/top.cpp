// The k best labels of each row, from a dense block of scores or from sparse rows in any order.
#include "top.hpp"

#include <cmath>

#include "arrays.hpp"

namespace labelrank {
namespace {

template <class S>
inline bool all_finite(const S* x, size_t n) {
  int bad = 0;  // x - x is 0 for a finite number and NaN for any other
  for (size_t j = 0; j < n; ++j) bad |= !(x[j] - x[j] == 0);
  return !bad;
}

// Null when a score is not finite. Blocks are small enough that there are several for each of the
// k.
template <class S>
inline const std::vector<Entry<S>>* scan(const S* x, size_t m, size_t k, Best<S>& best) {
  if (!all_finite(x, m)) return nullptr;
  const size_t size = m / (8 * k);
  if (size >= 64) return &best.template select<64>(x, m, k, nullptr, nullptr);
  if (size >= 32) return &best.template select<32>(x, m, k, nullptr, nullptr);
  if (size >= 16) return &best.template select<16>(x, m, k, nullptr, nullptr);
  return &best.template select<8>(x, m, k, nullptr, nullptr);
}
// target_clones wants plain functions, one for each type.
LABELRANK_SIMD const std::vector<Entry<float>>* scan_row(const float* x, size_t m, size_t k,
                                                         Best<float>& best) {
  return scan(x, m, k, best);
}
LABELRANK_SIMD const std::vector<Entry<double>>* scan_row(const double* x, size_t m, size_t k,
                                                          Best<double>& best) {
  return scan(x, m, k, best);
}

// Returns (labels, scores), both (n, min(k, m)), and the first row that is not finite, or -1.
template <class S>
std::tuple<Out<int32_t>, Out<S>, int64_t> top_dense(In2<S> scores, int64_t k) {
  const size_t n = scores.shape(0), m = scores.shape(1);
  if (k < 0) throw std::invalid_argument("k must not be negative");
  const size_t width = std::min(static_cast<size_t>(k), m);
  auto labels = raw<int32_t>(n * width);
  auto best = raw<S>(n * width);
  int64_t bad_row = -1;
  {
    nb::gil_scoped_release release;
    Best<S> best_of;
    for (size_t i = 0; i < n && bad_row < 0; ++i) {
      const S* x = scores.data() + i * m;
      if (width == 0) {
        if (!all_finite(x, m)) bad_row = static_cast<int64_t>(i);
        continue;
      }
      const auto* row = scan_row(x, m, width, best_of);
      if (!row) bad_row = static_cast<int64_t>(i);
      for (size_t j = 0; row && j < width; ++j) {
        labels[i * width + j] = (*row)[j].label;
        best[i * width + j] = (*row)[j].score;
      }
    }
  }
  return {own(std::move(labels), n, width), own(std::move(best), n, width), bad_row};
}

// Sparse rows in any order -> the best keep[i] of each, best first (all of them when keep is -1).
template <class S>
std::tuple<Out<int64_t>, Out<int32_t>, Out<S>> top_rows(In<int64_t> indptr, In<int32_t> labels,
                                                        In<S> scores, In<int64_t> keep) {
  check_indptr(indptr, labels.shape(0), "indptr");
  check_length(scores.shape(0), labels.shape(0), "scores");
  const size_t n = indptr.shape(0) - 1;
  check_length(keep.shape(0), n, "keep");
  auto out_indptr = raw<int64_t>(n + 1);
  out_indptr[0] = 0;
  for (size_t i = 0; i < n; ++i) {
    const int64_t size = indptr.data()[i + 1] - indptr.data()[i], k = keep.data()[i];
    out_indptr[i + 1] = out_indptr[i] + (k < 0 ? size : std::min(size, k));
  }
  const size_t total = static_cast<size_t>(out_indptr[n]);
  auto out_labels = raw<int32_t>(total);
  auto out_scores = raw<S>(total);
  {
    nb::gil_scoped_release release;
    std::vector<Entry<S>> row;
    for (size_t i = 0; i < n; ++i) {
      const int64_t begin = indptr.data()[i], end = indptr.data()[i + 1];
      row.clear();
      for (int64_t e = begin; e < end; ++e) row.push_back({scores.data()[e], labels.data()[e]});
      const size_t kept = static_cast<size_t>(out_indptr[i + 1] - out_indptr[i]);
      if (kept == row.size()) {
        if (!std::is_sorted(row.begin(), row.end())) std::sort(row.begin(), row.end());
      } else if (kept > 0) {
        std::nth_element(row.begin(), row.begin() + (kept - 1), row.end());
        std::sort(row.begin(), row.begin() + kept);
      }
      const size_t base = static_cast<size_t>(out_indptr[i]);
      for (size_t j = 0; j < kept; ++j) {
        out_labels[base + j] = row[j].label;
        out_scores[base + j] = row[j].score;
      }
    }
  }
  return {own(std::move(out_indptr), n + 1), own(std::move(out_labels), total),
          own(std::move(out_scores), total)};
}

// What is wrong with these rows: (fault, row). Faults: 0 none, 1 label out of range, 2 score not
// finite, 3 label twice in a row, 4 not best first (only looked for when `ordered`).
template <class S>
std::pair<int, int64_t> check_rows(In<int64_t> indptr, In<int32_t> labels, In<S> scores,
                                   int64_t n_labels, bool ordered) {
  check_indptr(indptr, labels.shape(0), "indptr");
  check_length(scores.shape(0), labels.shape(0), "scores");
  if (n_labels < 0) throw std::invalid_argument("n_labels must not be negative");
  const int64_t n = static_cast<int64_t>(indptr.shape(0)) - 1;
  nb::gil_scoped_release release;
  std::vector<int64_t> seen_in;  // label -> last long row that had it; short rows compare pairs
  for (int64_t i = 0; i < n; ++i) {
    const int64_t begin = indptr.data()[i], end = indptr.data()[i + 1];
    const bool is_long = end - begin > 16;
    if (is_long && seen_in.empty()) seen_in.assign(static_cast<size_t>(n_labels), -1);
    for (int64_t e = begin; e < end; ++e) {
      const int32_t label = labels.data()[e];
      const S score = scores.data()[e];
      if (label < 0 || label >= n_labels) return {1, i};
      if (!std::isfinite(score)) return {2, i};
      if (is_long) {
        if (seen_in[static_cast<size_t>(label)] == i) return {3, i};
        seen_in[static_cast<size_t>(label)] = i;
      } else {
        for (int64_t before = begin; before < e; ++before)
          if (labels.data()[before] == label) return {3, i};
      }
      if (ordered && e > begin &&
          !(Entry<S>{scores.data()[e - 1], labels.data()[e - 1]} < Entry<S>{score, label}))
        return {4, i};
    }
  }
  return {0, -1};
}
}  // namespace

void bind_top(nb::module_& m) {
  using nb::arg;
  const auto def = [&m](auto type) {
    using S = decltype(type);
    m.def("top_dense", &top_dense<S>, arg("scores").noconvert(), arg("k"));
    m.def("top_rows", &top_rows<S>, arg("indptr").noconvert(), arg("labels").noconvert(),
          arg("scores").noconvert(), arg("keep").noconvert());
    m.def("check_rows", &check_rows<S>, arg("indptr").noconvert(), arg("labels").noconvert(),
          arg("scores").noconvert(), arg("n_labels"), arg("ordered"));
  };
  def(float{});
  def(double{});
}
}  // namespace labelrank
