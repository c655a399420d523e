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

// With many samples and more columns than this, systems of a logistic loss are solved by conjugate
// gradients, with the factor of an earlier second derivative: a pass over the samples for each
// step, where a second derivative takes as many as a fifteenth of the columns. Steps end when the
// rest is this share of the first; if they do not, the second derivative is computed.
constexpr Index kFewColumns = 100;
constexpr double kRest = 1e-7;
constexpr int kMostSteps = 25;

class Problem {
public:
  // `curved`: the second derivative of the loss at an earlier point (its lower triangle), or empty;
  // then that of the last point where it was computed.
  Problem(const Eigen::MatrixXd &basis, const LinearProblem &problem, Eigen::MatrixXd &curved)
      : basis_(basis), penalty_(Eigen::VectorXd::Constant(basis.cols(), problem.lambda)),
        rows_(Eigen::MatrixXd::Zero(pad_rows(basis.cols()), basis.rows())), curved_(curved),
        all_(basis.rows()), in_steps_(problem.loss == LinearLoss::logistic &&
                                      basis.rows() > kManySamples && basis.cols() > kFewColumns) {
    rows_.topRows(basis.cols()) = basis.transpose();
    std::iota(all_.begin(), all_.end(), 0);
    if (problem.free_intercept)
      penalty_[basis.cols() - 1] = 0.0;
    if (in_steps_ && curved_.rows() == basis.cols())
      factorise();
  }

  bool in_steps() const { return in_steps_; } // does a later fit read `curved`?

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

  NewtonPoint target(const NewtonPoint &at) {
    const Eigen::VectorXd down = slope(at);
    Eigen::VectorXd step;
    if (!in_steps_ || !solve_in_steps(at, down, &step)) {
      curve(at);
      factorise();
      step = solved(down);
    }
    return point(at.coordinates - step);
  }

private:
  Eigen::VectorXd slope(const NewtonPoint &at) const {
    return penalty_.cwiseProduct(at.coordinates) - basis_.transpose() * at.pull;
  }

  void curve(const NewtonPoint &at) {
    const Index k = basis_.cols();
    Eigen::MatrixXd scaled(rows_.rows(), rows_.cols());
    for (Index i = 0; i < rows_.cols(); ++i)
      scaled.col(i) = std::sqrt(at.curvature[i]) * rows_.col(i);
    curved_.setZero(rows_.rows(), rows_.rows());
    add_all_products(scaled.data(), rows_.rows(), all_.data(), all_.size(), 1.0, curved_.data());
    curved_.conservativeResize(k, k);
    // A free intercept stays where no sample is inside the margin.
    if (!(curved_(k - 1, k - 1) + penalty_[k - 1] > 0.0))
      curved_(k - 1, k - 1) = 1.0;
  }

  void factorise() {
    const Index k = basis_.cols();
    factor_.resize(rows_.rows(), rows_.rows());
    Eigen::Ref<Eigen::MatrixXd> hessian = factor_.topLeftCorner(k, k);
    hessian = curved_;
    hessian.diagonal() += penalty_;
    const Eigen::LLT<Eigen::Ref<Eigen::MatrixXd>> in_place(hessian);
  }

  Eigen::VectorXd solved(Eigen::VectorXd right) const {
    const Index k = basis_.cols();
    const auto lower = factor_.topLeftCorner(k, k).triangularView<Eigen::Lower>();
    lower.solveInPlace(right);
    lower.adjoint().solveInPlace(right);
    return right;
  }

  // The second derivative at a point times a direction, in one pass over the samples.
  Eigen::VectorXd along(const NewtonPoint &at, const Eigen::VectorXd &direction) const {
    const Index k = basis_.cols();
    Eigen::VectorXd out = penalty_.cwiseProduct(direction);
    for (Index i = 0; i < rows_.cols(); ++i) {
      const auto row = rows_.col(i).head(k);
      out += at.curvature[i] * row.dot(direction) * row;
    }
    return out;
  }

  // False if the factor of an earlier point does not lead to the solution.
  bool solve_in_steps(const NewtonPoint &at, const Eigen::VectorXd &down, Eigen::VectorXd *step) {
    if (factor_.size() == 0)
      return false;
    Eigen::VectorXd left = down, towards = solved(left), direction = towards;
    double size = left.dot(towards);
    const double enough = kRest * kRest * size;
    step->setZero(down.size());
    for (int k = 0; k < kMostSteps && size > enough; ++k) {
      const Eigen::VectorXd change = along(at, direction);
      const double length = size / direction.dot(change);
      *step += length * direction;
      left -= length * change;
      towards = solved(left);
      const double next = left.dot(towards);
      direction = towards + next / size * direction;
      size = next;
    }
    return size <= enough;
  }

  const Eigen::MatrixXd &basis_;
  Eigen::VectorXd penalty_;
  Eigen::MatrixXd rows_; // samples in columns, padded
  Eigen::MatrixXd &curved_;
  Array<int> all_;
  bool in_steps_;
  Eigen::MatrixXd factor_; // of the second derivative with the penalty, padded
};

} // namespace primal_detail

// For losses with a curvature. `basis`: features in columns, the last one constant. `start`:
// weights to start from, may be empty; `curved`: as of Problem.
inline PrimalFit solve_primal(const Eigen::MatrixXd &basis, const LinearProblem &problem,
                              Eigen::VectorXd start, Eigen::MatrixXd &curved) {
  if (start.size() != basis.cols()) {
    start = Eigen::VectorXd::Zero(basis.cols());
    if (problem.free_intercept)
      start[basis.cols() - 1] = problem.first_intercept();
  }
  primal_detail::Problem primal(basis, problem, curved);
  NewtonPoint at = primal.point(start);
  PrimalFit out;
  out.end = minimise_newton(problem, primal, &at);
  out.weights = at.coordinates;
  if (!primal.in_steps())
    curved.resize(0, 0);
  return out;
}

inline PrimalFit solve_primal(const Eigen::MatrixXd &basis, const LinearProblem &problem) {
  Eigen::MatrixXd curved;
  return solve_primal(basis, problem, Eigen::VectorXd(), curved);
}

} // namespace stabilect

#endif
