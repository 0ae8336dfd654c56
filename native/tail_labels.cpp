// How near rows lie to the means of labels: the classifiers for tail labels.
#include <cmath>

#include "arrays.hpp"

namespace labelrank {
namespace {
// log P(y = 1 | x) = -log(1 + exp(γ/2 |x - μ|²)), paper 003 (5), without an overflow.
inline float log_probability(float half_gamma, float distance) {
  const float v = half_gamma * std::max(distance, 0.0f);
  return v > 17 ? -v : -(v + std::log1p(std::exp(-v)));  // beyond, the rest is less than rounding
}

// Rows x as CSR (x_indptr, x_indices, x_data); the means by feature: feature f is
// m_values[m_indptr[f] … m_indptr[f + 1]) in the means of the labels m_labels[…]; squares: |μ|² of
// each label; candidates: the labels of each row, CSR. Gives the log probability of each candidate.
//
// All products of a row with the means come from the lists of its features, added up in one dense
// array; only those of candidates are read.
Out<float> tail_scores(In<int64_t> x_indptr, In<int32_t> x_indices, In<float> x_data,
                       In<int64_t> m_indptr, In<int32_t> m_labels, In<float> m_values,
                       In<float> squares, In<int64_t> c_indptr, In<int32_t> c_labels, float gamma) {
  check_indptr(x_indptr, x_indices.shape(0), "x_indptr");
  check_length(x_data.shape(0), x_indices.shape(0), "x_data");
  check_indptr(m_indptr, m_labels.shape(0), "m_indptr");
  check_length(m_values.shape(0), m_labels.shape(0), "m_values");
  check_indptr(c_indptr, c_labels.shape(0), "c_indptr");
  check_length(c_indptr.shape(0), x_indptr.shape(0), "c_indptr");
  const size_t n_labels = squares.shape(0);
  check_indices(x_indices, static_cast<int64_t>(m_indptr.shape(0)) - 1, "x_indices");
  check_indices(c_labels, static_cast<int64_t>(n_labels), "c_labels");
  const size_t n = x_indptr.shape(0) - 1;
  auto out = raw<float>(c_labels.shape(0));
  bool outside = false;
  {
    nb::gil_scoped_release release;
    std::vector<float> products(n_labels, 0.0f);
    const int64_t* lists = m_indptr.data();
    for (size_t i = 0; i < n && !outside; ++i) {
      float square = 0;
      int64_t met = 0;
      for (int64_t e = x_indptr.data()[i]; e < x_indptr.data()[i + 1]; ++e) {
        const float x = x_data.data()[e];
        const size_t feature = static_cast<size_t>(x_indices.data()[e]);
        square += x * x;
        met += lists[feature + 1] - lists[feature];
        for (int64_t p = lists[feature]; p < lists[feature + 1]; ++p) {
          const size_t label = static_cast<size_t>(m_labels.data()[p]);
          if (label >= n_labels) {  // a negative one too
            outside = true;
            break;
          }
          products[label] += x * m_values.data()[p];
        }
      }
      for (int64_t c = c_indptr.data()[i]; c < c_indptr.data()[i + 1]; ++c) {
        const size_t label = static_cast<size_t>(c_labels.data()[c]);
        const float distance = square + squares.data()[label] - 2 * products[label];
        out[static_cast<size_t>(c)] = log_probability(gamma / 2, distance);
      }
      if (static_cast<size_t>(met) > n_labels / 8) {
        std::fill(products.begin(), products.end(), 0.0f);
      } else if (!outside) {
        for (int64_t e = x_indptr.data()[i]; e < x_indptr.data()[i + 1]; ++e) {
          const size_t feature = static_cast<size_t>(x_indices.data()[e]);
          for (int64_t p = lists[feature]; p < lists[feature + 1]; ++p)
            products[static_cast<size_t>(m_labels.data()[p])] = 0;
        }
      }
    }
  }
  if (outside) throw std::invalid_argument("m_labels must lie below " + std::to_string(n_labels));
  return own(std::move(out), c_labels.shape(0));
}
}  // namespace

void bind_tail_labels(nb::module_& m) {
  using nb::arg;
  m.def("tail_scores", &tail_scores, arg("x_indptr").noconvert(), arg("x_indices").noconvert(),
        arg("x_data").noconvert(), arg("m_indptr").noconvert(), arg("m_labels").noconvert(),
        arg("m_values").noconvert(), arg("squares").noconvert(), arg("c_indptr").noconvert(),
        arg("c_labels").noconvert(), arg("gamma"));
}
}  // namespace labelrank
