// What the kernels of label trees share: the rows of a node by label and by feature, and chance.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

namespace labelrank {
// The labels of some rows, CSR: row i has ids[e] with gain gains[e] for starts[i] <= e < starts[i +
// 1].
struct LabelRows {
  const int64_t* starts;
  const int32_t* ids;
  const uint16_t* gains;
  size_t n_rows;
  size_t n_labels;
};

// The features of some rows, by column: column j has the rows rows[e] with values[e] for starts[j]
// <= e < starts[j + 1]; without values all are 1.
struct Columns {
  const int64_t* starts;
  const int32_t* rows;
  const float* values;
  size_t n_columns;
  size_t n_rows;
};

// SplitMix64 (Steele et al. 2014): the same bits on every machine.
class Chance {
 public:
  explicit Chance(uint64_t seed) : state_(seed) {}
  uint64_t bits() {
    uint64_t z = (state_ += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }

 private:
  uint64_t state_;
};
}  // namespace labelrank
