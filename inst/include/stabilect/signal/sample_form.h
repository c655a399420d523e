#ifndef STABILECT_SAMPLE_FORM_H
#define STABILECT_SAMPLE_FORM_H

// Covariates and background integrated out: with G = [W Z], W W' = tau K, and the prior precisions
// P of their coefficients, the precision of y given the features is
//   A = lambda - lambda G (P + G' lambda G)^-1 G' lambda = lambda - F F'   (Woodbury).

#include <Eigen/Cholesky>

#include <algorithm>
#include <cmath>

#include "stabilect/base/types.h"
#include "stabilect/signal/sparse_prior.h"

namespace stabilect {

// What the samples share apart from features.
struct SampleSpace {
  Eigen::MatrixXd covariates; // Z, n x q, orthonormal
  Eigen::MatrixXd directions; // n x k, orthogonal, ascending: x x' = directions directions'
  double precision = 0.0;     // of the coefficients of Z; 0: flat

  Index n() const { return covariates.rows(); }

  // W with W W' = tau K.
  Eigen::MatrixXd columns_of(const Background &background) const {
    if (!(background.tau > 0.0))
      return Eigen::MatrixXd(n(), 0);
    if (background.leading == 0)
      return std::sqrt(background.tau) * directions;
    const Index k = std::min(background.leading, directions.cols());
    const double each = static_cast<double>(n()) / static_cast<double>(k);
    return std::sqrt(background.tau * each) * directions.rightCols(k).colwise().normalized();
  }
};

class SampleForm {
public:
  SampleForm() = default;

  SampleForm(const SampleSpace &space, const Background &background, const Eigen::VectorXd &lambda)
      : lambda_(lambda) {
    const Eigen::MatrixXd shared = space.columns_of(background);
    const Index k = shared.cols(), q = space.covariates.cols();
    columns_.resize(space.n(), k + q);
    columns_ << shared, space.covariates;
    const Eigen::MatrixXd scaled = lambda.cwiseSqrt().asDiagonal() * columns_;
    Eigen::MatrixXd inner = Eigen::MatrixXd::Zero(k + q, k + q);
    inner.selfadjointView<Eigen::Lower>().rankUpdate(scaled.transpose());
    inner.diagonal().head(k).array() += 1.0;
    inner.diagonal().tail(q).array() += space.precision;
    inner_.compute(inner);
    log_density_ =
        0.5 * lambda.array().log().sum() - inner_.matrixLLT().diagonal().array().log().sum();
  }

  // -1/2 log |A^-1|, up to a constant.
  double log_density() const { return log_density_; }

  // B'A B for a few columns.
  Eigen::MatrixXd quadratic(const Eigen::MatrixXd &b) const {
    const Eigen::MatrixXd scaled = lambda_.asDiagonal() * b, half = half_of(scaled);
    return b.transpose() * scaled - half.transpose() * half;
  }

  Eigen::VectorXd times(const ConstVector &v) const {
    const Eigen::VectorXd scaled = lambda_.cwiseProduct(v);
    return scaled - lambda_.cwiseProduct(columns_ * inner_.solve(columns_.transpose() * scaled));
  }

  Eigen::MatrixXd factor() const { // F
    return inner_.matrixL().solve(columns_.transpose() * lambda_.asDiagonal()).transpose();
  }

  // Draws u + Z a given the rest of y: `noise` has a standard normal for each column of G, times
  // the square root of s2.
  Eigen::VectorXd draw_fit(const Eigen::VectorXd &rest, const Eigen::VectorXd &noise) const {
    return columns_ * inner_.matrixU().solve(half_of(lambda_.cwiseProduct(rest)) + noise);
  }

  Index n_columns() const { return columns_.cols(); }
  const Eigen::VectorXd &lambda() const { return lambda_; }

private:
  Eigen::MatrixXd half_of(const Eigen::MatrixXd &scaled) const {
    return inner_.matrixL().solve(columns_.transpose() * scaled);
  }

  Eigen::VectorXd lambda_;
  Eigen::MatrixXd columns_;
  Eigen::LLT<Eigen::MatrixXd> inner_;
  double log_density_ = 0.0;
};

} // namespace stabilect

#endif
