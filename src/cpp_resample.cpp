#include "r_convert.h"
#include "r_runtime.h"
#include "stabilect/base/resample.h"

using namespace stabilect;

namespace {

ResampleScheme scheme_of(const std::string &word) {
  return r::choice<ResampleScheme>("scheme", word,
                                   {{"subsample", ResampleScheme::subsample},
                                    {"bootstrap", ResampleScheme::bootstrap},
                                    {"pairs", ResampleScheme::pairs},
                                    {"loo", ResampleScheme::loo},
                                    {"folds", ResampleScheme::folds}});
}

ResampleOptions resample_options(const Rcpp::List &list) {
  const r::Options given(list, {"scheme", "n_units", "fraction", "n_folds", "stratify", "balance",
                                "min_size", "seed"});
  ResampleOptions options;
  options.scheme = scheme_of(given.get<std::string>("scheme", "subsample"));
  options.n_units = given.get("n_units", options.n_units);
  options.fraction = given.get("fraction", options.fraction);
  options.n_folds = given.get("n_folds", options.n_folds);
  options.stratify = given.get("stratify", options.stratify);
  options.balance = given.get("balance", options.balance);
  options.min_size = given.get("min_size", options.min_size);
  options.seed = r::as_seed(given.get("seed", 0));
  return options;
}

} // namespace

// n, labels: of the drawn units, samples or blocks of samples; -1: a block with several labels.
// [[Rcpp::export(rng = false)]]
Rcpp::List cpp_draw_resamples(int n, const std::vector<int> &labels, const Rcpp::List &options) {
  const Resampler resampler(n, labels, resample_options(options));
  Rcpp::IntegerMatrix counts(n, resampler.n_runs());
  Eigen::Map<Eigen::MatrixXi> map(counts.begin(), counts.nrow(), counts.ncol());
  const ResampleResult result = draw_resamples(resampler, map, make_runtime(1));
  return Rcpp::List::create(Rcpp::_["counts"] = counts, Rcpp::_["redraws"] = result.redraws,
                            Rcpp::_["degenerate"] = result.degenerate);
}
