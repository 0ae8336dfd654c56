// The measure of every group under given scores: what rankers optimise, for them to look at.
#include "arrays.hpp"
#include "group_measure.hpp"

namespace labelrank {
namespace {
template <class S>
Out<double> group_values(In<int64_t> indptr, In<S> scores, In<double> gains,
                         const std::string& measure, int64_t k) {
  check_indptr(indptr, gains.shape(0), "indptr");
  check_length(scores.shape(0), gains.shape(0), "scores");
  const size_t n = indptr.shape(0) - 1;
  const int64_t* at = indptr.data();
  GroupMeasure value(measure, k, longest_group(indptr));
  auto out = raw<double>(n);
  {
    nb::gil_scoped_release release;
    for (size_t g = 0; g < n; ++g) {
      const double* own_gains = gains.data() + at[g];
      const int64_t size = at[g + 1] - at[g];
      out[g] = value(scores.data() + at[g], own_gains, size, value.best(own_gains, size));
    }
  }
  return own(std::move(out), n);
}
}  // namespace

void bind_group_values(nb::module_& m) {
  using nb::arg;
  const auto def = [&m](auto type) {
    using S = decltype(type);
    m.def("group_values", &group_values<S>, arg("indptr").noconvert(), arg("scores").noconvert(),
          arg("gains").noconvert(), arg("measure"), arg("k"));
  };
  def(float{});
  def(double{});
}
}  // namespace labelrank
