#include "r_convert.h"
#include "r_runtime.h"
#include "stabilect/signal/find_signals.h"

using namespace stabilect;

namespace {

NullDraws null_draws(const std::string &null, const SignalData &data,
                     const Rcpp::IntegerVector &blocks, int n_null, double seed) {
  const std::uint64_t word = r::as_seed(seed);
  return r::choice<NullKind>("null", null,
                             {{"rotation", NullKind::rotation},
                              {"permutation", NullKind::permutation}}) == NullKind::rotation
             ? NullDraws::rotations(data.m(), n_null, word)
             : NullDraws::permutations(r::from_zero(blocks), n_null, word);
}

Rcpp::List wrap_named(const NamedFeatures &named) {
  return Rcpp::List::create(Rcpp::_["feature"] = r::from_one(named.features),
                            Rcpp::_["statistic"] = named.statistics, Rcpp::_["p"] = named.p);
}

Rcpp::List wrap_steps(const ForwardSteps &steps) {
  return Rcpp::List::create(Rcpp::_["feature"] = r::from_one(steps.features),
                            Rcpp::_["statistic"] = steps.statistics, Rcpp::_["p"] = steps.p,
                            Rcpp::_["n_accepted"] = steps.n_accepted);
}

Rcpp::List wrap_sets(const Array<CredibleSet> &sets) {
  Rcpp::List out(sets.size());
  for (Index k = 0; k < sets.size(); ++k)
    out[k] = Rcpp::List::create(Rcpp::_["feature"] = r::from_one(sets[k].features),
                                Rcpp::_["probability"] = sets[k].probability,
                                Rcpp::_["purity"] = sets[k].purity);
  return out;
}

// Correlations of all features with the selected ones, adjusted for the covariates: p x s.
Eigen::MatrixXd named_correlations(const SignalData &data, const Array<int> &named) {
  Eigen::MatrixXd out(data.p(), named.size());
  for (Index k = 0; k < named.size(); ++k)
    out.col(k) = data.x.transpose() * data.x.col(named[k]);
  return out;
}

Rcpp::List wrap_signals(const SignalData &data, const Signals &found) {
  return Rcpp::List::create(
      Rcpp::_["correlation"] = r::wrap(found.correlation), Rcpp::_["p"] = found.adjusted_p,
      Rcpp::_["maxima"] = r::wrap(found.maxima), Rcpp::_["band"] = r::wrap(found.band),
      Rcpp::_["global_p"] = found.global_p, Rcpp::_["steps"] = wrap_steps(found.steps),
      Rcpp::_["named"] = wrap_named(found.named), Rcpp::_["sets"] = wrap_sets(found.sets),
      Rcpp::_["near"] = r::wrap(named_correlations(data, found.named.features)),
      Rcpp::_["length"] = r::wrap(data.x_norm));
}

} // namespace

// Signals of x (n x p) in y. covariates: n x q, orthonormal, with the intercept in their span;
// blocks: numbers from 1, samples are exchanged within one; features in the answer count from 1.
// [[Rcpp::export(rng = false)]]
Rcpp::List cpp_find_signals(const Rcpp::NumericMatrix &x, const Rcpp::NumericVector &y,
                            const Rcpp::NumericMatrix &covariates,
                            const Rcpp::IntegerVector &blocks, const std::string &null, int n_null,
                            double seed, int n_threads, SEXP progress) {
  const Runtime runtime = make_runtime(n_threads, progress);
  Passes passes(runtime);
  const SignalData data =
      signal_data(r::as_map(x), r::as_vector(y), r::as_map(covariates), passes.next());
  const NullDraws draws = null_draws(null, data, blocks, n_null, seed);
  return wrap_signals(data, find_signals(data, draws, SignalOptions(), passes));
}
