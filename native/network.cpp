// A network with one hidden layer: its scores, and the slope of a loss by its parameters. Loops run
// over the hidden units innermost, so that they are vectorised and sums have one order everywhere.
#include <cmath>

#include "arrays.hpp"

namespace labelrank {
namespace {
using Rows = In2<float>;

LABELRANK_SIMD void add_scaled(const float* x, float factor, size_t n, float* sum) {
  for (size_t i = 0; i < n; ++i) sum[i] += factor * x[i];
}

LABELRANK_SIMD void add_products(const float* x, size_t d, const float* layer, size_t h,
                                 float* sums) {
  for (size_t j = 0; j < d; ++j)
    for (size_t u = 0; u < h; ++u) sums[u] += x[j] * layer[j * h + u];
}

LABELRANK_SIMD void add_outer(const float* x, size_t d, const float* back, size_t h, float* layer) {
  for (size_t j = 0; j < d; ++j)
    for (size_t u = 0; u < h; ++u) layer[j * h + u] += x[j] * back[u];
}

void check_network(const Rows& X, const Rows& layer, const In<float>& bias,
                   const In<float>& output) {
  check_length(layer.shape(0), X.shape(1), "layer");
  check_length(bias.shape(0), layer.shape(1), "bias");
  check_length(output.shape(0), layer.shape(1), "output");
}

// (units, scores): units = tanh(X layer + bias), scores = units output
std::pair<Out<float>, Out<double>> network_scores(Rows X, Rows layer, In<float> bias,
                                                  In<float> output) {
  check_network(X, layer, bias, output);
  const size_t n = X.shape(0), d = X.shape(1), h = layer.shape(1);
  auto units = raw<float>(n * h);
  auto scores = raw<double>(n);
  {
    nb::gil_scoped_release release;
    for (size_t i = 0; i < n; ++i) {
      float* unit = units.get() + i * h;
      std::copy(bias.data(), bias.data() + h, unit);
      add_products(X.data() + i * d, d, layer.data(), h, unit);
      double score = 0;
      for (size_t u = 0; u < h; ++u) {
        unit[u] = std::tanh(unit[u]);
        score += static_cast<double>(unit[u]) * output.data()[u];
      }
      scores[i] = score;
    }
  }
  return {own(std::move(units), n, h), own(std::move(scores), n)};
}

// The slopes by layer, bias and output, given the slope by each score.
std::tuple<Out<float>, Out<float>, Out<float>> network_slopes(Rows X, Rows units, In<float> output,
                                                              In<double> slope) {
  const size_t n = X.shape(0), d = X.shape(1), h = output.shape(0);
  check_length(units.shape(0), n, "units");
  check_length(units.shape(1), h, "units");
  check_length(slope.shape(0), n, "slope");
  auto by_layer = raw<float>(d * h);
  auto by_bias = raw<float>(h), by_output = raw<float>(h);
  {
    nb::gil_scoped_release release;
    std::fill(by_layer.get(), by_layer.get() + d * h, 0.0f);
    std::fill(by_bias.get(), by_bias.get() + h, 0.0f);
    std::fill(by_output.get(), by_output.get() + h, 0.0f);
    std::vector<float> back(h);
    for (size_t i = 0; i < n; ++i) {
      const float* unit = units.data() + i * h;
      const float own_slope = static_cast<float>(slope.data()[i]);
      if (own_slope == 0) continue;
      add_scaled(unit, own_slope, h, by_output.get());
      for (size_t u = 0; u < h; ++u)
        back[u] = own_slope * output.data()[u] * (1 - unit[u] * unit[u]);
      add_scaled(back.data(), 1, h, by_bias.get());
      add_outer(X.data() + i * d, d, back.data(), h, by_layer.get());
    }
  }
  return {own(std::move(by_layer), d, h), own(std::move(by_bias), h), own(std::move(by_output), h)};
}
}  // namespace

void bind_network(nb::module_& m) {
  using nb::arg;
  m.def("network_scores", &network_scores, arg("X").noconvert(), arg("layer").noconvert(),
        arg("bias").noconvert(), arg("output").noconvert());
  m.def("network_slopes", &network_slopes, arg("X").noconvert(), arg("units").noconvert(),
        arg("output").noconvert(), arg("slope").noconvert());
}
}  // namespace labelrank
