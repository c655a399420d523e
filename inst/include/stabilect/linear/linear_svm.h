#ifndef STABILECT_LINEAR_SVM_H
#define STABILECT_LINEAR_SVM_H

// Linear support vector machines through the n x n matrix of inner products, for n << p. The bias
// is the weight of a constant feature of value 1, penalised like the others (as in LIBLINEAR):
// `gram` holds it already. Row weights multiply the cost of a row.

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <vector>

#include "stabilect/base/types.h"

namespace stabilect {

// w = sum_i beta_i z_i; fit_i = w'z_i.
struct DualFit {
  Eigen::VectorXd beta, fit;
  double intercept = 0.0; // where it is not part of the inner products
  int iterations = 0;
  bool converged = false;
};

namespace svm_detail {

// min |w|^2 / 2 + sum_i c_i max(0, 1 - y_i f_i)^2 by Newton's method on the beta of the samples
// inside the margin (Chapelle 2007); exact once this set stays the same.
class SquaredHinge {
public:
  SquaredHinge(const ConstMatrix &gram, const ConstVector &y, const ConstVector &cost)
      : gram_(gram), y_(y), cost_(cost) {}

  DualFit solve(std::vector<char> *inside) const {
    DualFit out;
    out.beta = Eigen::VectorXd::Zero(y_.size());
    out.fit = out.beta;
    double value = objective(out.beta, out.fit);
    for (out.iterations = 1; out.iterations <= 200; ++out.iterations) {
      Eigen::VectorXd beta = newton(*inside), fit = gram_ * beta;
      double length = 1.0, next = objective(beta, fit);
      while (!(next <= value * (1.0 + 1e-14)) && length > 1e-9) {
        length *= 0.5;
        next = objective(out.beta + length * (beta - out.beta), out.fit + length * (fit - out.fit));
      }
      if (!(next <= value * (1.0 + 1e-14)))
        break;
      out.beta += length * (beta - out.beta);
      out.fit += length * (fit - out.fit);
      const bool stalled = out.iterations > 1 && value - next <= 1e-15 * value;
      value = next;
      const std::vector<char> now = margin(out.fit);
      out.converged = length == 1.0 && (now == *inside || stalled);
      if (out.converged || (stalled && length < 1.0))
        break;
      *inside = now;
    }
    return out;
  }

private:
  double objective(const Eigen::VectorXd &beta, const Eigen::VectorXd &fit) const {
    double sum = 0.5 * beta.dot(fit);
    for (Index i = 0; i < y_.size(); ++i) {
      const double lack = std::max(0.0, 1.0 - y_[i] * fit[i]);
      sum += cost_[i] * lack * lack;
    }
    return sum;
  }

  std::vector<char> margin(const Eigen::VectorXd &fit) const {
    std::vector<char> inside(static_cast<std::size_t>(y_.size()));
    for (Index i = 0; i < y_.size(); ++i)
      inside[i] = y_[i] * fit[i] < 1.0;
    return inside;
  }

  // The minimum if exactly these samples were inside: (K + diag(1 / 2c)) beta = y.
  Eigen::VectorXd newton(const std::vector<char> &inside) const {
    std::vector<Index> at;
    for (Index i = 0; i < y_.size(); ++i)
      if (inside[i])
        at.push_back(i);
    const Index m = static_cast<Index>(at.size());
    Eigen::MatrixXd part(m, m);
    Eigen::VectorXd right(m), beta = Eigen::VectorXd::Zero(y_.size());
    for (Index k = 0; k < m; ++k) {
      for (Index l = k; l < m; ++l)
        part(l, k) = gram_(at[l], at[k]);
      part(k, k) += 0.5 / cost_[at[k]];
      right[k] = y_[at[k]];
    }
    const Eigen::VectorXd solution = part.selfadjointView<Eigen::Lower>().llt().solve(right);
    for (Index k = 0; k < m; ++k)
      beta[at[k]] = solution[k];
    return beta;
  }

  const ConstMatrix &gram_;
  const ConstVector &y_, &cost_;
};

} // namespace svm_detail

// Squared hinge loss. `inside`: where to start, samples inside the margin; on return, at the end.
inline DualFit solve_svm_l2(const ConstMatrix &gram, const ConstVector &y, const ConstVector &cost,
                            std::vector<char> *inside) {
  return svm_detail::SquaredHinge(gram, y, cost).solve(inside);
}

// Hinge loss, min |w|^2 / 2 + sum_i c_i max(0, 1 - y_i f_i): coordinate ascent of the dual,
// alpha_i in [0, c_i], beta_i = y_i alpha_i, until no projected gradient exceeds the tolerance
// (Hsieh et al. 2008, without their random order). `start`: a beta to start from, may be empty.
inline DualFit solve_svm_l1(const ConstMatrix &gram, const ConstVector &y, const ConstVector &cost,
                            double tolerance = 1e-9, int max_sweeps = 20000,
                            const Eigen::VectorXd *start = nullptr) {
  DualFit out;
  Eigen::VectorXd alpha = Eigen::VectorXd::Zero(y.size());
  if (start != nullptr && start->size() == y.size())
    alpha = start->cwiseProduct(y);
  out.fit = gram * alpha.cwiseProduct(y);
  while (!out.converged && out.iterations < max_sweeps) {
    ++out.iterations;
    double largest = 0.0;
    for (Index i = 0; i < y.size(); ++i) {
      const double gradient = y[i] * out.fit[i] - 1.0;
      const bool pressed =
          (alpha[i] <= 0.0 && gradient >= 0.0) || (alpha[i] >= cost[i] && gradient <= 0.0);
      if (pressed || !(gram(i, i) > 0.0))
        continue;
      largest = std::max(largest, std::abs(gradient));
      const double next = std::min(std::max(alpha[i] - gradient / gram(i, i), 0.0), cost[i]);
      out.fit += (next - alpha[i]) * y[i] * gram.col(i);
      alpha[i] = next;
    }
    out.converged = largest <= tolerance;
  }
  out.beta = alpha.cwiseProduct(y);
  return out;
}

// min sum_i v_i log(1 + exp(-y_i f_i)) + lambda / 2 |w|^2 with f = w'z + intercept, the intercept
// free and not part of `gram`: Newton's method on V^1/2 K V^1/2 + lambda I, whose condition does
// not suffer from fitted probabilities near 0 or 1. `start`: a fit to start from, may be empty.
// Without a free intercept there is none, but for a constant feature that `gram` may hold.
inline DualFit solve_logistic_dual(const ConstMatrix &gram, const ConstVector &y,
                                   const ConstVector &weights, double lambda,
                                   const DualFit *start = nullptr, bool free_intercept = true) {
  const Index n = y.size();
  const double up = weights.dot(((y.array() + 1.0) / 2.0).matrix()), total = weights.sum();
  DualFit out;
  out.beta = Eigen::VectorXd::Zero(n);
  out.intercept = free_intercept ? std::log(up / (total - up)) : 0.0;
  if (start != nullptr && start->beta.size() == n) {
    out.beta = start->beta;
    out.intercept = start->intercept;
  }
  out.fit = ((gram * out.beta).array() + out.intercept).matrix();
  const auto objective = [&](const Eigen::VectorXd &beta, const Eigen::VectorXd &fit, double b) {
    double sum = 0.5 * lambda * beta.dot((fit.array() - b).matrix());
    for (Index i = 0; i < n; ++i) {
      const double m = -y[i] * fit[i];
      sum += weights[i] * (std::max(m, 0.0) + std::log1p(std::exp(-std::abs(m))));
    }
    return sum;
  };
  double value = objective(out.beta, out.fit, out.intercept);
  for (out.iterations = 1; out.iterations <= 100 && !out.converged; ++out.iterations) {
    const Eigen::ArrayXd wrong = 1.0 / (1.0 + (y.array() * out.fit.array()).exp());
    const Eigen::ArrayXd u = weights.array() * y.array() * wrong;
    const Eigen::ArrayXd root =
        (weights.array() * wrong * (1.0 - wrong)).max(1e-12 * weights.array()).sqrt();
    // At the minimum lambda beta is the residual u.
    out.converged = (lambda * out.beta.array() - u).abs().maxCoeff() <= 1e-11 * weights.maxCoeff();
    if (out.converged)
      break;
    Eigen::MatrixXd system = root.matrix().asDiagonal() * gram * root.matrix().asDiagonal();
    system.diagonal().array() += lambda;
    const Eigen::LLT<Eigen::MatrixXd> factor(system);
    const Eigen::VectorXd target = (root * out.fit.array() + u / root).matrix();
    const Eigen::VectorXd one = factor.solve(root.matrix()), all = factor.solve(target);
    const double b = free_intercept ? root.matrix().dot(all) / root.matrix().dot(one) : 0.0;
    const Eigen::VectorXd beta = (root * (all - b * one).array()).matrix();
    const Eigen::VectorXd fit = ((gram * beta).array() + b).matrix();
    double length = 1.0, next = objective(beta, fit, b);
    const auto mix = [&](double t) {
      return objective(out.beta + t * (beta - out.beta), out.fit + t * (fit - out.fit),
                       out.intercept + t * (b - out.intercept));
    };
    while (!(next <= value * (1.0 + 1e-14)) && length > 1e-9)
      next = mix(length *= 0.5);
    if (!(next <= value * (1.0 + 1e-14)))
      break;
    out.beta += length * (beta - out.beta);
    out.fit += length * (fit - out.fit);
    out.intercept += length * (b - out.intercept);
    value = next;
  }
  return out;
}

} // namespace stabilect

#endif
