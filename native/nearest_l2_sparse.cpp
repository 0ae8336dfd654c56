// Exact nearest neighbours of sparse rows by Euclidean distance, none of them made dense.
#include <cmath>
#include <limits>

#include "nearest_l2.hpp"

namespace labelrank {
namespace {
struct SparseRow {
  const int32_t* columns;
  const float* values;
  size_t size;
};
struct SparseRows {
  const int64_t* indptr;
  const int32_t* columns;
  const float* values;
  SparseRow operator[](size_t i) const {
    const int64_t begin = indptr[i];
    return {columns + begin, values + begin, static_cast<size_t>(indptr[i + 1] - begin)};
  }
};

double exact(const SparseRow& q, const SparseRow& x) {
  double lanes[kLanes] = {};
  const auto add = [&lanes](int32_t column, double difference) {
    lanes[static_cast<size_t>(column) % kLanes] += difference * difference;
  };
  size_t a = 0, b = 0;
  while (a < q.size && b < x.size) {
    if (q.columns[a] < x.columns[b]) {
      add(q.columns[a], static_cast<double>(q.values[a]));
      ++a;
    } else if (q.columns[a] > x.columns[b]) {
      add(x.columns[b], static_cast<double>(x.values[b]));
      ++b;
    } else {
      add(q.columns[a], static_cast<double>(q.values[a]) - static_cast<double>(x.values[b]));
      ++a, ++b;
    }
  }
  for (; a < q.size; ++a) add(q.columns[a], static_cast<double>(q.values[a]));
  for (; b < x.size; ++b) add(x.columns[b], static_cast<double>(x.values[b]));
  return total(lanes);
}

// The rows by feature, for inner products that only meet what is not zero.
class Postings {
 public:
  Postings(const SparseRows& rows, size_t n, size_t n_features) : starts_(n_features + 1, 0) {
    const size_t entries = static_cast<size_t>(rows.indptr[n]);
    for (size_t e = 0; e < entries; ++e) ++starts_[static_cast<size_t>(rows.columns[e]) + 1];
    for (size_t j = 0; j < n_features; ++j) starts_[j + 1] += starts_[j];
    std::vector<size_t> next(starts_.begin(), starts_.end() - 1);
    entries_.resize(entries);
    for (size_t i = 0; i < n; ++i) {
      const SparseRow row = rows[i];
      for (size_t e = 0; e < row.size; ++e)
        entries_[next[static_cast<size_t>(row.columns[e])]++] = {static_cast<int32_t>(i),
                                                                 row.values[e]};
    }
  }
  void multiply(const SparseRow& q, std::vector<float>& products) const {
    std::fill(products.begin(), products.end(), 0.0f);
    for (size_t e = 0; e < q.size; ++e) {
      const size_t feature = static_cast<size_t>(q.columns[e]);
      for (size_t p = starts_[feature]; p < starts_[feature + 1]; ++p)
        products[static_cast<size_t>(entries_[p].row)] += q.values[e] * entries_[p].value;
    }
  }

 private:
  struct Posting {
    int32_t row;
    float value;
  };
  std::vector<size_t> starts_;
  std::vector<Posting> entries_;
};

double squared(const SparseRow& row) {
  double sum = 0;
  for (size_t e = 0; e < row.size; ++e)
    sum += static_cast<double>(row.values[e]) * static_cast<double>(row.values[e]);
  return sum;
}

// Bounds of the squared distances of one query from what inner products in float32 say. With terms
// as many as the row has entries, a product is off by their number of roundings times |x||q|, which
// is at most half of |x|² + |q|².
LABELRANK_SIMD void lower_bounds(const float* products, const double* lengths, const double* sizes,
                                 size_t m, double q_length, double* out) {
  constexpr float kMost = std::numeric_limits<float>::max();
  for (size_t row = 0; row < m; ++row) {
    const double off = (sizes[row] + 4) * kRounding + 1e-12;
    const double bound = (q_length + lengths[row]) * (1 - off) -
                         2 * (static_cast<double>(products[row]) + (sizes[row] + 1) * kTiny);
    out[row] = std::fabs(products[row]) <= kMost ? bound : 0.0;
  }
}
double upper_bound(float product, double length, double size, double q_length) {
  if (!std::isfinite(product)) return std::numeric_limits<double>::infinity();
  const double off = (size + 4) * kRounding + 1e-12;
  return (q_length + length) * (1 + off) - 2 * (static_cast<double>(product) - (size + 1) * kTiny);
}

// (rows, squared distances), both (n_queries, min(k, rows there are)), nearest first, of CSR rows
// with sorted columns.
Found nearest_l2_sparse(In<int64_t> q_indptr, In<int32_t> q_indices, In<float> q_data,
                        In<int64_t> r_indptr, In<int32_t> r_indices, In<float> r_data,
                        int64_t n_features, int64_t k, int64_t own) {
  check_indptr(q_indptr, q_indices.shape(0), "q_indptr");
  check_length(q_data.shape(0), q_indices.shape(0), "q_data");
  check_indptr(r_indptr, r_indices.shape(0), "r_indptr");
  check_length(r_data.shape(0), r_indices.shape(0), "r_data");
  check_indices(q_indices, n_features, "q_indices");
  check_indices(r_indices, n_features, "r_indices");
  if (n_features < 0) throw std::invalid_argument("n_features must not be negative");
  const size_t n = q_indptr.shape(0) - 1, m = r_indptr.shape(0) - 1;
  check_own(own, n, m, k);
  const size_t there = m - static_cast<size_t>(own >= 0 && m > 0);
  const size_t width = std::min(static_cast<size_t>(k), there);
  const SparseRows queries{q_indptr.data(), q_indices.data(), q_data.data()};
  const SparseRows rows{r_indptr.data(), r_indices.data(), r_data.data()};
  std::vector<Nearest> nearest(n);
  if (width > 0) {
    nb::gil_scoped_release release;
    const Postings postings(rows, m, static_cast<size_t>(n_features));
    std::vector<double> lengths(m), sizes(m), lower(m), uppers;
    for (size_t row = 0; row < m; ++row) {
      lengths[row] = squared(rows[row]);
      sizes[row] = static_cast<double>(rows[row].size);
    }
    std::vector<float> products(m);
    for (size_t i = 0; i < n; ++i) {
      const SparseRow q = queries[i];
      const double length = squared(q);
      const size_t self = own >= 0 ? static_cast<size_t>(own) + i : m;
      postings.multiply(q, products);
      lower_bounds(products.data(), lengths.data(), sizes.data(), m, length, lower.data());
      // The k-th least upper bound: only rows that may be as near are measured.
      uppers.clear();
      for (size_t row = 0; row < m; ++row) {
        if ((uppers.size() == width && lower[row] >= uppers.front()) || row == self) continue;
        const double upper = upper_bound(products[row], lengths[row], sizes[row], length);
        if (uppers.size() == width) {
          if (upper >= uppers.front()) continue;
          std::pop_heap(uppers.begin(), uppers.end());
          uppers.pop_back();
        }
        uppers.push_back(upper);
        std::push_heap(uppers.begin(), uppers.end());
      }
      const double most = uppers.front();
      for (size_t row = 0; row < m; ++row)
        if (lower[row] <= most && row != self) nearest[i].offer(exact(q, rows[row]), row, width);
    }
  }
  return sorted(nearest, width);
}
}  // namespace

void bind_nearest_l2_sparse(nb::module_& m) {
  using nb::arg;
  m.def("nearest_l2_sparse", &nearest_l2_sparse, arg("q_indptr").noconvert(),
        arg("q_indices").noconvert(), arg("q_data").noconvert(), arg("r_indptr").noconvert(),
        arg("r_indices").noconvert(), arg("r_data").noconvert(), arg("n_features"), arg("k"),
        arg("own"));
}
}  // namespace labelrank
