#ifndef STABILECT_LINEAR_SAMPLES_H
#define STABILECT_LINEAR_SAMPLES_H

#include <algorithm>
#include <cmath>
#include <vector>

#include "stabilect/linear/linear_runs.h"

namespace stabilect {

enum class Scaling { sd, range, none };

struct RfePathOptions {
  LinearLoss loss = LinearLoss::squared_hinge;
  double penalty = 1.0;        // C of the hinge losses, lambda of the logistic loss
  bool free_intercept = false; // logistic loss only; else a penalised constant feature
  Scaling scaling = Scaling::sd;
  Index keep = 1000; // importances are returned for sizes up to this one, and for the last one
};

struct LinearWeights {
  Eigen::MatrixXd weights; // features x machines, on the scale of x
  Eigen::VectorXd constants, importance;
  bool converged = true;
};

// What an elimination says of one size.
struct RfeStep {
  std::vector<int> dropped;  // in the previous set and not in this one, the most important first
  std::vector<int> features; // this set, the most important first; may be left empty
  Eigen::VectorXd importance;
  Eigen::MatrixXd decision; // left-out samples x machines; -Inf for a class that is not there
};

// The columns of a set, scaled by the samples in the bag. `root` multiplies a scaled column.
class LinearSamples {
public:
  LinearSamples(const ConstMatrix &x, const int *counts, const std::vector<int> &set,
                const Eigen::VectorXd &root, Scaling scaling) {
    for (Index i = 0; i < x.rows(); ++i)
      (counts[i] > 0 ? bag_ : left_).push_back(i);
    ld_ = pad_rows(bag_.size());
    weights_ = Eigen::VectorXd::Zero(n_bag());
    for (Index k = 0; k < n_bag(); ++k)
      weights_[k] = counts[bag_[static_cast<std::size_t>(k)]];
    const Index m = static_cast<Index>(set.size());
    z_ = Eigen::MatrixXd::Zero(static_cast<Index>(ld_), m);
    out_.resize(static_cast<Index>(left_.size()), m);
    centre_.resize(m);
    factor_.resize(m);
    for (Index j = 0; j < m; ++j) {
      const int column = set[static_cast<std::size_t>(j)];
      load(x.col(column), j, root[column], scaling);
    }
  }

  Index n_bag() const { return static_cast<Index>(bag_.size()); }
  Index n_left() const { return static_cast<Index>(left_.size()); }
  const std::vector<Index> &bag() const { return bag_; }
  const Eigen::VectorXd &weights() const { return weights_; }
  const Eigen::MatrixXd &left_out() const { return out_; }
  double centre(Index j) const { return centre_[j]; }
  double factor(Index j) const { return factor_[j]; }
  Eigen::Block<const Eigen::MatrixXd> column(Index j) const { return z_.block(0, j, n_bag(), 1); }
  std::size_t ld() const { return ld_; }

  // gram += sign * sum over features of z z', lower triangle, padded.
  void add_products(const std::vector<int> &slots, double sign, Eigen::MatrixXd *gram) const {
    constexpr std::size_t kBlock = 64; // that many stay in the first cache
    for (std::size_t from = 0; from < slots.size(); from += kBlock)
      stabilect::add_products(z_.data(), ld_, &slots[from], std::min(kBlock, slots.size() - from),
                              sign, gram->data());
  }

  Eigen::VectorXd weights_of(const std::vector<int> &slots, const Eigen::VectorXd &beta) const {
    Eigen::VectorXd padded = Eigen::VectorXd::Zero(static_cast<Index>(ld_));
    padded.head(n_bag()) = beta;
    Eigen::VectorXd out(static_cast<Index>(slots.size()));
    kernels().dot_one(z_.data(), ld_, slots.data(), slots.size(), padded.data(), out.data());
    return out;
  }

private:
  void load(const ConstVector &from, Index j, double root, Scaling scaling) {
    // Differences with one sample are exactly 0 for a constant.
    const double shift = scaling == Scaling::none ? 0.0 : from[bag_[0]];
    auto z = z_.col(j).head(n_bag());
    for (Index k = 0; k < n_bag(); ++k)
      z[k] = from[bag_[static_cast<std::size_t>(k)]] - shift;
    double centre = 0.0, spread = 1.0;
    if (scaling == Scaling::sd) {
      const double total = weights_.sum();
      centre = weights_.dot(z) / total;
      spread = std::sqrt(weights_.dot((z.array() - centre).square().matrix()) / total);
    } else if (scaling == Scaling::range) {
      centre = z.minCoeff();
      spread = z.maxCoeff() - centre;
    }
    // What is left of a constant that differs by rounding is no feature.
    const bool constant = !(spread > 1e-13 * std::abs(shift));
    factor_[j] = constant ? 0.0 : root / spread;
    centre_[j] = centre + shift;
    z = ((z.array() - centre) * factor_[j]).matrix();
    for (Index k = 0; k < n_left(); ++k)
      out_(k, j) = (from[left_[static_cast<std::size_t>(k)]] - centre_[j]) * factor_[j];
  }

  std::size_t ld_ = 0;
  std::vector<Index> bag_, left_;
  Eigen::VectorXd weights_, centre_, factor_;
  Eigen::MatrixXd z_, out_;
};

} // namespace stabilect

#endif
