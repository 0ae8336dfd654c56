// Linear classifiers of several labels over the same sparse rows, by dual coordinate descent with a
// length-two penalty. Sixteen labels are solved side by side, so that one pass over a row's
// features serves them all.
#include <cmath>
#include <limits>

#include "arrays.hpp"
#include "dual_lanes.hpp"
#include "random.hpp"

namespace labelrank {
namespace {
constexpr float kInfinite = std::numeric_limits<float>::infinity();

// Passes in random order until no lane's projected gradient varies by more than `tol`.
void descend(const Rows& rows, Lanes& lanes, bool log_loss, double C, double relevant_cost,
             double tol, int64_t passes, Random& random) {
  const Diagonal diagonal{static_cast<float>(0.5 / C),
                          static_cast<float>(0.5 / (C * relevant_cost))};
  const Diagonal costs{static_cast<float>(C), static_cast<float>(C * relevant_cost)};
  const float enough = static_cast<float>(tol);
  const size_t n = rows.size();
  std::vector<int32_t> order(n);
  for (size_t i = 0; i < n; ++i) order[i] = static_cast<int32_t>(i);
  lanes.limit.v = Floats{} + kInfinite;
  size_t active = n;
  for (int64_t pass = 0; pass < passes; ++pass) {
    for (size_t i = active; i > 1; --i) std::swap(order[i - 1], order[random.below(i)]);
    const bool whole = active == n;
    active = log_loss ? sweep_log(rows, lanes, order.data(), active, costs, enough)
                      : sweep(rows, lanes, order.data(), active, diagonal);
    bool all_calm = true, any_live = false;
    for (size_t j = 0; j < kLanes; ++j) {
      if (lanes.live.v[j] == 0) continue;
      const bool calm = lanes.most.v[j] - lanes.least.v[j] <= enough;
      if (calm && whole) lanes.live.v[j] = 0;
      all_calm &= calm;
      any_live |= lanes.live.v[j] > 0;
      lanes.limit.v[j] = lanes.most.v[j] > 0 ? lanes.most.v[j] : kInfinite;
    }
    if (!any_live) return;
    if (all_calm || active == 0) {  // calm where it was looked: look everywhere once more
      active = n;
      lanes.limit.v = Floats{} + kInfinite;
    }
  }
}

Rows gather(const int64_t* indptr, const int32_t* indices, const float* data, size_t entries,
            const float* scales, In<int32_t> chosen, int64_t n_features) {
  Rows rows;
  std::vector<int32_t> number(static_cast<size_t>(n_features), -1);
  for (size_t r = 0; r < chosen.shape(0); ++r) {
    const int64_t i = chosen.data()[r];
    if (indptr[i] < 0 || indptr[i] > indptr[i + 1] || static_cast<size_t>(indptr[i + 1]) > entries)
      throw std::invalid_argument("indptr must start at 0, never fall and end at " +
                                  std::to_string(entries) + ", the number of entries");
    for (int64_t e = indptr[i]; e < indptr[i + 1]; ++e) {
      if (indices[e] < 0 || indices[e] >= n_features)
        throw std::invalid_argument("indices must lie in 0.." + std::to_string(n_features - 1));
      number[static_cast<size_t>(indices[e])] = 0;
    }
    rows.starts.push_back(rows.starts.back() + indptr[i + 1] - indptr[i]);
  }
  for (size_t f = 0; f < number.size(); ++f) {
    if (number[f] < 0) continue;
    number[f] = static_cast<int32_t>(rows.features.size());
    rows.features.push_back(static_cast<int32_t>(f));
  }
  rows.columns.resize(static_cast<size_t>(rows.starts.back()));
  rows.values.resize(rows.columns.size());
  rows.squares.resize(chosen.shape(0));
  for (size_t r = 0, to = 0; r < chosen.shape(0); ++r) {
    const int64_t i = chosen.data()[r];
    double square = 1;  // of the constant feature
    for (int64_t e = indptr[i]; e < indptr[i + 1]; ++e, ++to) {
      rows.columns[to] = number[static_cast<size_t>(indices[e])];
      rows.values[to] = data[e] * scales[i];
      square += static_cast<double>(rows.values[to]) * static_cast<double>(rows.values[to]);
    }
    rows.squares[r] = static_cast<float>(square);
    if (!std::isfinite(rows.squares[r]))
      throw std::overflow_error("the length of a row is too large for float32");
  }
  return rows;
}

// Weights that were kept: of a feature (numbered as in Rows), of a label.
struct Kept {
  int32_t feature;
  uint16_t label;
  float value;
};

// (features, starts, labels, weights, bias): the weights by feature, those of features[f] in
// starts[f]:starts[f + 1]. Label j is relevant to the rows chosen[p], p in p_rows of its list.
// Where at least the share `fill` of labels has a weight, all have one, zeros too, in their order.
std::tuple<Out<int32_t>, Out<int64_t>, Out<uint16_t>, Out<float>, Out<float>> dual_descent(
    In<int64_t> indptr, In<int32_t> indices, In<float> data, In<float> scales, int64_t n_features,
    In<int32_t> chosen, In<int64_t> p_indptr, In<int32_t> p_rows, bool log_loss, double C,
    double relevant_cost, double tol, int64_t passes, double threshold, double fill,
    uint64_t seed) {
  if (indptr.shape(0) < 1) throw std::invalid_argument("indptr must not be empty");
  if (n_features < 0) throw std::invalid_argument("n_features must not be negative");
  const size_t n = indptr.shape(0) - 1, m = chosen.shape(0);
  check_length(data.shape(0), indices.shape(0), "data");
  check_length(scales.shape(0), n, "scales");
  check_indices(chosen, static_cast<int64_t>(n), "chosen");
  check_indptr(p_indptr, p_rows.shape(0), "p_indptr");
  check_indices(p_rows, static_cast<int64_t>(m), "p_rows");
  const size_t width = p_indptr.shape(0) - 1;
  if (!(C > 0) || !(relevant_cost > 0) || width > 65535)
    throw std::invalid_argument("C and relevant_cost must be above 0, labels fewer than 65536");
  std::vector<int64_t> starts;
  std::unique_ptr<uint16_t[]> labels;
  std::unique_ptr<float[]> values;
  std::vector<int32_t> features;
  auto bias = raw<float>(width);
  {
    nb::gil_scoped_release release;
    Rows rows = gather(indptr.data(), indices.data(), data.data(), indices.shape(0), scales.data(),
                       chosen, n_features);
    // labels with about as many rows need about as many passes, so they share lanes
    std::vector<int32_t> turn(width);
    for (size_t l = 0; l < width; ++l) turn[l] = static_cast<int32_t>(l);
    const int64_t* p = p_indptr.data();
    std::stable_sort(turn.begin(), turn.end(),
                     [p](int32_t a, int32_t b) { return p[a + 1] - p[a] > p[b + 1] - p[b]; });
    Random random(seed);
    Lanes lanes;
    std::vector<Kept> kept;
    starts.assign(rows.features.size() + 1, 0);
    for (size_t first = 0; first < width; first += kLanes) {
      const size_t stop = std::min(first + kLanes, width);
      lanes.weights.assign(rows.features.size(), Lane{});
      lanes.alphas.assign(m, Lane{});
      lanes.positive.assign(m, 0);
      for (size_t j = 0; j < kLanes; ++j) {
        lanes.bias.v[j] = 0;
        lanes.live.v[j] = first + j < stop ? 1.0f : 0.0f;
      }
      for (size_t at = first; at < stop; ++at)
        for (int64_t e = p[turn[at]]; e < p[turn[at] + 1]; ++e)
          lanes.positive[static_cast<size_t>(p_rows.data()[e])] |=
              static_cast<uint16_t>(1u << (at - first));
      descend(rows, lanes, log_loss, C, relevant_cost, tol, passes, random);
      for (size_t at = first; at < stop; ++at) bias[turn[at]] = lanes.bias.v[at - first];
      for (size_t f = 0; f < rows.features.size(); ++f) {
        const Floats& w = lanes.weights[f].v;
        for (size_t j = 0; j < stop - first; ++j) {
          if (!(std::fabs(w[j]) > threshold)) continue;
          kept.push_back({static_cast<int32_t>(f), static_cast<uint16_t>(turn[first + j]), w[j]});
          ++starts[f + 1];
        }
      }
    }
    // by feature; features without a weight are left out
    const double many = std::max(fill * static_cast<double>(width), 1.0);
    std::vector<uint8_t> filled(rows.features.size());
    for (size_t f = 0; f < rows.features.size(); ++f) {
      filled[f] = static_cast<double>(starts[f + 1]) >= many;
      if (filled[f]) starts[f + 1] = static_cast<int64_t>(width);
      starts[f + 1] += starts[f];
    }
    const size_t total = static_cast<size_t>(starts.back());
    labels = raw<uint16_t>(total);
    values = raw<float>(total);
    for (size_t f = 0; f < rows.features.size(); ++f) {
      for (size_t j = 0; filled[f] && j < width; ++j) {
        labels[static_cast<size_t>(starts[f]) + j] = static_cast<uint16_t>(j);
        values[static_cast<size_t>(starts[f]) + j] = 0;
      }
    }
    std::vector<int64_t> next(starts.begin(), starts.end());
    for (const Kept& k : kept) {
      const size_t f = static_cast<size_t>(k.feature);
      const int64_t to = filled[f] ? starts[f] + k.label : next[f]++;
      labels[to] = k.label, values[to] = k.value;
    }
    size_t there = 0;
    for (size_t f = 0; f < rows.features.size(); ++f) {
      if (starts[f + 1] == starts[f]) continue;
      features.push_back(rows.features[f]);
      starts[++there] = starts[f + 1];
    }
    starts.resize(there + 1);
  }
  const size_t total = static_cast<size_t>(starts.back());
  return {own(std::move(features)), own(std::move(starts)), own(std::move(labels), total),
          own(std::move(values), total), own(std::move(bias), width)};
}
}  // namespace

void bind_dual_descent(nb::module_& m) {
  using nb::arg;
  m.def("dual_descent", &dual_descent, arg("indptr").noconvert(), arg("indices").noconvert(),
        arg("data").noconvert(), arg("scales").noconvert(), arg("n_features"),
        arg("chosen").noconvert(), arg("p_indptr").noconvert(), arg("p_rows").noconvert(),
        arg("log_loss"), arg("C"), arg("relevant_cost"), arg("tol"), arg("passes"),
        arg("threshold"), arg("fill"), arg("seed"));
}
}  // namespace labelrank
