#ifndef STABILECT_FEALECT_H
#define STABILECT_FEALECT_H

#include <algorithm>
#include <utility>
#include <vector>

#include "stabilect/base/types.h"
#include "stabilect/path/lars.h"

namespace stabilect {

// Which model gives the k-th contribution of a path.
enum class ScoreRule {
  size, // the model when exactly k features are selected (Zare et al. 2013, Eq. 2)
  step  // the model after the k-th step of the path, as in the R package FeaLect 1.20
};

struct RunScore {
  std::vector<int> feature; // from 0, increasing
  std::vector<double> score;
};

// Walks along a path: visit(step, active) after the events of each step, `active` being
// the features (from 1) in order of entry.
template <typename Visit>
void walk_path(const std::vector<int> &events, const std::vector<int> &event_end,
               const Visit &visit) {
  std::vector<int> active;
  int from = 0;
  for (std::size_t step = 0; step < event_end.size(); ++step) {
    for (; from < event_end[step]; ++from) {
      const int event = events[static_cast<std::size_t>(from)];
      if (event > 0)
        active.push_back(event);
      else
        active.erase(std::find(active.begin(), active.end(), -event));
    }
    visit(step, active);
  }
}

// The step whose model counts for k = 1, 2, ..., or -1 where no step does. A size can be
// met again after a feature left: the first model of that size, at the largest lambda,
// counts. A size skipped because several features entered together has no model.
inline std::vector<int> counted_steps(const std::vector<int> &events,
                                      const std::vector<int> &event_end, ScoreRule rule,
                                      int max_features) {
  std::vector<int> steps;
  walk_path(events, event_end, [&](std::size_t step, const std::vector<int> &active) {
    const std::size_t k = rule == ScoreRule::step ? step + 1 : active.size();
    if (k == 0 || (max_features >= 0 && k > static_cast<std::size_t>(max_features)))
      return;
    if (steps.size() < k)
      steps.resize(k, -1);
    if (steps[k - 1] < 0)
      steps[k - 1] = static_cast<int>(step);
  });
  return steps;
}

// sum_k S_k(f) of one run (Zare et al. 2013, Eq. 2-3): 1 / (number selected) for every
// feature of the k-th model.
inline RunScore score_path(const LarsPath &path, ScoreRule rule, int max_features) {
  RunScore out;
  for (int event : path.events)
    if (event > 0)
      out.feature.push_back(event - 1);
  std::sort(out.feature.begin(), out.feature.end());
  out.feature.erase(std::unique(out.feature.begin(), out.feature.end()), out.feature.end());
  out.score.assign(out.feature.size(), 0.0);
  const std::vector<int> counted = counted_steps(path.events, path.event_end, rule, max_features);
  std::vector<char> counts(path.n_steps(), 0);
  for (int step : counted)
    if (step >= 0)
      counts[static_cast<std::size_t>(step)] = 1;
  walk_path(path.events, path.event_end, [&](std::size_t step, const std::vector<int> &active) {
    if (!counts[step])
      return;
    for (int feature : active) {
      const auto at = std::lower_bound(out.feature.begin(), out.feature.end(), feature - 1);
      out.score[static_cast<std::size_t>(at - out.feature.begin())] +=
          1.0 / static_cast<double>(active.size());
    }
  });
  // Features met only in models that do not count have no score.
  std::size_t kept = 0;
  for (std::size_t k = 0; k < out.feature.size(); ++k) {
    if (out.score[k] == 0.0)
      continue;
    out.feature[kept] = out.feature[k];
    out.score[kept++] = out.score[k];
  }
  out.feature.resize(kept);
  out.score.resize(kept);
  return out;
}

// The events of several paths, end to end. Ends of steps count within a run.
struct StoredPaths {
  std::vector<int> event, event_end;      // as in LarsPath
  std::vector<int> run_events, run_steps; // where the events and the steps of each run end

  std::size_t n_runs() const { return run_events.size(); }
  std::vector<int> events_of(std::size_t run) const { return piece(event, run_events, run); }
  std::vector<int> ends_of(std::size_t run) const { return piece(event_end, run_steps, run); }

private:
  static std::vector<int> piece(const std::vector<int> &all, const std::vector<int> &ends,
                                std::size_t run) {
    return {all.begin() + (run ? ends[run - 1] : 0), all.begin() + ends[run]};
  }
};

// Share of runs in which each of `features` (from 1, each once) is in the model that counts for
// k = 1 .. max_size: features x max_size. Runs without such a model count as not selecting it.
inline Eigen::MatrixXd frequency_by_size(const StoredPaths &paths, const std::vector<int> &features,
                                         int max_size, ScoreRule rule) {
  Eigen::MatrixXd frequency = Eigen::MatrixXd::Zero(static_cast<Index>(features.size()), max_size);
  std::vector<std::pair<int, Index>> rows;
  for (std::size_t f = 0; f < features.size(); ++f)
    rows.emplace_back(features[f], static_cast<Index>(f));
  std::sort(rows.begin(), rows.end());
  const double share = 1.0 / static_cast<double>(paths.n_runs());
  for (std::size_t b = 0; b < paths.n_runs(); ++b) {
    const std::vector<int> events = paths.events_of(b), ends = paths.ends_of(b);
    const std::vector<int> counted = counted_steps(events, ends, rule, max_size);
    std::vector<Index> size_of(ends.size(), -1);
    for (std::size_t k = 0; k < counted.size(); ++k)
      if (counted[k] >= 0)
        size_of[static_cast<std::size_t>(counted[k])] = static_cast<Index>(k);
    walk_path(events, ends, [&](std::size_t step, const std::vector<int> &active) {
      if (size_of[step] < 0)
        return;
      for (int feature : active) {
        const auto at =
            std::lower_bound(rows.begin(), rows.end(), std::pair<int, Index>(feature, -1));
        if (at != rows.end() && at->first == feature)
          frequency(at->second, size_of[step]) += share;
      }
    });
  }
  return frequency;
}

} // namespace stabilect

#endif
