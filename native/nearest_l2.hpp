// What the searches for Euclidean neighbours share: the k nearest so far, and exact sums.
#pragma once
#include "arrays.hpp"

namespace labelrank {
// Distances in float32 are quick, distances in float64 decide. A float32 sum of d terms is off by
// less than d + 4 roundings, so what it says minus that much is a lower bound; only rows whose
// bound beats the k-th best so far are measured again in float64. Rows are met in rising order and
// replace another only when they are nearer, so of equally near ones the earlier row comes first.
constexpr size_t kLanes = 8;  // feature j is added to sum j % 8, dense or sparse: equal results
constexpr double kRounding = 6.0e-8 * 1.01, kTiny = 3e-45;

struct Neighbour {
  double distance;
  int32_t row;
  bool operator<(const Neighbour& other) const {
    return distance < other.distance || (distance == other.distance && row < other.row);
  }
};

// The k nearest rows of one query: a heap whose top is the farthest.
struct Nearest {
  std::vector<Neighbour> heap;

  bool may_enter(double bound, size_t k) const {
    return heap.size() < k || bound < heap.front().distance;
  }
  void offer(double distance, size_t row, size_t k) {
    if (!may_enter(distance, k)) return;
    if (heap.size() == k) {
      std::pop_heap(heap.begin(), heap.end());
      heap.pop_back();
    }
    heap.push_back({distance, static_cast<int32_t>(row)});
    std::push_heap(heap.begin(), heap.end());
  }
};

inline double total(const double* lanes) {
  double sum = 0;
  for (size_t l = 0; l < kLanes; ++l) sum += lanes[l];
  return sum;
}

// Query i may be training row own + i itself, which is no neighbour of its own; own = -1: none is.
inline void check_own(int64_t own, size_t queries, size_t rows, int64_t k) {
  if (k < 1) throw std::invalid_argument("k must be at least 1");
  if (own < -1 || (own >= 0 && static_cast<uint64_t>(own) + queries > rows))
    throw std::invalid_argument("own must be -1, or own + the number of queries at most " +
                                std::to_string(rows));
}

using Found = std::tuple<Out<int32_t>, Out<double>>;

inline Found sorted(std::vector<Nearest>& nearest, size_t width) {
  const size_t n = nearest.size();
  auto rows = raw<int32_t>(n * width);
  auto distances = raw<double>(n * width);
  for (size_t i = 0; i < n; ++i) {
    auto& heap = nearest[i].heap;
    std::sort_heap(heap.begin(), heap.end());
    for (size_t j = 0; j < width; ++j) {
      rows[i * width + j] = heap[j].row;
      distances[i * width + j] = heap[j].distance;
    }
  }
  return {own(std::move(rows), n, width), own(std::move(distances), n, width)};
}
}  // namespace labelrank
