#include "r_convert.h"
#include "r_runtime.h"
#include "stabilect/linear/rfe_path.h"

using namespace stabilect;

namespace {

RfePathOptions path_options(const Rcpp::List &options) {
  RfePathOptions out;
  const std::string loss = options["loss"], scaling = options["scaling"];
  out.loss = loss == "l2"   ? LinearLoss::squared_hinge
             : loss == "l1" ? LinearLoss::hinge
                            : LinearLoss::logistic;
  out.scaling = scaling == "sd" ? Scaling::sd : scaling == "range" ? Scaling::range : Scaling::none;
  out.penalty = options["penalty"];
  out.free_intercept = options["free_intercept"];
  return out;
}

std::vector<int> from_zero(const Rcpp::IntegerVector &values) {
  std::vector<int> out(values.begin(), values.end());
  for (int &value : out)
    --value;
  return out;
}

Eigen::VectorXd as_vector(const Rcpp::NumericVector &values) {
  return Eigen::Map<const Eigen::VectorXd>(values.begin(), values.size());
}

Rcpp::IntegerVector from_one(const std::vector<int> &values) {
  Rcpp::IntegerVector out(values.begin(), values.end());
  for (int &value : out)
    ++value;
  return out;
}

Rcpp::NumericVector wrap(const Eigen::VectorXd &values) {
  return Rcpp::NumericVector(values.data(), values.data() + values.size());
}

Rcpp::NumericMatrix wrap(const Eigen::MatrixXd &values) {
  Rcpp::NumericMatrix out(static_cast<int>(values.rows()), static_cast<int>(values.cols()));
  std::copy(values.data(), values.data() + values.size(), out.begin());
  return out;
}

} // namespace

// codes: class from 1. sets: columns from 1, one vector per column of counts. root: multiplies the
// scaled columns; shrinkage: factors of the penalty. Returns for each resample a list of steps.
// [[Rcpp::export(rng = false)]]
Rcpp::List cpp_rfe_paths(const Rcpp::NumericMatrix &x, const Rcpp::IntegerVector &codes,
                         int n_classes, const Rcpp::IntegerMatrix &counts, const Rcpp::List &sets,
                         const Rcpp::IntegerVector &sizes, const Rcpp::NumericVector &root,
                         const Rcpp::NumericVector &shrinkage, const Rcpp::List &options,
                         double keep, int n_threads, SEXP progress) {
  RfePathOptions path = path_options(options);
  path.keep = static_cast<Index>(keep);
  std::vector<std::vector<int>> columns;
  for (R_xlen_t k = 0; k < sets.size(); ++k)
    columns.push_back(from_zero(sets[k]));
  const Eigen::Map<const Eigen::MatrixXi> in_bag(counts.begin(), counts.nrow(), counts.ncol());
  const auto paths = run_rfe_paths(r::as_map(x), from_zero(codes), n_classes, in_bag, columns,
                                   std::vector<int>(sizes.begin(), sizes.end()), as_vector(root),
                                   as_vector(shrinkage), path, make_runtime(n_threads, progress));
  Rcpp::List out(paths.size());
  for (std::size_t k = 0; k < paths.size(); ++k) {
    Rcpp::List steps(paths[k].size());
    for (std::size_t s = 0; s < paths[k].size(); ++s) {
      const RfeStep &step = paths[k][s];
      steps[s] = Rcpp::List::create(Rcpp::_["dropped"] = from_one(step.dropped),
                                    Rcpp::_["features"] = from_one(step.features),
                                    Rcpp::_["importance"] = wrap(step.importance),
                                    Rcpp::_["decision"] = wrap(step.decision));
    }
    out[k] = steps;
  }
  return out;
}

// Weights (features x machines) and constants on the scale of x.
// [[Rcpp::export(rng = false)]]
Rcpp::List cpp_fit_linear(const Rcpp::NumericMatrix &x, const Rcpp::IntegerVector &codes,
                          int n_classes, const Rcpp::NumericVector &root,
                          const Rcpp::NumericVector &shrinkage, const Rcpp::List &options) {
  const LinearWeights fit = fit_linear(r::as_map(x), from_zero(codes), n_classes, as_vector(root),
                                       as_vector(shrinkage), path_options(options));
  return Rcpp::List::create(
      Rcpp::_["weights"] = wrap(fit.weights), Rcpp::_["constants"] = wrap(fit.constants),
      Rcpp::_["importance"] = wrap(fit.importance), Rcpp::_["converged"] = fit.converged);
}
