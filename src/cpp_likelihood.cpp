#include "r_paths.h"
#include "r_runtime.h"
#include "stabilect/base/scale.h"
#include "stabilect/likelihood/likelihood_paths.h"

using namespace stabilect;

namespace {

bool all_finite(const Rcpp::NumericVector &values) {
  return std::all_of(values.begin(), values.end(), [](double v) { return std::isfinite(v); });
}

// Known parts of the linear predictors, or none.
Eigen::MatrixXd read_offset(const Rcpp::List &response) {
  if (!response.containsElementNamed("offset"))
    return Eigen::MatrixXd();
  const Rcpp::NumericMatrix offset = response["offset"];
  if (!std::all_of(offset.begin(), offset.end(), [](double v) { return std::isfinite(v); }))
    throw std::invalid_argument("offsets must be finite");
  return r::as_map(offset);
}

// A list of `family` and `y`, for cox of `time`, `event`, `strata` (codes, or none) and, unless
// they are Efron's, `ties`.
Outcomes read_outcomes(const Rcpp::List &response, int n) {
  const Family family = r::choice<Family>("family", Rcpp::as<std::string>(response["family"]),
                                          {{"gaussian", Family::gaussian},
                                           {"binomial", Family::binomial},
                                           {"poisson", Family::poisson},
                                           {"cox", Family::cox},
                                           {"multinomial", Family::multinomial}});
  const bool is_cox = family == Family::cox;
  const Rcpp::NumericVector y = response[is_cox ? "event" : "y"];
  if (y.size() != n || !all_finite(y))
    throw std::invalid_argument("the response must have one finite value for each row of x");
  if (is_cox || family == Family::binomial)
    for (double value : y)
      if (value != 0.0 && value != 1.0)
        throw std::invalid_argument("classes and events must be 0 or 1");
  if (family == Family::poisson && *std::min_element(y.begin(), y.end()) < 0.0)
    throw std::invalid_argument("counts must not be negative");
  if (!is_cox) {
    Outcomes out;
    out.family = family;
    if (family == Family::multinomial) {
      out.n_classes = Rcpp::as<int>(response["n_classes"]);
      for (double value : y)
        if (!(value >= 0.0 && value < out.n_classes) || value != std::floor(value))
          throw std::invalid_argument("classes must be whole numbers from 0");
    }
    const double factor =
        family == Family::gaussian ? unit_for(r::as_vector(y).cwiseAbs().maxCoeff()) : 1.0;
    out.y = factor * r::as_vector(y);
    out.unit = 1.0 / factor;
    return out;
  }
  const Rcpp::NumericVector time = response["time"];
  const Array<int> strata = Rcpp::as<std::vector<int>>(response["strata"]);
  if (time.size() != n || !all_finite(time) ||
      !(strata.empty() || static_cast<int>(strata.size()) == n))
    throw std::invalid_argument("times and strata must have one finite value for each row of x");
  Outcomes out = survival_outcomes(r::as_vector(time), r::as_vector(y), strata);
  out.efron = !response.containsElementNamed("ties");
  return out;
}

Outcomes outcomes_with_offset(const Rcpp::List &response, int n) {
  Outcomes outcomes = read_outcomes(response, n);
  outcomes.offset = read_offset(response);
  return outcomes;
}

LikelihoodOptions likelihood_options(const Rcpp::List &list, int p) {
  const r::Options given(list, {"alpha", "lambda", "n_lambda", "lambda_ratio", "max_features",
                                "multiply", "each_size", "weakness", "seed", "first_run",
                                "most_explained", "tolerance", "kernel_width", "clusters",
                                "multiply_views", "tie_names", "tie_seeds"});
  LikelihoodOptions options;
  options.alpha = given.get("alpha", options.alpha);
  options.lambda = given.get("lambda", options.lambda);
  options.n_lambda = given.get("n_lambda", options.n_lambda);
  options.lambda_ratio = given.get("lambda_ratio", options.lambda_ratio);
  options.most_explained = given.get("most_explained", options.most_explained);
  options.tolerance = std::max(kTightest, given.get("tolerance", options.tolerance));
  options.each_size = given.get("each_size", options.each_size);
  LarsOptions &columns = options.columns;
  columns.max_features = given.get("max_features", columns.max_features);
  r::set_factors(columns, given, p);
  r::set_ties(columns, given);
  columns.weakness = given.get("weakness", columns.weakness);
  columns.seed = r::as_seed(given.get("seed", 0.0));
  columns.first_run = given.get("first_run", 0);
  columns.kernel_width = given.get("kernel_width", columns.kernel_width);
  columns.clusters = r::codes_of(given, "clusters", p);
  return options;
}

// Intercept and covariates: a column for each point.
Rcpp::NumericMatrix wrap_free(const Array<Eigen::VectorXd> &columns, int n_free) {
  Rcpp::NumericMatrix out(n_free, static_cast<int>(columns.size()));
  for (Index k = 0; k < columns.size(); ++k)
    std::copy(columns[k].data(), columns[k].data() + n_free, out.begin() + k * n_free);
  return out;
}

Rcpp::List wrap_points(const LikelihoodPath &path, int n_free) {
  Rcpp::IntegerVector p(path.coef_end.size() + 1);
  std::copy(path.coef_end.begin(), path.coef_end.end(), p.begin() + 1);
  return Rcpp::List::create(
      Rcpp::_["lambda"] = path.lambda, Rcpp::_["deviance"] = path.deviance,
      Rcpp::_["null_deviance"] = path.null_deviance, Rcpp::_["separated"] = path.separated,
      Rcpp::_["kkt"] = path.kkt, Rcpp::_["beta_i"] = path.coef_feature, Rcpp::_["beta_p"] = p,
      Rcpp::_["beta_x"] = path.coef_value, Rcpp::_["free"] = wrap_free(path.free, n_free),
      Rcpp::_["status"] = status_name(path.steps.status));
}

} // namespace

// One path and its coefficients. `z` (n x k) has the columns that stay in.
// [[Rcpp::export(rng = false)]]
Rcpp::List cpp_likelihood_path(const Rcpp::NumericMatrix &x, const Rcpp::List &response,
                               const Rcpp::NumericMatrix &z, const Rcpp::NumericVector &weights,
                               const Rcpp::List &options) {
  LikelihoodOptions wanted = likelihood_options(options, x.ncol());
  wanted.keep_coefficients = true;
  LikelihoodPath path;
  const Outcomes outcomes = outcomes_with_offset(response, x.nrow());
  run_likelihood_paths(PackedMatrix(r::as_map(x), true), outcomes, r::as_map(z),
                       r::as_response(weights, x.nrow()), wanted, make_runtime(1),
                       [&](Index, LikelihoodPath done) { path = std::move(done); });
  const int sets = outcomes.family == Family::multinomial ? outcomes.n_classes : 1;
  return wrap_points(path, (z.ncol() + 1) * sets);
}

// Paths on all columns of `counts` (n x B) and the FeaLect score of every run, as
// cpp_score_paths().
// [[Rcpp::export(rng = false)]]
Rcpp::List cpp_likelihood_scores(const Rcpp::NumericMatrix &x, const Rcpp::List &response,
                                 const Rcpp::NumericMatrix &z, const Rcpp::NumericMatrix &counts,
                                 const Rcpp::List &options, int n_threads, SEXP progress) {
  const LikelihoodOptions wanted = likelihood_options(options, x.ncol());
  r::ScoreOptions scores;
  scores.limit = wanted.columns.max_features;
  scores.keep_paths = true;
  r::PathResults results(scores, counts.ncol());
  run_likelihood_paths(
      PackedMatrix(r::as_map(x), true), outcomes_with_offset(response, x.nrow()), r::as_map(z),
      r::as_weights(counts, x.nrow()), wanted, make_runtime(n_threads, progress),
      [&](Index run, LikelihoodPath done) { results.take(run, std::move(done.steps)); });
  return results.wrap();
}
