#ifndef STABILECT_RIDGE_LEAST_SQUARES_H
#define STABILECT_RIDGE_LEAST_SQUARES_H

// Ridge regression of all samples or of all but some, its penalty chosen by generalised
// cross-validation, for final models.

#include <Eigen/Eigenvalues>
#include <Eigen/QR>
#include <cmath>
#include <limits>
#include <numeric>
#include <stdexcept>

#include "stabilect/base/error.h"
#include "stabilect/predict/left_out.h"
#include "stabilect/predict/products.h"

namespace stabilect {

struct RidgeFit {
  // On the original scale of the features.
  double intercept = 0.0;
  Eigen::VectorXd coefficients;
  // Standard deviations: coefficient * scale is the standardised coefficient.
  Eigen::VectorXd scale;
  double lambda = 0.0;
};

constexpr double kChooseLambda = -1.0;

namespace ridge_detail {

inline Array<int> all_slots(const LinearSamples &samples) {
  Array<int> slots(samples.n_features());
  std::iota(slots.begin(), slots.end(), 0);
  return slots;
}

inline Eigen::MatrixXd feature_products(const LinearSamples &samples) {
  const Array<int> slots = all_slots(samples);
  Eigen::MatrixXd out(samples.n_features(), samples.n_features());
  for (Index j = 0; j < out.cols(); ++j) {
    const double *column = samples.data() + samples.ld() * j;
    kernels().dot_one(samples.data(), samples.ld(), slots.data(), j + 1, column, out.col(j).data());
  }
  return out.selfadjointView<Eigen::Upper>();
}

inline Eigen::MatrixXd sample_products(const LinearSamples &samples) {
  const Array<int> slots = all_slots(samples);
  ProductMatrix products(samples);
  products.renew(slots.data(), slots.size());
  return products.matrix();
}

// Weights of the standardised features for any penalty. With features Z, Z'Z (or Z Z' for more
// features than samples) is made tridiagonal once; each penalty then costs time proportional to its
// rows.
class Ridge {
public:
  Ridge(const LinearSamples &samples, const Eigen::VectorXd &y)
      : samples_(samples), by_samples_(samples.n_features() > samples.n_bag()),
        parts_(by_samples_ ? sample_products(samples) : feature_products(samples)), n_(y.size()),
        total_(y.squaredNorm()), along_(parts_.diagonal().size()),
        beside_(Eigen::VectorXd::Zero(along_.size())), pivot_(along_.size()) {
    if (by_samples_)
      along_ = y;
    else
      for (Index j = 0; j < along_.size(); ++j)
        along_[j] = samples.column(j).col(0).dot(y);
    along_ = (parts_.matrixQ().adjoint() * along_).eval();
    if (along_.size() > 1)
      beside_.head(along_.size() - 1) = parts_.subDiagonal();
  }

  Eigen::VectorXd weights(double lambda) {
    const Eigen::VectorXd solution = parts_.matrixQ() * solve(lambda);
    return by_samples_ ? samples_.weights_of(all_slots(samples_), solution) : solution;
  }

  // The penalty with the smallest n rss / (n - 1 - df)^2 (Golub, Heath & Wahba 1979). This error is
  // unreliable where df comes close to n: only penalties with 1 + df <= n / 2 are compared.
  double choose_lambda() {
    Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver;
    solver.computeFromTridiagonal(parts_.diagonal(), beside_.head(along_.size() - 1),
                                  Eigen::EigenvaluesOnly);
    const Eigen::ArrayXd squares = solver.eigenvalues().array().max(0.0);
    constexpr int kSteps = 140; // ten for each power of ten
    double best = std::numeric_limits<double>::infinity(), lambda = 0.0, chosen = 0.0;
    for (int step = 0; step <= kSteps; ++step) {
      lambda = squares.maxCoeff() * std::pow(10.0, -10.0 + 0.1 * step);
      const double rest = n_ - 1.0 - (squares / (squares + lambda)).sum();
      if (!(rest >= n_ / 2.0))
        continue;
      const double error = n_ * rss(lambda) / (rest * rest);
      if (error < best) {
        best = error;
        chosen = lambda;
      }
    }
    return chosen > 0.0 ? chosen : lambda;
  }

private:
  // In the coordinates of the tridiagonal matrix.
  Eigen::VectorXd solve(double lambda) {
    const Index k = along_.size();
    const auto diagonal = parts_.diagonal();
    Eigen::VectorXd out = along_;
    for (Index i = 0; i < k; ++i) {
      const double share = i > 0 ? beside_[i - 1] / pivot_[i - 1] : 0.0;
      pivot_[i] = diagonal[i] + lambda - (i > 0 ? share * beside_[i - 1] : 0.0);
      out[i] -= i > 0 ? share * out[i - 1] : 0.0;
    }
    for (Index i = k - 1; i >= 0; --i)
      out[i] = (out[i] - (i + 1 < k ? beside_[i] * out[i + 1] : 0.0)) / pivot_[i];
    return out;
  }

  double rss(double lambda) {
    const Eigen::VectorXd solution = solve(lambda);
    if (by_samples_)
      return lambda * lambda * solution.squaredNorm();
    return total_ - solution.dot(along_) - lambda * solution.squaredNorm();
  }

  const LinearSamples &samples_;
  bool by_samples_;
  Eigen::Tridiagonalization<Eigen::MatrixXd> parts_;
  double n_, total_;
  Eigen::VectorXd along_, beside_, pivot_;
};

// For penalties too small for a matrix of products, and for none: the shortest of all solutions. A
// penalty is a row for each feature, whose target is zero.
inline Eigen::VectorXd shortest_weights(const LinearSamples &samples, const Eigen::VectorXd &y,
                                        double lambda) {
  const Index n = samples.n_bag(), k = samples.n_features(), below = lambda > 0.0 ? k : 0;
  Eigen::MatrixXd z = Eigen::MatrixXd::Zero(n + below, k);
  for (Index j = 0; j < k; ++j)
    z.col(j).head(n) = samples.column(j);
  z.bottomRows(below).diagonal().setConstant(std::sqrt(lambda));
  Eigen::VectorXd target = Eigen::VectorXd::Zero(n + below);
  target.head(n) = y;
  Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> parts;
  parts.setThreshold(1e-10); // smaller pivots, relative to the largest, are rounding
  return parts.compute(z).solve(target);
}

inline Eigen::VectorXd weights_of(const LinearSamples &samples, const Eigen::VectorXd &y,
                                  double *lambda) {
  const double size = samples.n_bag(); // of a feature that is not constant
  if (*lambda >= 0.0 && *lambda < 1e-10 * size)
    return shortest_weights(samples, y, *lambda);
  Ridge ridge(samples, y);
  if (*lambda < 0.0)
    *lambda = ridge.choose_lambda();
  return ridge.weights(*lambda);
}

inline RidgeFit fit(const ConstMatrix &x, const ConstVector &y, const Eigen::VectorXd &weights,
                    const Array<int> &set, double lambda) {
  const Index k = set.size();
  const LinearSamples samples(x, weights, set, Eigen::VectorXd::Ones(k), Scaling::sd);
  Eigen::VectorXd response(samples.n_bag());
  for (Index i = 0; i < response.size(); ++i)
    response[i] = y[samples.bag()[i]];
  const double unit = unit_for(response.cwiseAbs().maxCoeff());
  response *= unit;
  const double mean = response.mean();
  response.array() -= mean;
  RidgeFit out;
  out.coefficients = out.scale = Eigen::VectorXd::Zero(k);
  out.lambda = std::max(lambda, 0.0);
  for (Index j = 0; j < k; ++j)
    out.scale[j] = samples.factor(j) > 0.0 ? 1.0 / samples.factor(j) : 0.0;
  Eigen::VectorXd beta = Eigen::VectorXd::Zero(k);
  if ((out.scale.array() > 0.0).any()) {
    beta = weights_of(samples, response, &lambda);
    out.lambda = lambda;
  }
  out.intercept = mean / unit;
  for (Index j = 0; j < k; ++j) {
    out.coefficients[j] = beta[j] * samples.factor(j) / unit;
    out.intercept -= out.coefficients[j] * samples.centre(j);
  }
  return out;
}

inline void check_input(const ConstMatrix &x, const ConstVector &y, double lambda) {
  if (y.size() != x.rows())
    throw Error("y must have one value per row of x");
  if (!(lambda >= 0.0 || lambda == kChooseLambda) || std::isinf(lambda))
    throw Error("lambda must be finite and not negative");
}

} // namespace ridge_detail

// Minimises |y - intercept - Z beta|^2 / 2 + lambda |beta|^2 / 2 over the features at mean 0 and
// standard deviation 1 (divisor n). A constant column has coefficient 0.
inline RidgeFit fit_ridge(const ConstMatrix &x, const ConstVector &y,
                          double lambda = kChooseLambda) {
  ridge_detail::check_input(x, y, lambda);
  Array<int> all(x.cols());
  std::iota(all.begin(), all.end(), 0);
  return ridge_detail::fit(x, y, Eigen::VectorXd::Ones(x.rows()), all, lambda);
}

// Samples from models that have not seen them; see predict_left_out().
inline Eigen::VectorXd loo_ridge(const ConstMatrix &x, const ConstVector &y,
                                 const Array<Array<int>> &sets, const Array<Array<int>> &left_out,
                                 const Array<Array<int>> &predicted, double lambda,
                                 const Runtime &runtime = Runtime()) {
  ridge_detail::check_input(x, y, lambda);
  return predict_left_out(x, sets, left_out, predicted, runtime,
                          [&](const Eigen::VectorXd &weights, const Array<int> &set) {
                            return ridge_detail::fit(x, y, weights, set, lambda);
                          });
}

} // namespace stabilect

#endif
