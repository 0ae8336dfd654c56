// Exact nearest neighbours of dense rows by Euclidean distance.
#include <cmath>

#include "nearest_l2.hpp"

namespace labelrank {
namespace {
constexpr size_t kRows = 64;  // training rows side by side

LABELRANK_SIMD double exact(const float* q, const float* x, size_t d) {
  double lanes[kLanes] = {};
  size_t j = 0;
  for (; j + kLanes <= d; j += kLanes)
    for (size_t l = 0; l < kLanes; ++l) {
      const double difference = static_cast<double>(q[j + l]) - static_cast<double>(x[j + l]);
      lanes[l] += difference * difference;
    }
  for (size_t l = 0; j + l < d; ++l) {
    const double difference = static_cast<double>(q[j + l]) - static_cast<double>(x[j + l]);
    lanes[l] += difference * difference;
  }
  return total(lanes);
}

// Squared distances of one query to kRows rows, which lie feature by feature.
LABELRANK_SIMD void rough(const float* q, const float* turned, size_t d, float* out) {
  float sums[kRows] = {};
  for (size_t j = 0; j < d; ++j) {
    const float value = q[j];
    const float* at = turned + j * kRows;
    for (size_t r = 0; r < kRows; ++r) {
      const float difference = value - at[r];
      sums[r] += difference * difference;
    }
  }
  for (size_t r = 0; r < kRows; ++r) out[r] = sums[r];
}

// (rows, squared distances), both (n_queries, min(k, rows there are)), nearest first.
Found nearest_l2_dense(In2<float> queries, In2<float> rows, int64_t k, int64_t own) {
  const size_t n = queries.shape(0), m = rows.shape(0), d = rows.shape(1);
  check_length(queries.shape(1), d, "a query");
  check_own(own, n, m, k);
  const size_t there = m - static_cast<size_t>(own >= 0 && m > 0);
  const size_t width = std::min(static_cast<size_t>(k), there);
  std::vector<Nearest> nearest(n);
  if (width > 0) {
    nb::gil_scoped_release release;
    std::vector<float> turned(d * kRows, 0.0f);
    float sums[kRows];
    const double keep = std::max(0.0, 1 - static_cast<double>(d + 4) * kRounding);
    const double tiny = static_cast<double>(d) * kTiny;
    for (size_t start = 0; start < m; start += kRows) {
      const size_t count = std::min(kRows, m - start);
      for (size_t r = 0; r < count; ++r)
        for (size_t j = 0; j < d; ++j) turned[j * kRows + r] = rows.data()[(start + r) * d + j];
      for (size_t i = 0; i < n; ++i) {
        const float* q = queries.data() + i * d;
        rough(q, turned.data(), d, sums);
        for (size_t r = 0; r < count; ++r) {
          const size_t row = start + r;
          const double sum = static_cast<double>(sums[r]);
          const double bound = std::isfinite(sum) ? (sum - tiny) * keep : 0;
          if (!nearest[i].may_enter(bound, width)) continue;
          if (own >= 0 && row == static_cast<size_t>(own) + i) continue;
          nearest[i].offer(exact(q, rows.data() + row * d, d), row, width);
        }
      }
    }
  }
  return sorted(nearest, width);
}
}  // namespace

void bind_nearest_l2_dense(nb::module_& m) {
  using nb::arg;
  m.def("nearest_l2_dense", &nearest_l2_dense, arg("queries").noconvert(), arg("rows").noconvert(),
        arg("k"), arg("own"));
}
}  // namespace labelrank
