#include "r_convert.h"
#include "r_runtime.h"
#include "stabilect/score/trex.h"

using namespace stabilect;

namespace {

Rcpp::List wrap_runs(const Array<TrexResult> &runs, int p) {
  const int n_runs = static_cast<int>(runs.size());
  Rcpp::NumericMatrix phi(p, n_runs);
  Rcpp::NumericVector level(n_runs), dummies(n_runs), entered(n_runs);
  for (int b = 0; b < n_runs; ++b) {
    const TrexResult &run = runs[b];
    std::copy(run.phi.data(), run.phi.data() + run.phi.size(), phi.column(b).begin());
    level[b] = run.level;
    dummies[b] = run.n_dummies;
    entered[b] = run.n_entered;
  }
  return Rcpp::List::create(Rcpp::_["phi"] = phi, Rcpp::_["level"] = level,
                            Rcpp::_["n_dummies"] = dummies, Rcpp::_["n_entered"] = entered);
}

Rcpp::List wrap_rates(const TrexRates &rates, double fdr) {
  Eigen::MatrixXd fdp(rates.n_levels(), rates.n_entered());
  for (Index t = 0; t < fdp.cols(); ++t)
    fdp.col(t) = rates.fdp(t);
  const TrexRates::Choice choice = rates.choose(fdr);
  return Rcpp::List::create(Rcpp::_["phi_prime"] = r::wrap(rates.phi_prime()),
                            Rcpp::_["fdp"] = r::wrap(fdp),
                            Rcpp::_["entered"] = static_cast<int>(choice.entered) + 1,
                            Rcpp::_["level"] = choice.level < 0 ? 1.0 : rates.level(choice.level));
}

} // namespace

// seeds: one for each run. Returns list(phi (p x B), level, n_dummies, n_entered (B each)); if no
// feature varies in a run, n_dummies is 0.
// [[Rcpp::export(rng = false)]]
Rcpp::List cpp_select_trex(const Rcpp::NumericMatrix &x, const Rcpp::NumericVector &y,
                           const Rcpp::IntegerMatrix &counts, const std::vector<double> &seeds,
                           double fdr, int n_experiments, int max_dummies, int n_threads,
                           SEXP progress) {
  return wrap_runs(select_trex(r::as_map(x), r::as_response(y, x.nrow()),
                               r::as_counts(counts, x.nrow()), {seeds.begin(), seeds.end()},
                               {fdr, n_experiments, max_dummies},
                               make_runtime(n_threads, progress)),
                   x.ncol());
}

// The columns (from 1) in order of entry, until `n_entered` dummies are in: virtual dummies, which
// follow the columns of x, and the last `n_written` columns.
// [[Rcpp::export(rng = false)]]
std::vector<int> cpp_trex_order(const Rcpp::NumericMatrix &x, const Rcpp::NumericVector &y,
                                int n_written, int n_virtual, int n_entered, double seed) {
  Array<Index> rows(x.nrow());
  std::iota(rows.begin(), rows.end(), Index(0));
  const TrexColumns columns(r::as_map(x), rows), response(r::as_response(y, x.nrow()), rows);
  TrexPath path(columns, response.column(0), x.ncol() - n_written, n_virtual,
                Rng(r::as_seed(seed), 0));
  path.advance(n_entered, Runtime());
  Array<int> order(path.order().begin(), path.order().end());
  for (int &column : order)
    ++column;
  return order;
}

// The choice from `counts` (p x T), the number of experiments in which each feature was active when
// the t-th dummy entered: list(phi_prime, fdp (levels x T), entered, level).
// [[Rcpp::export(rng = false)]]
Rcpp::List cpp_trex_choice(const Rcpp::IntegerMatrix &counts, int n_experiments, int n_dummies,
                           double fdr) {
  const auto all = r::as_counts(counts, counts.nrow());
  TrexRates rates(n_experiments, counts.nrow(), n_dummies);
  for (Index t = 0; t < all.cols(); ++t)
    rates.add(all.col(t));
  return wrap_rates(rates, fdr);
}
