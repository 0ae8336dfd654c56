// Sixteen labels whose linear classifiers are learned side by side.
#pragma once
#include "arrays.hpp"

namespace labelrank {
constexpr size_t kLanes = 16;

// Sixteen numbers that are added, compared and chosen among together (a vector extension of GCC and
// Clang; loops over arrays of sixteen would be unrolled into single numbers).
typedef float Floats __attribute__((vector_size(4 * kLanes)));
typedef int32_t Ints __attribute__((vector_size(4 * kLanes)));
struct alignas(4 * kLanes) Lane {
  Floats v;
};

// The rows at hand, with only the features that they have, numbered anew in rising order.
struct Rows {
  std::vector<int64_t> starts{0};
  std::vector<int32_t> columns, features;
  std::vector<float> values, squares;

  size_t size() const { return starts.size() - 1; }
};

// One label a lane. The classifier is w = Σ y α x, of which α is the dual and y is ±1.
struct Lanes {
  Lane bias{}, live{};             // live: 1 while the label is being solved, then 0
  Lane most{}, least{};            // of the projected gradient in a pass
  Lane limit{};                    // α = 0 with a steeper gradient will stay: skip the row
  std::vector<Lane> weights;       // of each feature
  std::vector<Lane> alphas;        // of each row
  std::vector<uint16_t> positive;  // of each row, a bit for each lane
};

// 1 / 2C, of rows that do not have the label and of those that do.
struct Diagonal {
  float without, with;
};

// One pass of dual coordinate descent over the first `active` rows of `order`, for the squared
// hinge; rows that no lane moves any more are swapped to the end. Returns how many are left.
size_t sweep(const Rows& rows, Lanes& lanes, int32_t* order, size_t active,
             const Diagonal& diagonal);

// The same for the log loss, where `costs` are C of rows without and with the label.
size_t sweep_log(const Rows& rows, Lanes& lanes, int32_t* order, size_t active,
                 const Diagonal& costs, float tol);
}  // namespace labelrank
