// The two sides of a node: points that are ranked well together stand together.
#pragma once
#include "xml_node.hpp"

namespace labelrank {
// FastXML's alternation over δ (the side of each row) and r± (the ranking of labels on each side),
// paper 003 (4) with w left out. Both steps are closed forms:
//
//   r±: labels in the order of their gains summed over the side's rows; equal ones by id. Labels
//   that
//       no row of a side has share the first place after those.
//   δ:  a row goes where it gains more, the gains of its labels weighed by 1 / log2(1 + rank); it
//       stays where it is when both are equal.
//
// Gains and discounts are whole numbers, so sums are exact in any order and only what rows that
// moved change is added. In a ranking only the 16 highest bits of the larger side's sums count.
class NdcgPartition {
 public:
  // From the sides given (0 or 1) to those where at most `still` rows wanted to move, or after
  // `rounds`. Returns the rounds taken.
  size_t improve(const LabelRows& labels, uint8_t* side, size_t rounds, size_t still);

 private:
  void rank(size_t n_labels);
  size_t move(const LabelRows& labels, uint8_t* side);

  std::vector<uint32_t> sums_;  // of label l on side s: sums_[2 * l + s]
  std::vector<uint64_t> list_, spare_;
  std::vector<int32_t> discount_;  // of rank r, from 0
  std::vector<int32_t> better_;    // of label l: its discount on side 1 less that on side 0
};
}  // namespace labelrank
