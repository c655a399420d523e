#include "r_convert.h"
#include "r_runtime.h"
#include "stabilect/path/fealect.h"
#include "stabilect/path/lars_batch.h"

using namespace stabilect;

namespace {

ScoreRule score_rule(const std::string &rule) {
  return rule == "step" ? ScoreRule::step : ScoreRule::size;
}

Rcpp::List wrap_scores(const std::vector<RunScore> &scores) {
  const std::size_t n_runs = scores.size();
  const Rcpp::IntegerVector ends =
      r::run_ends(n_runs, [&](std::size_t b) { return scores[b].feature.size(); });
  Rcpp::IntegerVector p(n_runs + 1), i(n_runs ? ends[n_runs - 1] : 0);
  Rcpp::NumericVector x(i.size());
  for (std::size_t b = 0; b < n_runs; ++b) {
    p[b + 1] = ends[b];
    std::copy(scores[b].feature.begin(), scores[b].feature.end(), i.begin() + p[b]);
    std::copy(scores[b].score.begin(), scores[b].score.end(), x.begin() + p[b]);
  }
  return Rcpp::List::create(Rcpp::_["i"] = i, Rcpp::_["p"] = p, Rcpp::_["x"] = x);
}

// Events and lambdas of all runs, end to end; run b has lambda values one more than steps.
Rcpp::List wrap_paths(const std::vector<LarsPath> &paths) {
  const std::size_t n_runs = paths.size();
  const auto events = r::run_ends(n_runs, [&](std::size_t b) { return paths[b].events.size(); });
  const auto steps = r::run_ends(n_runs, [&](std::size_t b) { return paths[b].n_steps(); });
  Rcpp::IntegerVector event(n_runs ? events[n_runs - 1] : 0);
  Rcpp::IntegerVector event_end(n_runs ? steps[n_runs - 1] : 0);
  Rcpp::NumericVector lambda(event_end.size() + n_runs);
  for (std::size_t b = 0; b < n_runs; ++b) {
    const int e = b ? events[b - 1] : 0, s = b ? steps[b - 1] : 0;
    std::copy(paths[b].events.begin(), paths[b].events.end(), event.begin() + e);
    std::copy(paths[b].event_end.begin(), paths[b].event_end.end(), event_end.begin() + s);
    std::copy(paths[b].lambda.begin(), paths[b].lambda.end(),
              lambda.begin() + s + static_cast<int>(b));
  }
  return Rcpp::List::create(Rcpp::_["event"] = event, Rcpp::_["event_end"] = event_end,
                            Rcpp::_["lambda"] = lambda, Rcpp::_["run_events"] = events,
                            Rcpp::_["run_steps"] = steps);
}

} // namespace

// Paths on all columns of `counts` (n x B) and the FeaLect score of every run.
// [[Rcpp::export(rng = false)]]
Rcpp::List cpp_score_paths(const Rcpp::NumericMatrix &x, const Rcpp::NumericVector &y,
                           const Rcpp::NumericMatrix &counts, const std::string &type,
                           const std::string &rule, int max_features, bool keep_paths,
                           int n_threads, SEXP progress, int kernel_width = 0,
                           double weakness = 1.0, double weakness_seed = 0.0, int first_run = 0) {
  LarsOptions options;
  options.type = r::path_type(type);
  options.kernel_width = kernel_width;
  options.weakness = weakness;
  options.seed = static_cast<std::uint64_t>(weakness_seed);
  options.first_run = static_cast<std::uint64_t>(first_run);
  if (score_rule(rule) == ScoreRule::step)
    options.max_steps = max_features;
  else
    options.max_features = max_features;
  const PackedMatrix packed(r::as_map(x), true);
  const std::size_t n_runs = static_cast<std::size_t>(counts.ncol());
  std::vector<RunScore> scores(n_runs);
  std::vector<LarsPath> paths(keep_paths ? n_runs : 0);
  Rcpp::IntegerVector n_steps(n_runs);
  std::vector<const char *> status(n_runs, "");
  int *steps = n_steps.begin();
  run_paths(packed, r::as_map(y), r::as_map(counts), options, make_runtime(n_threads, progress),
            [&](std::size_t b, LarsPath path) {
              scores[b] = score_path(path, score_rule(rule), max_features);
              steps[b] = static_cast<int>(path.n_steps());
              status[b] = status_name(path.status);
              if (keep_paths)
                paths[b] = std::move(path);
            });
  return Rcpp::List::create(Rcpp::_["scores"] = wrap_scores(scores), Rcpp::_["n_steps"] = n_steps,
                            Rcpp::_["status"] = Rcpp::CharacterVector(status.begin(), status.end()),
                            Rcpp::_["paths"] = keep_paths ? wrap_paths(paths) : Rcpp::List());
}

// Share of runs in which each of `features` is in the model of size k, k = 1 .. max_size:
// length(features) x max_size. Runs without such a model count as not selecting it.
// [[Rcpp::export(rng = false)]]
Rcpp::NumericMatrix cpp_frequency_by_size(const Rcpp::List &paths,
                                          const Rcpp::IntegerVector &features, int max_size,
                                          const std::string &rule) {
  const std::vector<int> event = paths["event"], event_end = paths["event_end"],
                         run_events = paths["run_events"], run_steps = paths["run_steps"];
  Rcpp::NumericMatrix frequency(features.size(), max_size);
  std::vector<std::pair<int, int>> rows;
  for (int f = 0; f < features.size(); ++f)
    rows.emplace_back(features[f], f);
  std::sort(rows.begin(), rows.end());
  const std::size_t n_runs = run_events.size();
  for (std::size_t b = 0; b < n_runs; ++b) {
    const std::vector<int> events(event.begin() + (b ? run_events[b - 1] : 0),
                                  event.begin() + run_events[b]);
    const std::vector<int> ends(event_end.begin() + (b ? run_steps[b - 1] : 0),
                                event_end.begin() + run_steps[b]);
    const std::vector<int> counted = counted_steps(events, ends, score_rule(rule), max_size);
    std::vector<int> size_of(ends.size(), -1);
    for (std::size_t k = 0; k < counted.size(); ++k)
      if (counted[k] >= 0)
        size_of[static_cast<std::size_t>(counted[k])] = static_cast<int>(k);
    walk_path(events, ends, [&](std::size_t step, const std::vector<int> &active) {
      if (size_of[step] < 0)
        return;
      for (int feature : active) {
        auto at = std::lower_bound(rows.begin(), rows.end(), std::make_pair(feature, -1));
        if (at != rows.end() && at->first == feature)
          frequency(at->second, size_of[step]) += 1.0 / static_cast<double>(n_runs);
      }
    });
  }
  return frequency;
}
