// Meta-level features of sparse rows: L2, L1 and cosine distances to each label's nearest rows.
#include <cmath>
#include <cstring>

#include "meta_level.hpp"

namespace labelrank {
namespace {
using Doubles = double __attribute__((vector_size(64), may_alias));
using Longs = int64_t __attribute__((vector_size(64), may_alias));

struct Csr {
  const int64_t* indptr;
  const int32_t* indices;
  const float* data;
};

// One training row and sixteen queries: sums over the features they share, in double. The queries
// stand in `q`, one vector for each feature that any of them has; slot 0 is all zeros. Features
// that are not shared add exactly nothing.
//   dot       sum of a b
//   common    sum of min(|a|, |b|) where a and b have the same sign: |a - b| = |a| + |b| - 2 of it
template <bool kDot, bool kL1, bool kSigned>
[[gnu::always_inline]] inline void one_row(const Csr& x, int32_t row, const int32_t* slot,
                                           const SixteenDoubles* q, Doubles* dot, Doubles* common) {
  Doubles dots[2] = {}, shared[2] = {};
  for (int64_t e = x.indptr[row]; e < x.indptr[row + 1]; ++e) {
    const double value = x.data[e];
    const double* mine = q[slot[x.indices[e]]].lane;
    for (size_t half = 0; half < 2; ++half) {
      const Doubles b = *reinterpret_cast<const Doubles*>(mine + 8 * half);
      if constexpr (kDot) dots[half] += value * b;
      if constexpr (kL1) {
        // Bits of numbers that are not negative are in their order; negative ones are below zero.
        Longs bits = (Longs)b;
        int64_t limit;
        std::memcpy(&limit, &value, sizeof limit);
        if constexpr (kSigned) {
          const int64_t sign = limit & INT64_MIN;
          bits ^= sign;
          limit ^= sign;
        }
        const Longs limits = Longs{} + limit;
        bits = bits < limits ? bits : limits;
        if constexpr (kSigned) bits = bits > 0 ? bits : Longs{};
        shared[half] += (Doubles)bits;
      }
    }
  }
  for (size_t half = 0; half < 2; ++half) {
    dot[half] = dots[half];
    common[half] = shared[half];
  }
}

struct Block {
  const int32_t* slot;
  const SixteenDoubles* q;
  const SixteenDoubles *q_abs, *q_squares;
  const double *row_abs, *row_squares;  // one a training row
};
struct Measured {  // null where not wanted
  Sixteen *l2, *l1, *cosine;
  SixteenDoubles* dots;
};

// Nothing is too large for float32.
[[gnu::always_inline]] inline void write(const Doubles* values, Sixteen* out) {
  const Doubles most = Doubles{} + static_cast<double>(std::numeric_limits<float>::max());
  for (size_t half = 0; half < 2; ++half) {
    const Doubles bounded = values[half] < most ? values[half] : most;
    for (size_t l = 0; l < 8; ++l) out->lane[8 * half + l] = static_cast<float>(bounded[l]);
  }
}
[[gnu::always_inline]] inline void take_roots(Doubles* values) {
  double root[kLanes];
  std::memcpy(root, values, sizeof root);
  for (size_t l = 0; l < kLanes; ++l) root[l] = std::sqrt(root[l]);
  std::memcpy(values, root, sizeof root);
}

template <bool kDot, bool kL1, bool kSigned>
[[gnu::always_inline]] inline void all_rows(const Csr& x, const std::vector<int32_t>& needed,
                                            const Block& block, const Measured& out) {
  const Doubles* q_squares = reinterpret_cast<const Doubles*>(block.q_squares->lane);
  const Doubles* q_abs = reinterpret_cast<const Doubles*>(block.q_abs->lane);
  for (size_t i = 0; i < needed.size(); ++i) {
    const int32_t row = needed[i];
    const double square = block.row_squares[row], sum = block.row_abs[row];
    Doubles dot[2], common[2], value[2];
    one_row<kDot, kL1, kSigned>(x, row, block.slot, block.q, dot, common);
    if (out.dots) std::memcpy(out.dots[i].lane, dot, sizeof dot);
    if (out.l2) {
      for (size_t half = 0; half < 2; ++half) {
        value[half] = square + q_squares[half] - 2 * dot[half];
        value[half] = value[half] > 0 ? value[half] : Doubles{};
      }
      take_roots(value);
      write(value, out.l2 + i);
    }
    if (out.cosine) {
      for (size_t half = 0; half < 2; ++half) value[half] = square * q_squares[half];
      take_roots(value);
      for (size_t half = 0; half < 2; ++half) {
        // Where a length is 0 the product is 0 as well, and so is the cosine.
        value[half] = 1 - dot[half] / (value[half] > 0 ? value[half] : Doubles{} + 1.0);
        value[half] = value[half] > 0 ? value[half] : Doubles{};
      }
      write(value, out.cosine + i);
    }
    if (out.l1) {
      for (size_t half = 0; half < 2; ++half) {
        value[half] = sum + q_abs[half] - 2 * common[half];
        value[half] = value[half] > 0 ? value[half] : Doubles{};
      }
      write(value, out.l1 + i);
    }
  }
}

LABELRANK_SIMD void distances(const Csr& x, const std::vector<int32_t>& needed, const Block& block,
                              bool has_negative, const Measured& out) {
  const bool dot = out.l2 || out.cosine || out.dots;
  if (dot && out.l1 && has_negative) return all_rows<true, true, true>(x, needed, block, out);
  if (dot && out.l1) return all_rows<true, true, false>(x, needed, block, out);
  if (out.l1 && has_negative) return all_rows<false, true, true>(x, needed, block, out);
  if (out.l1) return all_rows<false, true, false>(x, needed, block, out);
  if (dot) return all_rows<true, false, false>(x, needed, block, out);
}

class SparseRows {
 public:
  static constexpr bool kDots = true;

  SparseRows(const Csr& queries, const Csr& rows, size_t d, const double* row_abs,
             const double* row_squares, const double* sum_squares, bool has_negative)
      : queries_(queries),
        rows_(rows),
        row_abs_(row_abs),
        row_squares_(row_squares),
        sum_squares_(sum_squares),
        rows_negative_(has_negative),
        slot_(d, 0) {}

  void measure(const std::vector<size_t>& queries, const std::vector<int32_t>& needed, Tables& to) {
    q_.assign(1, SixteenDoubles{});
    features_.clear();
    bool negative = rows_negative_;
    for (size_t lane = 0; lane < kLanes; ++lane) {
      q_abs_.lane[lane] = q_squares_.lane[lane] = 0;
      if (lane >= queries.size()) continue;
      for (int64_t e = queries_.indptr[queries[lane]]; e < queries_.indptr[queries[lane] + 1];
           ++e) {
        const int32_t feature = queries_.indices[e];
        const float value = queries_.data[e];
        if (!slot_[feature]) {
          slot_[feature] = static_cast<int32_t>(q_.size());
          q_.emplace_back(SixteenDoubles{});
          features_.push_back(feature);
        }
        q_[slot_[feature]].lane[lane] = value;
        q_abs_.lane[lane] += std::fabs(static_cast<double>(value));
        q_squares_.lane[lane] += static_cast<double>(value) * value;
        negative |= value < 0;
      }
    }
    const auto data = [](std::vector<Sixteen>& v) { return v.empty() ? nullptr : v.data(); };
    const Block block{slot_.data(), q_.data(), &q_abs_, &q_squares_, row_abs_, row_squares_};
    SixteenDoubles* dots = to.dots.empty() ? nullptr : to.dots.data();
    distances(rows_, needed, block, negative, {data(to.l2), data(to.l1), data(to.cosine), dots});
    for (const int32_t feature : features_) slot_[feature] = 0;
  }

  // x · (sum of the label's rows) is the sum of what was measured already.
  void label(const int32_t* slots, size_t n, const Tables& from) {
    for (double& product : products_) product = 0;
    for (size_t i = 0; i < n; ++i)
      for (size_t l = 0; l < kLanes; ++l) products_[l] += from.dots[slots[i]].lane[l];
  }

  // |x - c|² = |x|² - 2 x·c + |c|², where the query is taken out of its own label's sum s:
  // |s - x|² = |s|² - 2 x·(s - x) - |x|².
  void centroid(size_t lane, size_t, int32_t label, bool own, size_t n, float* out) {
    const double count = static_cast<double>(n - own), square = q_squares_.lane[lane];
    const double product = products_[lane] - (own ? square : 0);
    const double sum = sum_squares_[label] - (own ? 2 * product + square : 0);
    const double centroid = std::max(sum, 0.0) / (count * count), dot = product / count;
    const double lengths = std::sqrt(square * centroid), most = std::numeric_limits<float>::max();
    const double cosine = lengths > 0 ? std::clamp(dot / lengths, -1.0, 1.0) : 0;
    const double distance = std::sqrt(std::max(square - 2 * dot + centroid, 0.0));
    out[0] = static_cast<float>(std::min(distance, most));
    out[1] = static_cast<float>(1 - cosine);
  }

 private:
  Csr queries_, rows_;
  const double *row_abs_, *row_squares_, *sum_squares_;
  bool rows_negative_;
  std::vector<int32_t> slot_, features_;
  std::vector<SixteenDoubles> q_;
  SixteenDoubles q_abs_, q_squares_;
  double products_[kLanes];
};

// queries and rows: CSR over the same features; sums of absolute values and of squares of each
// row; the square of the sum of the rows of each label.
std::pair<Out<float>, Out<int32_t>> meta_level_sparse(
    In<int64_t> q_indptr, In<int32_t> q_indices, In<float> q_data, In<int64_t> x_indptr,
    In<int32_t> x_indices, In<float> x_data, int64_t n_features, In<double> row_abs,
    In<double> row_squares, In<double> sum_squares, bool has_negative, In<int64_t> lists_indptr,
    In<int32_t> lists_rows, In<int64_t> indptr, In<int32_t> labels, In<int32_t> own, int64_t k,
    std::tuple<int64_t, int64_t, int64_t, int64_t> starts, int64_t width, bool ids) {
  check_indptr(q_indptr, q_indices.shape(0), "q_indptr");
  check_length(q_data.shape(0), q_indices.shape(0), "q_data");
  check_indices(q_indices, n_features, "q_indices");
  check_indptr(x_indptr, x_indices.shape(0), "x_indptr");
  check_length(x_data.shape(0), x_indices.shape(0), "x_data");
  check_indices(x_indices, n_features, "x_indices");
  const Columns columns(starts, width, k);
  const size_t n = x_indptr.shape(0) - 1;
  const Pairs pairs{lists_indptr, lists_rows, indptr, labels, own, n};
  pairs.check(q_indptr.shape(0) - 1);
  check_length(row_abs.shape(0), n, "row_abs");
  check_length(row_squares.shape(0), n, "row_squares");
  if (columns.centroid >= 0)
    check_length(sum_squares.shape(0), lists_indptr.shape(0) - 1, "sum_squares");
  SparseRows form({q_indptr.data(), q_indices.data(), q_data.data()},
                  {x_indptr.data(), x_indices.data(), x_data.data()},
                  static_cast<size_t>(std::max<int64_t>(n_features, 0)), row_abs.data(),
                  row_squares.data(), sum_squares.data(), has_negative);
  return describe_pairs(form, pairs, columns, k, ids);
}
}  // namespace

void bind_meta_level_sparse(nb::module_& m) {
  using nb::arg;
  m.def("meta_level_sparse", &meta_level_sparse, arg("q_indptr").noconvert(),
        arg("q_indices").noconvert(), arg("q_data").noconvert(), arg("x_indptr").noconvert(),
        arg("x_indices").noconvert(), arg("x_data").noconvert(), arg("n_features"),
        arg("row_abs").noconvert(), arg("row_squares").noconvert(), arg("sum_squares").noconvert(),
        arg("has_negative"), arg("lists_indptr").noconvert(), arg("lists_rows").noconvert(),
        arg("indptr").noconvert(), arg("labels").noconvert(), arg("own").noconvert(), arg("k"),
        arg("starts"), arg("width"), arg("ids"));
}
}  // namespace labelrank
