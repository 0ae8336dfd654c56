// The hyperplane of a node: Newton steps, solved by coordinate descent.
#include "l1_logistic.hpp"

#include <cmath>
#include <cstring>

#include "arrays.hpp"

namespace labelrank {
namespace {
constexpr float kRidge = 1e-6f;  // keeps a second derivative above 0
constexpr float kIdle = 0.9f;    // a slope that leaves a weight of 0 alone in later sweeps
constexpr float kEntry = 0.5f;   // by how much the slope that lets a column enter falls each step

inline float sum_of(const float (&lanes)[8]) {
  return ((lanes[0] + lanes[1]) + (lanes[2] + lanes[3])) +
         ((lanes[4] + lanes[5]) + (lanes[6] + lanes[7]));
}

// e^x for -40 <= x <= 0 (e^-40 below), in plain arithmetic so that loops over it become vector
// instructions; the relative error is below 1e-6. 2^k is written into the bits of a float, 2^f is
// its Taylor series.
inline __attribute__((always_inline)) float exp_below_zero(float x) {
  const float t = std::max(x, -40.0f) * 1.44269504f;
  const float k = (t + 12582912.0f) - 12582912.0f;  // to the nearest whole number
  const float f = (t - k) * 0.69314718f;
  const float power =
      1 + f * (1 + f * (0.5f + f * (1.0f / 6 + f * (1.0f / 24 + f * (1.0f / 120 + f / 720)))));
  const int32_t bits = (static_cast<int32_t>(k) + 127) << 23;
  float scale;
  std::memcpy(&scale, &bits, sizeof scale);
  return power * scale;
}

// Of c log(1 + exp(-δ m)) by m: -δ c / (1 + exp(δ m)), and c p (1 - p) with p = 1 / (1 + exp(δ m)).
LABELRANK_SIMD void logistic_derivatives(const float* margin, const float* sign, const float* cost,
                                         size_t n, float* slope, float* curve) {
  for (size_t i = 0; i < n; ++i) {
    const float t = sign[i] * margin[i];
    const float e = exp_below_zero(t < 0 ? t : -t);
    const float inverse = 1 / (1 + e);
    const float wrong = t < 0 ? inverse : e * inverse;
    slope[i] = -cost[i] * sign[i] * wrong;
    curve[i] = cost[i] * e * inverse * inverse;
  }
}

template <bool kOnes>
inline float value(const Columns& X, int64_t e) {
  return kOnes ? 1.0f : X.values[e];
}

// Four sums side by side: the next addition does not wait for the last one.
template <bool kOnes>
inline float dot(const Columns& X, size_t j, const float* of_row) {
  float sum[4] = {};
  int64_t e = X.starts[j];
  const int64_t end = X.starts[j + 1];
  for (; e + 3 < end; e += 4)
    for (int64_t l = 0; l < 4; ++l) sum[l] += value<kOnes>(X, e + l) * of_row[X.rows[e + l]];
  for (; e < end; ++e) sum[0] += value<kOnes>(X, e) * of_row[X.rows[e]];
  return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

// Where |w + z| + G z + h z² / 2 is least, as the change z.
inline float coordinate_step(float gradient, float curve, float weight) {
  const float scaled = curve * weight;
  if (gradient + 1 <= scaled) return -(gradient + 1) / curve;
  if (gradient - 1 >= scaled) return -(gradient - 1) / curve;
  return -weight;
}

// How far a coordinate is from its condition: the slope is within 1 where the weight is 0, and
// against the sign of the weight elsewhere.
inline float violation(float gradient, float weight) {
  if (weight == 0) return std::max(std::fabs(gradient) - 1, 0.0f);
  return std::fabs(gradient + (weight > 0 ? 1.0f : -1.0f));
}
}  // namespace

void L1Logistic::fit(const Columns& X, const uint8_t* side, const Settings& settings) {
  if (X.values)
    solve<false>(X, side, settings);
  else
    solve<true>(X, side, settings);
}

template <bool kOnes>
void L1Logistic::solve(const Columns& X, const uint8_t* side, const Settings& settings) {
  const size_t n = X.n_rows;
  size_t count[2] = {0, 0};
  for (size_t i = 0; i < n; ++i) ++count[side[i]];
  sign_.resize(n), cost_.resize(n), slope_.resize(n), curve_.resize(n), pull_.resize(n);
  for (size_t i = 0; i < n; ++i) {
    sign_[i] = side[i] ? 1.0f : -1.0f;
    cost_[i] = settings.cost * static_cast<float>(n) / static_cast<float>(count[side[i]]);
  }
  margins.assign(n, 0.0f);
  bias_ = settings.bias, bias_weight_ = 0;
  derivatives();
  screen<kOnes>(X, settings.screen);
  double start = 0;
  for (int step = 0; step < settings.steps; ++step) {
    if (step > 0) look_again<kOnes>(X, settings.screen);
    const double broken = conditions();
    if (step == 0) start = broken;
    if (broken <= settings.tolerance * start) break;
    descend<kOnes>(X, settings.sweeps);
    take_step();
  }
  columns.clear(), weights.clear();
  for (size_t c = 0; c < candidates_.size(); ++c)
    if (weight_[c] != 0) columns.push_back(candidates_[c]), weights.push_back(weight_[c]);
  intercept = bias_weight_ * bias_;
  // anew, in the order of a prediction: a training row ends in the leaf that it was counted in
  margins.assign(n, intercept);
  for (size_t c = 0; c < columns.size(); ++c) {
    const size_t j = static_cast<size_t>(columns[c]);
    for (int64_t e = X.starts[j]; e < X.starts[j + 1]; ++e)
      margins[static_cast<size_t>(X.rows[e])] += value<kOnes>(X, e) * weights[c];
  }
}

void L1Logistic::derivatives() {
  logistic_derivatives(margins.data(), sign_.data(), cost_.data(), margins.size(), slope_.data(),
                       curve_.data());
}

// The columns that may matter, with their slopes at w = 0.
template <bool kOnes>
void L1Logistic::screen(const Columns& X, float least) {
  candidates_.clear(), gradient_.clear();
  entry_ = 0;
  for (size_t j = 0; j < X.n_columns; ++j) {
    const float gradient = dot<kOnes>(X, j, slope_.data());
    if (!(std::fabs(gradient) > least)) continue;
    candidates_.push_back(static_cast<int32_t>(j));
    gradient_.push_back(gradient);
    entry_ = std::max(entry_, std::fabs(gradient));
  }
  weight_.assign(candidates_.size(), 0.0f);
  change_.resize(candidates_.size());
  column_curve_.resize(candidates_.size());
}

// Slopes after a step; candidates that have become idle are dropped.
template <bool kOnes>
void L1Logistic::look_again(const Columns& X, float least) {
  size_t kept = 0;
  for (size_t c = 0; c < candidates_.size(); ++c) {
    const float gradient = dot<kOnes>(X, static_cast<size_t>(candidates_[c]), slope_.data());
    candidates_[kept] = candidates_[c], weight_[kept] = weight_[c], gradient_[kept] = gradient;
    kept += weight_[c] != 0 || std::fabs(gradient) > least;
  }
  candidates_.resize(kept), weight_.resize(kept), gradient_.resize(kept);
}

// Those that are to change are the working set. Gives the sum of violations.
double L1Logistic::conditions() {
  double broken = 0;
  working_.clear();
  entry_ = std::max(1.0f, entry_ * kEntry);
  for (size_t c = 0; c < candidates_.size(); ++c) {
    broken += violation(gradient_[c], weight_[c]);
    if (weight_[c] != 0 || std::fabs(gradient_[c]) > entry_)
      working_.push_back(static_cast<int32_t>(c));
  }
  float lanes[8] = {};
  for (size_t i = 0; i < slope_.size(); ++i) lanes[i % 8] += slope_[i];
  bias_gradient_ = bias_ * sum_of(lanes);
  return broken + violation(bias_gradient_, bias_weight_);
}

// Sweeps over the working set. A coordinate that is at 0 and stays there by a margin is left out of
// later sweeps. Of a row only curve · change of its margin is kept: what it adds to slopes.
template <bool kOnes>
void L1Logistic::descend(const Columns& X, int sweeps) {
  const size_t n = slope_.size();
  std::fill(pull_.begin(), pull_.end(), 0.0f);
  float bias_curve = kRidge;
  for (size_t i = 0; i < n; ++i) bias_curve += bias_ * bias_ * curve_[i];
  for (const int32_t c : working_) change_[static_cast<size_t>(c)] = 0;
  bias_change_ = 0;
  active_ = working_;
  float first = 0;
  for (int sweep = 0; sweep < sweeps; ++sweep) {
    float most = 0;
    size_t kept = 0;
    for (const int32_t c : active_) {
      const size_t at = static_cast<size_t>(c), j = static_cast<size_t>(candidates_[at]);
      const int64_t begin = X.starts[j], end = X.starts[j + 1];
      if (sweep == 0) {
        float curve = kRidge;
        for (int64_t e = begin; e < end; ++e)
          curve += value<kOnes>(X, e) * value<kOnes>(X, e) * curve_[static_cast<size_t>(X.rows[e])];
        column_curve_[at] = curve;
      }
      const float weight = weight_[at] + change_[at];
      const float gradient = gradient_[at] + dot<kOnes>(X, j, pull_.data());
      if (weight == 0 && sweep > 0 && std::fabs(gradient) < kIdle) continue;
      active_[kept++] = c;
      most = std::max(most, violation(gradient, weight));
      const float z = coordinate_step(gradient, column_curve_[at], weight);
      if (z == 0) continue;
      change_[at] += z;
      for (int64_t e = begin; e < end; ++e) {
        const size_t i = static_cast<size_t>(X.rows[e]);
        pull_[i] += z * value<kOnes>(X, e) * curve_[i];
      }
    }
    active_.resize(kept);
    float lanes[8] = {};
    for (size_t i = 0; i < n; ++i) lanes[i % 8] += pull_[i];
    const float gradient = bias_gradient_ + bias_ * sum_of(lanes);
    const float weight = bias_weight_ + bias_change_;
    const float z = coordinate_step(gradient, bias_curve, weight);
    most = std::max(most, violation(gradient, weight));
    bias_change_ += z;
    if (z != 0)
      for (size_t i = 0; i < n; ++i) pull_[i] += bias_ * z * curve_[i];
    if (sweep == 0) first = most;
    if (most <= 0.1f * first) break;
  }
}

// The whole step; where the loss rises at its end, the part of it where the slope, taken as linear
// between both ends, is 0.
void L1Logistic::take_step() {
  const size_t n = slope_.size();
  double fall = 0, bend = 0;  // slopes of the objective along the step at its start and its end
  const auto add = [&](float weight, float change, float gradient) {
    const float after = weight + change;
    fall += static_cast<double>(gradient) * change + std::fabs(after) - std::fabs(weight);
    bend += after > 0 ? change : after < 0 ? -change : -std::fabs(change);
  };
  for (const int32_t c : working_) {
    const size_t at = static_cast<size_t>(c);
    add(weight_[at], change_[at], gradient_[at]);
  }
  add(bias_weight_, bias_change_, bias_gradient_);
  for (size_t i = 0; i < n; ++i) {
    pull_[i] /= curve_[i];  // the change of the margin again
    margins[i] += pull_[i];
  }
  derivatives();
  for (size_t i = 0; i < n; ++i) bend += slope_[i] * pull_[i];
  float part = 1;
  if (bend > 0 && bend > -0.5 * fall) {
    part = static_cast<float>(-fall / (bend - fall));
    for (size_t i = 0; i < n; ++i) margins[i] -= (1 - part) * pull_[i];
    derivatives();
  }
  for (const int32_t c : working_)
    weight_[static_cast<size_t>(c)] += part * change_[static_cast<size_t>(c)];
  bias_weight_ += part * bias_change_;
}

namespace {
std::tuple<Out<int32_t>, Out<float>, float, Out<float>> l1_logistic(
    In<int64_t> indptr, In<int32_t> rows, In<float> values, In<uint8_t> side, float cost,
    float bias, float tolerance, int steps, int sweeps, float screen) {
  check_indptr(indptr, rows.shape(0), "indptr");
  const bool ones = values.shape(0) == 0;
  if (!ones) check_length(values.shape(0), rows.shape(0), "values");
  const size_t n = side.shape(0);
  check_indices(rows, static_cast<int64_t>(n), "rows");
  bool both[2] = {false, false};
  for (size_t i = 0; i < n; ++i) {
    if (side.data()[i] > 1) throw std::invalid_argument("side must be 0 or 1");
    both[side.data()[i]] = true;
  }
  if (!both[0] || !both[1]) throw std::invalid_argument("both sides need a row");
  L1Logistic solver;
  {
    nb::gil_scoped_release release;
    const Columns X{indptr.data(), rows.data(), ones ? nullptr : values.data(), indptr.shape(0) - 1,
                    n};
    solver.fit(X, side.data(), {cost, bias, tolerance, steps, sweeps, screen});
  }
  return {own(std::move(solver.columns)), own(std::move(solver.weights)), solver.intercept,
          own(std::move(solver.margins))};
}
}  // namespace

void bind_l1_logistic(nb::module_& m) {
  using nb::arg;
  m.def("l1_logistic", &l1_logistic, arg("indptr").noconvert(), arg("rows").noconvert(),
        arg("values").noconvert(), arg("side").noconvert(), arg("cost"), arg("bias"),
        arg("tolerance"), arg("steps"), arg("sweeps"), arg("screen"));
}
}  // namespace labelrank
