#ifndef STABILECT_LARS_H
#define STABILECT_LARS_H

// Options and result of a path.
//
// x~ are the columns after weighted centring and scaling to unit weighted norm. For every lambda
// from the largest |x~_j'W y| down to 0, a path is the minimiser of
//   1/2 sum_i w_i (y_i - b0 - x~_i'b)^2 + lambda ||b||_1        ("lasso"),
// or the least angle sequence of Efron, Hastie, Johnstone & Tibshirani (2004), in which
// coefficients may change sign and nothing ever leaves ("lar").

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>

#include "stabilect/base/array.h"
#include "stabilect/base/ties.h"

namespace stabilect {

enum class PathType { lasso, lar };
enum class PathStatus {
  complete,
  max_steps,
  max_features,
  no_signal,
  one_response,
  // likelihood paths
  explained,     // nearly all of the deviance is
  class_absent,  // of several classes
  separated,     // the free columns alone fit without limit
  no_convergence // at the lambda that would have been next
};

struct LarsOptions {
  PathType type = PathType::lasso;
  bool intercept = true;
  bool normalize = true;
  int max_steps = -1;    // -1: no limit
  int max_features = -1; // the path ends before more than this many are active
  double least = 0.0;    // the path ends at the first knot below this penalty
  bool keep_coefficients = false;
  int kernel_width = 0; // 16: the plain kernels, for tests
  // Randomised lasso (Meinshausen & Buehlmann 2010, section 4): below 1, each run multiplies
  // its scaled columns by numbers drawn from [weakness, 1), stream (seed, run).
  double weakness = 1.0;
  std::uint64_t seed = 0;
  Index first_run = 0; // number of the first run, when these are a part of all
  // Further factors of the scaled columns, one each: one over the penalty weight, 0 for columns
  // that are left out. Empty for ones.
  std::shared_ptr<const Array<double>> multiply;
  // The view of each column, if every run has factors of its own: run b has those of its n views
  // at [b * n], [b * n + 1], ...
  std::shared_ptr<const Array<int>> multiply_views;
  // The cluster of each column, if max_features counts clusters with an active feature.
  std::shared_ptr<const Array<int>> clusters;
  // Which of columns that are equal in a run comes first there; the first column without these.
  std::shared_ptr<const Ties> ties;
};

// What max_features counts of a model.
inline int counted_size(const LarsOptions &options, const Array<int> &active) {
  if (!options.clusters)
    return static_cast<int>(active.size());
  Array<int> met;
  met.reserve(active.size());
  for (int j : active)
    met.push_back((*options.clusters)[j]);
  std::sort(met.begin(), met.end());
  return static_cast<int>(std::unique(met.begin(), met.end()) - met.begin());
}

inline Index n_factor_views(const LarsOptions &options) {
  const Array<int> &view = *options.multiply_views;
  return view.empty() ? 0 : *std::max_element(view.begin(), view.end()) + 1;
}

// Are there as many factors as columns, or as views of all runs?
inline bool factors_fit(const LarsOptions &options, Index p, Index n_runs) {
  if (!options.multiply_views)
    return !options.multiply || options.multiply->size() == p;
  return options.multiply && options.multiply_views->size() == p &&
         options.multiply->size() == n_factor_views(options) * n_runs;
}

struct LarsPath {
  Array<int> events;        // +j enters, -j leaves, features from 1, knot by knot
  Array<char> positive;     // as events: the feature enters with a positive coefficient
  Array<int> event_end;     // per step: one past its last event
  Array<double> lambda;     // at the start of each step, then at the end
  Array<double> rss;        // as lambda
  Array<int> excluded;      // met while collinear with the active set, from 1
  Array<int> coef_end;      // per step end, when coefficients are kept
  Array<int> coef_feature;  // from 0
  Array<double> coef_value; // on the scale of x~
  PathStatus status = PathStatus::complete;

  Index n_steps() const { return event_end.size(); }
};

inline const char *status_name(PathStatus status) {
  switch (status) {
  case PathStatus::complete:
    return "complete";
  case PathStatus::max_steps:
    return "max_steps";
  case PathStatus::max_features:
    return "max_features";
  case PathStatus::no_signal:
    return "no_signal";
  case PathStatus::one_response:
    return "one_response";
  case PathStatus::explained:
    return "explained";
  case PathStatus::class_absent:
    return "class_absent";
  case PathStatus::separated:
    return "separated";
  case PathStatus::no_convergence:
    return "no_convergence";
  }
  return "";
}

} // namespace stabilect

#endif
