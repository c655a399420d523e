#include "r_convert.h"
#include "r_runtime.h"
#include "stabilect/score/information.h"
#include "stabilect/score/mrmr.h"

using namespace stabilect;

namespace {

InformationOptions information_options(const std::string &discretise, int n_bins,
                                       bool miller_madow) {
  InformationOptions options;
  options.rule = discretise == "equal_width" ? BinRule::equal_width
                 : discretise == "sd"        ? BinRule::sd
                                             : BinRule::equal_frequency;
  options.n_bins = n_bins;
  options.miller_madow = miller_madow;
  return options;
}

std::vector<int> from_zero(const Rcpp::IntegerVector &codes) {
  std::vector<int> out(codes.begin(), codes.end());
  for (int &code : out)
    --code;
  return out;
}

Eigen::Map<const Eigen::MatrixXi> count_map(const Rcpp::IntegerMatrix &counts) {
  return Eigen::Map<const Eigen::MatrixXi>(counts.begin(), counts.nrow(), counts.ncol());
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
  const Eigen::MatrixXd score = score_information(
      r::as_map(x), from_zero(codes), n_classes, r::as_map(y).col(0), count_map(counts),
      information_options(discretise, n_bins, miller_madow), make_runtime(n_threads, progress));
  Rcpp::NumericMatrix out(x.ncol(), counts.ncol());
  std::copy(score.data(), score.data() + score.size(), out.begin());
  return out;
}

// The chosen features of each run (from 1), best first: n_features x B, 0 where a run chose none.
// [[Rcpp::export(rng = false)]]
Rcpp::IntegerMatrix cpp_select_mrmr(const Rcpp::NumericMatrix &x, const Rcpp::IntegerVector &codes,
                                    int n_classes, const Rcpp::NumericVector &y,
                                    const Rcpp::IntegerMatrix &counts,
                                    const std::string &discretise, int n_bins, bool quotient,
                                    int n_features, int n_threads, SEXP progress) {
  MrmrOptions options;
  options.information = information_options(discretise, n_bins, false);
  options.redundancy = quotient ? Redundancy::quotient : Redundancy::difference;
  options.n_features = n_features;
  const std::vector<std::vector<int>> chosen =
      select_mrmr(r::as_map(x), from_zero(codes), n_classes, r::as_map(y).col(0), count_map(counts),
                  options, make_runtime(n_threads, progress));
  Rcpp::IntegerMatrix out(n_features, counts.ncol());
  for (std::size_t b = 0; b < chosen.size(); ++b)
    for (std::size_t k = 0; k < chosen[b].size(); ++k)
      out(static_cast<int>(k), static_cast<int>(b)) = chosen[b][k] + 1;
  return out;
}
