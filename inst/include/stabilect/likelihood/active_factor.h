#ifndef STABILECT_ACTIVE_FACTOR_H
#define STABILECT_ACTIVE_FACTOR_H

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "stabilect/path/packed_matrix.h"

#define STABILECT_BODY "stabilect/likelihood/factor_body.h"
#include "stabilect/base/simd_widths.h"

namespace stabilect {

// The columns that are factored at once: in registers, and in the inner caches.
constexpr Index kPanelColumns = 4, kBlockColumns = 32;

// The Cholesky factor L of the second derivatives of the active coordinates. It is kept while they
// change: a new one extends it by a row, one that leaves is rotated out (Golub & Van Loan 2013,
// section 6.5.4), instead of m^3 / 3 operations each time.
//
// Columns of L lie one after the other, each from row 0 on, with zeros above the diagonal and below
// the last row.
class ActiveFactor {
public:
  Index size() const { return m_; }

  // A matrix of m rows: fill() writes its lower triangle into column(c), then factorise(m).
  double *prepare(Index m) {
    if (room_ < pad_rows(m) + kRowMultiple)
      allocate(m + m / 2, 0);
    for (Index c = 0; c < m; ++c)
      std::fill_n(column(c), room_, 0.0);
    m_ = 0;
    return l_.data();
  }
  Index stride() const { return room_; }
  double *column(Index c) { return l_.data() + room_ * c; }
  const double *column(Index c) const { return l_.data() + room_ * c; }

  // Factors the m rows that column() has. A pivot lost in rounding means a coordinate that is a
  // combination of previous ones: drops(row) may give it up, and is returned; otherwise it gets a
  // small pivot, which makes steps along it long. Returns m if all is well.
  template <typename Drops> Index factorise(Index m, const Drops &drops) {
    diagonal_.resize(m);
    for (Index c = 0; c < m; ++c)
      diagonal_[c] = column(c)[c];
    for (Index block = 0; block < m; block += kBlockColumns) {
      const Index end = std::min(block + kBlockColumns, m);
      // Of the columns before it, as many at a time as stay in the inner caches.
      for (Index k = 0; k < block; k += kBlockColumns)
        for (Index c = block; c < end; c += kPanelColumns)
          subtract(k, k + kBlockColumns, c, m);
      for (Index c = block; c < end; c += kPanelColumns) {
        subtract(block, c, c, m);
        for (Index at = c; at < std::min(c + kPanelColumns, m); ++at)
          if (!finish_column(at, c, m) && drops(at))
            return at;
      }
    }
    m_ = m;
    return m;
  }

  // A row: products with the coordinates so far, then its own. False, without `forced`, if it is a
  // combination of them.
  bool append(const double *row, bool forced) {
    if (room_ < pad_rows(m_ + 1) + kRowMultiple || room_ * room_ > l_.size())
      allocate(m_ + 1 + m_ / 2, m_);
    AlignedBuffer<double> &y = work_;
    std::copy(row, row + m_, y.data());
    std::fill(y.data() + m_, y.data() + pad_rows(m_ + 1), 0.0);
    forward(y.data());
    double pivot = row[m_] - STABILECT_AT_WIDTH(0, dot)(y.data(), y.data(), pad_rows(m_));
    if (!(pivot > kLost * row[m_])) {
      if (!forced)
        return false;
      pivot = small_pivot(row[m_]);
    }
    for (Index c = 0; c < m_; ++c)
      column(c)[m_] = y[c];
    std::fill_n(column(m_), room_, 0.0);
    set_pivot(m_, std::sqrt(pivot));
    ++m_;
    return true;
  }

  // Gives up the rows from m on.
  void truncate(Index m) {
    for (Index c = 0; c < m; ++c)
      std::fill(column(c) + m, column(c) + m_, 0.0);
    m_ = m;
  }

  void remove(Index k) {
    for (Index c = 0; c < k; ++c) {
      double *own = column(c);
      std::copy(own + k + 1, own + m_ + 1, own + k);
    }
    // Column k without its row is carried along, and each rotation finishes one column.
    AlignedBuffer<double> &carried = work_;
    const Index from = k / kRowMultiple * kRowMultiple, to = pad_rows(m_);
    std::copy(column(k) + from + 1, column(k) + to + 1, carried.data() + from);
    std::fill(carried.data() + from, carried.data() + k, 0.0);
    for (Index c = k + 1; c < m_; ++c) {
      const double x = carried[c - 1], y = column(c)[c];
      const double h = std::sqrt(x * x + y * y);
      const Index at = (c - 1) / kRowMultiple * kRowMultiple;
      double *out = column(c - 1);
      std::fill(out, out + at, 0.0);
      STABILECT_AT_WIDTH(0, rotate_columns)
      (carried.data() + at, column(c) + at + 1, x / h, y / h, out + at, to - at);
      std::fill(out + at, out + c - 1, 0.0);
      set_pivot(c - 1, out[c - 1]);
      carried[c - 1] = 0.0;
    }
    --m_;
  }

  // Vectors w whose squares w w' are added to the matrix, or, where `added` is -1, taken from it.
  // The caller fills them, each in change_vector(q) with zeros before row k, then calls change(k).
  void prepare_change(const Array<double> &added) {
    added_ = added;
    changes_.resize(added.size() * room_);
    for (Index i = 0; i < changes_.size(); ++i)
      changes_[i] = 0.0;
  }
  double *change_vector(Index q) { return changes_.data() + room_ * q; }

  // One column after the other is rotated with each vector (Golub & Van Loan 2013, section 6.5.4;
  // hyperbolically for those taken away). False if the matrix is no longer positive: then the
  // factor is lost.
  bool change(Index k) {
    const Index n = added_.size(), to = pad_rows(m_);
    rotation_.resize(3 * n);
    for (Index c = k; c < m_; ++c) {
      double own = column(c)[c];
      for (Index q = 0; q < n; ++q) {
        const double x = change_vector(q)[c];
        const double square = own * own + added_[q] * x * x;
        if (!(square > kLost * own * own))
          return false;
        const double h = std::sqrt(square);
        rotation_[3 * q] = own / h;
        rotation_[3 * q + 1] = x / h;
        rotation_[3 * q + 2] = added_[q] * x / h;
        own = h;
      }
      STABILECT_AT_WIDTH(0, change_column)
      (column(c), changes_.data(), room_, n, rotation_.data(), c / kRowMultiple * kRowMultiple, to);
      for (Index q = 0; q < n; ++q)
        change_vector(q)[c] = 0.0;
      set_pivot(c, own);
    }
    return true;
  }

  // Solves L L'z = b in place; b has room for pad_rows(size()) numbers, zeros behind its own.
  void solve(double *b) const {
    forward(b);
    const Index to = pad_rows(m_);
    Index c = m_;
    for (; c % kPanelColumns > 0; --c)
      backward_one(b, c - 1, to);
    for (; c > 0; c -= kPanelColumns) {
      const Index first = c - kPanelColumns, from = first / kRowMultiple * kRowMultiple;
      double own[kPanelColumns], product[kPanelColumns];
      std::copy(b + first, b + c, own);
      std::fill(b + first, b + c, 0.0);
      STABILECT_AT_WIDTH(0, four_products)
      (column(first) + from, room_, b + from, to - from, product);
      for (Index q = kPanelColumns; q-- > 0;) {
        double left = own[q] - product[q];
        for (Index k = q + 1; k < kPanelColumns; ++k)
          left -= column(first + q)[first + k] * b[first + k];
        b[first + q] = left * inverse_[first + q];
      }
    }
  }

private:
  // Solves multiply by its inverse, which they would else wait for.
  void set_pivot(Index c, double pivot) {
    column(c)[c] = pivot;
    inverse_[c] = 1.0 / pivot;
  }

  static constexpr double kLost = 1e-11, kSmall = 1e-9;

  // Columns `from` to `to` from the panel that starts at c.
  void subtract(Index from, Index to, Index c, Index m) {
    const Index n = std::min(kPanelColumns, m - c);
    multiple_.resize(kPanelColumns * (to - from));
    for (Index k = from; k < to; ++k)
      for (Index q = 0; q < kPanelColumns; ++q)
        multiple_[kPanelColumns * (k - from) + q] = q < n ? -column(k)[c + q] : 0.0;
    STABILECT_AT_WIDTH(0, add_to_panel)
    (column(from), room_, to - from, multiple_.data(), column(c), c / kRowMultiple * kRowMultiple,
     pad_rows(m));
  }

  // A column without those before its panel. False if its pivot is lost; it gets a small one.
  bool finish_column(Index at, Index panel, Index m) {
    double *own = column(at);
    const Index first = at / kRowMultiple * kRowMultiple;
    for (Index b = panel; b < at; ++b)
      STABILECT_AT_WIDTH(0, add_multiple)
    (own + first, column(b) + first, -column(b)[at], pad_rows(m) - first);
    std::fill(own + panel / kRowMultiple * kRowMultiple, own + at, 0.0);
    const bool kept = own[at] > kLost * diagonal_[at];
    const double pivot = std::sqrt(kept ? own[at] : small_pivot(diagonal_[at]));
    set_pivot(at, pivot);
    for (Index r = at + 1; r < m; ++r)
      own[r] /= pivot;
    return kept;
  }

  static double small_pivot(double diagonal) {
    return std::max(kSmall * diagonal, std::numeric_limits<double>::min());
  }

  // Four columns at a time: their triangle, then what they leave of the rows behind it.
  void forward(double *b) const {
    const Index to = pad_rows(m_);
    Index c = 0;
    for (; c + kPanelColumns <= m_; c += kPanelColumns) {
      const Index from = c / kRowMultiple * kRowMultiple;
      double own[kPanelColumns], minus[kPanelColumns];
      for (Index q = 0; q < kPanelColumns; ++q) {
        own[q] = b[c + q];
        for (Index k = 0; k < q; ++k)
          own[q] += column(c + k)[c + q] * minus[k];
        own[q] *= inverse_[c + q];
        minus[q] = -own[q];
      }
      STABILECT_AT_WIDTH(0, add_four)(b + from, column(c) + from, room_, minus, to - from);
      std::copy(own, own + kPanelColumns, b + c);
    }
    for (; c < m_; ++c) {
      const Index from = c / kRowMultiple * kRowMultiple;
      const double own = b[c] * inverse_[c];
      STABILECT_AT_WIDTH(0, add_multiple)(b + from, column(c) + from, -own, to - from);
      b[c] = own;
    }
  }

  void backward_one(double *b, Index c, Index to) const {
    const Index from = c / kRowMultiple * kRowMultiple;
    const double own = b[c];
    b[c] = 0.0;
    b[c] = (own - STABILECT_AT_WIDTH(0, dot)(column(c) + from, b + from, to - from)) * inverse_[c];
  }

  // Room for this many rows, and a panel beyond; the first `kept` columns stay.
  void allocate(Index rows, Index kept) {
    const Index room = pad_rows(std::max<Index>(rows, 24)) + 2 * kRowMultiple;
    AlignedBuffer<double> wider(room * room);
    for (Index c = 0; c < kept; ++c)
      std::copy(column(c), column(c) + m_, wider.data() + room * c);
    l_.swap(wider);
    room_ = room;
    work_.resize(room);
    inverse_.resize(room);
  }

  Index m_ = 0, room_ = 0;
  AlignedBuffer<double> l_, work_, changes_;
  Array<double> inverse_; // of the diagonal of L
  Array<double> diagonal_, multiple_, added_, rotation_;
};

} // namespace stabilect

#endif
