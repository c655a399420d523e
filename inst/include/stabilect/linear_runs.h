#ifndef STABILECT_LINEAR_RUNS_H
#define STABILECT_LINEAR_RUNS_H

// Scores from the weights of linear classifiers, and recursive feature elimination (Guyon et al.
// 2002), in every run. Features enter only through the inner products of the samples, from which
// those of eliminated features are subtracted.

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>
#include <vector>

#include "linear_svm.h"
#include "runtime.h"

namespace stabilect {

enum class LinearLoss { squared_hinge, hinge, logistic };

struct LinearOptions {
  LinearLoss loss = LinearLoss::squared_hinge;
  double cost = 1.0;   // of the hinge losses
  double lambda = 1.0; // of the logistic loss
  bool standardise = true;
  bool eliminate = false;
  double step = 0.0; // share of the features eliminated at a time; 0: one
};

namespace linear_detail {

using Eigen::MatrixXd;
using Eigen::VectorXd;

class Run {
public:
  Run(const ConstMatrix &x, const std::vector<int> &codes, int n_classes, const int *counts,
      const LinearOptions &options)
      : x_(x), options_(&options), mean_(VectorXd::Zero(x.cols())),
        scale_(VectorXd::Ones(x.cols())) {
    for (Index i = 0; i < x.rows(); ++i)
      if (counts[i] > 0) row_.push_back(i);
    const Index m = static_cast<Index>(row_.size());
    weight_.resize(m);
    for (Index k = 0; k < m; ++k) weight_[k] = counts[row_[k]];
    // One machine for two classes, one against the rest for each of several.
    for (int g = n_classes == 2 ? 1 : 0; g < n_classes; ++g) {
      VectorXd y(m);
      for (Index k = 0; k < m; ++k) y[k] = codes[static_cast<std::size_t>(row_[k])] == g ? 1 : -1;
      if (y.maxCoeff() > y.minCoeff()) machines_.push_back({y, std::vector<char>(m, 1)});
    }
    if (options.standardise)
      for (Index j = 0; j < x.cols(); ++j) standardise(j);
  }

  VectorXd score() { return options_->eliminate ? eliminate() : weights().cwiseSqrt(); }

private:
  struct Machine {
    VectorXd y;
    std::vector<char> inside;
  };

  // Mean and standard deviation (divisor: sum of counts) of the run; a constant stays out.
  void standardise(Index j) {
    const double first = x_(row_[0], j), total = weight_.sum();
    double mean = 0.0, square = 0.0;
    for (std::size_t k = 0; k < row_.size(); ++k) mean += weight_[k] * (x_(row_[k], j) - first);
    mean /= total;
    for (std::size_t k = 0; k < row_.size(); ++k) {
      const double d = (x_(row_[k], j) - first) - mean;
      square += weight_[k] * d * d;
    }
    mean_[j] = first + mean;
    scale_[j] = square > 0.0 ? std::sqrt(total / square) : 0.0;
  }

  // gram += sign * sum over features of z z'
  void add_products(const std::vector<Index> &features, double sign, MatrixXd *gram) const {
    constexpr std::size_t kBlock = 128;
    const Index m = static_cast<Index>(row_.size());
    MatrixXd block(m, static_cast<Index>(std::min(kBlock, features.size())));
    for (std::size_t from = 0; from < features.size(); from += kBlock) {
      const Index size = static_cast<Index>(std::min(kBlock, features.size() - from));
      for (Index c = 0; c < size; ++c) {
        const Index j = features[from + static_cast<std::size_t>(c)];
        for (Index k = 0; k < m; ++k) block(k, c) = (x_(row_[k], j) - mean_[j]) * scale_[j];
      }
      gram->selfadjointView<Eigen::Lower>().rankUpdate(block.leftCols(size), sign);
    }
  }

  DualFit fit(const MatrixXd &gram, Machine *machine) const {
    if (options_->loss == LinearLoss::logistic)
      return solve_logistic_dual(gram, machine->y, weight_, options_->lambda);
    const MatrixXd with_bias = (gram.array() + 1.0).matrix();
    const VectorXd cost = options_->cost * weight_;
    if (options_->loss == LinearLoss::hinge) return solve_svm_l1(with_bias, machine->y, cost);
    return solve_svm_l2(with_bias, machine->y, cost, &machine->inside);
  }

  // Squared weights of the features, summed over machines.
  VectorXd squared_weights(const MatrixXd &lower, const std::vector<Index> &features) {
    const MatrixXd gram = lower.selfadjointView<Eigen::Lower>();
    VectorXd out = VectorXd::Zero(static_cast<Index>(features.size()));
    VectorXd all = VectorXd::Zero(x_.rows());
    for (Machine &machine : machines_) {
      const VectorXd beta = fit(gram, &machine).beta;
      for (std::size_t k = 0; k < row_.size(); ++k) all[row_[k]] = beta[static_cast<Index>(k)];
      for (std::size_t f = 0; f < features.size(); ++f) {
        const double w = weight_of(features[f], all);
        out[static_cast<Index>(f)] += w * w;
      }
    }
    return out;
  }

  // sum_i beta_i z_ij; rows that are not in the run have beta 0, so that columns are read in one
  // go. Four running sums, whatever the compiler makes of them.
  double weight_of(Index j, const VectorXd &beta) const {
    const double *x = x_.col(j).data(), *v = beta.data();
    const double mean = mean_[j];
    double s0 = 0.0, s1 = 0.0, s2 = 0.0, s3 = 0.0;
    const Index n = x_.rows();
    Index i = 0;
    for (; i + 4 <= n; i += 4) {
      s0 += v[i] * (x[i] - mean), s1 += v[i + 1] * (x[i + 1] - mean);
      s2 += v[i + 2] * (x[i + 2] - mean), s3 += v[i + 3] * (x[i + 3] - mean);
    }
    for (; i < n; ++i) s0 += v[i] * (x[i] - mean);
    return ((s0 + s1) + (s2 + s3)) * scale_[j];
  }

  std::vector<Index> all_features() const {
    std::vector<Index> all(static_cast<std::size_t>(x_.cols()));
    std::iota(all.begin(), all.end(), Index(0));
    return all;
  }

  VectorXd weights() {
    MatrixXd gram = MatrixXd::Zero(weight_.size(), weight_.size());
    add_products(all_features(), 1.0, &gram);
    return squared_weights(gram, all_features());
  }

  // The first feature out scores 1, the last one p.
  VectorXd eliminate() {
    std::vector<Index> active = all_features();
    VectorXd score(x_.cols());
    MatrixXd gram = MatrixXd::Zero(weight_.size(), weight_.size());
    add_products(active, 1.0, &gram);
    double made_at = gram.trace(), next_score = 1.0;
    while (!active.empty()) {
      const VectorXd squares = squared_weights(gram, active);
      const std::size_t n_out = static_cast<std::size_t>(
          std::max(1.0, std::floor(options_->step * static_cast<double>(active.size()))));
      const std::vector<Index> gone = take_lowest(squares, n_out, &active);
      for (Index j : gone) score[j] = next_score++;
      add_products(gone, -1.0, &gram);
      // Differences of large numbers: made anew before they have lost more than three digits.
      if (!(gram.trace() > 1e-3 * made_at)) {
        gram.setZero();
        add_products(active, 1.0, &gram);
        made_at = gram.trace();
      }
    }
    return score;
  }

  // Removes the features with the lowest squares, of equal ones the last column first.
  static std::vector<Index> take_lowest(const VectorXd &squares, std::size_t n_out,
                                        std::vector<Index> *active) {
    std::vector<Index> order(active->size());
    std::iota(order.begin(), order.end(), Index(0));
    const auto before = [&](Index a, Index b) {
      return squares[a] < squares[b] || (squares[a] == squares[b] && a > b);
    };
    const auto last = order.begin() + static_cast<Index>(n_out);
    if (last != order.end()) std::nth_element(order.begin(), last, order.end(), before);
    std::sort(order.begin(), last, before);
    std::vector<Index> gone;
    std::vector<char> out(active->size(), 0);
    for (std::size_t k = 0; k < n_out; ++k) {
      gone.push_back((*active)[static_cast<std::size_t>(order[k])]);
      out[static_cast<std::size_t>(order[k])] = 1;
    }
    std::size_t kept = 0;
    for (std::size_t k = 0; k < active->size(); ++k)
      if (!out[k]) (*active)[kept++] = (*active)[k];
    active->resize(kept);
    return gone;
  }

  ConstMatrix x_;
  const LinearOptions *options_;
  std::vector<Index> row_;
  VectorXd weight_, mean_, scale_;
  std::vector<Machine> machines_;
};

} // namespace linear_detail

// p x B. Scores are |w_j|, for several classes the root of the sum of the squared weights of one
// machine per class; with `eliminate`, the order in which features went (the last scores p). Runs
// of one class score 0. `codes`: class from 0.
inline Eigen::MatrixXd score_linear(const ConstMatrix &x, const std::vector<int> &codes,
                                    int n_classes, const Eigen::Ref<const Eigen::MatrixXi> &counts,
                                    const LinearOptions &options,
                                    const Runtime &runtime = Runtime()) {
  if (counts.rows() != x.rows() || static_cast<Index>(codes.size()) != x.rows())
    throw std::invalid_argument("counts and codes must have one row per row of x");
  if (!(options.cost > 0.0) || !(options.lambda > 0.0))
    throw std::invalid_argument("cost and lambda must be positive");
  if (!(options.step >= 0.0 && options.step < 1.0))
    throw std::invalid_argument("step must be in [0, 1)");
  Eigen::MatrixXd out = Eigen::MatrixXd::Zero(x.cols(), counts.cols());
  run_in_chunks(static_cast<std::size_t>(counts.cols()),
                static_cast<std::size_t>(std::max(1, runtime.n_threads)), runtime,
                [&](std::size_t task) {
    const Index b = static_cast<Index>(task);
    int first = -1;
    bool two = false;
    for (Index i = 0; i < x.rows(); ++i) {
      if (counts(i, b) == 0) continue;
      if (first < 0) first = codes[static_cast<std::size_t>(i)];
      two = two || codes[static_cast<std::size_t>(i)] != first;
    }
    const int *in_bag = counts.col(b).data();
    if (two) out.col(b) = linear_detail::Run(x, codes, n_classes, in_bag, options).score();
  });
  return out;
}

} // namespace stabilect

#endif
