#ifndef STABILECT_SOLVE_DUAL_H
#define STABILECT_SOLVE_DUAL_H

// Linear classifiers through the n x n matrix of inner products of the samples, for fewer samples
// than features: w = sum_i beta_i z_i, f = K beta + intercept.

#include <Eigen/Dense>
#include <cmath>

#include "stabilect/predict/newton.h"
#include "stabilect/predict/solve_hinge.h"

namespace stabilect {

namespace dual_detail {

// Newton's method on H^1/2 K H^1/2 + lambda I with the curvatures H, over the samples that have
// any: its condition does not suffer from curvatures near 0. For the squared hinge loss it is the
// method of Chapelle (2007).
class Problem {
public:
  Problem(const Eigen::MatrixXd &gram, const LinearProblem &problem)
      : gram_(gram), problem_(problem) {}

  NewtonPoint start(const DualFit &from) const {
    const Index n = problem_.y.size();
    NewtonPoint out;
    if (from.beta.size() == n && problem_.loss == LinearLoss::squared_hinge) {
      // The minimum if exactly the same samples are inside the margin, as they often are.
      out.coordinates = Eigen::VectorXd::Zero(n + 1);
      out.fit = problem_.y;
      out.pull = Eigen::VectorXd::Zero(n);
      out.curvature = 2.0 * (from.beta.array() != 0.0).select(problem_.cost, 0.0);
      return target(out);
    }
    out.coordinates = Eigen::VectorXd::Zero(n + 1);
    if (from.beta.size() == n)
      out.coordinates << from.beta, from.intercept;
    else if (problem_.free_intercept)
      out.coordinates[n] = problem_.first_intercept();
    set_fit(&out);
    return out;
  }

  double penalty(const NewtonPoint &at) const {
    const Index n = at.fit.size();
    return 0.5 * problem_.lambda *
           at.coordinates.head(n).dot((at.fit.array() - at.coordinates[n]).matrix());
  }

  // At the minimum lambda beta is the pull.
  double gradient(const NewtonPoint &at) const {
    return (problem_.lambda * at.coordinates.head(at.fit.size()) - at.pull).cwiseAbs().maxCoeff() /
           problem_.cost.maxCoeff();
  }

  NewtonPoint target(const NewtonPoint &at) const {
    Array<Index> on;
    for (Index i = 0; i < at.fit.size(); ++i)
      if (at.curvature[i] > 0.0)
        on.push_back(i);
    const Index m = on.size();
    Eigen::VectorXd root(m), right(m);
    for (Index k = 0; k < m; ++k) {
      root[k] = std::sqrt(at.curvature[on[k]]);
      right[k] = root[k] * at.fit[on[k]] + at.pull[on[k]] / root[k];
    }
    Eigen::MatrixXd system(m, m);
    for (Index k = 0; k < m; ++k) {
      for (Index l = k; l < m; ++l)
        system(l, k) = root[l] * gram_(on[l], on[k]) * root[k];
      system(k, k) += problem_.lambda;
    }
    const Eigen::LLT<Eigen::Ref<Eigen::MatrixXd>> factor(system);
    Eigen::VectorXd beta = factor.solve(right);
    NewtonPoint out;
    out.coordinates = Eigen::VectorXd::Zero(at.coordinates.size());
    if (problem_.free_intercept && m == 0) {
      out.coordinates[at.fit.size()] = at.coordinates[at.fit.size()];
    } else if (problem_.free_intercept) {
      const Eigen::VectorXd one = factor.solve(root);
      const double intercept = root.dot(beta) / root.dot(one);
      beta -= intercept * one;
      out.coordinates[at.fit.size()] = intercept;
    }
    for (Index k = 0; k < m; ++k)
      out.coordinates[on[k]] = root[k] * beta[k];
    set_fit(&out);
    return out;
  }

private:
  void set_fit(NewtonPoint *point) const {
    const Index n = problem_.y.size();
    point->fit = ((gram_ * point->coordinates.head(n)).array() + point->coordinates[n]).matrix();
  }

  const Eigen::MatrixXd &gram_;
  const LinearProblem &problem_;
};

} // namespace dual_detail

// `gram`: K, both triangles. `start`: a fit to start from, may be empty.
inline DualFit solve_dual(const Eigen::MatrixXd &gram, const LinearProblem &problem,
                          const DualFit &start = DualFit()) {
  if (problem.loss == LinearLoss::hinge)
    return problem.free_intercept ? solve_hinge_pairs(gram, problem, start)
                                  : solve_hinge(gram, problem, start);
  dual_detail::Problem dual(gram, problem);
  NewtonPoint at = dual.start(start);
  DualFit out;
  out.end = minimise_newton(problem, dual, &at);
  out.beta = at.coordinates.head(at.fit.size());
  out.intercept = at.coordinates[at.fit.size()];
  return out;
}

} // namespace stabilect

#endif
