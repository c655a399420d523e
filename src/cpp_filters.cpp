#include "r_convert.h"
#include "r_runtime.h"
#include "stabilect/score/filters.h"
#include "stabilect/score/filters_rank.h"

using namespace stabilect;

namespace {

Filter filter_of(const std::string &name) {
  if (name == "t")
    return Filter::t;
  if (name == "welch")
    return Filter::welch;
  if (name == "anova")
    return Filter::anova;
  if (name == "variance")
    return Filter::variance;
  if (name == "pearson")
    return Filter::pearson;
  throw std::invalid_argument("unknown filter " + name);
}

} // namespace

// The score that stands for an infinite statistic; those on ranks are finite.
// [[Rcpp::export(rng = false)]]
double cpp_largest_score(const std::string &filter) {
  if (filter == "wilcoxon" || filter == "spearman")
    return R_PosInf;
  return largest_score(filter_of(filter));
}

// codes: class of each sample from 1, empty for filters without classes; y: numbers, or class 0 or
// 1 for Wilcoxon. Returns p x B scores.
// [[Rcpp::export(rng = false)]]
Rcpp::NumericMatrix cpp_score_filter(const Rcpp::NumericMatrix &x, const Rcpp::IntegerVector &codes,
                                     int n_classes, const Rcpp::NumericVector &y,
                                     const Rcpp::IntegerMatrix &counts, const std::string &filter,
                                     int n_threads, SEXP progress) {
  const Eigen::Map<const Eigen::MatrixXi> in_bag(counts.begin(), counts.nrow(), counts.ncol());
  const Runtime runtime = make_runtime(n_threads, progress);
  Eigen::MatrixXd score;
  if (filter == "wilcoxon" || filter == "spearman") {
    const RankFilter rank = filter == "spearman" ? RankFilter::spearman : RankFilter::wilcoxon;
    score = score_rank_filter(r::as_map(x), r::as_map(y).col(0), in_bag, rank, runtime);
  } else {
    std::vector<int> from_zero(codes.begin(), codes.end());
    for (int &code : from_zero)
      --code;
    score = score_filter(r::as_map(x), from_zero, n_classes, r::as_map(y).col(0), in_bag,
                         filter_of(filter), runtime);
  }
  Rcpp::NumericMatrix out(x.ncol(), counts.ncol());
  std::copy(score.data(), score.data() + score.size(), out.begin());
  return out;
}
