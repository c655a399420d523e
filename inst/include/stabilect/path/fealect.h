#ifndef STABILECT_FEALECT_H
#define STABILECT_FEALECT_H

#include <algorithm>
#include <utility>

#include "stabilect/base/types.h"
#include "stabilect/path/lars.h"

namespace stabilect {

// Which model gives the k-th contribution of a path.
enum class ScoreRule {
  size, // the model when exactly k features are selected (Zare et al. 2013, Eq. 2)
  step  // the model after the k-th step of the path, as in the R package FeaLect 1.20
};

struct RunScore {
  Array<int> feature; // from 0, increasing
  Array<double> score;
};

// Walks along a path: visit(step, active) after the events of each step, `active` being
// the features (from 1) in order of entry.
template <typename Visit>
void walk_path(const Array<int> &events, const Array<int> &event_end, const Visit &visit) {
  Array<int> active;
  int from = 0;
  for (Index step = 0; step < event_end.size(); ++step) {
    for (; from < event_end[step]; ++from) {
      const int event = events[from];
      if (event > 0)
        active.push_back(event);
      else
        active.erase(std::find(active.begin(), active.end(), -event));
    }
    visit(step, active);
  }
}

// The step whose model counts for k = 1, 2, ..., or -1 if no step does. A size can recur after a
// feature left: the first model of this size, at the largest lambda, counts. A size skipped because
// several features entered together has no model.
inline Array<int> counted_steps(const Array<int> &events, const Array<int> &event_end,
                                ScoreRule rule, int max_features) {
  Array<int> steps;
  walk_path(events, event_end, [&](Index step, const Array<int> &active) {
    const Index k = rule == ScoreRule::step ? step + 1 : active.size();
    if (k == 0 || (max_features >= 0 && k > max_features))
      return;
    if (steps.size() < k)
      steps.resize(k, -1);
    if (steps[k - 1] < 0)
      steps[k - 1] = static_cast<int>(step);
  });
  return steps;
}

// Weight of the model of each step: 1 / (number selected) if it is the k-th for some k, else 0.
inline Array<double> model_weights(const Array<int> &events, const Array<int> &event_end,
                                   ScoreRule rule, int max_features) {
  Array<double> weight(event_end.size(), 0.0);
  for (int step : counted_steps(events, event_end, rule, max_features))
    if (step >= 0)
      weight[step] = 1.0;
  walk_path(events, event_end, [&](Index step, const Array<int> &active) {
    if (!active.empty())
      weight[step] /= active.size();
  });
  return weight;
}

// sum_k S_k(f) of one run (Zare et al. 2013, Eq. 2-3): the weights of the models with a feature.
inline RunScore score_models(const Array<int> &events, const Array<int> &event_end,
                             const Array<double> &weight) {
  RunScore out;
  for (int event : events)
    if (event > 0)
      out.feature.push_back(event - 1);
  std::sort(out.feature.begin(), out.feature.end());
  out.feature.erase(std::unique(out.feature.begin(), out.feature.end()), out.feature.end());
  out.score.assign(out.feature.size(), 0.0);
  walk_path(events, event_end, [&](Index step, const Array<int> &active) {
    if (weight[step] == 0.0)
      return;
    for (int feature : active) {
      const auto at = std::lower_bound(out.feature.begin(), out.feature.end(), feature - 1);
      out.score[at - out.feature.begin()] += weight[step];
    }
  });
  // Features only in models that do not count have no score.
  Index kept = 0;
  for (Index k = 0; k < out.feature.size(); ++k) {
    if (out.score[k] == 0.0)
      continue;
    out.feature[kept] = out.feature[k];
    out.score[kept++] = out.score[k];
  }
  out.feature.resize(kept);
  out.score.resize(kept);
  return out;
}

inline RunScore score_path(const LarsPath &path, ScoreRule rule, int max_features) {
  return score_models(path.events, path.event_end,
                      model_weights(path.events, path.event_end, rule, max_features));
}

// The events of several paths, end to end. Ends of steps count within a run.
struct StoredPaths {
  Array<int> event, event_end;      // as in LarsPath
  Array<int> run_events, run_steps; // where the events and the steps of each run end

  Index n_runs() const { return run_events.size(); }
  Array<int> events_of(Index run) const { return piece(event, run_events, run); }
  Array<int> ends_of(Index run) const { return piece(event_end, run_steps, run); }

private:
  static Array<int> piece(const Array<int> &all, const Array<int> &ends, Index run) {
    return {all.begin() + (run ? ends[run - 1] : 0), all.begin() + ends[run]};
  }
};

// Share of runs in which each of `features` (from 1, each once) is in the model that counts for
// k = 1 .. max_size: features x max_size. Runs without such a model count as not selecting it.
inline Eigen::MatrixXd frequency_by_size(const StoredPaths &paths, const Array<int> &features,
                                         int max_size, ScoreRule rule) {
  Eigen::MatrixXd frequency = Eigen::MatrixXd::Zero(features.size(), max_size);
  Array<std::pair<int, Index>> rows;
  for (Index f = 0; f < features.size(); ++f)
    rows.emplace_back(features[f], f);
  std::sort(rows.begin(), rows.end());
  const double share = 1.0 / paths.n_runs();
  for (Index b = 0; b < paths.n_runs(); ++b) {
    const Array<int> events = paths.events_of(b), ends = paths.ends_of(b);
    const Array<int> counted = counted_steps(events, ends, rule, max_size);
    Array<Index> size_of(ends.size(), -1);
    for (Index k = 0; k < counted.size(); ++k)
      if (counted[k] >= 0)
        size_of[counted[k]] = k;
    walk_path(events, ends, [&](Index step, const Array<int> &active) {
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
