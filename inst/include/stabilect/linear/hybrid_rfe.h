#ifndef STABILECT_HYBRID_RFE_H
#define STABILECT_HYBRID_RFE_H

// Hybrid recursive feature elimination (Hamer and Dupont 2021, Algorithm 1 and section 6.2) in
// every run: some features are never dropped, the others go by their weight in a logistic
// regression. All fits work on the inner products of the samples, a penalty of feature j's own
// becoming a factor of its product: with penalties q_j, w_j = z_j'beta / q_j and K = sum_j z_j z_j'
// / q_j.

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>
#include <utility>
#include <vector>

#include "stabilect/base/runtime.h"
#include "stabilect/linear/linear_runs.h"
#include "stabilect/linear/linear_svm.h"

namespace stabilect {

struct HybridOptions {
  int n_features = 1;        // k, at the end
  double lambda = 1.0;       // while features go
  double lambda_final = 1.0; // of the last fit
  double epsilon = 1.0;      // factor of the stable features in the penalty, beta_f of Algorithm 1
  double alpha = 0.0;        // Eq. 16
  double drop = 0.2;         // share of the remaining features that goes at a time; 0: one
};

struct HybridRun {
  bool ok = false, converged = false;
  std::vector<int> selected;         // columns, ascending
  Eigen::VectorXd weight;            // of the standardised selected features
  Eigen::VectorXd frequency_score;   // sc_f, Eq. 15
  Eigen::VectorXd coefficient, link; // on the scale of x; fitted log odds of all rows of x
  double intercept = 0.0;
  Eigen::VectorXd score; // order of leaving from 1, then the selected ones by |weight|
};

// One factor of Eq. 15: from `before` to `after` features, for the feature of this rank (from 1).
inline double frequency_factor(std::size_t before, std::size_t after, std::size_t rank) {
  return static_cast<double>(after - rank + 1) / static_cast<double>(before - rank + 1);
}

namespace hybrid_detail {

using Eigen::MatrixXd;
using Eigen::VectorXd;

class Elimination {
public:
  // `stable`: columns that are never dropped, in the order of the univariate criterion.
  Elimination(const ConstMatrix &x, const std::vector<int> &codes, const int *counts,
              std::vector<int> stable, const HybridOptions &options)
      : x_(x), options_(options), data_(x, counts, true), stable_(std::move(stable)),
        scores_(VectorXd::Ones(x.cols())), y_(data_.n_rows()) {
    std::vector<char> is_stable(static_cast<std::size_t>(x.cols()), 0);
    for (int j : stable_)
      is_stable[static_cast<std::size_t>(j)] = 1;
    for (int j = 0; j < static_cast<int>(x.cols()); ++j)
      if (!is_stable[static_cast<std::size_t>(j)])
        rest_.push_back(j);
    for (Index k = 0; k < y_.size(); ++k)
      y_[k] = codes[static_cast<std::size_t>(data_.rows()[static_cast<std::size_t>(k)])] ? 1 : -1;
  }

  HybridRun run() {
    HybridRun out;
    out.score = VectorXd::Zero(x_.cols());
    eliminate(&out.score);
    out.selected = stable_;
    out.selected.insert(out.selected.end(), rest_.begin(), rest_.end());
    std::sort(out.selected.begin(), out.selected.end());
    fit_final(&out);
    rank_selected(&out);
    out.ok = true;
    return out;
  }

private:
  std::size_t n_left() const { return stable_.size() + rest_.size(); }

  MatrixXd no_products() const {
    const Index padded = static_cast<Index>(pad_rows(data_.rows().size()));
    return MatrixXd::Zero(padded, padded);
  }

  MatrixXd products(const std::vector<int> &features) const {
    MatrixXd gram = no_products();
    data_.add_products(features, 1.0, &gram);
    return gram;
  }

  void fit(const MatrixXd &lower, double lambda) {
    const Index m = data_.n_rows();
    const MatrixXd gram = lower.topLeftCorner(m, m).selfadjointView<Eigen::Lower>();
    fit_ = solve_logistic_dual(gram, y_, data_.weights(), lambda, &fit_);
  }

  // The stable features keep products of their own: they are never subtracted, and, blown up by
  // 1 / epsilon^2, would swallow the digits of the others.
  void eliminate(VectorXd *order) {
    const std::size_t n_first = n_left(), target = static_cast<std::size_t>(options_.n_features);
    if (n_first <= target)
      return;
    MatrixXd gram = products(rest_), fixed;
    if (!stable_.empty())
      fixed = products(stable_) / (options_.epsilon * options_.epsilon);
    double made_at = gram.trace(), next_order = 1.0;
    while (n_left() > target) {
      fit(stable_.empty() ? gram : MatrixXd(gram + fixed), options_.lambda);
      const std::vector<int> gone = drop_lowest(target);
      for (int j : gone)
        (*order)[j] = next_order++;
      if (n_left() <= target)
        break;
      const bool few_left = rest_.size() < gone.size();
      if (!few_left)
        data_.add_products(gone, -1.0, &gram);
      // Differences of large numbers: made anew before they have lost more than three digits.
      if (few_left || !(gram.trace() > 1e-3 * made_at)) {
        gram = products(rest_);
        made_at = gram.trace();
      }
    }
    scores_ *= static_cast<double>(n_first) / static_cast<double>(target);
    scores_ = scores_.cwiseMin(1.0);
  }

  // Drops the features with the lowest weights, of equal ones the last column first, and moves
  // the frequency scores of those that stay. Stable features rank before all others.
  std::vector<int> drop_lowest(std::size_t target) {
    const VectorXd squares = data_.weights_of(rest_, fit_.beta).cwiseAbs2();
    std::vector<std::pair<double, int>> order(rest_.size()); // minus the position: ties
    for (std::size_t k = 0; k < order.size(); ++k)
      order[k] = {squares[static_cast<Index>(k)], -static_cast<int>(k)};
    std::sort(order.begin(), order.end());
    const std::size_t before = n_left(),
                      share = static_cast<std::size_t>(
                          std::max(1.0, std::floor(options_.drop * static_cast<double>(before))));
    const std::size_t n_out = std::min(share, before - target), after = before - n_out;
    for (std::size_t r = 0; r < stable_.size(); ++r)
      scores_[stable_[r]] *= frequency_factor(before, after, r + 1);
    std::vector<int> gone;
    for (std::size_t k = 0; k < order.size(); ++k) {
      int &feature = rest_[static_cast<std::size_t>(-order[k].second)];
      if (k < n_out) {
        gone.push_back(feature);
        feature = -1;
      } else {
        scores_[feature] *= frequency_factor(before, after, before - k);
      }
    }
    rest_.erase(std::remove(rest_.begin(), rest_.end(), -1), rest_.end());
    return gone;
  }

  // Algorithm 1, line 10, with the penalty of Eq. 16.
  void fit_final(HybridRun *out) {
    const Index k = static_cast<Index>(out->selected.size());
    out->frequency_score.resize(k);
    VectorXd penalty(k);
    MatrixXd gram = no_products();
    for (Index i = 0; i < k; ++i) {
      const int j = out->selected[static_cast<std::size_t>(i)];
      out->frequency_score[i] = scores_[j];
      penalty[i] = 1.0 + options_.alpha * (1.0 - scores_[j]);
      if (options_.alpha > 0.0)
        data_.add_products({j}, 1.0 / penalty[i], &gram);
    }
    if (options_.alpha == 0.0)
      data_.add_products(out->selected, 1.0, &gram);
    fit(gram, options_.lambda_final);
    out->converged = fit_.converged;
    out->weight = data_.weights_of(out->selected, fit_.beta).cwiseQuotient(penalty);
    unscale(out);
  }

  // The model for features as they are.
  void unscale(HybridRun *out) const {
    const VectorXd weights = data_.weights();
    const double total = weights.sum();
    out->intercept = fit_.intercept;
    out->coefficient = VectorXd::Zero(out->weight.size());
    out->link = VectorXd::Constant(x_.rows(), fit_.intercept);
    for (Index i = 0; i < out->weight.size(); ++i) {
      const auto column = x_.col(out->selected[static_cast<std::size_t>(i)]);
      const double first = column[data_.rows()[0]];
      double mean = 0.0, square = 0.0;
      for (Index k = 0; k < data_.n_rows(); ++k)
        mean += weights[k] * (column[data_.rows()[static_cast<std::size_t>(k)]] - first);
      mean = first + mean / total;
      for (Index k = 0; k < data_.n_rows(); ++k) {
        const double d = column[data_.rows()[static_cast<std::size_t>(k)]] - mean;
        square += weights[k] * d * d;
      }
      if (!(square > 0.0) || out->weight[i] == 0.0)
        continue;
      const double slope = out->weight[i] / std::sqrt(square / total);
      out->coefficient[i] = slope;
      out->intercept -= slope * mean;
      out->link.array() += slope * (column.array() - mean);
    }
  }

  void rank_selected(HybridRun *out) const {
    std::vector<std::pair<double, int>> order;
    for (std::size_t i = 0; i < out->selected.size(); ++i)
      order.push_back({std::abs(out->weight[static_cast<Index>(i)]), -out->selected[i]});
    std::sort(order.begin(), order.end());
    double next = static_cast<double>(x_.cols()) - static_cast<double>(order.size()) + 1.0;
    for (const auto &entry : order)
      out->score[-entry.second] = next++;
  }

  const ConstMatrix &x_;
  const HybridOptions &options_;
  linear_detail::RunData data_;
  std::vector<int> stable_, rest_;
  VectorXd scores_, y_;
  DualFit fit_;
};

inline void check_input(const ConstMatrix &x, const std::vector<int> &codes,
                        const Eigen::Ref<const Eigen::MatrixXi> &counts,
                        const Eigen::Ref<const Eigen::MatrixXi> &stable,
                        const HybridOptions &options) {
  if (counts.rows() != x.rows() || static_cast<Index>(codes.size()) != x.rows())
    throw std::invalid_argument("counts and codes must have one row per row of x");
  if (stable.cols() != counts.cols())
    throw std::invalid_argument("stable must have one column per run");
  if (options.n_features < 1 || options.n_features > x.cols())
    throw std::invalid_argument("n_features must be from 1 to the number of columns");
  if (stable.rows() > options.n_features)
    throw std::invalid_argument("there cannot be more stable features than features in the end");
  if (stable.size() > 0 && (stable.minCoeff() < 0 || stable.maxCoeff() >= x.cols()))
    throw std::invalid_argument("stable must name columns of x");
  if (!(options.lambda > 0.0) || !(options.lambda_final > 0.0) || !(options.epsilon > 0.0))
    throw std::invalid_argument("lambda, lambda_final and epsilon must be positive");
  if (!(options.alpha >= 0.0))
    throw std::invalid_argument("alpha must not be negative");
  if (!(options.drop >= 0.0 && options.drop < 1.0))
    throw std::invalid_argument("drop must be in [0, 1)");
}

} // namespace hybrid_detail

// One run per column of `counts`. `codes`: class 0 or 1; `stable` (N x B): columns of x that run b
// keeps, best first. Runs of one class are not `ok` and empty.
inline std::vector<HybridRun> run_hybrid_rfe(const ConstMatrix &x, const std::vector<int> &codes,
                                             const Eigen::Ref<const Eigen::MatrixXi> &counts,
                                             const Eigen::Ref<const Eigen::MatrixXi> &stable,
                                             const HybridOptions &options,
                                             const Runtime &runtime = Runtime()) {
  hybrid_detail::check_input(x, codes, counts, stable, options);
  std::vector<HybridRun> out(static_cast<std::size_t>(counts.cols()));
  run_in_chunks(out.size(), static_cast<std::size_t>(std::max(1, runtime.n_threads)), runtime,
                [&](std::size_t task) {
                  const Index b = static_cast<Index>(task);
                  bool seen[2] = {false, false};
                  for (Index i = 0; i < x.rows(); ++i)
                    if (counts(i, b) > 0)
                      seen[codes[static_cast<std::size_t>(i)] != 0] = true;
                  if (!seen[0] || !seen[1])
                    return;
                  std::vector<int> kept(static_cast<std::size_t>(stable.rows()));
                  for (Index r = 0; r < stable.rows(); ++r)
                    kept[static_cast<std::size_t>(r)] = stable(r, b);
                  const int *in_bag = counts.col(b).data();
                  out[task] = hybrid_detail::Elimination(x, codes, in_bag, kept, options).run();
                });
  return out;
}

} // namespace stabilect

#endif
