#include "r_convert.h"
#include "r_runtime.h"
#include "stabilect/score/filters.h"
#include "stabilect/score/filters_cox.h"
#include "stabilect/score/filters_rank.h"

using namespace stabilect;

namespace {

// The core has two families of filters, R one argument for both.
struct AnyFilter {
  bool of_ranks;
  Filter filter;
  RankFilter rank;
};

AnyFilter plain(Filter filter) { return {false, filter, RankFilter::wilcoxon}; }
AnyFilter of_ranks(RankFilter filter) { return {true, Filter::t, filter}; }

AnyFilter filter_of(const std::string &word) {
  return r::choice<AnyFilter>("filter", word,
                              {{"t", plain(Filter::t)},
                               {"welch", plain(Filter::welch)},
                               {"anova", plain(Filter::anova)},
                               {"variance", plain(Filter::variance)},
                               {"pearson", plain(Filter::pearson)},
                               {"wilcoxon", of_ranks(RankFilter::wilcoxon)},
                               {"spearman", of_ranks(RankFilter::spearman)}});
}

} // namespace

// The score that replaces an infinite statistic; rank statistics are finite.
// [[Rcpp::export(rng = false)]]
double cpp_largest_score(const std::string &filter) {
  const AnyFilter any = filter_of(filter);
  return any.of_ranks ? R_PosInf : largest_score(any.filter);
}

// codes: class of each sample from 1, empty for filters without classes; y: numbers, or class 0 or
// 1 for Wilcoxon. Returns p x B scores.
// [[Rcpp::export(rng = false)]]
Rcpp::NumericMatrix cpp_score_filter(const Rcpp::NumericMatrix &x, const Rcpp::IntegerVector &codes,
                                     int n_classes, const Rcpp::NumericVector &y,
                                     const Rcpp::IntegerMatrix &counts, const std::string &filter,
                                     int n_threads, SEXP progress) {
  const AnyFilter any = filter_of(filter);
  const r::MatrixMap values = r::as_map(x), response = r::as_map(y);
  const Runtime runtime = make_runtime(n_threads, progress);
  if (any.of_ranks)
    return r::wrap(score_rank_filter(values, response.col(0), r::as_counts(counts, x.nrow()),
                                     any.rank, runtime));
  return r::wrap(score_filter(values, r::as_codes(codes, n_classes), n_classes, response.col(0),
                              r::as_counts(counts, x.nrow()), any.filter, runtime));
}

// event: 1, or 0 where the time is censored. Returns p x B scores.
// [[Rcpp::export(rng = false)]]
Rcpp::NumericMatrix cpp_score_cox(const Rcpp::NumericMatrix &x, const Rcpp::NumericVector &time,
                                  const Rcpp::IntegerVector &event,
                                  const Rcpp::IntegerMatrix &counts, int n_threads, SEXP progress) {
  const r::MatrixMap times = r::as_response(time, x.nrow());
  return r::wrap(score_cox(r::as_map(x), times.col(0), Rcpp::as<std::vector<int>>(event),
                           r::as_counts(counts, x.nrow()), make_runtime(n_threads, progress)));
}
