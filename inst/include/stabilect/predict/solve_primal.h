#ifndef STABILECT_SOLVE_PRIMAL_H
#define STABILECT_SOLVE_PRIMAL_H

// Linear classifiers in the coordinates of their features, for fewer features than samples.

#include <Eigen/Dense>
#include <cmath>
#include <numeric>

#include "stabilect/predict/newton.h"
#include "stabilect/predict/products.h"

namespace stabilect {

struct PrimalFit {
  Eigen::VectorXd weights; // the last one: of the constant feature
  NewtonEnd end;
};

namespace primal_detail {

class Problem {
public:
  Problem(const Eigen::MatrixXd &basis, const LinearProblem &problem)
      : basis_(basis), penalty_(Eigen::VectorXd::Constant(basis.cols(), problem.lambda)),
        rows_(Eigen::MatrixXd::Zero(pad_rows(basis.cols()), basis.rows())), scaled_(rows_),
        hessian_(rows_.rows(), rows_.rows()), all_(basis.rows()) {
    rows_.topRows(basis.cols()) = basis.transpose();
    std::iota(all_.begin(), all_.end(), 0);
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
    const Index k = basis_.cols(), last = k - 1;
    for (Index i = 0; i < rows_.cols(); ++i)
      scaled_.col(i) = std::sqrt(at.curvature[i]) * rows_.col(i);
    hessian_.setZero();
    add_all_products(scaled_.data(), rows_.rows(), all_.data(), all_.size(), 1.0, hessian_.data());
    Eigen::Ref<Eigen::MatrixXd> hessian = hessian_.topLeftCorner(k, k);
    hessian.diagonal() += penalty_;
    // A free intercept stays where no sample is inside the margin.
    if (!(hessian(last, last) > 0.0))
      hessian(last, last) = 1.0;
    const Eigen::LLT<Eigen::Ref<Eigen::MatrixXd>> factor(hessian);
    return point(at.coordinates - factor.solve(slope(at)));
  }

private:
  Eigen::VectorXd slope(const NewtonPoint &at) const {
    return penalty_.cwiseProduct(at.coordinates) - basis_.transpose() * at.pull;
  }

  const Eigen::MatrixXd &basis_;
  Eigen::VectorXd penalty_;
  Eigen::MatrixXd rows_; // samples in columns, padded
  mutable Eigen::MatrixXd scaled_, hessian_;
  Array<int> all_;
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
