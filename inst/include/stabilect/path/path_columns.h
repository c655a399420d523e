#ifndef STABILECT_PATH_COLUMNS_H
#define STABILECT_PATH_COLUMNS_H

#include <cmath>

#include "stabilect/base/rng.h"
#include "stabilect/path/lars.h"
#include "stabilect/path/packed_matrix.h"

namespace stabilect {

// Standard deviation, relative to the column's range, at which a column counts as constant.
constexpr double kConstantSd = 1e-12;

// The rows and columns of one replicate: rows of positive weight, and the columns that its path has
// looked at, as sqrt(w) (x - mean) / norm. In these the weighted problem is the plain one; a row
// drawn three times is one row of weight 3.
class PathColumns {
public:
  // `run`: number of the run in the call, which determines its random stream.
  PathColumns(const PackedMatrix &x, const double *weights, const LarsOptions &options,
              Index run = 0)
      : x_(&x), options_(options), ties_(options.ties ? options.ties->in_run(run) : TieOrder()),
        slot_of_(x.p(), kUnseen) {
    for (Index i = 0; i < x.n(); ++i) {
      if (!(weights[i] > 0.0))
        continue;
      rows_.push_back(static_cast<int>(i));
      weight_.push_back(weights[i]);
      root_.push_back(std::sqrt(weights[i]));
      total_ += weights[i];
      unweighted_ = unweighted_ && weights[i] == 1.0;
    }
    ld_ = pad_rows(rows_.size());
    weaken(run);
  }

  Index n_rows() const { return rows_.size(); }
  Index ld() const { return ld_; }
  Index p() const { return x_->p(); }
  double total_weight() const { return total_; }
  const Array<int> &rows() const { return rows_; }
  const Array<double> &weights() const { return weight_; }
  const Array<double> &roots() const { return root_; }
  bool unweighted() const { return unweighted_; } // every weight is one
  const double *base() const { return cache_.data(); }
  const double *column(int slot) const { return cache_.data() + ld_ * slot; }
  // The most columns that can be linearly independent.
  Index rank_limit() const { return rows_.size() - (options_.intercept && !rows_.empty() ? 1 : 0); }

  struct Moments {
    double mean, norm, second; // norm: 0 when constant among these rows
  };

  // Two passes in a fixed order; in units of the packed matrix.
  Moments moments(Index j) const {
    const PackedMatrix::Column x = x_->column(j);
    double sum = 0.0, second = 0.0;
    for (Index i = 0; i < rows_.size(); ++i)
      sum += weight_[i] * x(rows_[i]);
    const double mean = options_.intercept ? sum / total_ : 0.0;
    double squares = 0.0;
    for (Index i = 0; i < rows_.size(); ++i) {
      const double value = x(rows_[i]), d = value - mean;
      squares += weight_[i] * (d * d);
      second += weight_[i] * (value * value);
    }
    // Packed values reach 1 in absolute value, so this is relative to the column's range.
    const bool constant = x_->constant(j) || std::sqrt(squares / total_) <= kConstantSd;
    return {mean, constant ? 0.0 : std::sqrt(squares), second};
  }

  // Divisor of the packed column: its norm, or one original unit; larger in the randomised lasso.
  double divisor(Index j, const Moments &m) const {
    return (options_.normalize || m.norm == 0.0 ? m.norm : 1.0 / x_->unit(j)) / factor(j);
  }

  // x~ = (original value - center) / scale.
  struct Scale {
    double center, scale;
    bool constant;
  };
  Scale scale(Index j) const {
    const Moments m = slot_of_[j] >= 0 ? moments_[slot_of_[j]] : moments(j);
    const double unit = x_->unit(j), center = x_->center(j) + m.mean * unit;
    return {options_.intercept ? center : 0.0, divisor(j, m) * unit, m.norm == 0.0};
  }

  // Does feature a come before b where both are equal?
  bool precedes(int a, int b) const { return ties_(a, b); }

  // Factor of the scaled column: from penalty weights, and in the randomised lasso.
  double factor(Index j) const { return factor_.empty() ? 1.0 : factor_[j]; }

  // Slot of feature j, packed on first use; negative when it is constant here or left out.
  int slot(Index j) {
    if (slot_of_[j] != kUnseen)
      return slot_of_[j];
    const Moments m = moments(j);
    if (m.norm == 0.0 || factor(j) == 0.0)
      return slot_of_[j] = kConstant;
    if ((used_ + 1) * ld_ > cache_.size())
      cache_.grow(std::max<Index>(64, 2 * used_) * ld_, used_ * ld_);
    double *target = cache_.data() + used_ * ld_;
    const PackedMatrix::Column source = x_->column(j);
    const double factor = 1.0 / divisor(j, m);
    for (Index i = 0; i < rows_.size(); ++i)
      target[i] = root_[i] * ((source(rows_[i]) - m.mean) * factor);
    moments_.push_back(m);
    return slot_of_[j] = static_cast<int>(used_++);
  }

  // <x~_j, v>; feature j varies here.
  double product(int j, const AlignedBuffer<double> &v, const Kernels &kernels) {
    return kernels.dot(column(slot(j)), v.data(), ld_);
  }

private:
  void weaken(Index run) {
    if (options_.multiply_views) {
      const Index from = run * n_factor_views(options_);
      for (int view : *options_.multiply_views)
        factor_.push_back((*options_.multiply)[from + view]);
    } else if (options_.multiply) {
      factor_ = *options_.multiply;
    }
    if (!(options_.weakness < 1.0))
      return;
    Rng rng(options_.seed, options_.first_run + run, domain_tag("weakness"));
    factor_.resize(x_->p(), 1.0);
    for (double &f : factor_)
      f *= options_.weakness + (1.0 - options_.weakness) * rng.uniform();
  }

  enum : int { kUnseen = -1, kConstant = -2 };

  const PackedMatrix *x_;
  LarsOptions options_;
  TieOrder ties_;
  Array<int> rows_;
  Array<double> weight_, root_, factor_;
  double total_ = 0.0;
  bool unweighted_ = true;
  Index ld_ = 0, used_ = 0;
  AlignedBuffer<double> cache_;
  Array<int> slot_of_;
  Array<Moments> moments_; // by slot
};

} // namespace stabilect

#endif
