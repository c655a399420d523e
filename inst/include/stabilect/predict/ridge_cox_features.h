#ifndef STABILECT_RIDGE_COX_FEATURES_H
#define STABILECT_RIDGE_COX_FEATURES_H

// Ridge Cox regression of standardised features, on the scale on which they are given.

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "stabilect/predict/ridge_cox.h"

namespace stabilect {

struct RidgeCoxFit {
  Eigen::VectorXd coefficients; // of the features as they are given
  Eigen::VectorXd scale;        // standard deviations
  double offset = 0.0;          // link of a sample with mean features
  double lambda = 0.0;
  bool converged = true;
};

namespace ridge_cox_detail {

// Fewer coordinates of more features than samples: features z = u v' with orthonormal v, where
// u u' = z z' is a Cholesky factor with pivots.
class SampleCoordinates {
public:
  SampleCoordinates(const LinearSamples &z, const Runtime &runtime) : z_(z) {
    const Index n = z.n_bag(), p = z.n_features(), some = 256;
    Array<int> all(p);
    std::iota(all.begin(), all.end(), 0);
    Eigen::MatrixXd products = Eigen::MatrixXd::Zero(z.ld(), z.ld());
    for (Index from = 0; from < p; from += some) {
      if (runtime.stop_requested())
        throw Interrupted();
      add_all_products(z.data(), z.ld(), all.data() + from, std::min(some, p - from), 1.0,
                       products.data());
    }
    factorise(products.topLeftCorner(n, n).selfadjointView<Eigen::Lower>(), n);
  }

  // Is every direction either clear of rounding or nothing but rounding?
  bool clear() const { return clear_; }
  const Eigen::MatrixXd &u() const { return u_; }

  // v beta
  Eigen::VectorXd of_features(const Eigen::VectorXd &beta) const {
    const Index r = u_.cols();
    Eigen::MatrixXd first(r, r);
    for (Index k = 0; k < r; ++k)
      first.row(k) = u_.row(pivot_[k]);
    const Eigen::VectorXd own = first.transpose().triangularView<Eigen::Upper>().solve(beta);
    Eigen::VectorXd out = Eigen::VectorXd::Zero(z_.n_features());
    for (Index j = 0; j < out.size(); ++j)
      for (Index k = 0; k < r; ++k)
        out[j] += z_.column(j)(pivot_[k], 0) * own[k];
    return out;
  }

private:
  // Of the largest pivot: below kNothing is rounding, kFew and above loses few digits.
  static constexpr double kNothing = 1e-12, kFew = 1e-6;

  void factorise(const Eigen::MatrixXd &rest, Index n) {
    u_.resize(n, n);
    Eigen::VectorXd left = rest.diagonal();
    const double largest = left.maxCoeff();
    Index k = 0;
    for (; k < n; ++k) {
      Index at;
      const double pivot = left.maxCoeff(&at);
      if (!(pivot > kNothing * largest))
        break;
      clear_ = clear_ && pivot > kFew * largest;
      Eigen::VectorXd column = rest.col(at);
      column.noalias() -= u_.leftCols(k) * u_.row(at).head(k).transpose();
      column /= std::sqrt(pivot);
      for (const Index before : pivot_)
        column[before] = 0.0;
      u_.col(k) = column;
      left -= column.cwiseAbs2();
      left[at] = 0.0;
      pivot_.push_back(at);
    }
    u_.conservativeResize(n, k);
  }

  const LinearSamples &z_;
  Eigen::MatrixXd u_;
  Array<Index> pivot_;
  bool clear_ = true;
};

inline CoxChoice fit_columns(const ConstMatrix &z, const CoxTimes &times, double lambda,
                             const Runtime &runtime) {
  if (std::isnan(lambda))
    return choose_ridge_cox(z, times, 0, runtime);
  CoxChoice out;
  const Eigen::VectorXd none = Eigen::VectorXd::Zero(z.rows());
  out.point = fit_ridge_cox(z, times, Eigen::VectorXd::Constant(z.cols(), lambda),
                            Eigen::VectorXd::Zero(z.cols()), none, runtime);
  out.lambda = lambda;
  return out;
}

} // namespace ridge_cox_detail

// lambda > 0, or NaN to choose it. The rows of x go as those of `times`. False if it takes a
// decomposition with more digits.
inline bool fit_ridge_cox_features(const ConstMatrix &x, const CoxTimes &times, double lambda,
                                   const Runtime &runtime, RidgeCoxFit *out) {
  namespace impl = ridge_cox_detail;
  const Index n = x.rows(), p = x.cols();
  Array<int> all(p);
  std::iota(all.begin(), all.end(), 0);
  const LinearSamples samples(x, Eigen::VectorXd::Ones(n), all, Eigen::VectorXd::Ones(p),
                              Scaling::sd);
  Eigen::VectorXd factor(p), beta = Eigen::VectorXd::Zero(p);
  for (Index j = 0; j < p; ++j)
    factor[j] = samples.factor(j);
  out->scale = (factor.array() > 0.0).select(factor.cwiseInverse(), 0.0);
  out->lambda = std::isnan(lambda) ? 0.0 : lambda;
  if (p > 0 && factor.maxCoeff() > 0.0) {
    CoxChoice fit;
    if (p < n) {
      const Eigen::MatrixXd z =
          Eigen::Map<const Eigen::MatrixXd>(samples.data(), samples.ld(), p).topRows(n);
      fit = impl::fit_columns(z, times, lambda, runtime);
      beta = fit.point.beta;
    } else {
      const impl::SampleCoordinates coordinates(samples, runtime);
      if (!coordinates.clear())
        return false;
      fit = impl::fit_columns(coordinates.u(), times, lambda, runtime);
      beta = coordinates.of_features(fit.point.beta);
    }
    out->lambda = fit.lambda;
    out->converged = fit.point.converged;
  }
  out->coefficients = beta.cwiseProduct(factor);
  for (Index j = 0; j < p; ++j)
    out->offset += out->coefficients[j] * samples.centre(j);
  return true;
}

} // namespace stabilect

#endif
