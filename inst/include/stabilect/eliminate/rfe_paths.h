#ifndef STABILECT_RFE_PATHS_H
#define STABILECT_RFE_PATHS_H

// A linear classifier on nested sets of features: at each size it is fitted, predicts the left-out
// samples, and drops the features with the smallest weights.

#include <algorithm>
#include <numeric>
#include <stdexcept>

#include "stabilect/base/error.h"
#include "stabilect/base/runtime.h"
#include "stabilect/eliminate/elimination.h"

namespace stabilect {

// Factors by which scaled features are multiplied, and factors of their penalties.
struct FeatureFactors {
  Eigen::VectorXd root, shrinkage;
};

// The results of an elimination at one size.
struct RfeStep {
  Array<int> dropped;  // in the previous set and not in this one, the most important first
  Array<int> features; // this set, the most important first; may be left empty
  Eigen::VectorXd importance;
  Eigen::MatrixXd decision; // left-out samples x machines; kAbsent for a class that is not there
};

namespace rfe_detail {

// Factors of the columns `set`; a column is divided by the root of its shrinkage.
inline LinearSamples make_samples(const ConstMatrix &x, const ConstVector &counts,
                                  const Array<int> &set, const FeatureFactors &factors,
                                  Scaling scaling) {
  Eigen::VectorXd multiple(set.size());
  for (Index k = 0; k < multiple.size(); ++k) {
    const int column = set[k];
    multiple[k] = factors.root[column] / std::sqrt(factors.shrinkage[column]);
  }
  return LinearSamples(x, counts, set, multiple, scaling);
}

// The weight of a divided column is therefore too large by this root.
inline Eigen::VectorXd worth_of(const Array<int> &set, const FeatureFactors &factors) {
  Eigen::VectorXd worth(set.size());
  for (Index k = 0; k < worth.size(); ++k)
    worth[k] = 1.0 / factors.shrinkage[set[k]];
  return worth;
}

inline Array<RfeStep> run_path(const LinearSamples &samples, const Eigen::MatrixXd &left_out,
                               const Array<int> &codes, int n_classes, const LinearOptions &options,
                               const EliminationPlan &plan) {
  Array<RfeStep> steps(plan.sizes.size());
  Elimination elimination(samples, codes, n_classes, options, plan);
  elimination.run([&](Index s, Index next) {
    const Array<int> &ranking = elimination.ranking();
    const bool whole = plan.sizes[s] <= plan.ordered || next == 0;
    RfeStep &step = steps[s];
    step.decision = elimination.machines().decision(left_out, elimination.active());
    if (whole)
      step.importance.resize(ranking.size());
    for (Index k = 0; k < ranking.size(); ++k) {
      const int column = samples.column_of(ranking[k]);
      if (whole) {
        step.features.push_back(column);
        step.importance[k] = elimination.importance(ranking[k]);
      }
      if (k >= next && next > 0)
        steps[s + 1].dropped.push_back(column);
    }
  });
  return steps;
}

inline void check_paths(const ConstMatrix &x, const Array<Array<int>> &sets,
                        const Array<int> &sizes) {
  for (Index s = 0; s < sizes.size(); ++s)
    if (sizes[s] < 1 || (s > 0 && sizes[s] >= sizes[s - 1]))
      throw Error("sizes must fall and be positive");
  for (const auto &set : sets) {
    if (sizes.empty() || static_cast<int>(set.size()) != sizes[0])
      throw Error("the first size must be that of the sets");
    for (int j : set)
      if (j < 0 || j >= x.cols())
        throw Error("a set has a column that is not there");
  }
}

} // namespace rfe_detail

// Paths over the same sizes in several resamples (columns of `counts`), each from its own set.
// `keep`: importances are returned for sizes up to this one, and for the last one.
inline Array<Array<RfeStep>> rfe_paths(const ConstMatrix &x, const Array<int> &codes, int n_classes,
                                       const Eigen::Ref<const Eigen::MatrixXi> &counts,
                                       const Array<Array<int>> &sets, const Array<int> &sizes,
                                       const FeatureFactors &factors, const LinearOptions &options,
                                       int keep = 1000, const Runtime &runtime = Runtime(),
                                       const Ties &ties = Ties()) {
  check_linear(x, codes, counts.rows(), options);
  check_ties(ties, x.cols(), counts.cols());
  if (sets.size() != counts.cols())
    throw Error("sets must have one element per column of counts");
  rfe_detail::check_paths(x, sets, sizes);
  Array<Array<RfeStep>> out(sets.size());
  run_tasks(sets.size(), runtime, [&](Index task) {
    const Eigen::VectorXd in_bag = counts.col(task).cast<double>();
    const LinearSamples samples =
        rfe_detail::make_samples(x, in_bag, sets[task], factors, options.scaling);
    EliminationPlan plan;
    plan.sizes = sizes;
    plan.worth = rfe_detail::worth_of(sets[task], factors);
    plan.ordered = keep;
    plan.ties = ties.in_run(task);
    out[task] = rfe_detail::run_path(samples, samples.left_out(x), codes, n_classes, options, plan);
  });
  return out;
}

struct LinearModel {
  LinearWeights weights;
  Eigen::VectorXd importance;
};

// One model of all features.
inline LinearModel fit_linear(const ConstMatrix &x, const Array<int> &codes, int n_classes,
                              const FeatureFactors &factors, const LinearOptions &options) {
  check_linear(x, codes, x.rows(), options);
  Array<int> all(x.cols());
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
