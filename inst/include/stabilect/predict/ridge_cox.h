#ifndef STABILECT_RIDGE_COX_H
#define STABILECT_RIDGE_COX_H

// Cox's partial likelihood with a ridge penalty, maximised by Newton's method. With the ties of
// Efron (1977) a time with m events is m steps; at step l each of these events counts 1 - l / m.

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "stabilect/base/runtime.h"
#include "stabilect/base/types.h"
#include "stabilect/predict/products.h"

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
        ties_(times.gone.size() > 0 && times.gone.maxCoeff() > 0.0), ld_(pad_rows(z.cols())),
        rows_(Eigen::MatrixXd::Zero(ld_, z.rows())) {
    rows_.topRows(z.cols()) = z.transpose();
  }

  // whole: with the information.
  CoxPoint at(const Eigen::VectorXd &beta, bool whole) const {
    poll();
    const Index n = z_.rows(), m = times_.last.size();
    CoxPoint out;
    out.beta = beta;
    Eigen::VectorXd link = z_ * beta + offset_;
    link.array() -= link.maxCoeff();
    const Eigen::VectorXd risk = link.cwiseMax(kFar).array().exp();
    const bool far = link.minCoeff() < kFar;
    Eigen::VectorXd at_risk(m);
    Eigen::VectorXd sums = Eigen::VectorXd::Zero(ld_), own_sums = sums; // own: of events
    Eigen::MatrixXd means(ld_, whole ? m : 0);
    const double nothing = -std::numeric_limits<double>::infinity();
    double total = 0.0, own = 0.0, log_total = nothing, log_own = nothing;
    out.likelihood = times_.event.dot(link);
    for (Index i = 0, t = 0; i < n && t < m; ++i) {
      total += risk[i];
      if (whole)
        sums += risk[i] * rows_.col(i);
      log_total = far ? (i == 0 ? link[0] : log_sum(log_total, link[i])) : 0.0;
      if (ties_ && times_.event[i] > 0.0) {
        own += risk[i];
        if (whole)
          own_sums += risk[i] * rows_.col(i);
        log_own = far ? log_sum(log_own, link[i]) : 0.0;
      }
      for (; t < m && times_.last[t] == i; ++t) {
        const double gone = times_.gone[t];
        at_risk[t] = gone > 0.0 ? total - gone * own : total;
        if (whole)
          means.col(t) = sums * (std::sqrt(times_.deaths[t]) / at_risk[t]);
        if (whole && gone > 0.0)
          means.col(t) -= own_sums * (gone * std::sqrt(times_.deaths[t]) / at_risk[t]);
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
    if (whole)
      out.information = information(hazard, means);
    return out;
  }

  // From a point, with or without information. Newton's method keeps the factor of an earlier point
  // while steps with it make the slope small fast. Halves a step that does not raise the penalised
  // likelihood. Loosely: until the likelihood is right to about 1e-11 of itself.
  CoxPoint maximise(const Eigen::VectorXd &penalty, CoxPoint now, bool loosely = false) const {
    const double tolerance = (loosely ? kLoose : 1e-9) * n_events();
    Eigen::LLT<Eigen::MatrixXd> factor;
    bool fresh = now.information.size() > 0, factored = false;
    double before = std::numeric_limits<double>::infinity();
    now.converged = false;
    for (int iteration = 0, factors = 0; factors <= 50 && iteration < 500; ++iteration) {
      const Eigen::VectorXd slope = now.gradient - penalty.cwiseProduct(now.beta);
      const double steep = slope.size() == 0 ? 0.0 : slope.cwiseAbs().maxCoeff();
      const bool slow = !(steep < kFast * before);
      now.converged = steep <= (slow || loosely ? tolerance : kClose * tolerance);
      if (now.converged)
        break;
      if (!factored || slow) {
        if (!fresh)
          now = at(now.beta, true);
        fresh = factored = true;
        ++factors;
        if (!factorise(now.information, penalty, &factor))
          break;
      }
      before = steep;
      const CoxPoint next = stepped(now, penalty, factor.solve(slope));
      fresh = false;
      now = next;
    }
    if (!fresh) {
      const bool converged = now.converged;
      now = at(now.beta, true);
      now.converged = converged;
    }
    return now;
  }

  // Information plus penalty; false if this is not certainly positive.
  bool factorise(const Eigen::MatrixXd &information, const Eigen::VectorXd &penalty,
                 Eigen::LLT<Eigen::MatrixXd> *factor) const {
    poll();
    Eigen::MatrixXd system = information;
    system.diagonal() += penalty;
    factor->compute(system);
    return factor->info() == Eigen::Success &&
           factor->rcond() > std::numeric_limits<double>::epsilon();
  }

  double n_events() const { return times_.deaths.sum(); }

private:
  // A slope that falls to this share in a step with an old factor falls fast. A tolerance is met
  // by so much more as Newton's last step would.
  static constexpr double kFast = 0.2, kClose = 1e-4, kLoose = 1e-6;

  CoxPoint stepped(const CoxPoint &now, const Eigen::VectorXd &penalty,
                   const Eigen::VectorXd &move) const {
    const double value = penalised(now, penalty);
    CoxPoint next;
    double length = 1.0;
    for (int halving = 0; halving <= 30; ++halving, length *= 0.5) {
      next = at(now.beta + length * move, false);
      if (penalised(next, penalty) >= value - 1e-12 * std::abs(value))
        break;
    }
    return next;
  }

  // means: of the samples at risk, times the root of deaths; a column for each time.
  Eigen::MatrixXd information(const Eigen::VectorXd &hazard, const Eigen::MatrixXd &means) const {
    const Index d = z_.cols();
    const Eigen::MatrixXd weighted = rows_ * hazard.cwiseMax(0.0).cwiseSqrt().asDiagonal();
    Eigen::MatrixXd sums = Eigen::MatrixXd::Zero(ld_, ld_);
    Array<int> all(std::max(weighted.cols(), means.cols()));
    std::iota(all.begin(), all.end(), 0);
    add_all_products(weighted.data(), ld_, all.data(), weighted.cols(), 1.0, sums.data());
    poll();
    add_all_products(means.data(), ld_, all.data(), means.cols(), -1.0, sums.data());
    poll();
    return sums.topLeftCorner(d, d).selfadjointView<Eigen::Lower>();
  }

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
  Index ld_;
  Eigen::MatrixXd rows_; // of z as columns, padded
};

// The largest eigenvalue of z'z.
inline double largest_square(const Eigen::MatrixXd &z) {
  const Index n = std::min(z.rows(), z.cols());
  Eigen::MatrixXd squares = Eigen::MatrixXd::Zero(n, n);
  if (z.cols() > z.rows())
    squares.selfadjointView<Eigen::Lower>().rankUpdate(z);
  else
    squares.selfadjointView<Eigen::Lower>().rankUpdate(z.transpose());
  return Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(squares, Eigen::EigenvaluesOnly)
      .eigenvalues()
      .maxCoeff();
}

} // namespace ridge_cox_detail

// The log partial likelihood minus the sum of penalty / 2 beta^2.
inline CoxPoint fit_ridge_cox(const ConstMatrix &z, const CoxTimes &times,
                              const Eigen::VectorXd &penalty, const Eigen::VectorXd &start,
                              const Eigen::VectorXd &offset, const Runtime &runtime) {
  const ridge_cox_detail::Cox cox(z, times, offset, runtime);
  return cox.maximise(penalty, cox.at(start, true));
}

// The penalty with the smallest AIC of the penalised likelihood (Verweij & van Houwelingen 1994),
// corrected for few events (Hurvich & Tsai 1989, with events for samples): -2 l + 2 df D / (D - df
// - 1), from large penalties down to 1 + df > D / 2. The first `n_free` columns have no penalty. Of
// many samples only the model of the chosen penalty is solved to the end.
inline CoxChoice choose_ridge_cox(const ConstMatrix &z, const CoxTimes &times, Index n_free,
                                  const Runtime &runtime) {
  const Eigen::VectorXd offset = Eigen::VectorXd::Zero(z.rows());
  const ridge_cox_detail::Cox cox(z, times, offset, runtime);
  const Index d = z.cols(), n_penalised = d - n_free;
  Eigen::VectorXd penalised = Eigen::VectorXd::Ones(d);
  penalised.head(n_free).setZero();
  const double n_events = cox.n_events();
  const double size = ridge_cox_detail::largest_square(z.rightCols(n_penalised)) * n_events /
                      static_cast<double>(z.rows());
  const bool loosely = z.rows() > kManySamples;
  CoxChoice best;
  CoxPoint fit = cox.at(Eigen::VectorXd::Zero(d), true);
  for (int step = 0; step <= 18; ++step) {
    const double lambda = size * std::pow(10.0, 2.0 - step / 3.0);
    fit = cox.maximise(lambda * penalised, std::move(fit), loosely);
    Eigen::LLT<Eigen::MatrixXd> factor;
    if (!fit.converged || !cox.factorise(fit.information, lambda * penalised, &factor))
      break;
    // The trace of (I + lambda)^-1 I.
    const Eigen::MatrixXd root =
        factor.matrixL().solve(Eigen::MatrixXd::Identity(d, d)).rightCols(n_penalised);
    const double df = static_cast<double>(d) - lambda * root.squaredNorm();
    if (1.0 + df > n_events / 2.0)
      break;
    const double error = -2.0 * fit.likelihood + 2.0 * df * n_events / (n_events - df - 1.0);
    if (error < best.error)
      best = {fit, lambda, error};
  }
  if (best.lambda > 0.0) {
    if (loosely)
      best.point = cox.maximise(best.lambda * penalised, std::move(best.point));
    return best;
  }
  // Almost no weight for features; without other columns, none.
  best.lambda = 100.0 * size;
  best.point = cox.at(Eigen::VectorXd::Zero(d), true);
  if (n_free > 0)
    best.point = cox.maximise(best.lambda * penalised, std::move(best.point));
  best.point.converged = best.point.converged || n_free == 0;
  return best;
}

} // namespace stabilect

#endif
