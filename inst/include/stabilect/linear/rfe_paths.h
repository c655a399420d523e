#ifndef STABILECT_RFE_PATHS_H
#define STABILECT_RFE_PATHS_H

// A linear classifier on nested sets of features: at each size it is fitted, predicts the samples
// that were left out, and the features with the smallest weights are dropped.

#include <algorithm>
#include <numeric>
#include <stdexcept>
#include <vector>

#include "stabilect/base/runtime.h"
#include "stabilect/linear/elimination.h"

namespace stabilect {

// Factors by which scaled features are multiplied, and factors of their penalties.
struct FeatureFactors {
  Eigen::VectorXd root, shrinkage;
};

// The results of an elimination at one size.
struct RfeStep {
  std::vector<int> dropped;  // in the previous set and not in this one, the most important first
  std::vector<int> features; // this set, the most important first; may be left empty
  Eigen::VectorXd importance;
  Eigen::MatrixXd decision; // left-out samples x machines; kAbsent for a class that is not there
};

namespace rfe_detail {

// Factors of the columns `set`; a column is divided by the root of its shrinkage.
inline LinearSamples make_samples(const ConstMatrix &x, const ConstVector &counts,
                                  const std::vector<int> &set, const FeatureFactors &factors,
                                  Scaling scaling) {
  Eigen::VectorXd multiple(static_cast<Index>(set.size()));
  for (Index k = 0; k < multiple.size(); ++k) {
    const int column = set[static_cast<std::size_t>(k)];
    multiple[k] = factors.root[column] / std::sqrt(factors.shrinkage[column]);
  }
  return LinearSamples(x, counts, set, multiple, scaling);
}

// So the weight of such a column is too large by this root.
inline Eigen::VectorXd worth_of(const std::vector<int> &set, const FeatureFactors &factors) {
  Eigen::VectorXd worth(static_cast<Index>(set.size()));
  for (Index k = 0; k < worth.size(); ++k)
    worth[k] = 1.0 / factors.shrinkage[set[static_cast<std::size_t>(k)]];
  return worth;
}

inline std::vector<RfeStep> run_path(const LinearSamples &samples, const Eigen::MatrixXd &left_out,
                                     const std::vector<int> &codes, int n_classes,
                                     const LinearOptions &options, const EliminationPlan &plan) {
  std::vector<RfeStep> steps(plan.sizes.size());
  Elimination elimination(samples, codes, n_classes, options, plan);
  elimination.run([&](std::size_t s, std::size_t next) {
    const std::vector<int> &ranking = elimination.ranking();
    const bool whole = plan.sizes[s] <= plan.ordered || next == 0;
    RfeStep &step = steps[s];
    step.decision = elimination.machines().decision(left_out, elimination.active());
    if (whole)
      step.importance.resize(static_cast<Index>(ranking.size()));
    for (std::size_t k = 0; k < ranking.size(); ++k) {
      const int column = samples.column_of(ranking[k]);
      if (whole) {
        step.features.push_back(column);
        step.importance[static_cast<Index>(k)] = elimination.importance(ranking[k]);
      }
      if (k >= next && next > 0)
        steps[s + 1].dropped.push_back(column);
    }
  });
  return steps;
}

inline void check_paths(const ConstMatrix &x, const std::vector<std::vector<int>> &sets,
                        const std::vector<int> &sizes) {
  for (std::size_t s = 0; s < sizes.size(); ++s)
    if (sizes[s] < 1 || (s > 0 && sizes[s] >= sizes[s - 1]))
      throw std::invalid_argument("sizes must fall and be positive");
  for (const auto &set : sets) {
    if (sizes.empty() || static_cast<int>(set.size()) != sizes[0])
      throw std::invalid_argument("the first size must be that of the sets");
    for (int j : set)
      if (j < 0 || j >= x.cols())
        throw std::invalid_argument("a set has a column that is not there");
  }
}

} // namespace rfe_detail

// Paths over the same sizes in several resamples (columns of `counts`), each from a set of its own.
// `keep`: importances are returned for sizes up to this one, and for the last one.
inline std::vector<std::vector<RfeStep>>
rfe_paths(const ConstMatrix &x, const std::vector<int> &codes, int n_classes,
          const Eigen::Ref<const Eigen::MatrixXi> &counts,
          const std::vector<std::vector<int>> &sets, const std::vector<int> &sizes,
          const FeatureFactors &factors, const LinearOptions &options, int keep = 1000,
          const Runtime &runtime = Runtime()) {
  check_linear(x, codes, counts.rows(), options);
  if (static_cast<Index>(sets.size()) != counts.cols())
    throw std::invalid_argument("sets must have one element per column of counts");
  rfe_detail::check_paths(x, sets, sizes);
  std::vector<std::vector<RfeStep>> out(sets.size());
  run_tasks(sets.size(), runtime, [&](std::size_t task) {
    const Eigen::VectorXd in_bag = counts.col(static_cast<Index>(task)).cast<double>();
    const LinearSamples samples =
        rfe_detail::make_samples(x, in_bag, sets[task], factors, options.scaling);
    EliminationPlan plan;
    plan.sizes = sizes;
    plan.worth = rfe_detail::worth_of(sets[task], factors);
    plan.ordered = keep;
    out[task] = rfe_detail::run_path(samples, samples.left_out(x), codes, n_classes, options, plan);
  });
  return out;
}

struct LinearModel {
  LinearWeights weights;
  Eigen::VectorXd importance;
};

// One model of all features.
inline LinearModel fit_linear(const ConstMatrix &x, const std::vector<int> &codes, int n_classes,
                              const FeatureFactors &factors, const LinearOptions &options) {
  check_linear(x, codes, x.rows(), options);
  std::vector<int> all(static_cast<std::size_t>(x.cols()));
  std::iota(all.begin(), all.end(), 0);
  const LinearSamples samples =
      rfe_detail::make_samples(x, Eigen::VectorXd::Ones(x.rows()), all, factors, options.scaling);
  Machines machines(samples, codes, n_classes, options);
  machines.fit();
  return {machines.on_scale_of_x(),
          machines.squares(all.size()).cwiseProduct(rfe_detail::worth_of(all, factors))};
}

} // namespace stabilect

#endif
