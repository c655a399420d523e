#include "r_convert.h"
#include "r_runtime.h"
#include "stabilect/score/information.h"
#include "stabilect/score/mrmr.h"

using namespace stabilect;

namespace {

InformationOptions information_options(const std::string &discretise, int n_bins,
                                       bool miller_madow) {
  InformationOptions options;
  options.rule = r::choice<BinRule>("discretise", discretise,
                                    {{"equal_width", BinRule::equal_width},
                                     {"equal_frequency", BinRule::equal_frequency},
                                     {"sd", BinRule::sd}});
  options.n_bins = n_bins;
  options.miller_madow = miller_madow;
  return options;
}

MrmrOptions mrmr_options(const InformationOptions &information, bool quotient, int n_features) {
  MrmrOptions options;
  options.information = information;
  options.redundancy = quotient ? Redundancy::quotient : Redundancy::difference;
  options.n_features = n_features;
  return options;
}

Rcpp::IntegerMatrix wrap_chosen(const Array<Array<int>> &chosen, int n_features) {
  const int n_runs = static_cast<int>(chosen.size());
  Rcpp::IntegerMatrix out(n_features, n_runs);
  for (int b = 0; b < n_runs; ++b)
    std::transform(chosen[b].begin(), chosen[b].end(), out.column(b).begin(),
                   [](int feature) { return feature + 1; });
  return out;
}

} // namespace

// codes: class from 1, empty for a response of numbers; n_bins = 0: by the number of samples.
// Returns p x B, in nats.
// [[Rcpp::export(rng = false)]]
Rcpp::NumericMatrix cpp_score_information(const Rcpp::NumericMatrix &x,
                                          const Rcpp::IntegerVector &codes, int n_classes,
                                          const Rcpp::NumericVector &y,
                                          const Rcpp::IntegerMatrix &counts,
                                          const std::string &discretise, int n_bins,
                                          bool miller_madow, int n_threads, SEXP progress) {
  return r::wrap(score_information(r::as_map(x), r::as_codes(codes, n_classes), n_classes,
                                   r::as_map(y).col(0), r::as_counts(counts, x.nrow()),
                                   information_options(discretise, n_bins, miller_madow),
                                   make_runtime(n_threads, progress)));
}

// The chosen features of each run (from 1), best first: n_features x B, 0 where a run chose none.
// names, seeds: of the features and the runs, for ties.
// [[Rcpp::export(rng = false)]]
Rcpp::IntegerMatrix cpp_select_mrmr(const Rcpp::NumericMatrix &x, const Rcpp::IntegerVector &codes,
                                    int n_classes, const Rcpp::NumericVector &y,
                                    const Rcpp::IntegerMatrix &counts,
                                    const std::string &discretise, int n_bins, bool quotient,
                                    int n_features, const Rcpp::CharacterVector &names,
                                    const Rcpp::NumericVector &seeds, int n_threads,
                                    SEXP progress) {
  const MrmrOptions options =
      mrmr_options(information_options(discretise, n_bins, false), quotient, n_features);
  return wrap_chosen(select_mrmr(r::as_map(x), r::as_codes(codes, n_classes), n_classes,
                                 r::as_map(y).col(0), r::as_counts(counts, x.nrow()), options,
                                 make_runtime(n_threads, progress), r::ties(names, seeds)),
                     n_features);
}
