#include "r_convert.h"
#include "stabilect/predict/concordance.h"

using namespace stabilect;

// Sums over the pairs of samples in one group (numbers from 1); see concordance_of().
// [[Rcpp::export(rng = false)]]
Rcpp::List cpp_concordance(const Rcpp::NumericVector &time, const Rcpp::NumericVector &event,
                           const Rcpp::NumericVector &risk, const Rcpp::NumericVector &weights,
                           const Rcpp::NumericVector &pairs, const Rcpp::IntegerVector &group) {
  const ConcordanceInput in = {r::as_vector(time), r::as_vector(event), r::as_vector(risk),
                               r::as_vector(weights), r::as_vector(pairs)};
  const ConcordanceSums sums = concordance_sums(in, r::from_zero(group));
  return Rcpp::List::create(Rcpp::_["concordant"] = r::wrap(sums.concordant),
                            Rcpp::_["comparable"] = r::wrap(sums.comparable),
                            Rcpp::_["agree"] = sums.agree, Rcpp::_["total"] = sums.total);
}

// 1 - concordance of the scores in each column, over the pairs of samples in one group.
// [[Rcpp::export(rng = false)]]
Rcpp::NumericVector cpp_discordances(const Rcpp::NumericVector &time,
                                     const Rcpp::NumericVector &event,
                                     const Rcpp::NumericMatrix &risks,
                                     const Rcpp::IntegerVector &group) {
  const Discordance of(r::as_vector(time), r::as_vector(event), r::from_zero(group));
  const auto columns = r::as_map(risks);
  Rcpp::NumericVector out(risks.ncol());
  for (int b = 0; b < risks.ncol(); ++b)
    out[b] = of(columns.col(b));
  return out;
}
