#ifndef STABILECT_SCORE_LINEAR_H
#define STABILECT_SCORE_LINEAR_H

// Scores of features in every run from the weights of linear classifiers, or from the order in
// which features leave a recursive elimination.

#include <algorithm>
#include <stdexcept>

#include "stabilect/base/error.h"
#include "stabilect/base/runtime.h"
#include "stabilect/eliminate/elimination.h"

namespace stabilect {

struct LinearScoring {
  bool eliminate = false;
  double share = 0.0; // of the features eliminated at a time; 0: one
};

// The first feature out scores 1, the last one p.
inline Eigen::VectorXd score_elimination(const LinearSamples &samples, const Array<int> &codes,
                                         int n_classes, const LinearOptions &options, double share,
                                         TieOrder ties) {
  EliminationPlan plan;
  plan.sizes = sizes_by_share(static_cast<int>(samples.n_features()), share, 1);
  plan.last = 1;
  plan.ties = ties;
  Elimination elimination(samples, codes, n_classes, options, plan);
  double next_score = 1.0;
  Eigen::VectorXd score = Eigen::VectorXd::Constant(samples.n_features(), samples.n_features());
  elimination.run([&](Index, Index next) {
    const Array<int> &ranking = elimination.ranking();
    for (Index k = ranking.size(); k > next; --k)
      score[ranking[k - 1]] = next_score++;
  });
  return score;
}

// p x B. Scores are |w_j|, for several classes the root of the sum of the squared weights of one
// machine per class; equal columns score the same. Runs of one class score 0. `codes`: class from
// 0.
inline Eigen::MatrixXd score_linear(const ConstMatrix &x, const Array<int> &codes, int n_classes,
                                    const Eigen::Ref<const Eigen::MatrixXi> &counts,
                                    LinearOptions options, const LinearScoring &scoring,
                                    const Runtime &runtime = Runtime(), const Ties &ties = Ties()) {
  check_linear(x, codes, counts.rows(), options);
  check_ties(ties, x.cols(), counts.cols());
  if (!(scoring.share >= 0.0 && scoring.share < 1.0))
    throw Error("share must be in [0, 1)");
  options.primal = false;
  Array<int> all(x.cols());
  std::iota(all.begin(), all.end(), 0);
  const Eigen::VectorXd ones = Eigen::VectorXd::Ones(x.cols());
  Eigen::MatrixXd out = Eigen::MatrixXd::Zero(x.cols(), counts.cols());
  run_tasks(counts.cols(), runtime, [&](Index task) {
    const Index b = task;
    const Eigen::VectorXd in_bag = counts.col(b).cast<double>();
    if (!has_two_classes(codes, in_bag))
      return;
    const LinearSamples samples(x, in_bag, all, ones, options.scaling);
    if (scoring.eliminate) {
      out.col(b) =
          score_elimination(samples, codes, n_classes, options, scoring.share, ties.in_run(b));
    } else {
      Machines machines(samples, codes, n_classes, options);
      machines.fit();
      out.col(b) = machines.squares(all.size()).cwiseSqrt();
    }
  });
  return out;
}

} // namespace stabilect

#endif
