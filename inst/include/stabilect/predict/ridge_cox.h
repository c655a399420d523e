#ifndef STABILECT_RIDGE_COX_H
#define STABILECT_RIDGE_COX_H

// Cox's partial likelihood with a ridge penalty, maximised by Newton's method. With the ties of
// Efron (1977) a time with m events is m steps; at step l each of these events counts 1 - l / m.

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "stabilect/base/runtime.h"
#include "stabilect/base/types.h"

namespace stabilect {

// Rows go from the longest time down: the samples at risk at a time are the first rows.
struct CoxTimes {
  Eigen::VectorXd event;  // of each row, times its weight
  Array<int> last;        // the last row at risk at each step; a time without ties is one step
  Eigen::VectorXd deaths; // at these steps
  Eigen::VectorXd gone;   // l / m
  Array<int> first; // of each row: the first step of the longest time that it has lived through
};

struct CoxPoint {
  Eigen::VectorXd beta, gradient; // without the penalty
  Eigen::MatrixXd information;
  double likelihood = 0.0;
  bool converged = false;
};

struct CoxChoice {
  CoxPoint point;
  double lambda = 0.0, error = std::numeric_limits<double>::infinity();
};

namespace ridge_cox_detail {

constexpr double kFar = -700.0; // no risk may be 0

// log(exp(a) + exp(b))
inline double log_sum(double a, double b) {
  return std::max(a, b) + std::log1p(std::exp(-std::abs(a - b)));
}

class Cox {
public:
  Cox(const ConstMatrix &z, const CoxTimes &times, const Eigen::VectorXd &offset,
      const Runtime &runtime)
      : z_(z), times_(times), offset_(offset), runtime_(runtime),
        ties_(times.gone.size() > 0 && times.gone.maxCoeff() > 0.0) {}

  CoxPoint at(const Eigen::VectorXd &beta) const {
    poll();
    const Index n = z_.rows(), m = times_.last.size();
    CoxPoint out;
    out.beta = beta;
    Eigen::VectorXd link = z_ * beta + offset_;
    link.array() -= link.maxCoeff();
    const Eigen::VectorXd risk = link.cwiseMax(kFar).array().exp();
    const bool far = link.minCoeff() < kFar;
    Eigen::VectorXd at_risk(m);
    Eigen::RowVectorXd sums = Eigen::RowVectorXd::Zero(z_.cols()), own_sums = sums;
    Eigen::MatrixXd means(m, z_.cols());
    const double nothing = -std::numeric_limits<double>::infinity();
    double total = 0.0, own = 0.0, log_total = nothing, log_own = nothing; // own: of events
    out.likelihood = times_.event.dot(link);
    for (Index i = 0, t = 0; i < n && t < m; ++i) {
      total += risk[i];
      sums += risk[i] * z_.row(i);
      log_total = far ? (i == 0 ? link[0] : log_sum(log_total, link[i])) : 0.0;
      if (ties_ && times_.event[i] > 0.0) {
        own += risk[i];
        own_sums += risk[i] * z_.row(i);
        log_own = far ? log_sum(log_own, link[i]) : 0.0;
      }
      for (; t < m && times_.last[t] == i; ++t) {
        const double gone = times_.gone[t];
        at_risk[t] = gone > 0.0 ? total - gone * own : total;
        means.row(t) = sums * (std::sqrt(times_.deaths[t]) / at_risk[t]);
        if (gone > 0.0)
          means.row(t) -= own_sums * (gone * std::sqrt(times_.deaths[t]) / at_risk[t]);
        const double log_gone =
            far ? std::log1p(-gone * std::exp(std::min(log_own - log_total, 0.0))) : 0.0;
        out.likelihood -= times_.deaths[t] * (far ? log_total + log_gone : std::log(at_risk[t]));
      }
      if (t > 0 && times_.last[t - 1] == i && ties_) {
        own = 0.0;
        own_sums.setZero();
        log_own = nothing;
      }
    }
    const Eigen::VectorXd hazard = risk.cwiseProduct(lived_through(at_risk));
    out.gradient = z_.transpose() * (times_.event - hazard);
    poll();
    out.information = z_.transpose() * hazard.asDiagonal() * z_;
    poll();
    out.information.noalias() -= means.transpose() * means;
    return out;
  }

  // Halves a step that does not raise the penalised likelihood.
  CoxPoint maximise(const Eigen::VectorXd &penalty, const Eigen::VectorXd &start) const {
    const double tolerance = 1e-9 * times_.deaths.sum();
    CoxPoint now = at(start);
    for (int iteration = 0; iteration < 50; ++iteration) {
      const Eigen::VectorXd slope = now.gradient - penalty.cwiseProduct(now.beta);
      now.converged = slope.size() == 0 || slope.cwiseAbs().maxCoeff() <= tolerance;
      if (now.converged)
        break;
      Eigen::MatrixXd system = now.information;
      system.diagonal() += penalty;
      poll();
      const Eigen::PartialPivLU<Eigen::MatrixXd> parts(system);
      if (!(parts.rcond() > std::numeric_limits<double>::epsilon()))
        break;
      const Eigen::VectorXd move = parts.solve(slope);
      const double value = penalised(now, penalty);
      CoxPoint next;
      double length = 1.0;
      for (int halving = 0; halving <= 30; ++halving, length *= 0.5) {
        next = at(now.beta + length * move);
        if (penalised(next, penalty) >= value - 1e-12 * std::abs(value))
          break;
      }
      now = std::move(next);
    }
    return now;
  }

  double n_events() const { return times_.deaths.sum(); }

private:
  // With a thousand samples each product of matrices takes a good part of a second.
  void poll() const {
    if (runtime_.stop_requested())
      throw Interrupted();
  }

  // The hazard of a sample of link 0, cumulative up to the time of each row, with the part 1 - l /
  // m of their own steps for events.
  Eigen::VectorXd lived_through(const Eigen::VectorXd &at_risk) const {
    const Index m = at_risk.size();
    Eigen::VectorXd sums = Eigen::VectorXd::Zero(m + 1), spared = sums, out(z_.rows());
    for (Index t = m; t-- > 0;) {
      const double step = times_.deaths[t] / at_risk[t];
      const bool shared = t + 1 < m && times_.last[t + 1] == times_.last[t];
      sums[t] = sums[t + 1] + step;
      spared[t] = (shared ? spared[t + 1] : 0.0) + times_.gone[t] * step;
    }
    for (Index i = 0; i < out.size(); ++i) {
      const int t = times_.first[i];
      out[i] = times_.event[i] > 0.0 ? sums[t] - spared[t] : sums[t];
    }
    return out;
  }

  static double penalised(const CoxPoint &point, const Eigen::VectorXd &penalty) {
    return point.likelihood - 0.5 * (penalty.array() * point.beta.array().square()).sum();
  }

  const ConstMatrix &z_;
  const CoxTimes &times_;
  const Eigen::VectorXd &offset_;
  const Runtime &runtime_;
  bool ties_;
};

} // namespace ridge_cox_detail

// The log partial likelihood minus the sum of penalty / 2 beta^2.
inline CoxPoint fit_ridge_cox(const ConstMatrix &z, const CoxTimes &times,
                              const Eigen::VectorXd &penalty, const Eigen::VectorXd &start,
                              const Eigen::VectorXd &offset, const Runtime &runtime) {
  return ridge_cox_detail::Cox(z, times, offset, runtime).maximise(penalty, start);
}

// The penalty with the smallest AIC of the penalised likelihood (Verweij & van Houwelingen 1994),
// corrected for few events (Hurvich & Tsai 1989, with events for samples): -2 l + 2 df D / (D - df
// - 1), from large penalties down to 1 + df > D / 2. The first `n_free` columns have no penalty.
inline CoxChoice choose_ridge_cox(const ConstMatrix &z, const CoxTimes &times, Index n_free,
                                  const Runtime &runtime) {
  const Eigen::VectorXd offset = Eigen::VectorXd::Zero(z.rows());
  const ridge_cox_detail::Cox cox(z, times, offset, runtime);
  const Index d = z.cols(), n_penalised = d - n_free;
  Eigen::VectorXd penalised = Eigen::VectorXd::Ones(d);
  penalised.head(n_free).setZero();
  const double n_events = cox.n_events();
  const double size = z.rightCols(n_penalised).colwise().squaredNorm().maxCoeff() * n_events /
                      static_cast<double>(z.rows());
  CoxChoice best;
  CoxPoint fit;
  fit.beta = Eigen::VectorXd::Zero(d);
  for (int step = 0; step <= 18; ++step) {
    const double lambda = size * std::pow(10.0, 2.0 - step / 3.0);
    fit = cox.maximise(lambda * penalised, fit.beta);
    if (!fit.converged)
      break;
    Eigen::MatrixXd system = fit.information;
    system.diagonal() += lambda * penalised;
    const double df = Eigen::PartialPivLU<Eigen::MatrixXd>(system).solve(fit.information).trace();
    if (1.0 + df > n_events / 2.0)
      break;
    const double error = -2.0 * fit.likelihood + 2.0 * df * n_events / (n_events - df - 1.0);
    if (error < best.error)
      best = {fit, lambda, error};
  }
  if (best.lambda > 0.0)
    return best;
  // Almost no weight for features; without other columns, none.
  best.lambda = 100.0 * size;
  best.point = n_free > 0 ? cox.maximise(best.lambda * penalised, Eigen::VectorXd::Zero(d))
                          : cox.at(Eigen::VectorXd::Zero(d));
  best.point.converged = best.point.converged || n_free == 0;
  return best;
}

} // namespace stabilect

#endif
