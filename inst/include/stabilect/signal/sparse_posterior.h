#ifndef STABILECT_SPARSE_POSTERIOR_H
#define STABILECT_SPARSE_POSTERIOR_H

// The posterior of sparse models (sparse_prior.h) by several chains. Chain c uses only the random
// numbers of the stream (seed, first + c).

#include <cstdint>

#include "stabilect/signal/signal_data.h"
#include "stabilect/signal/sparse_chain.h"

namespace stabilect {

struct ChainRecord {
  Array<Array<int>> states; // features of every kept model
  Array<double> inclusion;  // by feature
  double background = 0.0;  // share of kept states with a background
};

struct SparsePosterior {
  Array<ChainRecord> chains;
};

namespace signal_detail {

// The directions in which features vary most, of length such that K has the mean eigenvalue 1.
inline Eigen::MatrixXd leading_directions(const SignalData &data) {
  if (data.in_samples()) {
    const double least = 1e-10 * std::max(data.spectrum.maxCoeff(), 1e-300);
    return data.directions.rightCols((data.spectrum.array() > least).count());
  }
  const Index m = data.m(), most = std::min(m, kMostDirections);
  const Eigen::VectorXd largest = data.spectrum.tail(most); // ascending
  const Index k = (largest.array() > 1e-10 * std::max(largest.maxCoeff(), 1e-300)).count();
  return data.basis.rightCols(k) * largest.tail(k).cwiseSqrt().asDiagonal();
}

inline ChainRecord run_chain(const SparseData &sparse, const SparsePrior &prior,
                             const ChainLength &length, Rng rng, const Runtime &runtime,
                             const std::function<void(double)> &part) {
  constexpr int kAsk = 8;
  SparseChain chain(sparse, prior, rng, length.refresh);
  ChainRecord record;
  const int total = length.burn + length.keep;
  for (int i = 0; i < total; ++i) {
    if (i % kAsk == 0 && runtime.stop_requested())
      return record;
    if (i == length.burn)
      chain.record();
    chain.step();
    part(1.0 * i / total);
    if (i < length.burn || i % length.thin != 0)
      continue;
    record.states.push_back(chain.state().features);
    record.background += prior.backgrounds[chain.state().background].tau > 0.0 ? 1.0 : 0.0;
  }
  record.background /= std::max<double>(1.0, record.states.size());
  for (Index j = 0; j < sparse.panels.p(); ++j)
    record.inclusion.push_back(chain.inclusion(j));
  return record;
}

} // namespace signal_detail

// Features that vary, in panels; `features`: their numbers.
inline SparseData sparse_data(const SignalData &data, const Eigen::MatrixXd &covariates,
                              const SparsePrior &prior, const Array<int> &features,
                              const Runtime &runtime) {
  const double length = std::sqrt(static_cast<double>(data.degrees));
  const auto column = [&data, &features, length](int j) -> Eigen::VectorXd {
    return length * data.samples_of(data.x.col(features[j]));
  };
  SparseData out;
  out.space.covariates = covariates;
  out.space.directions = signal_detail::leading_directions(data);
  out.space.precision = prior.covariate_precision;
  out.panels.resize(covariates.rows(), features.size());
  run_tasks(out.panels.n_panels(), runtime, [&](Index k) {
    const Index from = k * kWidePanel, end = std::min(from + kWidePanel, features.size());
    for (Index j = from; j < end; ++j)
      out.panels.set_column(j, column(static_cast<int>(j)));
  });
  out.column = column;
  out.y = length * data.samples_of(data.y);
  return out;
}

// `covariates`: as in signal_data(). Features are numbered as in `data`; classes: y is -1 or 1.
inline SparsePosterior sparse_posterior(const SignalData &data, const Eigen::MatrixXd &covariates,
                                        const ConstVector &y, SparsePrior prior,
                                        const ChainLength &length, std::uint64_t seed,
                                        Passes &passes, Index first = 0) {
  Array<int> features;
  for (Index j = 0; j < data.p(); ++j)
    if (data.varies(j))
      features.push_back(static_cast<int>(j));
  // A background of features that all fit in one model says nothing else than this model.
  if (features.size() <= prior.most)
    prior.backgrounds = {Background()};
  else
    prior.fit_grids(data.degrees, static_cast<Index>(features.size()));
  SparseData sparse = sparse_data(data, covariates, prior, features, passes.next());
  if (prior.classes)
    sparse.y = (y.array() > 0.5 * (y.minCoeff() + y.maxCoeff()))
                   .select(Eigen::VectorXd::Ones(y.size()), -Eigen::VectorXd::Ones(y.size()));
  SparsePosterior out;
  out.chains.resize(length.chains);
  run_long_tasks(length.chains, passes.next(),
                 [&](Index c, const std::function<void(double)> &part) {
                   ChainRecord found = signal_detail::run_chain(
                       sparse, prior, length, Rng(seed, first + c, domain_tag("signal chain")),
                       passes.silent(), part);
                   ChainRecord &chain = out.chains[c];
                   chain.background = found.background;
                   chain.inclusion.assign(data.p(), 0.0);
                   for (Index j = 0; j < found.inclusion.size(); ++j)
                     chain.inclusion[features[j]] = found.inclusion[j];
                   for (Array<int> &state : found.states) {
                     for (int &j : state)
                       j = features[j];
                     chain.states.push_back(std::move(state));
                   }
                 });
  return out;
}

} // namespace stabilect

#endif
