// The two sides of a node, by the closed forms for δ and r±.
#include "ndcg_partition.hpp"

#include <algorithm>
#include <cmath>

#include "arrays.hpp"

namespace labelrank {
namespace {
constexpr double kOne = 1 << 24;  // a discount of 1

// Sorts by bits 32 to 47. Two passes over bytes beat comparisons unless the list is short.
void sort_by_key(std::vector<uint64_t>& list, std::vector<uint64_t>& spare, size_t n) {
  if (n <= 64) {
    std::sort(list.begin(), list.begin() + static_cast<std::ptrdiff_t>(n));
    return;
  }
  uint32_t low[256] = {}, high[256] = {};
  for (size_t i = 0; i < n; ++i) {
    ++low[(list[i] >> 32) & 255];
    ++high[(list[i] >> 40) & 255];
  }
  uint32_t at_low = 0, at_high = 0;
  for (size_t b = 0; b < 256; ++b) {
    at_low += std::exchange(low[b], at_low);
    at_high += std::exchange(high[b], at_high);
  }
  for (size_t i = 0; i < n; ++i) spare[low[(list[i] >> 32) & 255]++] = list[i];
  for (size_t i = 0; i < n; ++i) list[high[(spare[i] >> 40) & 255]++] = spare[i];
}
}  // namespace

size_t NdcgPartition::improve(const LabelRows& labels, uint8_t* side, size_t rounds, size_t still) {
  const size_t m = labels.n_labels;
  sums_.assign(2 * m, 0);
  better_.resize(m);
  if (list_.size() < m) list_.resize(m), spare_.resize(m);
  for (size_t r = discount_.size(); r < m; ++r)
    discount_.push_back(
        static_cast<int32_t>(std::lround(kOne / std::log2(static_cast<double>(r) + 2))));
  for (size_t i = 0; i < labels.n_rows; ++i)
    for (int64_t e = labels.starts[i]; e < labels.starts[i + 1]; ++e)
      sums_[2 * static_cast<size_t>(labels.ids[e]) + side[i]] += labels.gains[e];
  size_t round = 0;
  while (round < rounds) {
    ++round;
    rank(m);
    if (move(labels, side) <= still) break;
  }
  return round;
}

void NdcgPartition::rank(size_t n_labels) {
  uint32_t largest = 0;
  for (const uint32_t sum : sums_) largest = std::max(largest, sum);
  int shift = 0;
  while (largest >> shift > 0xffff) ++shift;
  std::fill(better_.begin(), better_.end(), 0);
  for (size_t s = 0; s < 2; ++s) {
    size_t n = 0;
    for (size_t l = 0; l < n_labels; ++l) {
      const uint32_t sum = sums_[2 * l + s];
      list_[n] = static_cast<uint64_t>(0xffff - (sum >> shift)) << 32 | l;
      n += sum > 0;
    }
    sort_by_key(list_, spare_, n);
    const int32_t sign = s ? 1 : -1, rest = n < n_labels ? sign * discount_[n] : 0;
    for (size_t l = 0; l < n_labels; ++l) better_[l] += sums_[2 * l + s] > 0 ? 0 : rest;
    for (size_t r = 0; r < n; ++r) better_[list_[r] & 0xffffffffu] += sign * discount_[r];
  }
}

// How many rows changed sides.
size_t NdcgPartition::move(const LabelRows& labels, uint8_t* side) {
  size_t moved = 0;
  for (size_t i = 0; i < labels.n_rows; ++i) {
    int64_t gain = 0;
    for (int64_t e = labels.starts[i]; e < labels.starts[i + 1]; ++e)
      gain += static_cast<int64_t>(labels.gains[e]) * better_[static_cast<size_t>(labels.ids[e])];
    const uint8_t to = gain > 0 ? 1 : gain < 0 ? 0 : side[i];
    if (to == side[i]) continue;
    ++moved;
    for (int64_t e = labels.starts[i]; e < labels.starts[i + 1]; ++e) {
      uint32_t* sums = &sums_[2 * static_cast<size_t>(labels.ids[e])];
      sums[side[i]] -= labels.gains[e];
      sums[to] += labels.gains[e];
    }
    side[i] = to;
  }
  return moved;
}

namespace {
std::pair<Out<uint8_t>, size_t> ndcg_partition(In<int64_t> indptr, In<int32_t> labels,
                                               In<uint16_t> gains, In<uint8_t> side,
                                               int64_t n_labels, int64_t rounds, int64_t still) {
  check_indptr(indptr, labels.shape(0), "indptr");
  check_indices(labels, n_labels, "labels");
  check_length(gains.shape(0), labels.shape(0), "gains");
  const size_t n = indptr.shape(0) - 1;
  check_length(side.shape(0), n, "side");
  if (rounds < 0 || still < 0) throw std::invalid_argument("rounds and still must not be negative");
  if (labels.shape(0) >> 16) throw std::invalid_argument("a node has at most 65535 entries here");
  auto sides = raw<uint8_t>(n);
  size_t taken;
  {
    nb::gil_scoped_release release;
    for (size_t i = 0; i < n; ++i) sides[i] = side.data()[i] != 0;
    const LabelRows rows{indptr.data(), labels.data(), gains.data(), n,
                         static_cast<size_t>(n_labels)};
    taken = NdcgPartition().improve(rows, sides.get(), static_cast<size_t>(rounds),
                                    static_cast<size_t>(still));
  }
  return {own(std::move(sides), n), taken};
}
}  // namespace

void bind_ndcg_partition(nb::module_& m) {
  using nb::arg;
  m.def("ndcg_partition", &ndcg_partition, arg("indptr").noconvert(), arg("labels").noconvert(),
        arg("gains").noconvert(), arg("side").noconvert(), arg("n_labels"), arg("rounds"),
        arg("still"));
}
}  // namespace labelrank
