#ifndef STABILECT_PIECE_ERRORS_H
#define STABILECT_PIECE_ERRORS_H

// A lower bound of the error of three-segment curves, for many pairs of knots at once.

#include <Eigen/Dense>
#include <cmath>

#include "stabilect/base/types.h"

namespace stabilect {

namespace three_segment_detail {

// Least errors of the pieces of a curve, each for itself: a curve has a quadratic below its lower
// knot, a line between the knots and a quadratic above the upper one.
class PieceErrors {
public:
  explicit PieceErrors(const ConstVector &values)
      : sum_(values.size() + 1, 0.0), moment_(sum_), square_(sum_), below_(sum_), above_(sum_) {
    quadratics(values);
    for (Index i = 0; i < values.size(); ++i) {
      sum_[i + 1] = sum_[i] + values[i];
      moment_[i + 1] = moment_[i] + values[i] * double(i);
      square_[i + 1] = square_[i] + values[i] * values[i];
    }
  }

  // A lower bound of the residual sum of squares of all curves with a lower knot from a to b and an
  // upper knot from c to d.
  double least(Index a, Index b, Index c, Index d) const {
    return below_[a] + line(b, c + 1) + above_[above_.size() - 2 - d];
  }

private:
  // Of the best line through the values from `first` to before `end`.
  double line(Index first, Index end) const {
    const double n = end - first;
    if (n < 3.0)
      return 0.0;
    const double sum = sum_[end] - sum_[first], middle = 0.5 * double(first + end - 1);
    const double slope = moment_[end] - moment_[first] - middle * sum;
    return square_[end] - square_[first] - sum * sum / n -
           12.0 * slope * slope / (n * (n * n - 1.0));
  }

  // Of the best quadratic through the first k values from either end, by rotations. These are the
  // same for both.
  void quadratics(const ConstVector &values) {
    const Index m = values.size();
    Eigen::Matrix<double, 3, 5> known = Eigen::Matrix<double, 3, 5>::Zero();
    for (Index i = 0; i < m; ++i) {
      const double t = 2.0 * double(i) / double(m) - 1.0;
      double row[5] = {1.0, t, t * t, values[i], values[m - 1 - i]};
      for (Index k = 0; k < 3; ++k) {
        const double length = std::sqrt(known(k, k) * known(k, k) + row[k] * row[k]);
        if (!(length > 0.0))
          continue;
        const double c = known(k, k) / length, s = row[k] / length;
        for (Index l = k; l < 5; ++l) {
          const double old = known(k, l);
          known(k, l) = c * old + s * row[l];
          row[l] = c * row[l] - s * old;
        }
      }
      below_[i + 1] = below_[i] + row[3] * row[3];
      above_[i + 1] = above_[i] + row[4] * row[4];
    }
  }

  Array<double> sum_, moment_, square_, below_, above_;
};

} // namespace three_segment_detail

} // namespace stabilect

#endif
