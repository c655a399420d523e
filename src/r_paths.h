#ifndef STABILECT_R_PATHS_H
#define STABILECT_R_PATHS_H

// The paths of many runs on their way between R and the core.

#include "r_convert.h"
#include "stabilect/path/fealect.h"

namespace stabilect {
namespace r {

inline ScoreRule score_rule(const std::string &word) {
  return choice<ScoreRule>("rule", word, {{"size", ScoreRule::size}, {"step", ScoreRule::step}});
}

struct ScoreOptions {
  LarsOptions path;
  ScoreRule rule = ScoreRule::size;
  int limit = -1; // largest size, or number of steps, that counts; -1: none
  bool keep_paths = false;
};

// A code from 0 for each of p columns, for example its cluster; null when there are none.
inline std::shared_ptr<const Array<int>> codes_of(const Options &given, const char *name, int p) {
  const Array<int> codes = given.get(name, Array<int>());
  if (codes.empty())
    return nullptr;
  if (static_cast<int>(codes.size()) != p || *std::min_element(codes.begin(), codes.end()) < 0)
    throw std::invalid_argument(std::string(name) + " must have one number for each column of x");
  return std::make_shared<const Array<int>>(codes);
}

// Factors of the p columns, one over their penalty weights; null when there are none.
inline std::shared_ptr<const Array<double>> factors_of(const Array<double> &factors, int p) {
  if (factors.empty())
    return nullptr;
  if (static_cast<int>(factors.size()) != p)
    throw std::invalid_argument("penalty weights must be one for each column of x");
  return std::make_shared<const Array<double>>(factors);
}

// The factors of the columns, the same in all runs or by view and run.
inline void set_factors(LarsOptions &path, const Options &given, int p) {
  const Array<double> factors = given.get("multiply", Array<double>());
  path.multiply_views = codes_of(given, "multiply_views", p);
  path.multiply =
      path.multiply_views ? std::make_shared<const Array<double>>(factors) : factors_of(factors, p);
}

// Numbers of the columns' names, and a seed for each run, for the order of columns that are equal
// there.
inline void set_ties(LarsOptions &path, const Options &given) {
  const Array<double> names = given.get("tie_names", Array<double>());
  const Array<double> seeds = given.get("tie_seeds", Array<double>());
  if (!names.empty())
    path.ties =
        std::make_shared<const Ties>(Ties{Array<std::uint64_t>(names.begin(), names.end()),
                                          Array<std::uint64_t>(seeds.begin(), seeds.end())});
}

inline ScoreOptions score_options(const Rcpp::List &list, int p) {
  const Options given(list, {"rule", "limit", "keep_paths", "weakness", "seed", "first_run",
                             "kernel_width", "clusters", "multiply", "multiply_views", "least",
                             "tie_names", "tie_seeds"});
  ScoreOptions options;
  options.rule = score_rule(given.get<std::string>("rule", "size"));
  options.limit = given.get("limit", options.limit);
  options.keep_paths = given.get("keep_paths", options.keep_paths);
  LarsOptions &path = options.path;
  (options.rule == ScoreRule::step ? path.max_steps : path.max_features) = options.limit;
  path.weakness = given.get("weakness", path.weakness);
  path.seed = as_seed(given.get("seed", 0.0));
  path.first_run = given.get("first_run", 0);
  path.least = given.get("least", path.least);
  path.kernel_width = given.get("kernel_width", path.kernel_width);
  path.clusters = codes_of(given, "clusters", p);
  set_factors(path, given, p);
  set_ties(path, given);
  return options;
}

inline Rcpp::List wrap_scores(const Array<RunScore> &scores) {
  const Index n_runs = scores.size();
  const Rcpp::IntegerVector ends =
      run_ends(n_runs, [&](Index b) { return scores[b].feature.size(); });
  Rcpp::IntegerVector p(n_runs + 1), i(n_runs ? ends[n_runs - 1] : 0);
  Rcpp::NumericVector x(i.size());
  for (Index b = 0; b < n_runs; ++b) {
    p[b + 1] = ends[b];
    std::copy(scores[b].feature.begin(), scores[b].feature.end(), i.begin() + p[b]);
    std::copy(scores[b].score.begin(), scores[b].score.end(), x.begin() + p[b]);
  }
  return Rcpp::List::create(Rcpp::_["i"] = i, Rcpp::_["p"] = p, Rcpp::_["x"] = x);
}

// Signs as flags, numbers of classes unchanged.
inline SEXP flags_or_classes(const Rcpp::IntegerVector &values) {
  for (int value : values)
    if (value > 1)
      return values;
  return Rcpp::LogicalVector(values);
}

// Events, their signs and lambdas of all runs, end to end; run b has one lambda more than steps.
inline Rcpp::List wrap_paths(const Array<LarsPath> &paths) {
  const Index n_runs = paths.size();
  const auto events = run_ends(n_runs, [&](Index b) { return paths[b].events.size(); });
  const auto steps = run_ends(n_runs, [&](Index b) { return paths[b].n_steps(); });
  Rcpp::IntegerVector event(n_runs ? events[n_runs - 1] : 0);
  Rcpp::IntegerVector positive(event.size()); // with several classes, the number of one
  Rcpp::IntegerVector event_end(n_runs ? steps[n_runs - 1] : 0);
  Rcpp::NumericVector lambda(event_end.size() + n_runs);
  for (Index b = 0; b < n_runs; ++b) {
    const int e = b ? events[b - 1] : 0, s = b ? steps[b - 1] : 0;
    std::copy(paths[b].events.begin(), paths[b].events.end(), event.begin() + e);
    std::copy(paths[b].positive.begin(), paths[b].positive.end(), positive.begin() + e);
    std::copy(paths[b].event_end.begin(), paths[b].event_end.end(), event_end.begin() + s);
    std::copy(paths[b].lambda.begin(), paths[b].lambda.end(),
              lambda.begin() + s + static_cast<int>(b));
  }
  return Rcpp::List::create(Rcpp::_["event"] = event,
                            Rcpp::_["positive"] = flags_or_classes(positive),
                            Rcpp::_["event_end"] = event_end, Rcpp::_["lambda"] = lambda,
                            Rcpp::_["run_events"] = events, Rcpp::_["run_steps"] = steps);
}

inline StoredPaths stored_paths(const Rcpp::List &paths) {
  StoredPaths out;
  out.event = Rcpp::as<std::vector<int>>(paths["event"]);
  out.event_end = Rcpp::as<std::vector<int>>(paths["event_end"]);
  out.run_events = Rcpp::as<std::vector<int>>(paths["run_events"]);
  out.run_steps = Rcpp::as<std::vector<int>>(paths["run_steps"]);
  return out;
}

// The stored part of the paths, filled in by any thread, run by run.
class PathResults {
public:
  PathResults(const ScoreOptions &options, int n_runs)
      : options_(options), scores_(n_runs), paths_(options.keep_paths ? scores_.size() : 0),
        status_(scores_.size(), "") {}

  void take(Index run, LarsPath path) {
    scores_[run] = score_path(path, options_.rule, options_.limit);
    status_[run] = status_name(path.status);
    if (options_.keep_paths)
      paths_[run] = std::move(path);
  }

  Rcpp::List wrap() const {
    return Rcpp::List::create(
        Rcpp::_["scores"] = wrap_scores(scores_),
        Rcpp::_["status"] = Rcpp::CharacterVector(status_.begin(), status_.end()),
        Rcpp::_["paths"] = options_.keep_paths ? wrap_paths(paths_) : Rcpp::List());
  }

private:
  ScoreOptions options_;
  Array<RunScore> scores_;
  Array<LarsPath> paths_;
  Array<const char *> status_;
};

} // namespace r
} // namespace stabilect

#endif
