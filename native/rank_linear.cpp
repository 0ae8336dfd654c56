// The k best labels of sparse rows under sparse linear functions, all labels considered.
#include <cmath>

#include "arrays.hpp"
#include "top.hpp"

namespace labelrank {
namespace {
// Feature by feature: a weight is met only when the row has its feature.
void add_up(const int32_t* features, const float* values, size_t n, float scale,
            const int64_t* starts, const int32_t* labels, const float* weights, float* scores) {
  for (size_t e = 0; e < n; ++e) {
    const float value = values[e] * scale;
    for (int64_t w = starts[features[e]]; w < starts[features[e] + 1]; ++w)
      scores[labels[w]] += value * weights[w];
  }
}

LABELRANK_SIMD const std::vector<Entry<float>>& select(const float* scores, size_t m, size_t k,
                                                       Best<float>& best) {
  return m / (8 * k) >= 32 ? best.template select<32>(scores, m, k, nullptr, nullptr)
                           : best.template select<8>(scores, m, k, nullptr, nullptr);
}

// (labels, scores), both (n, min(k, m)), best first: bias + scale of the row × row × weights, which
// are CSR of (n_features, m).
std::pair<Out<int32_t>, Out<float>> rank_linear(In<int64_t> q_indptr, In<int32_t> q_indices,
                                                In<float> q_data, In<float> scales,
                                                In<int64_t> w_indptr, In<int32_t> w_indices,
                                                In<float> w_data, In<float> bias, int64_t k) {
  check_indptr(q_indptr, q_indices.shape(0), "q_indptr");
  check_length(q_data.shape(0), q_indices.shape(0), "q_data");
  const size_t n = q_indptr.shape(0) - 1, m = bias.shape(0);
  check_length(scales.shape(0), n, "scales");
  check_indptr(w_indptr, w_indices.shape(0), "w_indptr");
  check_length(w_data.shape(0), w_indices.shape(0), "w_data");
  check_indices(q_indices, static_cast<int64_t>(w_indptr.shape(0)) - 1, "q_indices");
  check_indices(w_indices, static_cast<int64_t>(m), "w_indices");
  if (k < 1) throw std::invalid_argument("k must be at least 1");
  const size_t width = std::min(static_cast<size_t>(k), m);
  auto labels = raw<int32_t>(n * width);
  auto best_scores = raw<float>(n * width);
  bool bad = false;
  {
    nb::gil_scoped_release release;
    std::vector<float> scores(m);
    Best<float> best;
    for (size_t i = 0; i < n && width > 0; ++i) {
      std::copy(bias.data(), bias.data() + m, scores.data());
      const int64_t begin = q_indptr.data()[i], end = q_indptr.data()[i + 1];
      add_up(q_indices.data() + begin, q_data.data() + begin, static_cast<size_t>(end - begin),
             scales.data()[i], w_indptr.data(), w_indices.data(), w_data.data(), scores.data());
      for (float& score : scores) bad |= !std::isfinite(score);
      if (bad) break;
      const auto& row = select(scores.data(), m, width, best);
      for (size_t j = 0; j < width; ++j) {
        labels[i * width + j] = row[j].label;
        best_scores[i * width + j] = row[j].score;
      }
    }
  }
  if (bad) throw std::overflow_error("a score is too large for float32");
  return {own(std::move(labels), n, width), own(std::move(best_scores), n, width)};
}
}  // namespace

void bind_rank_linear(nb::module_& m) {
  using nb::arg;
  m.def("rank_linear", &rank_linear, arg("q_indptr").noconvert(), arg("q_indices").noconvert(),
        arg("q_data").noconvert(), arg("scales").noconvert(), arg("w_indptr").noconvert(),
        arg("w_indices").noconvert(), arg("w_data").noconvert(), arg("bias").noconvert(), arg("k"));
}
}  // namespace labelrank
