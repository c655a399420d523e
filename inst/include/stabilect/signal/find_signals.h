#ifndef STABILECT_FIND_SIGNALS_H
#define STABILECT_FIND_SIGNALS_H

#include <utility>

#include "stabilect/base/passes.h"
#include "stabilect/signal/class_names.h"
#include "stabilect/signal/null_band.h"
#include "stabilect/signal/null_draws.h"
#include "stabilect/signal/null_maxima.h"

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

// The classes that have names, from 1; 0 where the response itself has.
inline Array<int> posteriors_of(const SignalOptions &options) {
  Array<int> out(options.codes.begin(), options.codes.end());
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  if (out.empty())
    return {0};
  if (out[0] == 0)
    out.erase(out.begin());
  return out;
}

// The response of one posterior: of a class against all others.
inline Eigen::VectorXd response_of(int of_class, Eigen::VectorXd own, const Array<int> &codes) {
  for (Index i = 0; of_class > 0 && i < codes.size(); ++i)
    own[i] = codes[i] == of_class ? 1.0 : -1.0;
  return own;
}

class NamesOfSignals {
public:
  NamesOfSignals(const SignalData &data, const Eigen::MatrixXd &covariates, Eigen::VectorXd y,
                 const FeatureVersions &versions, const SignalOptions &options, Passes &passes)
      : data_(data), covariates_(covariates), y_(std::move(y)), versions_(versions),
        options_(options), passes_(passes), classes_(posteriors_of(options)),
        drawn_(classes_.size()) {}

  NeighbourNames run() {
    if (versions_.empty())
      draw(data_, 0, options_.length);
    else
      draw_versions();
    const UnitColumn column =
        versions_.empty() ? unit_columns(data_) : unit_columns(versions_, covariates_);
    if (options_.codes.empty())
      return neighbour_names(column, data_.p(), drawn_[0], options_.naming);
    Array<NeighbourNames> by_class(classes_.empty() ? 0 : classes_[classes_.size() - 1]);
    for (Index c = 0; c < classes_.size(); ++c)
      by_class[classes_[c] - 1] = neighbour_names(column, data_.p(), drawn_[c], options_.naming);
    return join_classes(data_, column, options_.codes, by_class, options_.naming);
  }

private:
  // Each posterior has chains, and random numbers, of its own.
  void draw(const SignalData &data, Index first, const ChainLength &length) {
    for (Index c = 0; c < classes_.size(); ++c) {
      const Index own = std::max(classes_[c] - 1, 0) * options_.length.chains;
      SparsePosterior found =
          sparse_posterior(data, covariates_, response_of(classes_[c], y_, options_.codes),
                           options_.prior, length, options_.seed, passes_, first + own);
      for (ChainRecord &chain : found.chains)
        drawn_[c].chains.push_back(std::move(chain));
    }
  }

  // Two chains for each version: the names, and their Monte Carlo errors, are those of all.
  void draw_versions() {
    constexpr Index kStreams = 1000000; // more than there are classes times chains
    ChainLength length = options_.length;
    length.chains = 2;
    for (Index m = 0; m < versions_.values.size(); ++m)
      draw(signal_data(versions_.version(m), y_, covariates_, passes_.silent()), m * kStreams,
           length);
  }

  const SignalData &data_;
  const Eigen::MatrixXd &covariates_;
  Eigen::VectorXd y_;
  const FeatureVersions &versions_;
  const SignalOptions &options_;
  Passes &passes_;
  Array<int> classes_;
  Array<SparsePosterior> drawn_; // of each class
};

} // namespace signal_detail

// Is there signal, and which features carry it? The evidence of ?find_signals. `covariates`: as in
// signal_data(); `y`: n x k linearly independent scores, the first one as it was there.
// Several scores are those of several classes, and have names only with `codes`. Names are those of
// the `versions`, if there are some.
inline Signals find_signals(const SignalData &data, const Eigen::MatrixXd &covariates,
                            const ConstMatrix &y, const NullDraws &draws,
                            const SignalOptions &options, Passes &passes,
                            const FeatureVersions &versions = FeatureVersions()) {
  Signals out;
  Eigen::MatrixXd scores = data.y;
  if (y.cols() > 1) {
    scores = data.coordinates_of(y);
    signal_detail::orthonormalise(scores, y.cols());
  }
  signal_detail::marginal_evidence(data, scores, draws, passes, out);
  out.sampled = out.global_p <= options.gate && data.x_norm.maxCoeff() > 0.0;
  if (out.sampled)
    out.names =
        signal_detail::NamesOfSignals(data, covariates, y.col(0), versions, options, passes).run();
  passes.finish();
  return out;
}

} // namespace stabilect

#endif
