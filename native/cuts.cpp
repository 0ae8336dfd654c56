// The best place to cut each list of falling scores: where errors are fewest or F1 is highest.
#include "arrays.hpp"

namespace labelrank {
namespace {
enum Ties { kFewest, kMost, kWidest };

// What keeping the first `kept` of a row is worth, as an exact fraction of whole numbers.
struct Worth {
  int64_t over, under;
};

Worth worth(bool f1, int64_t kept, int64_t right, int64_t relevant) {
  if (!f1) return {2 * right - kept - relevant, 1};
  if (kept + relevant == 0) return {1, 1};  // nothing to find and nothing said: all is right
  return {2 * right, kept + relevant};
}

// With counts up to kLargest no product overflows.
constexpr int64_t kLargest = 1000000000;

int compare(const Worth& a, const Worth& b) {
  const int64_t left = a.over * b.under, right = b.over * a.under;
  return (left > right) - (left < right);
}

template <class S>
Out<int64_t> best_cuts(In<int64_t> indptr, In<S> scores, In<uint8_t> hits, In<int64_t> relevant,
                       bool f1, int64_t ties) {
  check_indptr(indptr, hits.shape(0), "indptr");
  check_length(scores.shape(0), hits.shape(0), "scores");
  const size_t n = indptr.shape(0) - 1;
  check_length(relevant.shape(0), n, "relevant");
  if (ties < kFewest || ties > kWidest) throw std::invalid_argument("ties must be 0, 1 or 2");
  if (longest_group(indptr) > kLargest) throw std::invalid_argument("a row has over 1e9 entries");
  for (size_t i = 0; i < n; ++i)
    if (relevant.data()[i] < 0 || relevant.data()[i] > kLargest)
      throw std::invalid_argument("relevant must lie in 0..1e9");
  const int64_t* at = indptr.data();
  auto out = raw<int64_t>(n);
  {
    nb::gil_scoped_release release;
    for (size_t i = 0; i < n; ++i) {
      const S* s = scores.data() + at[i];
      const uint8_t* hit = hits.data() + at[i];
      const int64_t size = at[i + 1] - at[i], wanted = relevant.data()[i];
      int64_t best = 0, right = 0;
      double width = 0;  // of the gap that the best cut lies in; the ends have none
      Worth top = worth(f1, 0, 0, wanted);
      for (int64_t k = 1; k <= size; ++k) {
        right += hit[k - 1] != 0;
        if (k < size && !(s[k - 1] > s[k])) continue;  // no threshold parts equal scores
        const Worth here = worth(f1, k, right, wanted);
        const int order = compare(here, top);
        const double gap = k < size ? static_cast<double>(s[k - 1]) - static_cast<double>(s[k]) : 0;
        if (order > 0 || (order == 0 && (ties == kMost || (ties == kWidest && gap > width)))) {
          best = k;
          top = here;
          width = gap;
        }
      }
      out[i] = best;
    }
  }
  return own(std::move(out), n);
}
}  // namespace

void bind_cuts(nb::module_& m) {
  using nb::arg;
  const auto def = [&m](auto type) {
    using S = decltype(type);
    m.def("best_cuts", &best_cuts<S>, arg("indptr").noconvert(), arg("scores").noconvert(),
          arg("hits").noconvert(), arg("relevant").noconvert(), arg("f1"), arg("ties"));
  };
  def(float{});
  def(double{});
}
}  // namespace labelrank
