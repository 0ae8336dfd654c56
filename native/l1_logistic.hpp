// The hyperplane of a node: an L1-regularised logistic regression of the two sides.
#pragma once
#include "xml_node.hpp"

namespace labelrank {
// min over w and b of  |w|_1 + |b| + Σ_i c_i log(1 + exp(-δ_i (wᵀx_i + b β)))
//
// where δ_i is 1 on side 1 and -1 on side 0, β is a feature that every row has, and c_i = cost · n
// / (rows on the side of i), so that both sides weigh the same.
//
// Newton steps on the loss, each solved by coordinate descent over few columns (Yuan et al. 2012,
// "An improved GLMNET for L1-regularized logistic regression"): at w = 0 a column's slope must
// exceed 1 to enter; columns whose slope is below `screen` there are never looked at again. The
// step is shortened where the loss rises at its end.
class L1Logistic {
 public:
  struct Settings {
    float cost, bias;
    float tolerance;    // how far the columns may break their conditions, beside the start
    int steps, sweeps;  // of Newton, and of coordinate descent within each
    float screen;
  };

  void fit(const Columns& X, const uint8_t* side, const Settings& settings);

  // What was learned: columns with weights that are not 0, the weight of the bias feature times β,
  // and wᵀx_i + b β of every row.
  std::vector<int32_t> columns;
  std::vector<float> weights;
  float intercept = 0;
  std::vector<float> margins;

 private:
  template <bool kOnes>
  void solve(const Columns& X, const uint8_t* side, const Settings& settings);
  void derivatives();
  template <bool kOnes>
  void screen(const Columns& X, float least);
  template <bool kOnes>
  void look_again(const Columns& X, float least);
  double conditions();
  template <bool kOnes>
  void descend(const Columns& X, int sweeps);
  void take_step();

  std::vector<float> sign_, cost_, slope_, curve_;  // of a row; the derivatives are by its margin
  std::vector<float> pull_;                         // curve · change of its margin
  std::vector<int32_t> candidates_;                 // columns that may enter
  std::vector<float> weight_, change_, gradient_, column_curve_;  // of a candidate
  std::vector<int32_t> working_, active_;  // candidates that are descended along
  float bias_ = 1, bias_weight_ = 0, bias_change_ = 0, bias_gradient_ = 0;
  float entry_ = 0;  // the slope from which a column of weight 0 enters, falling to 1
};
}  // namespace labelrank
