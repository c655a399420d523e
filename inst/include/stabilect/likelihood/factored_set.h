#ifndef STABILECT_FACTORED_SET_H
#define STABILECT_FACTORED_SET_H

#include <algorithm>
#include <cmath>

#include "stabilect/likelihood/bent_set.h"

namespace stabilect {

// Columns whose curved ones are kept at once.
constexpr Index kChunk = 8;

// Penalised coefficients and the factor of the second derivatives at the present or an earlier
// point.
template <typename Likelihood> class FactoredSet : public BentSet<Likelihood> {
  using Base = BentSet<Likelihood>;

public:
  using typename Base::Block;
  using typename Base::State;

  FactoredSet(PathColumns &columns, Likelihood &likelihood, const FreeColumns &free, double alpha,
              const Kernels &kernels)
      : Base(columns, likelihood, free, alpha, kernels), curved_(columns.ld() * kChunk) {}

protected:
  using Base::bound;
  using Base::columns_;
  using Base::factor_;
  using Base::keep_own;
  using Base::lambda_;
  using Base::likelihood_;
  using Base::n_active;
  using Base::n_blocks;
  using Base::n_free_;
  using Base::now_;
  using Base::part;
  using Base::score_;
  using Base::width_;

  Index n_coordinates() const { return n_blocks() * width_; }

  // Products of blocks `first` to `last` with the curved columns of blocks `from` to `to`, for each
  // pair of predictors: cross(a, b, l, k) is the product of block k with the curved l.
  void multiply(Index first, Index last, Index from, Index to) {
    pointers_.resize(last);
    for (Index k = first; k < last; ++k)
      pointers_[k] = this->column(k);
    const Index pairs = width_ * (width_ + 1) / 2, rows = last - first, ld = columns_->ld();
    first_ = first;
    from_ = from;
    rows_ = rows;
    count_ = to - from;
    cross_.resize(pairs * count_ * rows);
    if (curved_.size() < count_ * ld)
      curved_.resize(count_ * ld);
    for (Index pair = 0; pair < pairs; ++pair) {
      for (Index l = from; l < to; ++l)
        likelihood_->curved(pair, this->column(l), curved_.data() + ld * (l - from));
      STABILECT_AT_WIDTH(0, cross_products)
      (pointers_.data() + first, rows, curved_.data(), ld, count_,
       cross_.data() + pair * count_ * rows, rows);
    }
  }
  double cross(Index a, Index b, Index l, Index k) const {
    const Index pair = a < b ? b * (b + 1) / 2 + a : a * (a + 1) / 2 + b;
    return cross_[(pair * count_ + l - from_) * rows_ + k - first_];
  }

  // The diagonal block of block k of several predictors, with the penalty, after multiply().
  Eigen::MatrixXd own_block(Index k) {
    Eigen::MatrixXd own(width_, width_);
    for (Index a = 0; a < width_; ++a)
      for (Index b = 0; b < width_; ++b)
        own(a, b) = cross(a, b, k, k);
    if (k < n_free_)
      return own;
    own.diagonal().array() += this->ridge(k - n_free_);
    return keep_own(k - n_free_, own);
  }

  // At the present point. A feature without a coefficient that is a combination of previous ones
  // leaves.
  void factor() {
    likelihood_->remember();
    for (;;) {
      factor_.prepare(n_coordinates());
      for (Index from = 0; from < n_blocks(); from += kChunk)
        fill_columns(from, std::min<Index>(from + kChunk, n_blocks()));
      const Index lost = factor_.factorise(n_coordinates(), [this](Index row) {
        const Index a = row / width_ - n_free_;
        return a >= 0 && leans_first(a);
      });
      if (lost == n_coordinates())
        break;
      drop(lost / width_ - n_free_);
    }
    factored_ = true;
    stale_ = false;
  }

  void fill_columns(Index from, Index to) {
    multiply(from, n_blocks(), from, to);
    for (Index l = from; l < to; ++l) {
      for (Index b = 0; b < width_; ++b) {
        double *column = factor_.column(l * width_ + b);
        for (Index k = l + 1; k < n_blocks(); ++k)
          for (Index a = 0; a < width_; ++a)
            column[k * width_ + a] = cross(a, b, l, k);
      }
      if (width_ == 1) {
        factor_.column(l)[l] = cross(0, 0, l, l) + (l < n_free_ ? 0.0 : this->ridge(l - n_free_));
        continue;
      }
      const Eigen::MatrixXd own = own_block(l);
      for (Index b = 0; b < width_; ++b)
        for (Index a = b; a < width_; ++a)
          factor_.column(l * width_ + b)[l * width_ + a] = own(a, b);
    }
  }

  // Extends the factor by features `from` to `to`; returns the one behind those that stay.
  Index append(Index from, Index to) {
    multiply(0, n_free_ + to, n_free_ + from, n_free_ + to);
    Array<Index> &place = place_; // of a block, as multiply() saw them
    place.resize(n_free_ + to);
    for (Index k = 0; k < place.size(); ++k)
      place[k] = k;
    row_.resize((n_free_ + to) * width_);
    for (Index seen = n_free_ + from; seen < n_free_ + to; ++seen) {
      const Index k = factor_.size() / width_;
      place[k] = seen;
      if (width_ == 1 ? append_row(k) : append_block(k, place, row_))
        continue;
      factor_.truncate(k * width_);
      drop(k - n_free_);
    }
    return factor_.size() / width_ - n_free_;
  }

  // Of one predictor.
  bool append_row(Index k) {
    for (Index l = 0; l <= k; ++l)
      row_[l] = cross(0, 0, place_[k], place_[l]);
    row_[k] += this->ridge(k - n_free_);
    if (!factor_.append(row_.data(), false)) {
      if (leans_first(k - n_free_))
        return false;
      factor_.append(row_.data(), true);
    }
    return true;
  }

  // Of several.
  bool append_block(Index k, const Array<Index> &place, Array<double> &row) {
    const Index seen = place[k];
    Eigen::MatrixXd own(width_, width_);
    for (Index a = 0; a < width_; ++a)
      for (Index b = 0; b < width_; ++b)
        own(a, b) = cross(a, b, seen, seen);
    own.diagonal().array() += this->ridge(k - n_free_);
    own = keep_own(k - n_free_, own);
    for (Index a = 0; a < width_; ++a) {
      for (Index l = 0; l < k; ++l)
        for (Index b = 0; b < width_; ++b)
          row[l * width_ + b] = cross(b, a, seen, place[l]);
      for (Index b = 0; b <= a; ++b)
        row[k * width_ + b] = own(a, b);
      if (!factor_.append(row.data(), false)) {
        if (leans_first(k - n_free_))
          return false;
        factor_.append(row.data(), true);
      }
    }
    return true;
  }

  // Another model, at coefficients that are known; the factor follows.
  void exchange(const State &state) {
    for (Index a = n_active() - 1; a >= 0; --a) {
      if (std::find(state.feature.begin(), state.feature.end(), now_.feature[a]) !=
          state.feature.end())
        continue;
      for (Index b = width_ - 1; factored_ && b >= 0; --b)
        factor_.remove((n_free_ + a) * width_ + b);
      drop(a);
    }
    const Index from = n_active(), free = n_free_ * width_;
    for (Index k = 0; k < state.feature.size(); ++k)
      if (!this->has(state.feature[k]))
        this->enter(state.feature[k], state.sign[k]);
    now_.coordinates.head(free) = state.coordinates.head(free);
    for (Index k = 0; k < state.feature.size(); ++k) {
      const Index a = this->place_of(state.feature[k]);
      part(now_.coordinates, a) = state.coordinates.segment((n_free_ + k) * width_, width_);
      now_.sign[a] = state.sign[k];
    }
    this->refresh();
    this->compute_score();
    for (Index a = from; factored_ && a < n_active();)
      a = append(a, std::min(a + kChunk / width_ + 1, n_active()));
  }

  bool leans_first(Index a) {
    const int j = now_.feature[a];
    if (!this->block(a).isZero(0.0) ||
        std::find(leaned_.begin(), leaned_.end(), j) != leaned_.end())
      return false;
    leaned_.push_back(j);
    return true;
  }

  // A feature leaves, with its score.
  void drop(Index a) {
    const Index at = (n_free_ + a) * width_, behind = score_.size() - at - width_;
    score_.segment(at, behind) = score_.tail(behind).eval();
    score_.conservativeResize(at + behind);
    this->forget_own(a);
    this->leave(a);
  }

  void solve_factor(Eigen::VectorXd &d) {
    work_.resize(pad_rows(d.size()));
    std::copy(d.data(), d.data() + d.size(), work_.begin());
    std::fill(work_.begin() + d.size(), work_.end(), 0.0);
    factor_.solve(work_.data());
    std::copy(work_.begin(), work_.begin() + d.size(), d.data());
  }

  bool factored_ = false, stale_ = true; // stale: of an earlier point
  Array<int> leaned_;                    // left at this lambda, as others stand for them

private:
  Array<double> work_, cross_, row_;
  Array<Index> place_;
  Array<const double *> pointers_;
  AlignedBuffer<double> curved_;
  Index first_ = 0, from_ = 0, rows_ = 0, count_ = 0;
};

} // namespace stabilect

#endif
