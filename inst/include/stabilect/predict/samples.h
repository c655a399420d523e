#ifndef STABILECT_LINEAR_SAMPLES_H
#define STABILECT_LINEAR_SAMPLES_H

// The samples of one run in the form of linear classifiers.

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "stabilect/base/error.h"
#include "stabilect/base/kernels.h"
#include "stabilect/base/scale.h"
#include "stabilect/base/types.h"

namespace stabilect {

enum class Scaling { sd, range, none };

// Is there more than one class among the samples of a run? Without, there is nothing to fit.
inline bool has_two_classes(const Array<int> &codes, const ConstVector &counts) {
  int first = -1;
  for (Index i = 0; i < codes.size(); ++i) {
    if (!(counts[i] > 0.0))
      continue;
    if (first < 0)
      first = codes[i];
    if (codes[i] != first)
      return true;
  }
  return false;
}

// The columns `set` of x, scaled by the samples in the bag and multiplied by `factors` (one per
// column of the set). A feature is identified by its place in the set, its slot. Columns are padded
// with zeros for the kernels.
class LinearSamples {
public:
  // counts: how often each row of x is in the bag, or its weight.
  LinearSamples(const ConstMatrix &x, const ConstVector &counts, Array<int> set,
                const Eigen::VectorXd &factors, Scaling scaling)
      : set_(std::move(set)) {
    for (Index i = 0; i < x.rows(); ++i)
      (counts[i] > 0.0 ? bag_ : left_).push_back(i);
    if (bag_.empty())
      throw Error("a run needs samples in its bag");
    ld_ = pad_rows(bag_.size());
    weights_ = Eigen::VectorXd::Zero(ld_);
    for (Index k = 0; k < n_bag(); ++k)
      weights_[k] = counts[bag_[k]];
    z_.resize(ld_, n_features());
    centre_.resize(n_features());
    factor_.resize(n_features());
    total_ = weights_.sum();
    Eigen::VectorXd squares(ld_);
    for (Index j = 0; j < n_features(); ++j)
      load(x.col(column_of(j)), j, factors[j], scaling, &squares);
  }

  Index n_bag() const { return bag_.size(); }
  Index n_features() const { return set_.size(); }
  Index ld() const { return ld_; }
  const Array<Index> &bag() const { return bag_; }
  const Array<Index> &left() const { return left_; } // rows that are not in the bag
  Eigen::VectorXd weights() const { return weights_.head(n_bag()); }
  int column_of(Index slot) const { return set_[slot]; }
  const double *data() const { return z_.data(); }
  Eigen::Block<const Eigen::MatrixXd> column(Index slot) const {
    return z_.block(0, slot, n_bag(), 1);
  }
  // A scaled column is (x - centre) * factor; 0 for a column that is constant in the bag.
  double centre(Index slot) const { return centre_[slot]; }
  double factor(Index slot) const { return factor_[slot]; }

  // The columns of the samples that are not in the bag, on the same scale.
  Eigen::MatrixXd left_out(const ConstMatrix &x) const {
    Eigen::MatrixXd out(left_.size(), n_features());
    for (Index j = 0; j < out.cols(); ++j)
      for (Index k = 0; k < out.rows(); ++k)
        out(k, j) = (x(left_[k], column_of(j)) - centre_[j]) * factor_[j];
    return out;
  }

  // sum_i beta_i z_ij for each of the slots
  Eigen::VectorXd weights_of(const Array<int> &slots, const Eigen::VectorXd &beta) const {
    Eigen::VectorXd padded = Eigen::VectorXd::Zero(ld_);
    padded.head(n_bag()) = beta;
    Eigen::VectorXd out(slots.size());
    kernels().dot_one(z_.data(), ld_, slots.data(), slots.size(), padded.data(), out.data());
    return out;
  }

private:
  void load(const ConstVector &from, Index j, double factor, Scaling scaling,
            Eigen::VectorXd *squares) {
    double largest = 0.0;
    for (const Index row : bag_)
      largest = std::max(largest, std::abs(from[row]));
    const double unit = scaling == Scaling::none ? 1.0 : unit_for(largest);
    // Differences from the first sample are exactly 0 for a constant feature.
    const double shift = scaling == Scaling::none ? 0.0 : unit * from[bag_[0]];
    z_.col(j).tail(ld_ - n_bag()).setZero();
    auto z = z_.col(j).head(n_bag());
    for (Index k = 0; k < n_bag(); ++k)
      z[k] = unit * from[bag_[k]] - shift;
    double centre = 0.0, spread = 1.0;
    if (scaling == Scaling::sd) {
      centre = kernels().dot(weights_.data(), z_.col(j).data(), ld_) / total_;
      z.array() -= centre;
      *squares = z_.col(j).cwiseAbs2();
      spread = std::sqrt(kernels().dot(weights_.data(), squares->data(), ld_) / total_);
    } else if (scaling == Scaling::range) {
      centre = z.minCoeff();
      spread = z.maxCoeff() - centre;
      z.array() -= centre;
    }
    // A constant that differs only by rounding does not count as a feature.
    const bool constant = !(spread > 1e-13 * std::abs(shift));
    const double multiple = constant ? 0.0 : factor / spread;
    factor_[j] = multiple * unit;
    centre_[j] = (centre + shift) / unit;
    z *= multiple;
  }

  Index ld_ = 0;
  double total_ = 0.0; // of the weights
  Array<int> set_;
  Array<Index> bag_, left_;
  Eigen::VectorXd weights_, centre_, factor_;
  Eigen::MatrixXd z_;
};

} // namespace stabilect

#endif
