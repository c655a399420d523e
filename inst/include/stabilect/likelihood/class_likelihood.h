#ifndef STABILECT_CLASS_LIKELIHOOD_H
#define STABILECT_CLASS_LIKELIHOOD_H

#include <algorithm>
#include <cmath>

#include "stabilect/base/exponential.h"
#include "stabilect/likelihood/outcomes.h"
#include "stabilect/path/path_columns.h"

#define STABILECT_BODY "stabilect/likelihood/class_body.h"
#include "stabilect/base/simd_widths.h"

namespace stabilect {

// The multinomial likelihood of one run with K classes. The linear predictors of the classes are
// determined up to a constant. They are kept as C theta, where C (K x m, m = K - 1) are the
// orthonormal contrasts of Helmert. theta is determined, and its norm is the norm of the predictors
// with mean zero, to which a penalty on their norm leads.
//
// As in RunLikelihood, residuals are divided by the root of the weight and curvatures by the
// weight; contrasts are stored one after the other.
class ClassLikelihood {
public:
  ClassLikelihood(const Outcomes &outcomes, const PathColumns &columns)
      : columns_(&columns), width_(outcomes.n_classes - 1), contrasts_(helmert(width_ + 1)),
        residual_(columns.ld() * width_), curvature_(columns.ld() * (width_ * (width_ + 1) / 2)),
        chance_(columns.ld() * (width_ + 1)), own_(columns.ld() * width_), root_(columns.ld()),
        sum_(columns.ld()) {
    for (int row : columns.rows())
      y_.push_back(static_cast<Index>(outcomes.y[row]));
    for (Index i = 0; i < y_.size(); ++i) {
      root_[i] = columns.roots()[i];
      for (Index a = 0; a < width_; ++a)
        own_[a * columns.ld() + i] = contrasts_(y_[i], a);
    }
    if (outcomes.offset.size()) {
      offset_.resize(columns.ld() * width_, 0.0);
      for (Index i = 0; i < y_.size(); ++i)
        for (Index a = 0; a < width_; ++a)
          offset_[a * columns.ld() + i] =
              contrasts_.col(a).dot(outcomes.offset.row(columns.rows()[i]));
    }
  }

  Family family() const { return Family::multinomial; }
  Index width() const { return width_; }
  // Coefficients of the contrasts by class.
  template <typename Theta> Eigen::MatrixXd by_class(const Theta &theta) const {
    return contrasts_ * theta;
  }
  // The class, from 1, in which the coefficient is largest; for two classes, is it the second?
  template <typename Theta> char mark(const Theta &theta, double) const {
    Index best;
    const Eigen::VectorXd of_classes = by_class(theta);
    of_classes.maxCoeff(&best);
    return static_cast<char>(width_ == 1 ? best : best + 1);
  }
  double spread() const { return 1.0; }
  double saturated() const { return 0.0; }
  const AlignedBuffer<double> &residual() const { return residual_; }
  // Of the rows, one contrast after the other; empty: none.
  const Array<double> &offset() const { return offset_; }
  // No smaller than the largest eigenvalue of the second derivative: of a covariance of indicators.
  double steepest() const { return 0.5; }
  // The second derivative that remember() kept, times a column: for contrasts a <= b, which are
  // pair b (b + 1) / 2 + a.
  void curved(Index pair, const double *column, double *out) const {
    const double *kept = curvature_.data() + columns_->ld() * pair;
    for (Index i = 0; i < y_.size(); ++i)
      out[i] = kept[i] * column[i];
  }

  PathStatus status() const {
    const Eigen::VectorXd mass = masses();
    if ((mass.array() > 0.0).count() < 2)
      return PathStatus::one_response;
    return mass.minCoeff() > 0.0 ? PathStatus::complete : PathStatus::class_absent;
  }
  // theta of the model that has only an intercept, with offsets near it; every class has a sample.
  Eigen::VectorXd level() const {
    Eigen::VectorXd out = contrasts_.transpose() * masses().array().log().matrix();
    for (Index a = 0; a < width_ && !offset_.empty(); ++a)
      for (Index i = 0; i < y_.size(); ++i)
        out[a] -=
            columns_->weights()[i] / columns_->total_weight() * offset_[a * columns_->ld() + i];
    return out;
  }

  // Minus the log likelihood at theta, and the residual.
  double evaluate(const AlignedBuffer<double> &theta) {
    const Index ld = columns_->ld();
    STABILECT_AT_WIDTH(0, class_predictors)
    (theta.data(), ld, width_, contrasts_.data(), chance_.data());
    double value = 0.0, product = 1.0;
    for (Index i = 0; i < y_.size(); ++i)
      value -= columns_->weights()[i] * chance_[y_[i] * ld + i];
    STABILECT_AT_WIDTH(0, exponentials)(chance_.data(), chance_.size(), chance_.data());
    STABILECT_AT_WIDTH(0, class_residuals)
    (chance_.data(), ld, width_, contrasts_.data(), root_.data(), own_.data(), sum_.data(),
     residual_.data());
    for (Index i = 0; i < y_.size(); ++i) {
      const double w = columns_->weights()[i];
      // One logarithm for many sums, which are between one and the number of classes.
      if (w != 1.0)
        value += w * std::log(sum_[i]);
      else
        product *= sum_[i];
      if (product > 1e290) {
        value += std::log(product);
        product = 1.0;
      }
    }
    return value + std::log(product);
  }

  // Has some class only samples without a residual, but for rounding?
  bool tells_a_class() const {
    Eigen::VectorXd largest = Eigen::VectorXd::Zero(width_ + 1);
    for (Index i = 0; i < y_.size(); ++i) {
      double square = 0.0;
      for (Index a = 0; a < width_; ++a)
        square += residual_[a * columns_->ld() + i] * residual_[a * columns_->ld() + i];
      largest[y_[i]] = std::max(largest[y_[i]], square);
    }
    return largest.minCoeff() < 1e-12;
  }

  // Keeps the second derivative at the last evaluate() for curved().
  void remember() {
    STABILECT_AT_WIDTH(0, class_curvatures)
    (chance_.data(), columns_->ld(), width_, contrasts_.data(), curvature_.data());
  }

private:
  // The weight of each class.
  Eigen::VectorXd masses() const {
    Eigen::VectorXd mass = Eigen::VectorXd::Zero(width_ + 1);
    for (Index i = 0; i < y_.size(); ++i)
      mass[y_[i]] += columns_->weights()[i];
    return mass;
  }

  static Eigen::MatrixXd helmert(Index n_classes) {
    Eigen::MatrixXd out = Eigen::MatrixXd::Zero(n_classes, n_classes - 1);
    for (Index a = 0; a + 1 < n_classes; ++a) {
      const double k = a + 1, norm = std::sqrt(k * (k + 1.0));
      out.col(a).head(a + 1).setConstant(1.0 / norm);
      out(a + 1, a) = -k / norm;
    }
    return out;
  }

  const PathColumns *columns_;
  Index width_;
  Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> contrasts_;
  Array<Index> y_;
  Array<double> offset_;
  AlignedBuffer<double> residual_, curvature_, chance_; // chance_: class by class
  AlignedBuffer<double> own_, root_, sum_;              // own_: contrasts of the class of each row
};

} // namespace stabilect

#endif
