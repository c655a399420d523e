#ifndef STABILECT_HYBRID_RFE_H
#define STABILECT_HYBRID_RFE_H

// Hybrid recursive feature elimination (Hamer and Dupont 2021, Algorithm 1 and section 6.2) in
// every run: some features are never dropped, the others are dropped by their weight in a logistic
// regression. A separate penalty q_j of feature j is applied by multiplying its column by 1 /
// sqrt(q_j).

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>
#include <utility>

#include "stabilect/base/error.h"
#include "stabilect/base/runtime.h"
#include "stabilect/eliminate/elimination.h"

namespace stabilect {

struct HybridOptions {
  int n_features = 1;        // k, at the end
  double lambda = 1.0;       // while features are dropped
  double lambda_final = 1.0; // of the last fit
  double epsilon = 1.0;      // factor of the stable features in the penalty, beta_f of Algorithm 1
  double alpha = 0.0;        // Eq. 16
  double drop = 0.2;         // share of the remaining features dropped at a time; 0: one
};

struct HybridRun {
  bool ok = false, converged = false; // converged: all fits, the last one included
  Array<int> selected;                // columns, ascending
  Eigen::VectorXd weight;             // of the standardised selected features
  Eigen::VectorXd frequency_score;    // sc_f, Eq. 15
  Eigen::VectorXd coefficient, link;  // on the scale of x; fitted log odds of all rows of x
  double intercept = 0.0;
  Eigen::VectorXd score; // order of leaving from 1, then the selected ones by |weight|
};

// One factor of Eq. 15: from `before` to `after` features, for the feature of this rank (from 1).
inline double frequency_factor(Index before, Index after, Index rank) {
  return (after - rank + 1.0) / (before - rank + 1.0);
}

namespace hybrid_detail {

using Eigen::VectorXd;

// sc_f of Eq. 15, moved by every step of an elimination.
class FrequencyScores {
public:
  explicit FrequencyScores(Index n_features) : scores_(VectorXd::Ones(n_features)) {}

  // The features that stay are the first `after` ones of the ranking.
  void move(const Array<int> &ranking, Index after) {
    for (Index k = 0; k < after; ++k)
      scores_[ranking[k]] *= frequency_factor(ranking.size(), after, k + 1);
  }

  VectorXd of(const Array<int> &selected) const {
    VectorXd out(selected.size());
    const double ratio = 1.0 * scores_.size() / out.size();
    for (Index i = 0; i < out.size(); ++i)
      out[i] = std::min(1.0, ratio * scores_[selected[i]]);
    return out;
  }

private:
  VectorXd scores_;
};

inline LinearOptions logistic(double lambda) {
  LinearOptions options;
  options.loss = LinearLoss::logistic;
  options.penalty = lambda;
  options.free_intercept = true;
  return options;
}

// Down to the selected features. `stable`: columns that are never dropped, in the order of the
// univariate criterion; their penalty falls with epsilon.
inline void eliminate(const ConstMatrix &x, const Array<int> &codes, const VectorXd &counts,
                      const Array<int> &stable, const HybridOptions &options, TieOrder ties,
                      HybridRun *out) {
  const int p = static_cast<int>(x.cols());
  Array<int> all(p);
  std::iota(all.begin(), all.end(), 0);
  VectorXd factors = VectorXd::Ones(p);
  for (int j : stable)
    factors[j] = 1.0 / options.epsilon;
  const LinearSamples samples(x, counts, all, factors, Scaling::sd);
  EliminationPlan plan;
  plan.sizes = sizes_by_share(p, options.drop, options.n_features);
  plan.last = options.n_features;
  plan.kept = stable;
  plan.ordered = p;
  plan.ties = ties;
  LinearOptions fits = logistic(options.lambda);
  // A kernel of many samples takes the third power of their number.
  fits.primal = samples.n_bag() > kManySamples;
  Elimination elimination(samples, codes, 2, fits, plan);
  FrequencyScores scores(p);
  double next_score = 1.0;
  elimination.run([&](Index, Index next) {
    const Array<int> &ranking = elimination.ranking();
    scores.move(ranking, next);
    for (Index k = ranking.size(); k > next; --k)
      out->score[ranking[k - 1]] = next_score++;
  });
  out->selected = elimination.active();
  std::sort(out->selected.begin(), out->selected.end());
  out->frequency_score = scores.of(out->selected);
  out->converged = elimination.machines().converged();
}

// Algorithm 1, line 10, with the penalty of Eq. 16.
inline void fit_final(const ConstMatrix &x, const Array<int> &codes, const VectorXd &counts,
                      const HybridOptions &options, HybridRun *out) {
  const VectorXd root =
      (1.0 + options.alpha * (1.0 - out->frequency_score.array())).sqrt().inverse().matrix();
  const LinearSamples samples(x, counts, out->selected, root, Scaling::sd);
  Machines machines(samples, codes, 2, logistic(options.lambda_final));
  machines.fit();
  const LinearWeights on_x = machines.on_scale_of_x();
  out->converged = out->converged && on_x.converged;
  out->weight = machines[0].weights.cwiseProduct(root);
  out->coefficient = on_x.weights.col(0);
  out->intercept = on_x.constants[0];
  out->link = VectorXd::Constant(x.rows(), machines[0].intercept);
  for (Index i = 0; i < out->coefficient.size(); ++i)
    out->link.array() +=
        out->coefficient[i] * (x.col(samples.column_of(i)).array() - samples.centre(i));
}

// Selected features score above all others, in the order of |weight|.
inline void rank_selected(HybridRun *out, TieOrder ties) {
  using Entry = std::pair<double, int>;
  Array<Entry> order;
  for (Index i = 0; i < out->selected.size(); ++i)
    order.push_back({to_ten_digits(std::abs(out->weight[i])), out->selected[i]});
  std::sort(order.begin(), order.end(), [&](const Entry &a, const Entry &b) {
    return a.first != b.first ? a.first < b.first : ties(b.second, a.second);
  });
  double next = out->score.size() - order.size() + 1.0;
  for (const auto &entry : order)
    out->score[entry.second] = next++;
}

inline void check_input(const ConstMatrix &x, const Array<int> &codes,
                        const Eigen::Ref<const Eigen::MatrixXi> &counts,
                        const Eigen::Ref<const Eigen::MatrixXi> &stable,
                        const HybridOptions &options) {
  if (counts.rows() != x.rows() || codes.size() != x.rows())
    throw Error("counts and codes must have one row per row of x");
  if (stable.cols() != counts.cols())
    throw Error("stable must have one column per run");
  if (options.n_features < 1 || options.n_features > x.cols())
    throw Error("n_features must be from 1 to the number of columns");
  if (stable.rows() > options.n_features)
    throw Error("there cannot be more stable features than features in the end");
  if (stable.size() > 0 && (stable.minCoeff() < 0 || stable.maxCoeff() >= x.cols()))
    throw Error("stable must name columns of x");
  if (!(options.lambda > 0.0) || !(options.lambda_final > 0.0) || !(options.epsilon > 0.0))
    throw Error("lambda, lambda_final and epsilon must be positive");
  if (!(options.alpha >= 0.0))
    throw Error("alpha must not be negative");
  if (!(options.drop >= 0.0 && options.drop < 1.0))
    throw Error("drop must be in [0, 1)");
}

} // namespace hybrid_detail

// One run per column of `counts`. `codes`: class 0 or 1; `stable` (N x B): columns of x that run b
// keeps, best first. Runs of one class are not `ok` and empty.
inline Array<HybridRun> run_hybrid_rfe(const ConstMatrix &x, const Array<int> &codes,
                                       const Eigen::Ref<const Eigen::MatrixXi> &counts,
                                       const Eigen::Ref<const Eigen::MatrixXi> &stable,
                                       const HybridOptions &options,
                                       const Runtime &runtime = Runtime(),
                                       const Ties &ties = Ties()) {
  hybrid_detail::check_input(x, codes, counts, stable, options);
  check_ties(ties, x.cols(), counts.cols());
  Array<HybridRun> out(counts.cols());
  run_tasks(out.size(), runtime, [&](Index task) {
    const Index b = task;
    const Eigen::VectorXd in_bag = counts.col(b).cast<double>();
    if (!has_two_classes(codes, in_bag))
      return;
    const Eigen::VectorXi kept = stable.col(b);
    HybridRun &run = out[task];
    run.score = Eigen::VectorXd::Zero(x.cols());
    hybrid_detail::eliminate(x, codes, in_bag, Array<int>(kept.data(), kept.data() + kept.size()),
                             options, ties.in_run(b), &run);
    hybrid_detail::fit_final(x, codes, in_bag, options, &run);
    hybrid_detail::rank_selected(&run, ties.in_run(b));
    run.ok = true;
  });
  return out;
}

} // namespace stabilect

#endif
