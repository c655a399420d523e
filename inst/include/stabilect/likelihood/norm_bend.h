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
  // The sum of the products of its elements with those of another.
  double product(const NormBend &other) const {
    const double common = direction.dot(other.direction);
    return weight * other.weight *
           (static_cast<double>(direction.size()) - direction.squaredNorm() -
            other.direction.squaredNorm() + common * common);
  }
  // The squared distance between the two matrices.
  double distance(const NormBend &other) const {
    return product(*this) + other.product(other) - 2.0 * product(other);
  }
};

} // namespace stabilect

#endif
