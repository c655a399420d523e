#include "r_convert.h"
#include "r_runtime.h"
#include "stabilect/path/lars_batch.h"

using namespace stabilect;

namespace {

Rcpp::List wrap_actions(const LarsPath &path) {
  Rcpp::List actions(path.n_steps());
  int from = 0;
  for (std::size_t s = 0; s < path.n_steps(); ++s) {
    const int to = path.event_end[s];
    actions[s] = Rcpp::IntegerVector(path.events.begin() + from, path.events.begin() + to);
    from = to;
  }
  return actions;
}

// Column 1 of the coefficients is the empty model.
Rcpp::IntegerVector coefficient_columns(const LarsPath &path) {
  Rcpp::IntegerVector p(path.n_steps() + 2);
  for (std::size_t s = 0; s < path.n_steps(); ++s)
    p[s + 2] = path.coef_end[s];
  return p;
}

} // namespace

// [[Rcpp::export(rng = false)]]
Rcpp::List cpp_lars_path(const Rcpp::NumericMatrix &x, const Rcpp::NumericVector &y,
                         const Rcpp::NumericVector &weights, const std::string &type,
                         bool intercept, bool normalize, int max_steps, int max_features,
                         int kernel_width = 0) {
  LarsOptions options;
  options.type = r::path_type(type);
  options.intercept = intercept;
  options.normalize = normalize;
  options.max_steps = max_steps;
  options.max_features = max_features;
  options.keep_coefficients = true;
  options.kernel_width = kernel_width;
  const PackedMatrix packed(r::as_map(x), intercept);
  LarsPath path;
  run_paths(packed, r::as_map(y), r::as_map(weights), options, make_runtime(1),
            [&](std::size_t, LarsPath finished) { path = std::move(finished); });

  const PathColumns columns(packed, weights.begin(), options);
  Rcpp::NumericVector center(x.ncol()), scale(x.ncol());
  std::vector<int> constant;
  for (int j = 0; j < x.ncol(); ++j) {
    const PathColumns::Moments m = columns.moments(static_cast<std::size_t>(j));
    const double unit = packed.unit(static_cast<std::size_t>(j));
    center[j] = intercept ? packed.center(static_cast<std::size_t>(j)) + m.mean * unit : 0.0;
    scale[j] = columns.divisor(static_cast<std::size_t>(j), m) * unit;
    if (m.norm == 0.0)
      constant.push_back(j + 1);
  }
  std::vector<int> feature(path.coef_feature);
  return Rcpp::List::create(
      Rcpp::_["center"] = center, Rcpp::_["scale"] = scale,
      Rcpp::_["y_center"] = intercept ? Rcpp::sum(weights * y) / Rcpp::sum(weights) : 0.0,
      Rcpp::_["lambda"] = path.lambda, Rcpp::_["actions"] = wrap_actions(path),
      Rcpp::_["beta_i"] = feature, Rcpp::_["beta_p"] = coefficient_columns(path),
      Rcpp::_["beta_x"] = path.coef_value, Rcpp::_["rss"] = path.rss,
      Rcpp::_["excluded"] = path.excluded, Rcpp::_["constant"] = constant,
      Rcpp::_["status"] = status_name(path.status));
}
