#ifndef STABILECT_BLOCK_MINIMUM_H
#define STABILECT_BLOCK_MINIMUM_H

#include <Eigen/Dense>

#include <algorithm>
#include <cmath>

namespace stabilect {

// The z that minimises -pull'z + z'Az / 2 + bound |z|, if it is not zero. In the axes of A the norm
// t of z is where pull / (D t + bound) has norm one; one over this norm is nearly a line in t.
inline Eigen::VectorXd block_minimum(const Eigen::MatrixXd &a, const Eigen::VectorXd &pull,
                                     double bound) {
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> axes(a);
  using Block = Eigen::VectorXd;
  const double floor = 1e-12 * std::max(axes.eigenvalues()[a.rows() - 1], 1e-300);
  const Block d = axes.eigenvalues().cwiseMax(floor), q = axes.eigenvectors().transpose() * pull;
  Block direction;
  double t = 0.0;
  for (int step = 0; step < 100; ++step) {
    const Block below = d * t + Block::Constant(a.rows(), bound);
    direction = q.cwiseQuotient(below);
    const double norm = direction.norm();
    if (std::abs(norm - 1.0) <= 1e-14)
      break;
    const double slope = direction.cwiseAbs2().cwiseProduct(d.cwiseQuotient(below)).sum();
    const double by = norm * norm * (norm - 1.0) / slope;
    if (!(t + by > t) && !(t + by < t))
      break;
    t = std::max(0.0, t + by);
  }
  return axes.eigenvectors() * (t / direction.norm() * direction);
}

} // namespace stabilect

#endif
