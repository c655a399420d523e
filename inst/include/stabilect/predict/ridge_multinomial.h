#ifndef STABILECT_RIDGE_MULTINOMIAL_H
#define STABILECT_RIDGE_MULTINOMIAL_H

// Multinomial regression with a quadratic penalty, maximised by Newton's method. Coefficients are
// those of orthonormal contrasts of the classes, contrast by contrast.

#include <Eigen/Cholesky>
#include <cmath>
#include <limits>
#include <utility>

#include "stabilect/base/error.h"
#include "stabilect/base/runtime.h"
#include "stabilect/base/types.h"

namespace stabilect {

struct MultinomialFit {
  Eigen::MatrixXd beta; // columns of z x contrasts
  Eigen::MatrixXd information;
  double likelihood = 0.0;
  bool converged = false;
};

namespace ridge_multinomial_detail {

class Multinomial {
public:
  // contrasts: classes x contrasts; codes: classes of the rows of z, from 0.
  Multinomial(const ConstMatrix &z, const Array<int> &codes, const ConstMatrix &contrasts,
              const Eigen::VectorXd &penalty, const Runtime &runtime)
      : z_(z), contrasts_(contrasts), penalty_(penalty), runtime_(runtime),
        own_(z.rows(), contrasts.cols()) {
    if (codes.size() != z.rows() || penalty.size() != z.cols())
      throw Error("codes must be those of the rows, and the penalties those of the columns");
    for (Index i = 0; i < z.rows(); ++i) {
      if (codes[i] < 0 || codes[i] >= contrasts.rows())
        throw Error("codes must be those of the contrasts");
      own_.row(i) = contrasts.row(codes[i]);
    }
  }

  // Halves a step that does not raise the penalised likelihood.
  MultinomialFit maximise() {
    MultinomialFit now;
    now.beta = Eigen::MatrixXd::Zero(z_.cols(), contrasts_.cols());
    double value = evaluate(&now);
    const double tolerance = 1e-11 * static_cast<double>(z_.rows());
    for (int iteration = 0; iteration < 50; ++iteration) {
      now.information = information();
      const Eigen::MatrixXd slope =
          z_.transpose() * (own_ - chances_ * contrasts_) - penalty_.asDiagonal() * now.beta;
      now.converged = !(slope.cwiseAbs().maxCoeff() > tolerance);
      if (now.converged)
        break;
      Eigen::MatrixXd system = now.information;
      system.diagonal() += penalty_.replicate(contrasts_.cols(), 1);
      const Eigen::LLT<Eigen::MatrixXd> parts(system);
      if (parts.info() != Eigen::Success ||
          !(parts.rcond() > std::numeric_limits<double>::epsilon()))
        break;
      const Eigen::VectorXd move =
          parts.solve(Eigen::Map<const Eigen::VectorXd>(slope.data(), slope.size()));
      const Eigen::MatrixXd from = now.beta;
      const Eigen::Map<const Eigen::MatrixXd> by(move.data(), from.rows(), from.cols());
      double length = 1.0, next = value;
      for (int halving = 0; halving <= 30; ++halving, length *= 0.5) {
        now.beta = from + length * by;
        next = evaluate(&now);
        if (next >= value - 1e-12 * std::abs(value))
          break;
      }
      value = next;
    }
    if (!now.converged)
      now.information = information();
    return now;
  }

private:
  // The penalised likelihood; sets the likelihood and chances_ (rows x classes).
  double evaluate(MultinomialFit *at) {
    const Eigen::MatrixXd scores = z_ * at->beta;
    chances_.noalias() = scores * contrasts_.transpose();
    const Eigen::VectorXd largest = chances_.rowwise().maxCoeff();
    chances_ = (chances_.colwise() - largest).array().exp();
    const Eigen::VectorXd sums = chances_.rowwise().sum();
    chances_.array().colwise() /= sums.array();
    at->likelihood = scores.cwiseProduct(own_).sum() - (largest.array() + sums.array().log()).sum();
    return at->likelihood - 0.5 * (penalty_.asDiagonal() * at->beta).cwiseProduct(at->beta).sum();
  }

  // At the chances of the last evaluate().
  Eigen::MatrixXd information() const {
    const Index d = z_.cols(), m = contrasts_.cols();
    const Eigen::MatrixXd means = chances_ * contrasts_;
    Eigen::MatrixXd out(d * m, d * m), curved(z_.rows(), d);
    for (Index a = 0; a < m; ++a)
      for (Index b = 0; b <= a; ++b) {
        if (runtime_.stop_requested())
          throw Interrupted();
        const Eigen::VectorXd both = chances_ * contrasts_.col(a).cwiseProduct(contrasts_.col(b)) -
                                     means.col(a).cwiseProduct(means.col(b));
        curved.noalias() = both.asDiagonal() * z_;
        out.block(a * d, b * d, d, d).noalias() = z_.transpose() * curved;
        out.block(b * d, a * d, d, d) = out.block(a * d, b * d, d, d);
      }
    return out;
  }

  const ConstMatrix &z_;
  const ConstMatrix &contrasts_;
  const Eigen::VectorXd &penalty_;
  const Runtime &runtime_;
  Eigen::MatrixXd own_, chances_; // own_: contrasts of the class of each row
};

} // namespace ridge_multinomial_detail

// The log likelihood minus the sum of penalty / 2 beta^2; one penalty for each column of z.
inline MultinomialFit fit_ridge_multinomial(const ConstMatrix &z, const Array<int> &codes,
                                            const ConstMatrix &contrasts,
                                            const Eigen::VectorXd &penalty,
                                            const Runtime &runtime) {
  return ridge_multinomial_detail::Multinomial(z, codes, contrasts, penalty, runtime).maximise();
}

} // namespace stabilect

#endif
