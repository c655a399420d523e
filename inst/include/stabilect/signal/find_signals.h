#ifndef STABILECT_FIND_SIGNALS_H
#define STABILECT_FIND_SIGNALS_H

#include <utility>

#include "stabilect/signal/neighbour_names.h"
#include "stabilect/signal/null_band.h"
#include "stabilect/signal/null_draws.h"
#include "stabilect/signal/null_maxima.h"
#include "stabilect/signal/passes.h"

namespace stabilect {

struct SignalOptions {
  SparsePrior prior;
  ChainLength length;
  NamingOptions naming;
  double gate = 0.05; // the largest p of any signal with which features are named
  std::uint64_t seed = 0;
};

struct Signals {
  Eigen::VectorXd correlation; // p: with the response, both without the covariates
  Array<double> adjusted_p;    // p: step-down, family-wise
  Eigen::VectorXd maxima;      // of the draws
  Eigen::MatrixXd band;        // 2 x ranks, see null_band()
  double global_p = 1.0;
  bool sampled = false; // names only if there is signal
  NeighbourNames names;
};

namespace signal_detail {

// Step-down p values of the absolute correlations, and the p of the largest.
inline void marginal_evidence(const SignalData &data, const NullDraws &draws, Passes &passes,
                              Signals &out) {
  out.correlation = data.x.transpose() * data.y;
  const Index p = data.p();
  const Array<int> order = ascending(out.correlation);
  Array<double> level(p);
  for (Index k = 0; k < p; ++k)
    level[k] = std::fabs(out.correlation[order[k]]) - float_slack(data.m());
  Eigen::MatrixXd responses = draws.responses(data, data.y, passes.silent());
  responses.colwise().normalize();
  const StepDown down =
      step_down(ColumnPanels(data.x, order), DrawTiles(responses), level, passes.next());
  out.maxima = down.maxima;
  const Index shown = std::min<Index>(responses.cols(), 99);
  out.band = null_band(data, responses.leftCols(shown), passes.next());
  out.adjusted_p = step_down_p(down, order);
  out.global_p = p > 0 ? out.adjusted_p[order[p - 1]] : 1.0;
}

} // namespace signal_detail

// Is there signal, and which features carry it? The evidence of ?find_signals. `covariates`: as in
// signal_data(); `y`: as it was there.
inline Signals find_signals(const SignalData &data, const Eigen::MatrixXd &covariates,
                            const ConstVector &y, const NullDraws &draws,
                            const SignalOptions &options, Passes &passes) {
  Signals out;
  signal_detail::marginal_evidence(data, draws, passes, out);
  out.sampled = out.global_p <= options.gate && data.x_norm.maxCoeff() > 0.0;
  if (out.sampled)
    out.names = neighbour_names(
        data,
        sparse_posterior(data, covariates, y, options.prior, options.length, options.seed, passes),
        options.naming);
  passes.finish();
  return out;
}

} // namespace stabilect

#endif
