// The sums behind the measures, row by row: gains of listed labels, discounted sums, the
// best order, average precision, pairs in the wrong order.
#include <algorithm>
#include <cmath>

#include "arrays.hpp"

namespace labelrank {
namespace {

// value[e] = values of the truth at (row of e, labels[e]), 0 where the truth has no such label.
// Truth rows are sorted by label.
Out<double> look_up(In<int64_t> indptr, In<int32_t> labels, In<int64_t> t_indptr,
                    In<int32_t> t_labels, In<double> t_values) {
  check_indptr(indptr, labels.shape(0), "indptr");
  check_indptr(t_indptr, t_labels.shape(0), "t_indptr");
  check_length(t_values.shape(0), t_labels.shape(0), "t_values");
  check_length(t_indptr.shape(0), indptr.shape(0), "t_indptr");
  const size_t n = indptr.shape(0) - 1;
  auto out = raw<double>(labels.shape(0));
  {
    nb::gil_scoped_release release;
    for (size_t i = 0; i < n; ++i) {
      const int32_t* first = t_labels.data() + t_indptr.data()[i];
      const int32_t* last = t_labels.data() + t_indptr.data()[i + 1];
      for (int64_t e = indptr.data()[i]; e < indptr.data()[i + 1]; ++e) {
        const int32_t label = labels.data()[e];
        const int32_t* at = std::lower_bound(first, last, label);
        out[e] = at != last && *at == label ? t_values.data()[at - t_labels.data()] : 0.0;
      }
    }
  }
  return own(std::move(out), labels.shape(0));
}

// sum over the first k entries of gain * discount[position]; the discount's length is k.
Out<double> discounted_sum(In<int64_t> indptr, In<double> gains, In<double> discount) {
  check_indptr(indptr, gains.shape(0), "indptr");
  const size_t n = indptr.shape(0) - 1;
  const int64_t k = static_cast<int64_t>(discount.shape(0));
  auto out = raw<double>(n);
  {
    nb::gil_scoped_release release;
    for (size_t i = 0; i < n; ++i) {
      const int64_t begin = indptr.data()[i];
      const int64_t depth = std::min(indptr.data()[i + 1] - begin, k);
      double sum = 0;
      for (int64_t j = 0; j < depth; ++j) sum += gains.data()[begin + j] * discount.data()[j];
      out[i] = sum;
    }
  }
  return own(std::move(out), n);
}

// The largest single term gain * discount[position] of each row; 0 for an empty one.
Out<double> discounted_max(In<int64_t> indptr, In<double> gains, In<double> discount) {
  check_indptr(indptr, gains.shape(0), "indptr");
  const size_t n = indptr.shape(0) - 1;
  const int64_t k = static_cast<int64_t>(discount.shape(0));
  auto out = raw<double>(n);
  {
    nb::gil_scoped_release release;
    for (size_t i = 0; i < n; ++i) {
      const int64_t begin = indptr.data()[i];
      const int64_t depth = std::min(indptr.data()[i + 1] - begin, k);
      double most = 0;
      for (int64_t j = 0; j < depth; ++j)
        most = std::max(most, gains.data()[begin + j] * discount.data()[j]);
      out[i] = most;
    }
  }
  return own(std::move(out), n);
}

// Each row's gains from the largest down: the order of the best possible list.
Out<double> sort_falling(In<int64_t> indptr, In<double> gains) {
  check_indptr(indptr, gains.shape(0), "indptr");
  auto out = raw<double>(gains.shape(0));
  {
    nb::gil_scoped_release release;
    std::copy_n(gains.data(), gains.shape(0), out.get());
    for (size_t i = 0; i + 1 < indptr.shape(0); ++i)
      std::sort(out.get() + indptr.data()[i], out.get() + indptr.data()[i + 1],
                std::greater<double>());
  }
  return own(std::move(out), gains.shape(0));
}

// Gains rewritten within each group of equal scores: 0 their mean, 1 falling (best case),
// 2 rising (worst case).
template <class S>
Out<double> settle_ties(In<int64_t> indptr, In<S> scores, In<double> gains, int policy) {
  check_indptr(indptr, gains.shape(0), "indptr");
  check_length(scores.shape(0), gains.shape(0), "scores");
  const size_t n = indptr.shape(0) - 1;
  auto out = raw<double>(gains.shape(0));
  {
    nb::gil_scoped_release release;
    std::copy_n(gains.data(), gains.shape(0), out.get());
    for (size_t i = 0; i < n; ++i) {
      const int64_t end = indptr.data()[i + 1];
      for (int64_t from = indptr.data()[i], to; from < end; from = to) {
        for (to = from + 1; to < end && scores.data()[to] == scores.data()[from];) ++to;
        if (to - from == 1) continue;
        if (policy == 0) {
          double sum = 0;
          for (int64_t e = from; e < to; ++e) sum += out[e];
          std::fill(out.get() + from, out.get() + to, sum / static_cast<double>(to - from));
        } else if (policy == 1) {
          std::sort(out.get() + from, out.get() + to, std::greater<double>());
        } else {
          std::sort(out.get() + from, out.get() + to);
        }
      }
    }
  }
  return own(std::move(out), gains.shape(0));
}

// sum over the relevant labels of the first k places of precision at their place. With `expected`,
// the mean over all orders of tied labels (McSherry & Najork 2008): in a group of n labels with r
// relevant, after s labels with h relevant, place s+j holds a relevant label with chance r/n and
// then (j-1)(r-1)/(n-1) relevant ones are expected before it in the group.
template <class S>
Out<double> precision_sum(In<int64_t> indptr, In<S> scores, In<double> gains, int64_t k,
                          bool expected) {
  check_indptr(indptr, gains.shape(0), "indptr");
  check_length(scores.shape(0), gains.shape(0), "scores");
  const size_t n_rows = indptr.shape(0) - 1;
  auto out = raw<double>(n_rows);
  {
    nb::gil_scoped_release release;
    for (size_t i = 0; i < n_rows; ++i) {
      const int64_t begin = indptr.data()[i], end = indptr.data()[i + 1];
      double sum = 0, hits = 0;
      for (int64_t from = begin, to; from < end && from - begin < k; from = to) {
        for (to = from + 1; expected && to < end && scores.data()[to] == scores.data()[from];) ++to;
        double relevant = 0;
        for (int64_t e = from; e < to; ++e) relevant += gains.data()[e] > 0;
        const double size = static_cast<double>(to - from);
        const double pairs = size > 1 ? (relevant - 1) / (size - 1) : 0;
        for (int64_t e = from; relevant > 0 && e < to && e - begin < k; ++e) {
          const double place = static_cast<double>(e - begin + 1);
          const double before = hits + static_cast<double>(e - from) * pairs;
          sum += relevant / size * (before + 1) / place;
        }
        hits += relevant;
      }
      out[i] = sum;
    }
  }
  return own(std::move(out), n_rows);
}

// Pairs (relevant, irrelevant) of listed labels in the wrong order; a tied pair counts `tie`.
// `tie` < 0: the list's own order decides.
template <class S>
Out<double> wrong_pairs(In<int64_t> indptr, In<S> scores, In<double> gains, double tie) {
  check_indptr(indptr, gains.shape(0), "indptr");
  check_length(scores.shape(0), gains.shape(0), "scores");
  const size_t n = indptr.shape(0) - 1;
  auto out = raw<double>(n);
  {
    nb::gil_scoped_release release;
    for (size_t i = 0; i < n; ++i) {
      const int64_t end = indptr.data()[i + 1];
      double wrong = 0, irrelevant = 0;
      for (int64_t from = indptr.data()[i], to; from < end; from = to) {
        for (to = from + 1; tie >= 0 && to < end && scores.data()[to] == scores.data()[from];) ++to;
        double relevant = 0;
        for (int64_t e = from; e < to; ++e) relevant += gains.data()[e] > 0;
        const double others = static_cast<double>(to - from) - relevant;
        wrong += relevant * irrelevant;
        if (tie >= 0) wrong += tie * relevant * others;
        irrelevant += others;
      }
      out[i] = wrong;
    }
  }
  return own(std::move(out), n);
}
}  // namespace

void bind_judge(nb::module_& m) {
  using nb::arg;
  m.def("look_up", &look_up, arg("indptr").noconvert(), arg("labels").noconvert(),
        arg("t_indptr").noconvert(), arg("t_labels").noconvert(), arg("t_values").noconvert());
  m.def("discounted_sum", &discounted_sum, arg("indptr").noconvert(), arg("gains").noconvert(),
        arg("discount").noconvert());
  m.def("discounted_max", &discounted_max, arg("indptr").noconvert(), arg("gains").noconvert(),
        arg("discount").noconvert());
  m.def("sort_falling", &sort_falling, arg("indptr").noconvert(), arg("gains").noconvert());
  const auto def = [&m](auto type) {
    using S = decltype(type);
    m.def("settle_ties", &settle_ties<S>, arg("indptr").noconvert(), arg("scores").noconvert(),
          arg("gains").noconvert(), arg("policy"));
    m.def("precision_sum", &precision_sum<S>, arg("indptr").noconvert(), arg("scores").noconvert(),
          arg("gains").noconvert(), arg("k"), arg("expected"));
    m.def("wrong_pairs", &wrong_pairs<S>, arg("indptr").noconvert(), arg("scores").noconvert(),
          arg("gains").noconvert(), arg("tie"));
  };
  def(float{});
  def(double{});
}
}  // namespace labelrank
