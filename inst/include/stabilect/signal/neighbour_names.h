#ifndef STABILECT_NEIGHBOUR_NAMES_H
#define STABILECT_NEIGHBOUR_NAMES_H

// Names from the posterior of sparse models: for each feature the probability that it, or a
// neighbour, carries signal.

#include <algorithm>
#include <cmath>
#include <numeric>

#include "stabilect/signal/feature_versions.h"
#include "stabilect/signal/sparse_posterior.h"

namespace stabilect {

struct NamingOptions {
  double near = 0.7;  // absolute correlation of neighbours
  double level = 0.8; // probability from which a feature is named
  double shown = 0.5; // and from which it is shown
  Index most = 30;    // features considered, by their own probability
  double coverage = 0.95;
};

struct NamedFeature {
  int feature = 0;
  double probability = 0.0, error = 0.0; // Monte Carlo standard error, between chains
  int of_class = 0;                      // from 1, for which it is named; 0 without several classes
};

// The features that carry a name's signal in the models, the most frequent first.
struct SharedSignal {
  Array<int> features;
  Array<double> share; // of the models with this signal
};

struct NeighbourNames {
  Array<NamedFeature> named, shown;
  Array<SharedSignal> shared; // by name
  Array<double> inclusion;    // by feature of the data
  NamedFeature background;    // the probability of a background, without feature
};

namespace signal_detail {

// Mean and standard error of a mean over chains.
inline NamedFeature pooled(int feature, const Eigen::VectorXd &by_chain) {
  const double n = static_cast<double>(by_chain.size()), mean = by_chain.mean();
  const double spread = (by_chain.array() - mean).square().sum();
  return {feature, mean, n > 1.0 ? std::sqrt(spread / (n * (n - 1.0))) : 0.0, 0};
}

class Naming {
public:
  Naming(const UnitColumn &column, Index p, const SparsePosterior &posterior,
         const NamingOptions &options)
      : posterior_(posterior), options_(options), inclusion_(p) {
    for (const ChainRecord &chain : posterior.chains)
      for (Index j = 0; j < p; ++j)
        inclusion_[j] += chain.inclusion[j] / static_cast<double>(posterior.chains.size());
    order_candidates();
    correlate(column);
  }

  NeighbourNames run() const {
    NeighbourNames out;
    Array<Index> taken;
    choose(options_.level, taken, out.named);
    const Array<Index> names = taken;
    choose(options_.shown, taken, out.shown);
    for (Index c : names)
      out.shared.push_back(shared_by(c, names));
    out.inclusion = inclusion_;
    Eigen::VectorXd background(posterior_.chains.size());
    for (Index c = 0; c < background.size(); ++c)
      background[c] = posterior_.chains[c].background;
    out.background = pooled(0, background);
    return out;
  }

private:
  void order_candidates() {
    Array<int> order;
    for (Index j = 0; j < inclusion_.size(); ++j)
      if (inclusion_[j] > 0.0)
        order.push_back(static_cast<int>(j));
    std::stable_sort(order.begin(), order.end(),
                     [&](int a, int b) { return inclusion_[a] > inclusion_[b]; });
    order.resize(std::min(order.size(), options_.most));
    candidates_ = order;
  }

  // |r| of the candidates with all features of models; features are numbered by their first place.
  void correlate(const UnitColumn &column) {
    place_.assign(inclusion_.size(), -1);
    for (const ChainRecord &chain : posterior_.chains)
      for (const auto &state : chain.states)
        for (int k : state)
          if (place_[k] < 0) {
            place_[k] = static_cast<int>(used_.size());
            used_.push_back(k);
          }
    size_.resize(candidates_.size(), used_.size());
    for (int candidate : candidates_)
      columns_.push_back(column(candidate));
    for (Index u = 0; u < size_.cols(); ++u) {
      const Eigen::VectorXd own = column(used_[u]);
      for (Index c = 0; c < size_.rows(); ++c)
        size_(c, u) = std::fabs(columns_[c].dot(own));
    }
  }

  double between(Index a, Index b) const { return std::fabs(columns_[a].dot(columns_[b])); }

  // Does feature k carry the signal of candidate c, rather than that of another one?
  bool carries(int k, Index c, const Array<Index> &others) const {
    const double own = size_(c, place_[k]);
    if (!(own > options_.near))
      return false;
    return std::all_of(others.begin(), others.end(),
                       [&](Index o) { return o == c || own > size_(o, place_[k]); });
  }

  NamedFeature judge(Index c, const Array<Index> &others) const {
    Eigen::VectorXd by_chain(posterior_.chains.size());
    for (Index k = 0; k < by_chain.size(); ++k) {
      const auto &states = posterior_.chains[k].states;
      const Index hits = std::count_if(states.begin(), states.end(), [&](const Array<int> &state) {
        return std::any_of(state.begin(), state.end(),
                           [&](int j) { return carries(j, c, others); });
      });
      by_chain[k] = states.empty() ? 0.0 : 1.0 * hits / states.size();
    }
    return pooled(candidates_[c], by_chain);
  }

  // Candidates in their order, without neighbours of those already taken.
  void choose(double level, Array<Index> &taken, Array<NamedFeature> &out) const {
    for (Index c = 0; c < candidates_.size(); ++c) {
      const bool close = std::any_of(taken.begin(), taken.end(),
                                     [&](Index t) { return between(c, t) > options_.near; });
      if (close)
        continue;
      const NamedFeature found = judge(c, taken);
      if (found.probability < level)
        continue;
      out.push_back(found);
      taken.push_back(c);
    }
  }

  SharedSignal shared_by(Index c, const Array<Index> &names) const {
    Array<double> count(used_.size(), 0.0);
    double models = 0.0;
    for (const ChainRecord &chain : posterior_.chains)
      for (const auto &state : chain.states) {
        bool any = false;
        for (int k : state)
          if (carries(k, c, names)) {
            count[place_[k]] += 1.0;
            any = true;
          }
        models += any ? 1.0 : 0.0;
      }
    Array<int> order(count.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return count[a] > count[b]; });
    SharedSignal shared;
    double sum = 0.0;
    for (int u : order) {
      if (sum >= options_.coverage * models || count[u] == 0.0)
        break;
      sum += count[u];
      shared.features.push_back(used_[u]);
      shared.share.push_back(count[u] / models);
    }
    return shared;
  }

  const SparsePosterior &posterior_;
  NamingOptions options_;
  Array<double> inclusion_;
  Array<int> candidates_, used_, place_;
  Array<Eigen::VectorXd> columns_; // of the candidates
  Eigen::MatrixXd size_;
};

} // namespace signal_detail

// `p`: number of features.
inline NeighbourNames neighbour_names(const UnitColumn &column, Index p,
                                      const SparsePosterior &posterior,
                                      const NamingOptions &options = NamingOptions()) {
  return signal_detail::Naming(column, p, posterior, options).run();
}

} // namespace stabilect

#endif
