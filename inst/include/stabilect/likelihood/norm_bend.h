#ifndef STABILECT_NORM_BEND_H
#define STABILECT_NORM_BEND_H

#include <Eigen/Dense>

#include <cmath>

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
  // Is the distance to the bend of this block, for this multiple, more than a share of its norm?
  template <typename Block> bool differs(const Block &block, double multiple, double share) const {
    double square = 0.0, length = 0.0, product = 0.0;
    for (Eigen::Index q = 0; q < direction.size(); ++q) {
      square += direction[q] * direction[q];
      length += block[q] * block[q];
      product += block[q] * direction[q];
    }
    const double width = static_cast<double>(direction.size()), norm = std::sqrt(length);
    const double other = multiple / norm, common = product / norm;
    // Sums of the products of elements: of the matrix with itself, the other with itself, both.
    const double own = weight * weight * (width - 2.0 * square + square * square);
    const double others = other * other * (width - 1.0);
    const double both = weight * other * (width - 1.0 - square + common * common);
    return own + others - 2.0 * both > share * share * own;
  }
};

} // namespace stabilect

#endif
