#ifndef STABILECT_HELD_FEATURES_H
#define STABILECT_HELD_FEATURES_H

#include "stabilect/signal/signal_data.h"

namespace stabilect {

// Features in the model, in the trimmed metric: x~ = diag(w) x. All vectors here are in this
// metric.
class HeldFeatures {
public:
  explicit HeldFeatures(const SignalData &data)
      : data_(&data), basis_(data.m(), 0), products_(data.p(), 0), left_(data.x_squared),
        residual_(data.weights.cwiseProduct(data.y)) {
    for (Index j = 0; j < data.p(); ++j)
      if (!data.varies(j))
        left_[j] = 0.0;
  }

  HeldFeatures(const SignalData &data, const Array<int> &features) : HeldFeatures(data) {
    for (int feature : features)
      hold(feature);
  }

  const Array<int> &features() const { return features_; }
  Index size() const { return features_.size(); }
  const Eigen::MatrixXd &basis() const { return basis_; }       // Q, m x s
  const Eigen::MatrixXd &products() const { return products_; } // Q'x~ for every feature, p x s
  const Eigen::VectorXd &residual() const { return residual_; } // y~ without Q
  // Squared length of the columns without Q.
  const Eigen::VectorXd &left() const { return left_; }

  void hold(int feature) {
    Eigen::VectorXd q = data_->weights.cwiseProduct(data_->x.col(feature));
    for (int twice = 0; twice < 2; ++twice)
      q -= basis_ * (basis_.transpose() * q).eval();
    q.normalize();
    features_.push_back(feature);
    basis_.conservativeResize(Eigen::NoChange, size());
    products_.conservativeResize(Eigen::NoChange, size());
    basis_.col(size() - 1) = q;
    products_.col(size() - 1).noalias() = data_->x.transpose() * data_->weights.cwiseProduct(q);
    left_ -= products_.col(size() - 1).cwiseAbs2();
    residual_ -= q * q.dot(residual_);
  }

  // Partial correlation of every feature with the response; 0 for features that the model explains.
  Eigen::VectorXd statistics() const {
    const double length = residual_.norm();
    if (!(length > 1e-10))
      return Eigen::VectorXd::Zero(data_->p());
    const Eigen::VectorXd product = data_->x.transpose() * data_->weights.cwiseProduct(residual_);
    return product.cwiseAbs().cwiseProduct(scales(left_)) / length;
  }

  // 1 / length of the columns without Q, or 0 where less than 5 % of the squared length is left.
  Eigen::VectorXd scales(const Eigen::VectorXd &left) const {
    Eigen::VectorXd scale = Eigen::VectorXd::Zero(left.size());
    for (Index j = 0; j < left.size(); ++j)
      if (data_->varies(j) && left[j] >= kLeastLeft * data_->x_squared[j])
        scale[j] = 1.0 / std::sqrt(left[j]);
    return scale;
  }

  // Column k: the direction of feature k that the other features of the model do not explain.
  Eigen::MatrixXd own_directions() const {
    Eigen::MatrixXd columns(data_->m(), size());
    for (Index k = 0; k < size(); ++k)
      columns.col(k) = data_->weights.cwiseProduct(data_->x.col(features_[Index(k)]));
    const Eigen::MatrixXd triangle = basis_.transpose() * columns;
    Eigen::MatrixXd own = triangle.transpose().triangularView<Eigen::Lower>().solve(
        Eigen::MatrixXd::Identity(size(), size()));
    // triangle' own' = 1: column k of own' is orthogonal to all columns of the triangle but k.
    return (basis_ * own).colwise().normalized();
  }

  // The residual of the response in the plain metric: y - x b with the coefficients b of the fit in
  // the trimmed metric.
  Eigen::VectorXd plain_residual() const {
    if (size() == 0)
      return data_->y;
    Eigen::MatrixXd plain(data_->m(), size());
    for (Index k = 0; k < size(); ++k)
      plain.col(k) = data_->x.col(features_[Index(k)]);
    const Eigen::MatrixXd triangle = basis_.transpose() * data_->weights.asDiagonal() * plain;
    const Eigen::VectorXd target = basis_.transpose() * data_->weights.cwiseProduct(data_->y);
    return data_->y - plain * triangle.triangularView<Eigen::Upper>().solve(target);
  }

  static constexpr double kLeastLeft = 0.05;

private:
  const SignalData *data_;
  Array<int> features_;
  Eigen::MatrixXd basis_, products_;
  Eigen::VectorXd left_, residual_;
};

} // namespace stabilect

#endif
