// SVM-MAP's loss: the ranking of a group that violates the margin most (Yue & Finley 2007).
#include "arrays.hpp"

namespace labelrank {
namespace {
struct Scored {
  double score;
  int64_t place;
};

class MostViolated {
 public:
  // max over rankings y of (1 - AP(y)) - w.(Psi(truth) - Psi(y)), and its slope by each score. Both
  // kinds stand in order of score in the best y (their Lemma), so a ranking is told by how many
  // relevant ones stand above each irrelevant one, and the worth of moving the j-th irrelevant one
  // over the i-th relevant one depends on i and j alone.
  double operator()(double weight, double* gradient) {
    const size_t m = relevant.size(), n = irrelevant.size();
    if (m == 0 || n == 0) return 0;
    const auto falling = [](const Scored& a, const Scored& b) {
      return a.score > b.score || (a.score == b.score && a.place < b.place);
    };
    std::sort(relevant.begin(), relevant.end(), falling);
    std::sort(irrelevant.begin(), irrelevant.end(), falling);
    const double share = 1 / static_cast<double>(m);
    const double pair = 2 * share / static_cast<double>(n);
    over_.assign(m, 0);
    double violation = 0;
    size_t least =
        0;  // a lower irrelevant one never stands above a relevant one its better is below
    for (size_t j = 0; j < n; ++j) {
      double sum = 0, best = 0;
      size_t above = m;  // how many relevant ones stay above it
      for (size_t i = m; i-- > least;) {
        const double at = static_cast<double>(i + 1), below = at + static_cast<double>(j);
        sum +=
            share * at / (below * (below + 1)) + pair * (irrelevant[j].score - relevant[i].score);
        if (sum > best) {
          best = sum;
          above = i;
        }
      }
      violation += best;
      least = above;
      if (above == m) break;  // the rest score less still
      gradient[irrelevant[j].place] += weight * pair * static_cast<double>(m - above);
      ++over_[above];
    }
    double over = 0;
    for (size_t i = 0; i < m; ++i)
      gradient[relevant[i].place] -= weight * pair * (over += static_cast<double>(over_[i]));
    return weight * violation;
  }

  std::vector<Scored> relevant, irrelevant;

 private:
  std::vector<int64_t> over_;  // irrelevant ones that stand just above the i-th relevant one
};

// (violation of each group times its weight, gradient of their sum)
std::pair<Out<double>, Out<double>> most_violated(In<int64_t> indptr, In<double> scores,
                                                  In<bool> relevant, In<double> weights) {
  const size_t size = scores.shape(0), n = indptr.shape(0) - (indptr.shape(0) > 0);
  check_indptr(indptr, size, "indptr");
  check_length(relevant.shape(0), size, "relevant");
  check_length(weights.shape(0), n, "weights");
  const int64_t* at = indptr.data();
  auto losses = raw<double>(n);
  auto gradient = raw<double>(size);
  {
    nb::gil_scoped_release release;
    std::fill(gradient.get(), gradient.get() + size, 0.0);
    MostViolated worst;
    for (size_t g = 0; g < n; ++g) {
      worst.relevant.clear();
      worst.irrelevant.clear();
      for (int64_t i = at[g]; i < at[g + 1]; ++i)
        (relevant.data()[i] ? worst.relevant : worst.irrelevant).push_back({scores.data()[i], i});
      losses[g] = worst(weights.data()[g], gradient.get());
    }
  }
  return {own(std::move(losses), n), own(std::move(gradient), size)};
}
}  // namespace

void bind_most_violated(nb::module_& m) {
  using nb::arg;
  m.def("most_violated", &most_violated, arg("indptr").noconvert(), arg("scores").noconvert(),
        arg("relevant").noconvert(), arg("weights").noconvert());
}
}  // namespace labelrank
