#ifndef STABILECT_FILTERS_RANK_H
#define STABILECT_FILTERS_RANK_H

// Filters on ranks: Wilcoxon's z and Spearman's correlation. A feature is sorted once; its
// ranks in every run follow from running sums of the counts.

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>

#include "stabilect/base/error.h"
#include "stabilect/base/runtime.h"
#include "stabilect/base/types.h"
#include "stabilect/score/filter_runs.h"

namespace stabilect {

enum class RankFilter { wilcoxon, spearman };

namespace rank_detail {

struct Group {
  Index from, to; // positions of equal values in the order
};

inline Array<Group> sort_groups(const double *x, Array<Index> *order) {
  std::iota(order->begin(), order->end(), Index(0));
  std::sort(order->begin(), order->end(),
            [x](Index a, Index b) { return x[a] < x[b] || (x[a] == x[b] && a < b); });
  Array<Group> groups;
  const Index n = order->size();
  for (Index i = 0; i < n; ++i) {
    if (i == 0 || x[(*order)[i]] != x[(*order)[i - 1]])
      groups.push_back({i, i});
    groups.back().to = i + 1;
  }
  return groups;
}

// Mid-ranks of y in run b, centred: from -(N - 1) / 2 to (N - 1) / 2.
inline Eigen::VectorXd centred_ranks(const ConstVector &y, const ConstCounts &counts, Index b) {
  Array<Index> order(y.size());
  Eigen::VectorXd rank(y.size());
  double below = 0.0;
  const double half = 0.5 * counts.col(b).sum();
  for (const Group &group : sort_groups(y.data(), &order)) {
    double size = 0.0;
    for (Index i = group.from; i < group.to; ++i)
      size += counts(order[i], b);
    for (Index i = group.from; i < group.to; ++i)
      rank[order[i]] = below + 0.5 * size - half;
    below += size;
  }
  return rank;
}

// The values of the response that each run needs, runs side by side in a row.
struct RankRuns {
  Index n, n_runs;
  Eigen::MatrixXd counts, response; // B x n: counts; counts times centred response
  Eigen::VectorXd total, norm;      // norm^2: sum of squares of the response

  // Wilcoxon: the centred indicator of class 1 gives the same correlation as its ranks.
  RankRuns(const ConstVector &y, const ConstCounts &in_bag)
      : n(in_bag.rows()), n_runs(in_bag.cols()), counts(in_bag.cast<double>().transpose()),
        response(n_runs, n), total(counts.rowwise().sum()), norm(n_runs) {
    for (Index b = 0; b < n_runs; ++b) {
      const Eigen::VectorXd rank = centred_ranks(y, in_bag, b);
      response.row(b) = counts.row(b).cwiseProduct(rank.transpose());
      norm[b] = std::sqrt(response.row(b).dot(rank));
    }
  }
};

// Sums are whole numbers and halves, so they are exact, in any order.
class RankScorer {
public:
  explicit RankScorer(const RankRuns &runs)
      : runs_(&runs), order_(runs.n), below_(runs.n_runs), ties_(runs.n_runs),
        product_(runs.n_runs), size_(runs.n_runs), share_(runs.n_runs) {}

  // Spearman's correlation of x with the response in each run.
  Eigen::ArrayXd operator()(const double *x) {
    below_.setZero(), ties_.setZero(), product_.setZero();
    for (const Group &group : sort_groups(x, &order_)) {
      size_ = runs_->counts.col(order_[group.from]).array();
      share_ = runs_->response.col(order_[group.from]).array();
      for (Index i = group.from + 1; i < group.to; ++i) {
        size_ += runs_->counts.col(order_[i]).array();
        share_ += runs_->response.col(order_[i]).array();
      }
      product_ += (below_ + 0.5 * size_ - 0.5 * runs_->total.array()) * share_;
      ties_ += size_ * size_ * size_;
      below_ += size_;
    }
    // Sum of squares of centred mid-ranks: (N^3 - sum of cubes of tied groups) / 12.
    const auto total = runs_->total.array();
    const Eigen::ArrayXd square = (total * total * total - ties_) / 12.0;
    const auto scale = square.sqrt() * runs_->norm.array();
    return (scale > 0.0).select(product_ / scale, 0.0);
  }

private:
  const RankRuns *runs_;
  Array<Index> order_;
  Eigen::ArrayXd below_, ties_, product_, size_, share_;
};

} // namespace rank_detail

// |z| of Wilcoxon's rank sum test with the correction for ties and none for continuity, sqrt(N - 1)
// times Spearman's correlation with the class, or Spearman's correlation itself; p x B. `y`: class
// 0 or 1, or numbers. 0 for a feature or a response that is constant in the run.
inline Eigen::MatrixXd score_rank_filter(const ConstMatrix &x, const ConstVector &y,
                                         const ConstCounts &counts, RankFilter filter,
                                         const Runtime &runtime = Runtime()) {
  if (counts.rows() != x.rows() || y.size() != x.rows())
    throw Error("counts and y must have one row per row of x");
  const rank_detail::RankRuns runs(y, counts);
  Eigen::ArrayXd factor = Eigen::ArrayXd::Ones(runs.n_runs);
  if (filter == RankFilter::wilcoxon)
    factor = (runs.total.array() - 1.0).max(0.0).sqrt();
  Eigen::MatrixXd out(x.cols(), counts.cols());
  constexpr Index kBlock = 64;
  const Index p = x.cols();
  run_tasks((p + kBlock - 1) / kBlock, runtime, [&](Index task) {
    rank_detail::RankScorer scorer(runs);
    const Index from = task * kBlock;
    for (Index j = from; j < std::min(p, from + kBlock); ++j)
      out.row(j) = (scorer(x.col(j).data()).abs() * factor).matrix().transpose();
  });
  if (filter == RankFilter::spearman)
    out = out.cwiseMin(1.0);
  return out;
}

} // namespace stabilect

#endif
