#include "r_convert.h"
#include "r_runtime.h"
#include "stabilect/predict/left_out_lists.h"
#include "stabilect/predict/matched_lists.h"

using namespace stabilect;

namespace {

Rcpp::List lists_from_one(const Array<Array<int>> &lists) {
  Rcpp::List out(lists.size());
  for (Index b = 0; b < lists.size(); ++b)
    out[b] = r::from_one(lists[b]);
  return out;
}

TrainingPart read_part(const Rcpp::List &part) {
  return {r::from_zero(part["in"]), r::from_zero(part["out"]),
          r::as_map(Rcpp::as<Rcpp::NumericMatrix>(part["targets"]))};
}

} // namespace

// What many lists share in a part, which takes it as its `shared`.
// [[Rcpp::export(rng = false)]]
Rcpp::List cpp_shared_products(const Rcpp::NumericMatrix &x, const Rcpp::List &part,
                               const Rcpp::NumericMatrix &held) {
  const SharedProducts shared = shared_products(r::as_map(x), read_part(part), r::as_map(held));
  return Rcpp::List::create(Rcpp::_["out"] = r::wrap(shared.out),
                            Rcpp::_["columns"] = r::wrap(shared.columns),
                            Rcpp::_["targets"] = r::wrap(shared.targets));
}

// `part`: a list of `in`, `out` (rows from 1), `targets` and perhaps `shared`. (Samples left out *
// targets) x lists.
// [[Rcpp::export(rng = false)]]
Rcpp::NumericMatrix cpp_left_out_lists(const Rcpp::NumericMatrix &x, const Rcpp::List &part,
                                       const Rcpp::NumericMatrix &held, const Rcpp::List &lists,
                                       int size, double lambda, int n_threads) {
  const bool is_shared = part.containsElementNamed("shared");
  SharedProducts shared;
  if (is_shared) {
    const Rcpp::List given = part["shared"];
    shared.out = r::as_map(Rcpp::as<Rcpp::NumericMatrix>(given["out"]));
    shared.columns = r::as_map(Rcpp::as<Rcpp::NumericMatrix>(given["columns"]));
    shared.targets = r::as_map(Rcpp::as<Rcpp::NumericMatrix>(given["targets"]));
  }
  return r::wrap(left_out_lists(r::as_map(x), read_part(part), r::as_map(held),
                                r::sets_from_zero(lists), size, lambda, make_runtime(n_threads),
                                is_shared ? &shared : nullptr));
}

// [[Rcpp::export(rng = false)]]
Rcpp::List cpp_matched_lists(const Rcpp::NumericMatrix &x, const Rcpp::IntegerVector &order,
                             const Rcpp::IntegerVector &like, int size, int n_lists, double seed,
                             int n_threads) {
  MatchOptions options;
  options.n_lists = n_lists;
  options.size = size;
  options.seed = r::as_seed(seed);
  const MatchedLists drawn = draw_matched_lists(
      r::as_map(x), r::from_zero(order), r::from_zero(like), options, make_runtime(n_threads));
  return Rcpp::List::create(Rcpp::_["lists"] = lists_from_one(drawn.lists),
                            Rcpp::_["correlation"] = r::wrap(drawn.correlation),
                            Rcpp::_["target"] = drawn.target);
}
