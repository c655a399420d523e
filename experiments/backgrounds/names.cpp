// Names of find_signals() with other priors of the background, from the headers of the package. run.R
// compiles it.

// [[Rcpp::depends(RcppEigen, sitmo)]]
// [[Rcpp::plugins(cpp14)]]
#include <RcppEigen.h>

#include "stabilect/signal/find_signals.h"

using namespace stabilect;

namespace {

SparsePrior prior_with(const Rcpp::DataFrame &backgrounds, double ratio, bool classes, Index n) {
  SparsePrior prior = classes ? SparsePrior::for_classes(n) : SparsePrior::for_numbers();
  const Rcpp::NumericVector tau = backgrounds["tau"], weight = backgrounds["weight"];
  const Rcpp::IntegerVector leading = backgrounds["leading"];
  prior.backgrounds.clear();
  for (int k = 0; k < tau.size(); ++k)
    prior.backgrounds.push_back({tau[k], leading[k], weight[k]});
  prior.ratio = ratio;
  return prior;
}

Rcpp::List named_and_shown(const NeighbourNames &names) {
  Rcpp::NumericVector feature, probability;
  Rcpp::LogicalVector named;
  for (bool above : {true, false})
    for (const NamedFeature &one : above ? names.named : names.shown) {
      feature.push_back(one.feature + 1);
      probability.push_back(one.probability);
      named.push_back(above);
    }
  return Rcpp::List::create(Rcpp::_["feature"] = feature, Rcpp::_["probability"] = probability,
                            Rcpp::_["named"] = named,
                            Rcpp::_["background"] = names.background.probability);
}

} // namespace

// One answer for each prior, a list(backgrounds (data frame: tau, leading, weight), ratio).
// [[Rcpp::export]]
Rcpp::List names_by_prior(const Eigen::Map<Eigen::MatrixXd> x, const Eigen::Map<Eigen::VectorXd> y,
                          bool classes, double seed, const Rcpp::List &priors) {
  const Index n = x.rows();
  const Eigen::MatrixXd one = Eigen::MatrixXd::Constant(n, 1, 1.0 / std::sqrt(1.0 * n));
  const SignalData data = signal_data(x, y, one);
  Rcpp::List out(priors.size());
  for (int k = 0; k < priors.size(); ++k) {
    const Rcpp::List given = priors[k];
    const SparsePrior prior = prior_with(given["backgrounds"], given["ratio"], classes, n);
    ChainLength length;
    length.burn = classes ? 400 : 800;
    const Runtime runtime;
    Passes passes(runtime);
    const SparsePosterior posterior =
        sparse_posterior(data, one, y, prior, length, static_cast<std::uint64_t>(seed), passes);
    out[k] = named_and_shown(neighbour_names(data, posterior));
  }
  return out;
}
