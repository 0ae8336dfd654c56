// Meta-level features of dense rows: L2, L1 and cosine distances to each label's nearest rows.
#include <cmath>
#include <cstring>

#include "meta_level.hpp"

namespace labelrank {
namespace {
constexpr size_t kRows = 8;     // training rows measured together: they share the query's numbers
constexpr size_t kChunk = 128;  // features summed in float32 before they join the total

struct Measured {  // null where not wanted
  Sixteen *l2, *l1, *cosine;
};

// Training rows, the inverse of the length of each, and sixteen queries by feature, as they are
// and of length one. What is measured is multiplied by `back`.
struct Compared {
  const float* x;
  const float* inverse;
  size_t d;
  const Sixteen *q, *unit;
  float back;
};

// Sums over all features of squares and absolute values of differences, by difference and not by
// expansion, which would cancel. The cosine distance is half the square of the difference of rows
// of length one.
template <bool kL2, bool kL1, bool kCosine>
[[gnu::always_inline]] inline void some_rows(const float* const* rows, const Sixteen* inverse,
                                             const Compared& with, Floats* l2, Floats* l1,
                                             Floats* cosine) {
  for (size_t r = 0; r < kRows; ++r) l2[r] = l1[r] = cosine[r] = Floats{};
  for (size_t start = 0; start < with.d; start += kChunk) {
    const size_t stop = std::min(with.d, start + kChunk);
    Floats a[kRows] = {}, b[kRows] = {}, c[kRows] = {};
    for (size_t f = start; f < stop; ++f) {
      const Floats mine = *reinterpret_cast<const Floats*>(with.q + f);
      const Floats unit = kCosine ? *reinterpret_cast<const Floats*>(with.unit + f) : Floats{};
      for (size_t r = 0; r < kRows; ++r) {
        const Floats x = rows[r][f] - Floats{};
        if constexpr (kL2 || kL1) {
          const Floats difference = x - mine;
          if constexpr (kL2) a[r] += difference * difference;
          if constexpr (kL1) b[r] += (Floats)((Ints)difference & 0x7fffffff);
        }
        if constexpr (kCosine) {
          const Floats difference = x * *reinterpret_cast<const Floats*>(inverse + r) - unit;
          c[r] += difference * difference;
        }
      }
    }
    for (size_t r = 0; r < kRows; ++r) {
      l2[r] += a[r];
      l1[r] += b[r];
      cosine[r] += c[r];
    }
  }
}

template <bool kL2, bool kL1, bool kCosine>
[[gnu::always_inline]] inline void all_rows(const Compared& with,
                                            const std::vector<int32_t>& needed,
                                            const Measured& out) {
  const float most = std::numeric_limits<float>::max();
  for (size_t at = 0; at < needed.size(); at += kRows) {
    // The last row fills up: always as many, so that no sum depends on how many there are.
    const size_t count = std::min(kRows, needed.size() - at);
    const float* rows[kRows];
    Sixteen inverse[kRows];
    for (size_t r = 0; r < kRows; ++r) {
      const int32_t row = needed[at + std::min(r, count - 1)];
      rows[r] = with.x + static_cast<size_t>(row) * with.d;
      if constexpr (kCosine) std::fill_n(inverse[r].lane, kLanes, with.inverse[row]);
    }
    Floats l2[kRows], l1[kRows], cosine[kRows];
    some_rows<kL2, kL1, kCosine>(rows, inverse, with, l2, l1, cosine);
    for (size_t r = 0; r < count; ++r) {
      if constexpr (kL2) *reinterpret_cast<Floats*>(out.l2 + at + r) = l2[r];
      if constexpr (kL1) {
        const Floats sum = l1[r] * with.back;
        *reinterpret_cast<Floats*>(out.l1 + at + r) = sum < most ? sum : Floats{} + most;
      }
      if constexpr (kCosine) {
        // A row of zeros has nothing in common with any other.
        const Floats half = cosine[r] * 0.5f, none = Floats{} + 1.0f;
        *reinterpret_cast<Floats*>(out.cosine + at + r) = inverse[r].lane[0] > 0 ? half : none;
      }
    }
  }
  if constexpr (kL2) {
    float* const squares = out.l2->lane;
    const float back = with.back;
    for (size_t i = 0; i < needed.size() * kLanes; ++i) {
      const float distance = std::sqrt(squares[i]) * back;
      squares[i] = distance < most ? distance : most;
    }
  }
}

LABELRANK_SIMD void measure_rows(const Compared& with, const std::vector<int32_t>& needed,
                                 const Measured& out) {
  const int which = (out.l2 != nullptr) | (out.l1 != nullptr) << 1 | (out.cosine != nullptr) << 2;
  switch (which) {
    case 1:
      return all_rows<true, false, false>(with, needed, out);
    case 2:
      return all_rows<false, true, false>(with, needed, out);
    case 3:
      return all_rows<true, true, false>(with, needed, out);
    case 4:
      return all_rows<false, false, true>(with, needed, out);
    case 5:
      return all_rows<true, false, true>(with, needed, out);
    case 6:
      return all_rows<false, true, true>(with, needed, out);
    case 7:
      return all_rows<true, true, true>(with, needed, out);
    default:
      return;
  }
}

// What a query needs to be compared with a centroid: all sums in double, in four parts each so that
// they are vector instructions.
struct Sums {
  double difference = 0, product = 0, centroid = 0, query = 0;
};
LABELRANK_SIMD Sums compare(const float* x, const double* sums, size_t d, double own, double n) {
  constexpr size_t kParts = 8;
  double difference[kParts] = {}, product[kParts] = {}, centroid[kParts] = {}, query[kParts] = {};
  for (size_t start = 0; start < d; start += kParts) {
    const size_t count = std::min(kParts, d - start);
    double a[kParts] = {}, c[kParts] = {};
    for (size_t l = 0; l < count; ++l) {
      a[l] = x[start + l];
      c[l] = (sums[start + l] - own * a[l]) / n;
    }
    for (size_t l = 0; l < kParts; ++l) {
      difference[l] += (a[l] - c[l]) * (a[l] - c[l]);
      product[l] += a[l] * c[l];
      centroid[l] += c[l] * c[l];
      query[l] += a[l] * a[l];
    }
  }
  Sums all;
  for (size_t l = 0; l < kParts; ++l) {
    all.difference += difference[l];
    all.product += product[l];
    all.centroid += centroid[l];
    all.query += query[l];
  }
  return all;
}

class DenseRows {
 public:
  static constexpr bool kDots = false;

  DenseRows(In2<float> queries, In2<float> rows, In<float> inverse, In2<double> sums, float back)
      : queries_(queries),
        rows_(rows),
        inverse_(inverse),
        sums_(sums),
        back_(back),
        d_(rows.shape(1)),
        q_(d_),
        unit_(d_) {}

  void measure(const std::vector<size_t>& queries, const std::vector<int32_t>& needed, Tables& to) {
    const bool cosine = !to.cosine.empty();
    bool zero[kLanes] = {};
    for (size_t lane = 0; lane < kLanes; ++lane) {
      if (lane >= queries.size()) {
        for (size_t f = 0; f < d_; ++f) q_[f].lane[lane] = unit_[f].lane[lane] = 0;
        continue;
      }
      const float* x = queries_.data() + queries[lane] * d_;
      for (size_t f = 0; f < d_; ++f) q_[f].lane[lane] = x[f];
      if (!cosine) continue;
      double square = 0;
      for (size_t f = 0; f < d_; ++f) square += static_cast<double>(x[f]) * x[f];
      const double inverse = square > 0 ? 1 / std::sqrt(square) : 0;
      for (size_t f = 0; f < d_; ++f) unit_[f].lane[lane] = static_cast<float>(x[f] * inverse);
      zero[lane] = !(square > 0);
    }
    const auto data = [](std::vector<Sixteen>& v) { return v.empty() ? nullptr : v.data(); };
    measure_rows({rows_.data(), inverse_.data(), d_, q_.data(), unit_.data(), back_}, needed,
                 {data(to.l2), data(to.l1), data(to.cosine)});
    for (size_t lane = 0; lane < kLanes; ++lane)
      if (zero[lane])
        for (size_t i = 0; i < needed.size(); ++i) to.cosine[i].lane[lane] = 1;
  }

  void label(const int32_t*, size_t, const Tables&) {}

  void centroid(size_t, size_t query, int32_t label, bool own, size_t n, float* out) {
    const Sums s = compare(queries_.data() + query * d_, sums_.data() + label * d_, d_, own,
                           static_cast<double>(n - own));
    const double lengths = std::sqrt(s.query) * std::sqrt(s.centroid);
    const double cosine = lengths > 0 ? std::clamp(s.product / lengths, -1.0, 1.0) : 0;
    const double most = std::numeric_limits<float>::max();
    out[0] = static_cast<float>(std::min(std::sqrt(s.difference) * back_, most));
    out[1] = static_cast<float>(1 - cosine);
  }

 private:
  In2<float> queries_, rows_;
  In<float> inverse_;
  In2<double> sums_;
  float back_;
  size_t d_;
  std::vector<Sixteen> q_, unit_;
};

// queries (q, d); rows (n, d) with the inverse of each one's length (0 for zeros); sums (labels, d)
// of the rows of each label; `back` takes distances back to the units in which they are wanted.
std::pair<Out<float>, Out<int32_t>> meta_level_dense(
    In2<float> queries, In2<float> rows, In<float> inverse, In2<double> sums, double back,
    In<int64_t> lists_indptr, In<int32_t> lists_rows, In<int64_t> indptr, In<int32_t> labels,
    In<int32_t> own, int64_t k, std::tuple<int64_t, int64_t, int64_t, int64_t> starts,
    int64_t width, bool ids) {
  const Columns columns(starts, width, k);
  const Pairs pairs{lists_indptr, lists_rows, indptr, labels, own, rows.shape(0)};
  pairs.check(queries.shape(0));
  check_length(queries.shape(1), rows.shape(1), "a query");
  check_length(inverse.shape(0), rows.shape(0), "inverse");
  if (columns.centroid >= 0) {
    check_length(sums.shape(0), lists_indptr.shape(0) - 1, "sums");
    check_length(sums.shape(1), rows.shape(1), "a row of sums");
  }
  DenseRows form(queries, rows, inverse, sums, static_cast<float>(back));
  return describe_pairs(form, pairs, columns, k, ids);
}
}  // namespace

void bind_meta_level_dense(nb::module_& m) {
  using nb::arg;
  m.def("meta_level_dense", &meta_level_dense, arg("queries").noconvert(), arg("rows").noconvert(),
        arg("inverse").noconvert(), arg("sums").noconvert(), arg("back"),
        arg("lists_indptr").noconvert(), arg("lists_rows").noconvert(), arg("indptr").noconvert(),
        arg("labels").noconvert(), arg("own").noconvert(), arg("k"), arg("starts"), arg("width"),
        arg("ids"));
}
}  // namespace labelrank
