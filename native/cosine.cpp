// Exact nearest neighbours of sparse rows by inner product (cosine, when rows have length one).
#include "arrays.hpp"
#include "top.hpp"

namespace labelrank {
namespace {
// Neighbours come from the posting lists of the query's features: every product that is not zero
// is added up in one dense array of sums. Blocks of that array that nobody touched are neither
// scanned nor cleared, so the cost follows the postings met and not the number of training rows.
// Only similarities above zero make a neighbour. Ties: the smaller row first.
//
// queries: CSR (q_indptr, q_indices, q_data); training rows by feature: CSC (p_indptr, p_rows,
// p_data). Returns a CSR of at most k neighbours a query, nearest first.
std::tuple<Out<int64_t>, Out<int32_t>, Out<float>> nearest_sparse(
    In<int64_t> q_indptr, In<int32_t> q_indices, In<float> q_data, In<int64_t> p_indptr,
    In<int32_t> p_rows, In<float> p_data, int64_t n_train, int64_t k) {
  check_indptr(q_indptr, q_indices.shape(0), "q_indptr");
  check_length(q_data.shape(0), q_indices.shape(0), "q_data");
  check_indptr(p_indptr, p_rows.shape(0), "p_indptr");
  check_length(p_data.shape(0), p_rows.shape(0), "p_data");
  check_indices(q_indices, static_cast<int64_t>(p_indptr.shape(0)) - 1, "q_indices");
  check_indices(p_rows, n_train, "p_rows");
  if (k < 1) throw std::invalid_argument("k must be at least 1");
  const size_t n = q_indptr.shape(0) - 1, m = static_cast<size_t>(n_train);
  constexpr size_t kBlock = 64;
  const size_t width = static_cast<size_t>(std::min(k, std::max<int64_t>(n_train, 1)));
  std::vector<int64_t> indptr(1, 0);
  std::vector<int32_t> rows;
  std::vector<float> similarities;
  {
    nb::gil_scoped_release release;
    std::vector<float> sums(m, 0.0f);
    std::vector<uint8_t> touched(m / kBlock + 1, 0);
    Best<float> best;
    const float zero = 0.0f;
    const int64_t* pp = p_indptr.data();
    for (size_t i = 0; i < n; ++i) {
      for (int64_t e = q_indptr.data()[i]; e < q_indptr.data()[i + 1]; ++e) {
        const float x = q_data.data()[e];
        const int32_t feature = q_indices.data()[e];
        for (int64_t p = pp[feature]; p < pp[feature + 1]; ++p) {
          const size_t row = static_cast<size_t>(p_rows.data()[p]);
          sums[row] += x * p_data.data()[p];
          touched[row / kBlock] = 1;
        }
      }
      for (const auto& entry : best.select<kBlock>(sums.data(), m, width, &zero, touched.data())) {
        rows.push_back(entry.label);
        similarities.push_back(entry.score);
      }
      for (size_t block = 0; block < touched.size(); ++block) {
        if (!touched[block]) continue;
        const size_t start = block * kBlock;
        std::fill_n(sums.begin() + start, std::min(kBlock, m - start), 0.0f);
        touched[block] = 0;
      }
      indptr.push_back(static_cast<int64_t>(rows.size()));
    }
  }
  return {own(std::move(indptr)), own(std::move(rows)), own(std::move(similarities))};
}
}  // namespace

void bind_cosine(nb::module_& m) {
  using nb::arg;
  m.def("nearest_sparse", &nearest_sparse, arg("q_indptr").noconvert(),
        arg("q_indices").noconvert(), arg("q_data").noconvert(), arg("p_indptr").noconvert(),
        arg("p_rows").noconvert(), arg("p_data").noconvert(), arg("n_train"), arg("k"));
}
}  // namespace labelrank
