#include "r_convert.h"
#include "r_runtime.h"
#include "stabilect/select/three_segment_runs.h"

using namespace stabilect;

namespace {

const char *bend_status_name(BendStatus status) {
  switch (status) {
  case BendStatus::bends_up:
    return "bends_up";
  case BendStatus::too_few_points:
    return "too_few_points";
  case BendStatus::all_equal:
    return "all_equal";
  case BendStatus::straight:
    return "straight";
  case BendStatus::bends_down:
    return "bends_down";
  default:
    return "not_real";
  }
}

// fallback: 0 none, 1 half of the best score, 2 a majority of the runs.
ThreeSegmentOptions three_segment_options(int min_segment, int fallback = 0) {
  ThreeSegmentOptions options;
  options.min_segment = min_segment;
  options.fallback = static_cast<Fallback>(fallback);
  return options;
}

RunScores run_scores(const Rcpp::IntegerVector &i, const Rcpp::IntegerVector &p,
                     const Rcpp::NumericVector &x, int n_total) {
  if (p.size() < 2 || i.size() != x.size() || p[p.size() - 1] != i.size())
    throw std::invalid_argument("run scores must be a compressed column matrix");
  RunScores runs;
  runs.n_total = n_total;
  runs.n_runs = p.size() - 1;
  runs.feature = i.begin();
  runs.start = p.begin();
  runs.score = x.begin();
  return runs;
}

} // namespace

// values: ascending. Knots are ranks from 1; 0 when no curve was fitted.
// [[Rcpp::export(rng = false)]]
Rcpp::List cpp_fit_three_segment(const Rcpp::NumericVector &values, int min_segment,
                                 int n_threads) {
  const ThreeSegmentResult fit = fit_three_segment(
      r::as_map(values).col(0), three_segment_options(min_segment), make_runtime(n_threads));
  return Rcpp::List::create(
      Rcpp::_["status"] = bend_status_name(fit.status),
      Rcpp::_["knots"] = Rcpp::IntegerVector::create(Rcpp::_["lower"] = fit.lower_knot,
                                                     Rcpp::_["upper"] = fit.upper_knot),
      Rcpp::_["coefficients"] =
          Rcpp::NumericVector(fit.coefficients.begin(), fit.coefficients.end()),
      Rcpp::_["rss"] = fit.rss, Rcpp::_["rss_linear"] = fit.rss_linear,
      Rcpp::_["rss_no_upper"] = fit.rss_no_upper, Rcpp::_["bend_ratio"] = fit.bend_ratio,
      Rcpp::_["bend_limit"] = fit.bend_limit,
      Rcpp::_["n_informative"] = static_cast<int>(fit.n_informative));
}

// i, p, x: scores of the features (rows, from 0) in the runs (columns), compressed
// by column. threshold is NaN where the replicate's curve does not bend up.
// [[Rcpp::export(rng = false)]]
Rcpp::List cpp_bootstrap_three_segment(const Rcpp::IntegerVector &i, const Rcpp::IntegerVector &p,
                                       const Rcpp::NumericVector &x, int n_total, int n_boot,
                                       double seed, int min_segment, int fallback, int n_threads) {
  const BootstrapThresholdResult result =
      bootstrap_threshold(run_scores(i, p, x, n_total), n_boot, r::as_seed(seed),
                          three_segment_options(min_segment, fallback), make_runtime(n_threads));
  return Rcpp::List::create(Rcpp::_["n_informative"] = result.n_informative,
                            Rcpp::_["threshold"] = result.threshold,
                            Rcpp::_["times_informative"] = result.times_informative);
}

// in_bag: samples x runs, how often each run drew each sample. informative: for each sample the
// features (from 1) found by the runs that left it out, the best first.
// [[Rcpp::export(rng = false)]]
Rcpp::List cpp_oob_three_segment(const Rcpp::IntegerVector &i, const Rcpp::IntegerVector &p,
                                 const Rcpp::NumericVector &x, int n_total,
                                 const Rcpp::IntegerMatrix &in_bag, int min_segment, int fallback,
                                 int n_threads) {
  const OobThresholdResult result =
      oob_threshold(run_scores(i, p, x, n_total), r::as_counts(in_bag, in_bag.nrow()),
                    three_segment_options(min_segment, fallback), make_runtime(n_threads));
  Rcpp::List informative(in_bag.nrow());
  for (int s = 0; s < in_bag.nrow(); ++s)
    informative[s] = r::from_one(result.informative[s]);
  return Rcpp::List::create(Rcpp::_["n_runs"] = result.n_runs,
                            Rcpp::_["informative"] = informative);
}
