// Clusters of sparse vectors of length one by the cosine: halves of equal size again and again
// (balanced 2-means), or plain k-means.
#include <cmath>
#include <limits>
#include <numeric>

#include "arrays.hpp"
#include "random.hpp"

namespace labelrank {
namespace {
constexpr int kRounds = 50;

struct Vectors {
  const int64_t* starts;
  const int32_t* columns;
  const float* values;
};

// Makes the sums of members' vectors centroids of length one; a sum of zeros stays.
void normalise(std::vector<float>& centroids, size_t k) {
  std::vector<double> lengths(k, 0);
  for (size_t at = 0; at < centroids.size(); ++at)
    lengths[at % k] += static_cast<double>(centroids[at]) * static_cast<double>(centroids[at]);
  for (double& length : lengths) length = length > 0 ? 1 / std::sqrt(length) : 0;
  for (size_t at = 0; at < centroids.size(); ++at)
    centroids[at] *= static_cast<float>(lengths[at % k]);
}

class Halves {
 public:
  Halves(const Vectors& vectors, size_t n_features, double tol, Random& random)
      : vectors_(vectors), tol_(tol), random_(random), difference_(n_features), sums_(n_features) {}

  // Splits members into `parts` clusters whose sizes differ by at most one in the proportions of
  // the halves; clusters are numbered from `first`.
  void split(int32_t* members, size_t n, size_t parts, int32_t first, int32_t* cluster) {
    if (parts <= 1 || n <= 1) {
      for (size_t i = 0; i < n; ++i) cluster[members[i]] = first;
      return;
    }
    const size_t left_parts = parts / 2, left = n * left_parts / parts;
    halve(members, n, left);
    split(members, left, left_parts, first, cluster);
    split(members + left, n - left, parts - left_parts, first + static_cast<int32_t>(left_parts),
          cluster);
  }

 private:
  struct Side {
    float nearer;  // how much nearer to the left centroid
    int32_t member;
    bool operator<(const Side& other) const {
      return nearer > other.nearer || (nearer == other.nearer && member < other.member);
    }
  };

  void add(int32_t member, float sign, std::vector<float>& to) const {
    for (int64_t e = vectors_.starts[member]; e < vectors_.starts[member + 1]; ++e)
      to[static_cast<size_t>(vectors_.columns[e])] += sign * vectors_.values[e];
  }

  // Puts `left` members that are nearer to one centroid than to the other first, and otherwise
  // leaves their order. Members are compared with the difference of the centroids.
  void halve(int32_t* members, size_t n, size_t left) {
    const size_t a = random_.below(n), b = (a + 1 + random_.below(n - 1)) % n;
    std::fill(difference_.begin(), difference_.end(), 0.0f);
    add(members[a], 1, difference_);
    add(members[b], -1, difference_);
    sides_.resize(n);
    std::vector<int32_t> right;
    double before = -std::numeric_limits<double>::infinity();
    for (int round = 0; round < kRounds; ++round) {
      for (size_t i = 0; i < n; ++i) sides_[i] = {nearer(members[i]), members[i]};
      order_ = sides_;
      std::nth_element(order_.begin(), order_.begin() + static_cast<std::ptrdiff_t>(left),
                       order_.end());
      const Side first_right = order_[left];
      double gain = 0;  // the sum of similarities, up to what does not depend on who is where
      right.clear();
      size_t to = 0;
      for (const Side& side : sides_) {
        const bool goes_left = side < first_right;
        gain += static_cast<double>(goes_left ? side.nearer : -side.nearer);
        if (goes_left)
          members[to++] = side.member;
        else
          right.push_back(side.member);
      }
      std::copy(right.begin(), right.end(), members + left);
      gain /= static_cast<double>(n);
      if (gain - before <= tol_) return;
      before = gain;
      std::fill(difference_.begin(), difference_.end(), 0.0f);
      std::fill(sums_.begin(), sums_.end(), 0.0f);
      for (size_t i = 0; i < n; ++i) add(members[i], 1, i < left ? difference_ : sums_);
      normalise(difference_, 1);
      normalise(sums_, 1);
      for (size_t f = 0; f < sums_.size(); ++f) difference_[f] -= sums_[f];
    }
  }

  float nearer(int32_t member) const {
    float sum = 0;
    for (int64_t e = vectors_.starts[member]; e < vectors_.starts[member + 1]; ++e)
      sum += vectors_.values[e] * difference_[static_cast<size_t>(vectors_.columns[e])];
    return sum;
  }

  const Vectors& vectors_;
  double tol_;
  Random& random_;
  std::vector<float> difference_, sums_;
  std::vector<Side> sides_, order_;
};

LABELRANK_SIMD void multiply(const Vectors& v, int32_t member, const float* centroids, size_t k,
                             float* products) {
  std::fill(products, products + k, 0.0f);
  for (int64_t e = v.starts[member]; e < v.starts[member + 1]; ++e) {
    const float* c = centroids + static_cast<size_t>(v.columns[e]) * k;
    const float value = v.values[e];
    for (size_t j = 0; j < k; ++j) products[j] += value * c[j];
  }
}

// Each to the nearest centroid, of equally near ones the first; empty clusters stay empty.
void k_means(const Vectors& v, const std::vector<int32_t>& members, size_t n_features, size_t k,
             double tol, Random& random, int32_t* cluster) {
  std::vector<int32_t> seeds = members;
  std::vector<float> centroids(n_features * k, 0), products(k);
  const auto add = [&](int32_t member, size_t to) {
    for (int64_t e = v.starts[member]; e < v.starts[member + 1]; ++e)
      centroids[static_cast<size_t>(v.columns[e]) * k + to] += v.values[e];
  };
  for (size_t j = 0; j < k; ++j) {
    std::swap(seeds[j], seeds[j + random.below(seeds.size() - j)]);
    add(seeds[j], j);
  }
  double before = -1;
  for (int round = 0; round < kRounds; ++round) {
    double gain = 0;
    for (const int32_t member : members) {
      multiply(v, member, centroids.data(), k, products.data());
      const auto best = std::max_element(products.begin(), products.end());
      cluster[member] = static_cast<int32_t>(best - products.begin());
      gain += static_cast<double>(*best);
    }
    gain /= static_cast<double>(members.size());
    if (gain - before <= tol) return;
    before = gain;
    std::fill(centroids.begin(), centroids.end(), 0.0f);
    for (const int32_t member : members) add(member, static_cast<size_t>(cluster[member]));
    normalise(centroids, k);
  }
}

// The number of the cluster of each chosen vector.
Out<int32_t> cluster(In<int64_t> indptr, In<int32_t> indices, In<float> data, int64_t n_features,
                     In<int32_t> chosen, int64_t k, bool balanced, double tol, uint64_t seed) {
  const size_t n = chosen.shape(0);
  if (indptr.shape(0) < 1) throw std::invalid_argument("indptr must not be empty");
  check_length(data.shape(0), indices.shape(0), "data");
  check_indices(chosen, static_cast<int64_t>(indptr.shape(0)) - 1, "chosen");
  if (n_features < 0) throw std::invalid_argument("n_features must not be negative");
  if (k < 1 || static_cast<size_t>(k) > std::max<size_t>(n, 1))
    throw std::invalid_argument("k must lie in 1..the number of chosen vectors");
  auto found = raw<int32_t>(n);
  {
    nb::gil_scoped_release release;
    // vectors at hand, with only the features they have
    std::vector<int32_t> number(static_cast<size_t>(n_features), -1), columns;
    std::vector<int64_t> starts{0};
    std::vector<float> values;
    int32_t features = 0;
    for (size_t i = 0; i < n; ++i) {
      const int64_t row = chosen.data()[i], begin = indptr.data()[row],
                    end = indptr.data()[row + 1];
      if (begin < 0 || begin > end || static_cast<size_t>(end) > indices.shape(0))
        throw std::invalid_argument("indptr must start at 0, never fall and end at " +
                                    std::to_string(indices.shape(0)) + ", the number of entries");
      for (int64_t e = begin; e < end; ++e) {
        const int32_t feature = indices.data()[e];
        if (feature < 0 || feature >= n_features)
          throw std::invalid_argument("indices must lie in 0.." + std::to_string(n_features - 1));
        int32_t& to = number[static_cast<size_t>(feature)];
        if (to < 0) to = features++;
        columns.push_back(to);
        values.push_back(data.data()[e]);
      }
      starts.push_back(static_cast<int64_t>(columns.size()));
    }
    const Vectors vectors{starts.data(), columns.data(), values.data()};
    std::vector<int32_t> members(n);
    std::iota(members.begin(), members.end(), 0);
    Random random(seed);
    const size_t wide = static_cast<size_t>(features), parts = static_cast<size_t>(k);
    if (balanced)
      Halves(vectors, wide, tol, random).split(members.data(), n, parts, 0, found.get());
    else
      k_means(vectors, members, wide, parts, tol, random, found.get());
  }
  return own(std::move(found), n);
}
}  // namespace

void bind_cluster(nb::module_& m) {
  using nb::arg;
  m.def("cluster", &cluster, arg("indptr").noconvert(), arg("indices").noconvert(),
        arg("data").noconvert(), arg("n_features"), arg("chosen").noconvert(), arg("k"),
        arg("balanced"), arg("tol"), arg("seed"));
}
}  // namespace labelrank
