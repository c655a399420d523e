#ifndef STABILECT_SOLVE_PRIMAL_H
#define STABILECT_SOLVE_PRIMAL_H

// Linear classifiers in the coordinates of their features, for fewer features than samples.

#include <Eigen/Dense>

#include "stabilect/predict/newton.h"

namespace stabilect {

struct PrimalFit {
  Eigen::VectorXd weights; // the last one: of the constant feature
  NewtonEnd end;
};

namespace primal_detail {

class Problem {
public:
  Problem(const Eigen::MatrixXd &basis, const LinearProblem &problem)
      : basis_(basis), penalty_(Eigen::VectorXd::Constant(basis.cols(), problem.lambda)) {
    if (problem.free_intercept)
      penalty_[basis.cols() - 1] = 0.0;
  }

  NewtonPoint point(const Eigen::VectorXd &weights) const {
    NewtonPoint out;
    out.coordinates = weights;
    out.fit = basis_ * weights;
    return out;
  }

  double penalty(const NewtonPoint &at) const {
    return 0.5 * penalty_.dot(at.coordinates.cwiseAbs2());
  }

  double gradient(const NewtonPoint &at) const {
    const double size = (basis_.cwiseAbs().transpose() * at.pull.cwiseAbs()).maxCoeff();
    const double largest = slope(at).cwiseAbs().maxCoeff();
    return size > 0.0 ? largest / size : largest;
  }

  NewtonPoint target(const NewtonPoint &at) const {
    const Eigen::MatrixXd scaled = at.curvature.cwiseSqrt().asDiagonal() * basis_;
    Eigen::MatrixXd hessian = penalty_.asDiagonal();
    hessian.selfadjointView<Eigen::Lower>().rankUpdate(scaled.transpose());
    // A free intercept stays where no sample is inside the margin.
    const Index last = basis_.cols() - 1;
    if (!(hessian(last, last) > 0.0))
      hessian(last, last) = 1.0;
    return point(at.coordinates - hessian.selfadjointView<Eigen::Lower>().llt().solve(slope(at)));
  }

private:
  Eigen::VectorXd slope(const NewtonPoint &at) const {
    return penalty_.cwiseProduct(at.coordinates) - basis_.transpose() * at.pull;
  }

  const Eigen::MatrixXd &basis_;
  Eigen::VectorXd penalty_;
};

} // namespace primal_detail

// For losses with a curvature. `basis`: features in columns, the last one constant. `start`:
// weights to start from, may be empty.
inline PrimalFit solve_primal(const Eigen::MatrixXd &basis, const LinearProblem &problem,
                              Eigen::VectorXd start = Eigen::VectorXd()) {
  if (start.size() != basis.cols()) {
    start = Eigen::VectorXd::Zero(basis.cols());
    if (problem.free_intercept)
      start[basis.cols() - 1] = problem.first_intercept();
  }
  const primal_detail::Problem primal(basis, problem);
  NewtonPoint at = primal.point(start);
  PrimalFit out;
  out.end = minimise_newton(problem, primal, &at);
  out.weights = at.coordinates;
  return out;
}

} // namespace stabilect

#endif
