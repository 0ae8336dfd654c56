// ListNet's loss: the cross entropy between two distributions of who stands first in a group.
#include <cmath>

#include "arrays.hpp"

namespace labelrank {
namespace {
// (loss, its gradient): sum over groups of -sum_i target_i log softmax(scores)_i.
template <class S>
std::pair<double, Out<double>> top_one(In<int64_t> indptr, In<S> scores, In<double> targets) {
  check_indptr(indptr, targets.shape(0), "indptr");
  check_length(scores.shape(0), targets.shape(0), "scores");
  const size_t n = indptr.shape(0) - 1;
  const int64_t* at = indptr.data();
  const double* target = targets.data();
  auto gradient = raw<double>(targets.shape(0));
  double loss = 0;
  {
    nb::gil_scoped_release release;
    for (size_t g = 0; g < n; ++g) {
      double mass = 0, largest = -INFINITY, sum = 0, told = 0;
      for (int64_t i = at[g]; i < at[g + 1]; ++i) {
        mass += target[i];
        largest = std::max(largest, static_cast<double>(scores.data()[i]));
      }
      if (!(mass > 0)) {  // nothing to learn from a group that has no target
        std::fill(gradient.get() + at[g], gradient.get() + at[g + 1], 0.0);
        continue;
      }
      for (int64_t i = at[g]; i < at[g + 1]; ++i) {
        const double above = scores.data()[i] - largest;
        told += target[i] * above;
        sum += gradient[i] = std::exp(above);
      }
      loss += mass * std::log(sum) - told;
      for (int64_t i = at[g]; i < at[g + 1]; ++i)
        gradient[i] = gradient[i] * (mass / sum) - target[i];
    }
  }
  return {loss, own(std::move(gradient), targets.shape(0))};
}
}  // namespace

void bind_top_one(nb::module_& m) {
  using nb::arg;
  const auto def = [&m](auto type) {
    using S = decltype(type);
    m.def("top_one", &top_one<S>, arg("indptr").noconvert(), arg("scores").noconvert(),
          arg("targets").noconvert());
  };
  def(float{});
  def(double{});
}
}  // namespace labelrank
