// One pass over rows: the inner products, the step and its effect, in vector instructions.
#include "dual_lanes.hpp"

#include <cstring>

namespace labelrank {
namespace {
inline bool any(const Ints& x) {
  uint64_t parts[kLanes / 2], found = 0;
  std::memcpy(parts, &x, sizeof parts);
  for (const uint64_t part : parts) found |= part;
  return found != 0;
}

// exp(x) within -80..80, to a few roundings: 2^i times a polynomial.
inline void exponentiate(Floats& x) {
  const Floats zero = {};
  x = x > zero + 80 ? zero + 80 : x < zero - 80 ? zero - 80 : x;
  const Floats t = x * 1.44269504f;
  const Ints whole = __builtin_convertvector(t + (t < zero ? zero - 0.5f : zero + 0.5f), Ints);
  const Floats part = t - __builtin_convertvector(whole, Floats);  // -0.5..0.5
  Floats p = zero + 1.54035304e-4f;
  p = p * part + 1.33335581e-3f;
  p = p * part + 9.61812911e-3f;
  p = p * part + 5.55041087e-2f;
  p = p * part + 2.40226507e-1f;
  p = p * part + 6.93147181e-1f;
  p = p * part + 1.0f;
  const Ints bits = (whole + 127) << 23;
  Floats power;
  std::memcpy(&power, &bits, sizeof power);
  x = p * power;
}
}  // namespace

LABELRANK_SIMD size_t sweep(const Rows& rows, Lanes& lanes, int32_t* order, size_t active,
                            const Diagonal& diagonal) {
  const Ints bit = {1,      2,      4,       8,       1 << 4,  1 << 5,  1 << 6,  1 << 7,
                    1 << 8, 1 << 9, 1 << 10, 1 << 11, 1 << 12, 1 << 13, 1 << 14, 1 << 15};
  const Floats zero = {}, one = zero + 1, limit = lanes.limit.v, live = lanes.live.v;
  const Ints alive = live > zero;
  const Floats with = zero + diagonal.with, without = zero + diagonal.without;
  Floats bias = lanes.bias.v, most = zero, least = zero;
  Lane* const weights = lanes.weights.data();
  for (size_t s = 0; s < active;) {
    const size_t i = static_cast<size_t>(order[s]);
    const int64_t begin = rows.starts[i], end = rows.starts[i + 1];
    Floats score = bias;
    for (int64_t e = begin; e < end; ++e) score += rows.values[e] * weights[rows.columns[e]].v;
    const Ints relevant = (bit & static_cast<int32_t>(lanes.positive[i])) != 0;
    const Floats sign = relevant ? one : -one, own = relevant ? with : without;
    const Floats least_square = zero + 1 / (diagonal.without + rows.squares[i]);
    const Floats curve = relevant ? zero + 1 / (diagonal.with + rows.squares[i]) : least_square;
    const Floats alpha = lanes.alphas[i].v;
    const Floats gradient = sign * score - one + own * alpha;
    const Ints low = alpha <= zero;
    const Floats projected = (low & (gradient > zero)) ? zero : gradient;
    most = projected > most ? projected : most;
    least = projected < least ? projected : least;
    const Floats next = alpha - gradient * curve;
    const Floats change = live * ((next > zero ? next : zero) - alpha);
    const bool busy = any(alive & ~(low & (gradient > limit)));
    if (any(change != zero)) {
      const Floats step = sign * change;
      lanes.alphas[i].v = alpha + change;
      bias += step;
      for (int64_t e = begin; e < end; ++e) weights[rows.columns[e]].v += rows.values[e] * step;
    }
    if (busy)
      ++s;
    else
      std::swap(order[s], order[--active]);
  }
  lanes.bias.v = bias, lanes.most.v = most, lanes.least.v = least;
  return active;
}

// The best α of a row solves α = C / (1 + exp(margin)), where the margin
// grows with α: three of Newton's steps, or halvings where they leave what is left to search. What
// is watched is how far α / C was from that.
LABELRANK_SIMD size_t sweep_log(const Rows& rows, Lanes& lanes, int32_t* order, size_t active,
                                const Diagonal& costs, float tol) {
  const Ints bit = {1,      2,      4,       8,       1 << 4,  1 << 5,  1 << 6,  1 << 7,
                    1 << 8, 1 << 9, 1 << 10, 1 << 11, 1 << 12, 1 << 13, 1 << 14, 1 << 15};
  const Floats zero = {}, one = zero + 1, live = lanes.live.v;
  const Ints alive = live > zero;
  Floats bias = lanes.bias.v, most = zero;
  Lane* const weights = lanes.weights.data();
  for (size_t s = 0; s < active;) {
    const size_t i = static_cast<size_t>(order[s]);
    const int64_t begin = rows.starts[i], end = rows.starts[i + 1];
    Floats score = bias;
    for (int64_t e = begin; e < end; ++e) score += rows.values[e] * weights[rows.columns[e]].v;
    const Ints relevant = (bit & static_cast<int32_t>(lanes.positive[i])) != 0;
    const Floats sign = relevant ? one : -one;
    const Floats cost = relevant ? zero + costs.with : zero + costs.without;
    const Floats alpha = lanes.alphas[i].v;
    Floats next = alpha, off = zero, low = zero, high = cost;
    for (int step = 0; step < 3; ++step) {
      Floats odds = sign * score + rows.squares[i] * (next - alpha);
      exponentiate(odds);
      const Floats share = one / (one + odds), wrong = next - cost * share;
      if (step == 0) off = (wrong > zero ? wrong : -wrong) / cost;
      low = wrong > zero ? low : next;
      high = wrong > zero ? next : high;
      next -= wrong / (one + cost * rows.squares[i] * share * (one - share));
      next = ((next >= low) & (next <= high)) ? next : 0.5f * (low + high);
    }
    most = off > most ? off : most;
    const Ints busy = alive & (off > zero + 0.1f * tol);
    if (any(busy)) {
      const Floats change = live * (next - alpha), step = sign * change;
      lanes.alphas[i].v = alpha + change;
      bias += step;
      for (int64_t e = begin; e < end; ++e) weights[rows.columns[e]].v += rows.values[e] * step;
      ++s;
    } else {
      std::swap(order[s], order[--active]);
    }
  }
  lanes.bias.v = bias, lanes.most.v = most, lanes.least.v = zero;
  return active;
}
}  // namespace labelrank
