#ifndef STABILECT_FIND_SIGNALS_H
#define STABILECT_FIND_SIGNALS_H

#include <utility>

#include "stabilect/signal/class_names.h"
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
  // Of several classes, by sample, from 1, each named against all others; 0: of a class that is
  // not.
  Array<int> codes;
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

// An orthonormal basis of every `k` columns in turn, in their place (Gram and Schmidt, twice).
inline void orthonormalise(Eigen::MatrixXd &columns, Index k) {
  for (Index c = 0; c < columns.cols(); ++c) {
    columns.col(c).normalize();
    for (Index pass = 0; pass < 2; ++pass)
      for (Index before = c - c % k; before < c; ++before) {
        columns.col(c) -= columns.col(before).dot(columns.col(c)) * columns.col(before);
        columns.col(c).normalize();
      }
  }
}

// Step-down p values of the absolute correlations, and the p of the largest. `scores` (m x k):
// orthonormal; of several, the correlation is the multiple one.
inline void marginal_evidence(const SignalData &data, const Eigen::MatrixXd &scores,
                              const NullDraws &draws, Passes &passes, Signals &out) {
  const Index p = data.p(), k = scores.cols();
  out.correlation = k == 1 ? Eigen::VectorXd(data.x.transpose() * scores.col(0))
                           : lengths_of(data.x.transpose() * scores);
  const Array<int> order = ascending(out.correlation.cwiseAbs());
  Array<double> level(p);
  const double slack = data.in_samples() ? likely_slack(data.m(), k) : float_slack(data.m(), k);
  for (Index j = 0; j < p; ++j)
    level[j] = std::fabs(out.correlation[order[j]]) - slack;
  Eigen::MatrixXd responses = draws.responses(data, scores, passes.silent());
  orthonormalise(responses, k);
  const StepDown down =
      step_down(ColumnPanels(data.x, order), DrawTiles(responses, k), level, passes.next());
  out.maxima = down.maxima;
  const Index shown = std::min<Index>(responses.cols() / k, 99);
  out.band = null_band(data, responses.leftCols(shown * k), k, passes.next());
  out.adjusted_p = step_down_p(down, order);
  out.global_p = p > 0 ? out.adjusted_p[order[p - 1]] : 1.0;
}

inline NeighbourNames names_of(const SignalData &data, const Eigen::MatrixXd &covariates,
                               const ConstVector &y, const SignalOptions &options, Passes &passes,
                               Index first = 0) {
  return neighbour_names(data,
                         sparse_posterior(data, covariates, y, options.prior, options.length,
                                          options.seed, passes, first),
                         options.naming);
}

// A posterior for each class against all others; each has chains, and random numbers, of its own.
inline NeighbourNames names_of_classes(const SignalData &data, const Eigen::MatrixXd &covariates,
                                       const SignalOptions &options, Passes &passes) {
  const Array<int> &codes = options.codes;
  Array<NeighbourNames> by_class(*std::max_element(codes.begin(), codes.end()));
  for (Index k = 0; k < by_class.size(); ++k) {
    Eigen::VectorXd own(codes.size());
    for (Index i = 0; i < codes.size(); ++i)
      own[i] = codes[i] == k + 1 ? 1.0 : -1.0;
    if (own.maxCoeff() > 0.0)
      by_class[k] = names_of(data, covariates, own, options, passes, k * options.length.chains);
  }
  return join_classes(data, codes, by_class, options.naming);
}

} // namespace signal_detail

// Is there signal, and which features carry it? The evidence of ?find_signals. `covariates`: as in
// signal_data(); `y`: n x k linearly independent scores, the first one as it was there. Several
// scores are those of several classes, and have names only with `codes`.
inline Signals find_signals(const SignalData &data, const Eigen::MatrixXd &covariates,
                            const ConstMatrix &y, const NullDraws &draws,
                            const SignalOptions &options, Passes &passes) {
  Signals out;
  Eigen::MatrixXd scores = data.y;
  if (y.cols() > 1) {
    scores = data.coordinates_of(y);
    signal_detail::orthonormalise(scores, y.cols());
  }
  signal_detail::marginal_evidence(data, scores, draws, passes, out);
  out.sampled = out.global_p <= options.gate && data.x_norm.maxCoeff() > 0.0;
  if (out.sampled)
    out.names = options.codes.empty()
                    ? signal_detail::names_of(data, covariates, y.col(0), options, passes)
                    : signal_detail::names_of_classes(data, covariates, options, passes);
  passes.finish();
  return out;
}

} // namespace stabilect

#endif
