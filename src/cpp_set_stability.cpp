#include "r_columns.h"
#include "r_runtime.h"
#include "stabilect/stability/chance.h"
#include "stabilect/stability/set_frequencies.h"
#include "stabilect/stability/set_pairs.h"

using namespace stabilect;

namespace {

RunSets as_sets(const Rcpp::IntegerVector &start, const Rcpp::IntegerVector &feature, int n_total) {
  r::check_columns(start, feature, n_total);
  RunSets sets;
  sets.n_total = n_total;
  sets.n_runs = start.size() - 1;
  sets.start = start.begin();
  sets.feature = feature.begin();
  return sets;
}

PairRule as_rule(const Rcpp::IntegerVector &size_class, const Rcpp::NumericMatrix &offset,
                 const Rcpp::NumericMatrix &slope, bool jaccard, const RunSets &sets) {
  if (size_class.size() != sets.n_runs || offset.nrow() != offset.ncol() ||
      slope.nrow() != offset.nrow() || slope.ncol() != offset.ncol())
    throw std::invalid_argument("offset and slope must be square, with a class for every run");
  if (std::any_of(size_class.begin(), size_class.end(),
                  [&](int k) { return k < 0 || k >= offset.ncol(); }))
    throw std::invalid_argument("classes of size must be rows of offset, numbered from 0");
  PairRule rule;
  rule.form = jaccard ? PairRule::Form::jaccard : PairRule::Form::overlap;
  rule.size_class = size_class.begin();
  rule.n_classes = offset.ncol();
  rule.offsets = offset.begin();
  rule.slopes = slope.begin();
  return rule;
}

Rcpp::List wrap_distribution(const WholeDistribution &d) {
  return Rcpp::List::create(Rcpp::_["first"] = static_cast<double>(d.first),
                            Rcpp::_["prob"] = d.prob);
}

template <typename Chain> Rcpp::List run_chain(const Chain &chain, bool leave_out) {
  Rcpp::List out;
  if (!leave_out) {
    out.push_back(wrap_distribution(chain.all()));
    return out;
  }
  for (const WholeDistribution &d : chain.each_left_out())
    out.push_back(wrap_distribution(d));
  return out;
}

Array<SetGroup> set_groups(const Rcpp::IntegerVector &sizes, const Rcpp::IntegerVector &n,
                           const Rcpp::IntegerVector &times) {
  if (n.size() != sizes.size() || times.size() != sizes.size())
    throw std::invalid_argument("n and times must have one value for each size");
  Array<SetGroup> groups(sizes.size());
  for (R_xlen_t g = 0; g < sizes.size(); ++g) {
    SetGroup &group = groups[g];
    group.size = sizes[g];
    group.n = n[g];
    group.times = times[g];
  }
  return groups;
}

} // namespace

// Sum over the other runs of each run's pairs; undefined pairs (offset NaN) count as zero.
// [[Rcpp::export(rng = false)]]
Rcpp::NumericVector cpp_sum_pairs(const Rcpp::IntegerVector &start,
                                  const Rcpp::IntegerVector &feature, int n_total,
                                  const Rcpp::IntegerVector &size_class,
                                  const Rcpp::NumericMatrix &offset,
                                  const Rcpp::NumericMatrix &slope, bool jaccard, int n_threads) {
  const RunSets sets = as_sets(start, feature, n_total);
  const PairRule rule = as_rule(size_class, offset, slope, jaccard, sets);
  const Runtime runtime = make_runtime(n_threads);
  return Rcpp::wrap(jaccard ? pair_row_sums(sets, rule, runtime)
                            : frequency_row_sums(sets, rule, runtime));
}

// Sum over i != j of w_i w_j value_ij for each column of `weights` (m x R).
// [[Rcpp::export(rng = false)]]
Rcpp::NumericVector cpp_weigh_pairs(const Rcpp::IntegerVector &start,
                                    const Rcpp::IntegerVector &feature, int n_total,
                                    const Rcpp::IntegerVector &size_class,
                                    const Rcpp::NumericMatrix &offset,
                                    const Rcpp::NumericMatrix &slope, bool jaccard,
                                    const Rcpp::NumericMatrix &weights, int n_threads) {
  const RunSets sets = as_sets(start, feature, n_total);
  const PairRule rule = as_rule(size_class, offset, slope, jaccard, sets);
  const Runtime runtime = make_runtime(n_threads);
  const r::MatrixMap columns = r::as_multiplicities(weights, static_cast<int>(sets.n_runs));
  return r::wrap(jaccard ? pair_weighted_sums(sets, rule, columns, runtime)
                         : frequency_weighted_sums(sets, rule, columns, runtime));
}

// Values of all pairs, m x m; undefined pairs NaN, diagonal 0.
// [[Rcpp::export(rng = false)]]
Rcpp::NumericMatrix
cpp_compare_pairs(const Rcpp::IntegerVector &start, const Rcpp::IntegerVector &feature, int n_total,
                  const Rcpp::IntegerVector &size_class, const Rcpp::NumericMatrix &offset,
                  const Rcpp::NumericMatrix &slope, bool jaccard, int n_threads) {
  const RunSets sets = as_sets(start, feature, n_total);
  const PairRule rule = as_rule(size_class, offset, slope, jaccard, sets);
  return r::wrap(pair_matrix(sets, rule, make_runtime(n_threads)));
}

// Expected Jaccard of random sets for all pairs of sizes.
// [[Rcpp::export(rng = false)]]
Rcpp::NumericMatrix cpp_expect_jaccard(int n_total, const std::vector<int> &sizes, int n_threads) {
  return r::wrap(expected_jaccards(n_total, sizes, make_runtime(n_threads)));
}

// Distribution under random selection of the size of the union (kind "union"), or of the number of
// sets with one given feature ("count"). Group g is n[g] sets of sizes[g] features that count
// times[g] times. With leave_out one distribution per group, of all sets but one of that group.
// [[Rcpp::export(rng = false)]]
Rcpp::List cpp_distribute_sets(int n_total, const Rcpp::IntegerVector &sizes,
                               const Rcpp::IntegerVector &n, const Rcpp::IntegerVector &times,
                               const std::string &kind, bool leave_out) {
  const Array<SetGroup> groups = set_groups(sizes, n, times);
  const Runtime runtime = make_runtime(1);
  if (r::choice<bool>("kind", kind, {{"union", true}, {"count", false}}))
    return run_chain(UnionChain(n_total, groups, runtime), leave_out);
  return run_chain(CountChain(n_total, groups, runtime), leave_out);
}
