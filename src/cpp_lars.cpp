#include "r_paths.h"
#include "r_runtime.h"
#include "stabilect/path/lars_batch.h"

using namespace stabilect;

namespace {

LarsOptions path_options(const std::string &type, bool intercept, bool normalize, int max_steps,
                         int max_features) {
  LarsOptions options;
  options.type =
      r::choice<PathType>("type", type, {{"lasso", PathType::lasso}, {"lar", PathType::lar}});
  options.intercept = intercept;
  options.normalize = normalize;
  options.max_steps = max_steps;
  options.max_features = max_features;
  options.keep_coefficients = true;
  return options;
}

Rcpp::List wrap_actions(const LarsPath &path) {
  Rcpp::List actions(path.n_steps());
  int from = 0;
  for (Index s = 0; s < path.n_steps(); ++s) {
    const int to = path.event_end[s];
    actions[s] = Rcpp::IntegerVector(path.events.begin() + from, path.events.begin() + to);
    from = to;
  }
  return actions;
}

// Column 1 of the coefficients is the empty model.
Rcpp::IntegerVector coefficient_columns(const LarsPath &path) {
  Rcpp::IntegerVector p(path.n_steps() + 2);
  for (Index s = 0; s < path.n_steps(); ++s)
    p[s + 2] = path.coef_end[s];
  return p;
}

Rcpp::List wrap_path(const LarsPath &path) {
  return Rcpp::List::create(
      Rcpp::_["lambda"] = path.lambda, Rcpp::_["actions"] = wrap_actions(path),
      Rcpp::_["beta_i"] = path.coef_feature, Rcpp::_["beta_p"] = coefficient_columns(path),
      Rcpp::_["beta_x"] = path.coef_value, Rcpp::_["rss"] = path.rss,
      Rcpp::_["excluded"] = path.excluded, Rcpp::_["status"] = status_name(path.status));
}

// Centre and scale that turn columns of x into the path's.
void add_scales(const PathColumns &columns, int n_columns, Rcpp::List &out) {
  Rcpp::NumericVector center(n_columns), scale(n_columns);
  Array<int> constant;
  for (int j = 0; j < n_columns; ++j) {
    const PathColumns::Scale s = columns.scale(j);
    center[j] = s.center;
    scale[j] = s.scale;
    if (s.constant)
      constant.push_back(j + 1);
  }
  out["center"] = center;
  out["scale"] = scale;
  out["constant"] = constant;
}

} // namespace

// [[Rcpp::export(rng = false)]]
Rcpp::List cpp_lars_path(const Rcpp::NumericMatrix &x, const Rcpp::NumericVector &y,
                         const Rcpp::NumericVector &weights, const std::string &type,
                         bool intercept, bool normalize, int max_steps, int max_features,
                         const std::vector<double> &multiply) {
  LarsOptions options = path_options(type, intercept, normalize, max_steps, max_features);
  options.multiply = r::factors_of(multiply, x.ncol());
  const PackedMatrix packed(r::as_map(x), intercept);
  LarsPath path;
  run_paths(packed, r::as_response(y, x.nrow()), r::as_response(weights, x.nrow()), options,
            make_runtime(1), [&](Index, LarsPath finished) { path = std::move(finished); });
  Rcpp::List out = wrap_path(path);
  add_scales(PathColumns(packed, weights.begin(), options), x.ncol(), out);
  out["y_center"] = intercept ? Rcpp::sum(weights * y) / Rcpp::sum(weights) : 0.0;
  return out;
}
