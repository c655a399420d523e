#ifndef STABILECT_NORM_BEND_H
#define STABILECT_NORM_BEND_H

#include <Eigen/Dense>

namespace stabilect {

// The second derivatives of a multiple of the norm of a block: weight (I - u u'), where u is the
// block over its norm and the weight the multiple over the norm. With u zero, a multiple of I.
struct NormBend {
  double weight = 0.0;
  Eigen::VectorXd direction;

  Eigen::MatrixXd matrix() const {
    const auto width = direction.size();
    return weight * (Eigen::MatrixXd::Identity(width, width) - direction * direction.transpose());
  }
};

} // namespace stabilect

#endif
