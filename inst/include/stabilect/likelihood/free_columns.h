#ifndef STABILECT_FREE_COLUMNS_H
#define STABILECT_FREE_COLUMNS_H

#include <cmath>

#include "stabilect/path/path_columns.h"

namespace stabilect {

// The unpenalised columns of a run: ones (not for the partial likelihood, which they do not change)
// and covariates. Kept as an orthonormal basis of their span, times the roots of the weights. A
// covariate that adds nothing to the previous ones is left out, for example a level without samples
// in the run.
class FreeColumns {
public:
  FreeColumns(const ConstMatrix &z, bool intercept, const PathColumns &columns,
              const Kernels &kernels)
      : intercept_(intercept), ld_(columns.ld()), kernels_(&kernels) {
    n_covariates_ = z.cols();
    basis_.resize(ld_ * (n_covariates_ + 1));
    triangle_ = Eigen::MatrixXd::Zero(z.cols() + 1, z.cols() + 1);
    const Index n = columns.n_rows();
    for (Index c = -1; c < z.cols(); ++c) {
      double *target = basis_.data() + ld_ * source_.size();
      for (Index i = 0; i < n; ++i)
        target[i] = columns.roots()[i] * (c < 0 ? 1.0 : z(columns.rows()[i], c));
      add(c);
    }
  }

  // Coordinates: the intercept first, when there is one.
  Index size() const { return source_.size() - (intercept_ ? 0 : 1); }
  const double *column(Index k) const { return basis_.data() + ld_ * (k + (intercept_ ? 0 : 1)); }
  // Coefficients of the ones and of each covariate.
  Index n_columns() const { return n_covariates_ + 1; }
  // The length of the column of ones.
  double unit() const { return triangle_(0, 0); }

  // Coefficients of the ones and of each covariate from these coordinates.
  Eigen::VectorXd coefficients(const Eigen::VectorXd &coordinates) const {
    const Index m = source_.size();
    Eigen::VectorXd q = Eigen::VectorXd::Zero(m);
    for (Index k = 0; k < coordinates.size(); ++k)
      q[k + (intercept_ ? 0 : 1)] = coordinates[k];
    triangle_.topLeftCorner(m, m).triangularView<Eigen::Upper>().solveInPlace(q);
    Eigen::VectorXd out = Eigen::VectorXd::Zero(n_columns());
    for (Index k = 0; k < m; ++k)
      out[source_[k] + 1] = q[k];
    return out;
  }

private:
  // Gram and Schmidt, twice.
  void add(Index c) {
    const Index m = source_.size();
    double *target = basis_.data() + ld_ * m;
    const double before = std::sqrt(kernels_->dot(target, target, ld_));
    Eigen::VectorXd part = Eigen::VectorXd::Zero(m);
    for (int pass = 0; pass < 2; ++pass)
      for (Index k = 0; k < m; ++k) {
        const double *other = basis_.data() + ld_ * k;
        const double product = kernels_->dot(other, target, ld_);
        for (Index i = 0; i < ld_; ++i)
          target[i] -= product * other[i];
        part[k] += product;
      }
    const double after = std::sqrt(kernels_->dot(target, target, ld_));
    if (!(after > 1e-9 * before))
      return;
    for (Index i = 0; i < ld_; ++i)
      target[i] /= after;
    const Index at = m;
    triangle_.col(at).head(at) = part;
    triangle_(at, at) = after;
    source_.push_back(c);
  }

  bool intercept_;
  Index ld_, n_covariates_ = 0;
  const Kernels *kernels_;
  AlignedBuffer<double> basis_;
  Eigen::MatrixXd triangle_;
  Array<Index> source_; // -1 for the ones, else the covariate
};

} // namespace stabilect

#endif
