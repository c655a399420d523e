#include <set>

#include "r_convert.h"
#include "r_runtime.h"
#include "stabilect/signal/find_signals.h"
#include "stabilect/signal/kernel_maxima.h"

using namespace stabilect;

namespace {

// `places` (n x R from 1, or NULL): each permutation that there is, instead of drawing `n_null`.
NullDraws permutations(const Rcpp::IntegerVector &blocks,
                       const Rcpp::Nullable<Rcpp::IntegerMatrix> &places, int n_null, double seed) {
  if (places.isNotNull())
    return NullDraws::of_places(r::from_zero(Rcpp::IntegerVector(places.get())), blocks.size());
  return NullDraws::permutations(r::from_zero(blocks), n_null, r::as_seed(seed));
}

NullDraws null_draws(const std::string &null, const SignalData &data,
                     const Rcpp::IntegerVector &blocks,
                     const Rcpp::Nullable<Rcpp::IntegerMatrix> &places, int n_null, double seed) {
  return r::choice<NullKind>("null", null,
                             {{"rotation", NullKind::rotation},
                              {"permutation", NullKind::permutation}}) == NullKind::rotation
             ? NullDraws::rotations(blocks.size(), n_null, r::as_seed(seed))
             : permutations(blocks, places, n_null, seed);
}

Rcpp::List wrap_named(const Array<NamedFeature> &named) {
  Array<int> features, classes;
  Array<double> probability, error;
  for (const NamedFeature &one : named) {
    features.push_back(one.feature);
    probability.push_back(one.probability);
    error.push_back(one.error);
    classes.push_back(one.of_class);
  }
  return Rcpp::List::create(Rcpp::_["feature"] = r::from_one(features),
                            Rcpp::_["probability"] = probability, Rcpp::_["error"] = error,
                            Rcpp::_["class"] = classes);
}

Rcpp::List wrap_shared(const Array<SharedSignal> &shared) {
  Rcpp::List out(shared.size());
  for (Index k = 0; k < shared.size(); ++k)
    out[k] = Rcpp::List::create(Rcpp::_["feature"] = r::from_one(shared[k].features),
                                Rcpp::_["share"] = shared[k].share);
  return out;
}

// `changed`: columns from 1 that have versions, each of which has a matrix of them.
FeatureVersions feature_versions(const Rcpp::NumericMatrix &x, const Rcpp::IntegerVector &changed,
                                 const Rcpp::List &values) {
  FeatureVersions out;
  new (&out.x) Eigen::Map<const Eigen::MatrixXd>(r::as_map(x));
  out.columns = r::from_zero(changed);
  for (R_xlen_t m = 0; m < values.size(); ++m) {
    const Rcpp::NumericMatrix own = values[m];
    if (own.nrow() != x.nrow() || own.ncol() != changed.size())
      throw std::invalid_argument("values must have the rows of x and the changed columns");
    out.values.push_back(r::as_map(own));
  }
  return out;
}

// Correlations of all features with the selected ones, adjusted for the covariates: p x s.
Eigen::MatrixXd named_correlations(const SignalData &data, const Array<NamedFeature> &named,
                                   const FeatureVersions &versions,
                                   const Eigen::MatrixXd &covariates) {
  Eigen::MatrixXd out(data.p(), named.size());
  if (versions.empty()) {
    for (Index k = 0; k < named.size(); ++k)
      out.col(k) = data.x.transpose() * data.x.col(named[k].feature);
    return out;
  }
  const UnitColumn column = unit_columns(versions, covariates);
  Array<Eigen::VectorXd> of_names;
  for (const NamedFeature &one : named)
    of_names.push_back(column(one.feature));
  for (Index j = 0; j < data.p() && !of_names.empty(); ++j) {
    const Eigen::VectorXd own = column(static_cast<int>(j));
    for (Index k = 0; k < named.size(); ++k)
      out(j, k) = own.dot(of_names[k]);
  }
  return out;
}

Rcpp::List wrap_signals(const SignalData &data, const Signals &found,
                        const FeatureVersions &versions, const Eigen::MatrixXd &covariates) {
  const NeighbourNames &names = found.names;
  return Rcpp::List::create(
      Rcpp::_["correlation"] = r::wrap(found.correlation), Rcpp::_["p"] = found.adjusted_p,
      Rcpp::_["maxima"] = r::wrap(found.maxima), Rcpp::_["band"] = r::wrap(found.band),
      Rcpp::_["global_p"] = found.global_p, Rcpp::_["sampled"] = found.sampled,
      Rcpp::_["named"] = wrap_named(names.named), Rcpp::_["shown"] = wrap_named(names.shown),
      Rcpp::_["shared"] = wrap_shared(names.shared), Rcpp::_["inclusion"] = names.inclusion,
      Rcpp::_["background"] = wrap_named({names.background}),
      Rcpp::_["near"] = r::wrap(named_correlations(data, names.named, versions, covariates)),
      Rcpp::_["length"] = r::wrap(data.x_norm));
}

SignalOptions signal_options(bool classes, const Rcpp::IntegerVector &codes, Index n, double gate,
                             double seed) {
  SignalOptions options;
  options.prior = classes ? SparsePrior::for_classes(n) : SparsePrior::for_numbers();
  options.length.burn = classes ? 400 : 800;
  // Of many samples the errors' weights take longer, and say less.
  options.length.refresh = n > kManySamples ? 30 : 10;
  options.gate = gate;
  options.codes.assign(codes.begin(), codes.end());
  options.seed = r::as_seed(seed);
  return options;
}

// What the passes of cpp_find_signals() take, about, in units of one feature of one sample,
// measured from 300 x 300 to 20,000 x 100: coordinates, tests, band, and for each posterior its
// data and its chains. For a display.
Array<double> signal_parts(double n, double p, int n_null, double posteriors, bool plain) {
  const double cell = n * p, all = n > kManySamples ? 4.3 : n / 125.0;
  Array<double> parts{cell * all, cell * n_null * 4e-4, cell * 0.3};
  for (double k = 0.0; k < posteriors; k += 1.0) {
    parts.push_back(cell * all * 0.4);
    parts.push_back(n * (plain && n > kManySamples ? 8.5e3 : 26e3));
  }
  return parts;
}

// Classes that are named, or one.
double posteriors(const Rcpp::IntegerVector &codes) {
  const std::set<int> classes(codes.begin(), codes.end());
  return std::max(1.0, static_cast<double>(classes.size() - classes.count(0)));
}

} // namespace

// Signals of x (n x p) in y. covariates: n x q, orthonormal, with the intercept in their span;
// y: n x k linearly independent scores;
// blocks: numbers from 1, samples are exchanged within one; places: see permutations(); classes: a
// probit model of the two values of y, or of each of several classes, whose codes from 1 are given
// (0: not named), else none; changed, versions: see feature_versions(), names are those of all
// versions; gate: the largest p with which features are named; features in the
// answer count from 1.
// [[Rcpp::export(rng = false)]]
Rcpp::List cpp_find_signals(const Rcpp::NumericMatrix &x, const Rcpp::NumericMatrix &y,
                            const Rcpp::NumericMatrix &covariates,
                            const Rcpp::IntegerVector &blocks,
                            const Rcpp::Nullable<Rcpp::IntegerMatrix> &places,
                            const std::string &null, int n_null, bool classes,
                            const Rcpp::IntegerVector &codes, double gate,
                            const Rcpp::IntegerVector &changed, const Rcpp::List &values,
                            double seed, int n_threads, SEXP progress) {
  const Runtime runtime = make_runtime(n_threads, progress);
  const FeatureVersions versions = feature_versions(x, changed, values);
  const double n_posteriors = posteriors(codes) * std::max<double>(1.0, versions.values.size());
  Passes passes(runtime, signal_parts(x.nrow(), x.ncol(), n_null, n_posteriors, !classes));
  const SignalData data =
      signal_data(r::as_map(x), r::as_map(y).col(0), r::as_map(covariates), passes.next());
  const NullDraws draws = null_draws(null, data, blocks, places, n_null, seed);
  const SignalOptions options = signal_options(classes, codes, y.nrow(), gate, seed);
  const Eigen::MatrixXd basis = r::as_map(covariates);
  return wrap_signals(data,
                      find_signals(data, basis, r::as_map(y), draws, options, passes, versions),
                      versions, basis);
}

// Dependence of y on the columns of x, of any kind; both without what the covariates explain.
// `blocks` and `places` as above.
// [[Rcpp::export(rng = false)]]
Rcpp::List cpp_find_dependence(const Rcpp::NumericMatrix &x, const Rcpp::NumericVector &y,
                               const Rcpp::IntegerVector &blocks,
                               const Rcpp::Nullable<Rcpp::IntegerMatrix> &places, int n_null,
                               double seed, int n_threads, SEXP progress) {
  const Runtime runtime = make_runtime(n_threads, progress);
  Passes passes(runtime, {1.0, n_null / 160.0});
  const NullDraws draws = permutations(blocks, places, n_null, seed);
  const Dependence found = kernel_evidence(r::as_map(x), r::as_vector(y), draws, passes);
  return Rcpp::List::create(Rcpp::_["statistic"] = r::wrap(found.statistic),
                            Rcpp::_["p"] = found.adjusted_p, Rcpp::_["global_p"] = found.global_p);
}
