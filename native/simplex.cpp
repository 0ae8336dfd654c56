// The small quadratic programme of the cutting-plane method: min x'Qx/2 - b'x over the simplex.
#include <cmath>

#include "arrays.hpp"

namespace labelrank {
namespace {
// Mass goes from the worst to the best coordinate, by an exact step each time (sequential minimal
// optimisation), until no exchange helps by more than `tolerance`.
Out<double> simplex_minimum(In2<double> Q, In<double> b, In<double> start, double tolerance,
                            int64_t steps) {
  const size_t n = b.shape(0);
  check_length(Q.shape(0), n, "Q");
  check_length(Q.shape(1), n, "Q");
  check_length(start.shape(0), n, "start");
  if (n == 0) throw std::invalid_argument("the simplex needs at least one coordinate");
  const double* q = Q.data();
  auto x = raw<double>(n);
  {
    nb::gil_scoped_release release;
    std::copy(start.data(), start.data() + n, x.get());
    std::vector<double> slope(n);
    for (size_t i = 0; i < n; ++i) {
      double sum = -b.data()[i];
      for (size_t j = 0; j < n; ++j) sum += q[i * n + j] * x[j];
      slope[i] = sum;
    }
    for (int64_t step = 0; step < steps; ++step) {
      size_t low = 0, high = n;
      for (size_t i = 0; i < n; ++i) {
        if (slope[i] < slope[low]) low = i;
        if (x[i] > 0 && (high == n || slope[i] > slope[high])) high = i;
      }
      if (high == n || !(slope[high] - slope[low] > tolerance)) break;
      // of all that could give mass to `low`, the one that gains most (second order)
      size_t from = high;
      double most = 0;
      for (size_t i = 0; i < n; ++i) {
        const double fall = slope[i] - slope[low];
        if (!(x[i] > 0) || !(fall > 0)) continue;
        const double bend = std::max(q[i * n + i] + q[low * n + low] - 2 * q[i * n + low], 1e-300);
        const double move = std::min(x[i], fall / bend);
        const double gain = move * (fall - move * bend / 2);
        if (gain > most) {
          most = gain;
          from = i;
        }
      }
      const double bend =
          std::max(q[from * n + from] + q[low * n + low] - 2 * q[from * n + low], 1e-300);
      const double move = std::min(x[from], (slope[from] - slope[low]) / bend);
      x[from] = move == x[from] ? 0.0 : x[from] - move;
      x[low] += move;
      for (size_t i = 0; i < n; ++i) slope[i] += move * (q[low * n + i] - q[from * n + i]);
    }
  }
  return own(std::move(x), n);
}
}  // namespace

void bind_simplex(nb::module_& m) {
  using nb::arg;
  m.def("simplex_minimum", &simplex_minimum, arg("Q").noconvert(), arg("b").noconvert(),
        arg("start").noconvert(), arg("tolerance"), arg("steps"));
}
}  // namespace labelrank
