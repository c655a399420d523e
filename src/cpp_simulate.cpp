#include "r_convert.h"
#include "r_runtime.h"
#include "stabilect/simulate/simulated_selector_law.h"
#include "stabilect/simulate/simulated_selector_normal.h"
#include "stabilect/simulate/simulated_selector_runs.h"

using namespace stabilect;

namespace {

// Models that differ in n_useful, p and preference, as parallel vectors.
Array<UrnModel> urn_models(int n_total, int n_features, const Rcpp::IntegerVector &n_useful,
                           const Rcpp::NumericVector &p, const Rcpp::NumericVector &preference) {
  Array<UrnModel> models;
  for (R_xlen_t c = 0; c < n_useful.size(); ++c) {
    models.push_back({n_total, n_features, n_useful[c], p[c], preference[c]});
    check_urn_model(models.back());
  }
  return models;
}

SimulationOptions simulation_options(const Array<int> &sizes, int n_runs, double seed) {
  SimulationOptions options;
  options.sizes = sizes;
  options.n_runs = n_runs;
  options.seed = r::as_seed(seed);
  return options;
}

Rcpp::NumericMatrix wrap_pairs(const Array<PairSummary> &rows) {
  Eigen::MatrixXd out(rows.size(), 5);
  for (Index i = 0; i < rows.size(); ++i)
    out.row(i) << rows[i].mean, rows[i].se, rows[i].sd, rows[i].overlap, rows[i].useful;
  return r::wrap(out);
}

} // namespace

// Stability by simulation: one row per size (fastest) and model.
// [[Rcpp::export(rng = false)]]
Rcpp::NumericMatrix
cpp_simulate_pairs(int n_total, int n_features, const Rcpp::IntegerVector &n_useful,
                   const Rcpp::NumericVector &p, const Rcpp::NumericVector &preference,
                   const std::vector<int> &sizes, int n_runs, double seed,
                   const std::vector<double> &value, int n_threads, SEXP progress) {
  return wrap_pairs(simulate_pairs(urn_models(n_total, n_features, n_useful, p, preference),
                                   simulation_options(sizes, n_runs, seed), value,
                                   make_runtime(n_threads, progress)));
}

// Sets of one model, features from 1: n_features x sizes x runs; or, with `count`, the number of
// useful features in each: sizes x runs.
// [[Rcpp::export(rng = false)]]
Rcpp::IntegerVector cpp_simulate_sets(int n_total, int n_features, int n_useful, double p,
                                      double preference, const std::vector<int> &sizes, int n_runs,
                                      double seed, bool count, int n_threads, SEXP progress) {
  const Array<UrnModel> models{{n_total, n_features, n_useful, p, preference}};
  const auto sets = simulate_sets(models, simulation_options(sizes, n_runs, seed),
                                  make_runtime(n_threads, progress));
  if (count)
    return Rcpp::wrap(count_useful(models, sets)[0]);
  return r::from_one(sets[0]);
}

// Ranks from the weak selectors of one run, 1 is best: features x members, the same members as in
// cpp_simulate_sets().
// [[Rcpp::export(rng = false)]]
Rcpp::IntegerMatrix cpp_simulate_ranks(int n_total, int n_features, int n_useful, double p,
                                       double preference, int n_members, double seed, double run) {
  const UrnModel model{n_total, n_features, n_useful, p, preference};
  check_urn_model(model);
  UrnSampler sampler(model, r::as_seed(seed), static_cast<Index>(run));
  Rcpp::IntegerMatrix out(n_total, n_members);
  for (int m = 0; m < n_members; ++m) {
    auto of_member = out.column(m);
    sampler.rank_all([&](int feature, int rank) { of_member[feature] = rank; });
  }
  return out;
}

// Distribution of the number of useful features given the picks from S_m, one row per number of
// picks.
// [[Rcpp::export(rng = false)]]
Rcpp::NumericMatrix cpp_useful_given_picks(int n_total, int n_features, int n_useful) {
  return r::wrap(useful_given_picks(n_total, n_features, n_useful));
}

// Moments of an index given the numbers of useful features of two sets.
// [[Rcpp::export(rng = false)]]
Rcpp::List cpp_overlap_moments(int n_total, int n_features, int n_useful,
                               const std::vector<double> &value,
                               const std::vector<bool> &possible) {
  const OverlapMoments m = overlap_moments(n_total, n_features, n_useful, value, possible);
  return Rcpp::List::create(Rcpp::_["mean"] = r::wrap(m.mean),
                            Rcpp::_["square"] = r::wrap(m.square),
                            Rcpp::_["overlap"] = r::wrap(m.overlap));
}

// Normal approximation of the distribution of the number of useful features: n_features + 1 rows,
// one column per size (fastest) and model.
// [[Rcpp::export(rng = false)]]
Rcpp::NumericMatrix cpp_normal_useful_law(int n_total, int n_features,
                                          const Rcpp::IntegerVector &n_useful,
                                          const Rcpp::NumericVector &p,
                                          const std::vector<int> &sizes, int n_threads) {
  const Rcpp::NumericVector none(n_useful.size());
  return r::wrap(normal_useful_laws(urn_models(n_total, n_features, n_useful, p, none), sizes,
                                    make_runtime(n_threads)));
}

// Studies of single selectors, one row each: features above the threshold, stability.
// [[Rcpp::export(rng = false)]]
Rcpp::NumericMatrix cpp_simulate_studies(int n_total, int n_features, int n_useful, double p,
                                         double preference, int n_studies,
                                         const std::vector<double> &count_weight,
                                         const std::vector<double> &value, double seed,
                                         int n_threads) {
  const auto studies =
      simulate_studies({n_total, n_features, n_useful, p, preference}, n_studies, count_weight,
                       value, r::as_seed(seed), make_runtime(n_threads));
  Eigen::MatrixXd out(n_studies, 2);
  for (Index b = 0; b < studies.size(); ++b)
    out.row(b) << studies[b].n_above, studies[b].stability;
  return r::wrap(out);
}
