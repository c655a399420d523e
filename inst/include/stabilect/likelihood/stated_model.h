#ifndef STABILECT_STATED_MODEL_H
#define STABILECT_STATED_MODEL_H

#include <algorithm>
#include <numeric>
#include <utility>

#include "stabilect/likelihood/active_model.h"

namespace stabilect {

// The present model of one run, with all that it is made of, and what a path states of it.
template <typename Likelihood> class StatedModel {
public:
  StatedModel(const LikelihoodOptions &options, PathColumns columns, const Outcomes &outcomes,
              const ConstMatrix &z, const Kernels &kernels)
      : columns_(std::move(columns)), likelihood_(outcomes, columns_),
        free_(z, outcomes.family != Family::cox, columns_, kernels),
        set_(columns_, likelihood_, free_, options.alpha, kernels) {
    set_.set_tolerance(options.tolerance);
  }

  StatedModel(const StatedModel &) = delete; // members point at one another
  StatedModel &operator=(const StatedModel &) = delete;

  double value() const { return set_.value(); }
  char sign_of(int j) const {
    const Index a = set_.place_of(j);
    return likelihood_.mark(set_.block(a), set_.state().sign[a]);
  }
  const Array<int> &active() {
    active_.clear();
    for (Index a : places())
      active_.push_back(set_.state().feature[a]);
    return active_;
  }

  void add_point(LikelihoodPath &path, double lambda, double unit) {
    path.lambda.push_back(lambda / unit);
    path.deviance.push_back(2.0 * (set_.value() - likelihood_.saturated()));
    path.kkt.push_back(lambda > 0.0 ? set_.score() / lambda : 0.0);
    Eigen::MatrixXd level = free_levels();
    Eigen::VectorXd beta;
    for (Index a : places()) {
      const int j = set_.state().feature[a];
      const PathColumns::Scale s = columns_.scale(j);
      beta = likelihood_.by_class(set_.block(a)) / s.scale;
      path.coef_feature.push_back(j);
      path.coef_value.insert(path.coef_value.end(), beta.data(), beta.data() + beta.size());
      level.col(0) -= s.center * beta;
    }
    path.coef_end.push_back(static_cast<int>(path.coef_feature.size()));
    path.free.push_back(Eigen::Map<Eigen::VectorXd>(level.data(), level.size()));
  }

protected:
  const AlignedBuffer<double> &residual() const { return likelihood_.residual(); }

  PathColumns columns_;
  Likelihood likelihood_;
  FreeColumns free_;
  ActiveModel<Likelihood> set_;

private:
  // Places of the features with a coefficient, in the order of columns.
  const Array<Index> &places() {
    const Array<int> &feature = set_.state().feature;
    if (feature != ordered_) {
      ordered_ = feature;
      order_.resize(feature.size());
      std::iota(order_.begin(), order_.end(), Index{0});
      std::sort(order_.begin(), order_.end(),
                [&](Index a, Index b) { return feature[a] < feature[b]; });
    }
    places_.clear();
    for (Index a : order_)
      if (!set_.block(a).isZero(0.0))
        places_.push_back(a);
    return places_;
  }

  // Intercept and covariates in columns, a row for each class.
  Eigen::MatrixXd free_levels() const {
    const Index width = likelihood_.width();
    const Eigen::Map<const Eigen::MatrixXd> given(set_.state().coordinates.data(), width,
                                                  free_.size());
    Eigen::MatrixXd theta(width, free_.n_columns());
    for (Index a = 0; a < width; ++a)
      theta.row(a) = free_.coefficients(given.row(a).transpose()).transpose();
    return likelihood_.by_class(theta);
  }

  Array<int> active_, ordered_; // ordered_: the features of order_
  Array<Index> order_, places_; // order_: of places, by feature
};

} // namespace stabilect

#endif
