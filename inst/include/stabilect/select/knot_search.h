#ifndef STABILECT_KNOT_SEARCH_H
#define STABILECT_KNOT_SEARCH_H

// The pair of knots of a three-segment curve with the smallest residual sum of squares of all.

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <limits>

#include "stabilect/base/runtime.h"
#include "stabilect/select/piece_errors.h"

namespace stabilect {

namespace three_segment_detail {

using Eigen::ArrayXd;
using Eigen::VectorXd;

// The squared ramps h_k(t) = (k - t)_+^2, k = 1..m, after projecting out 1 and t (h~_k); entry k -
// 1 for knot k:
//   fit    = <h~_k, v> / ||h~_k||
//   level  = <h_k, e_0> / ||h~_k||,  slope = <h_k, e_1> / ||h~_k||
// with the orthonormal basis e_0, e_1 of span(1, t). The ramps on the other side are the same, read
// from the other end.
struct Ramps {
  ArrayXd fit, level, slope;
  explicit Ramps(Index m) : fit(ArrayXd::Zero(m)), level(fit), slope(fit) {}
};

// Sums over the points below a knot of r, j r and j^2 r, j being their distance to the next point.
// Each follows from the one before by (k + 1 - i)^2 = (k - i)^2 + 2 (k - i) + 1, so no product of
// large ranks appears.
struct DistanceSums {
  double sum0 = 0.0, sum1 = 0.0, sum2 = 0.0;

  double add(double r) {
    sum0 += r;
    sum2 += 2.0 * sum1 + sum0;
    sum1 += sum0;
    return sum2;
  }
};

// Ramps of knots counted from the first value, and from the last one, whose lengths are the same.
// `residual` must already be orthogonal to 1 and t: then <h~, v> = <h, residual> and the sums stay
// small.
inline void make_ramps(const ConstVector &residual, Ramps *from_first, Ramps *from_last) {
  const Index m = residual.size();
  const double n = m;
  const double centre = 0.5 * (n + 1.0);
  const double norm_level = std::sqrt(n);
  const double norm_slope = std::sqrt(n * (n * n - 1.0) / 12.0);
  DistanceSums first, last;
  for (Index i = 0; i + 1 < m; ++i) {
    // j = 1..s are the distances to the knot of the s points below it
    const double s = i + 1;
    const double power2 = s * (s + 1.0) * (2.0 * s + 1.0) / 6.0;
    const double power3 = 0.25 * s * s * (s + 1.0) * (s + 1.0);
    const double power4 = power2 * (3.0 * s * s + 3.0 * s - 1.0) / 5.0;
    const double knot = s + 1.0;
    const double level = power2 / norm_level;
    const double slope = ((knot - centre) * power2 - power3) / norm_slope;
    const double norm = std::sqrt(power4 - level * level - slope * slope);
    from_first->fit[i + 1] = first.add(residual[i]) / norm;
    from_last->fit[i + 1] = last.add(residual[m - 1 - i]) / norm;
    from_first->level[i + 1] = from_last->level[i + 1] = level / norm;
    from_first->slope[i + 1] = from_last->slope[i + 1] = slope / norm;
  }
}

// Lower and upper ramps; ramps of inadmissible knots are zero and add nothing to any fit.
struct Search {
  Ramps lower, upper;
  PieceErrors pieces;
  Index first_lower;      // smallest admissible lower knot but 1 (index)
  Array<bool> upper_open; // may the upper knot stand at this index?

  Search(const ConstVector &values, const ConstVector &residual, Index min_segment)
      : lower(values.size()), upper(values.size()), pieces(residual), first_lower(min_segment),
        upper_open(values.size(), true) {
    const Index m = values.size();
    make_ramps(residual, &lower, &upper);
    upper.fit.reverseInPlace();
    upper.level.reverseInPlace();
    // read from the other end the slope changes sign
    upper.slope = -upper.slope.reverse().eval();
    const double tie = 1e-12 * (values[m - 1] - values[0]);
    for (Index b = 0; b + 1 < m; ++b) {
      const bool open = m - 1 - b >= min_segment && values[b + 1] - values[b] > tie;
      upper_open[b] = open;
      if (!open)
        upper.fit[b] = upper.level[b] = upper.slope[b] = 0.0;
    }
    for (Index a = 1; a < std::min(first_lower, m); ++a) {
      lower.fit[a] = lower.level[a] = lower.slope[a] = 0.0;
    }
  }

  bool may_stand(Index b) const { return upper_open[b]; }

  // Sum of squares explained by h_a and g_b beyond the straight line. Their supports are disjoint:
  // their cosine is minus the cosine of their projections.
  double explained(Index a, Index b) const {
    const double p = lower.fit[a];
    const double rho = -lower.level[a] * upper.level[b] - lower.slope[a] * upper.slope[b];
    const double rest = upper.fit[b] - p * rho;
    return p * p + rest * rest / (1.0 - rho * rho);
  }

  // The best upper knot of these, for a lower knot.
  double best_of_row(Index a, Index first, Index n) const {
    const double p = lower.fit[a];
    const auto rho = -lower.level[a] * upper.level.segment(first, n) -
                     lower.slope[a] * upper.slope.segment(first, n);
    return p * p +
           ((upper.fit.segment(first, n) - p * rho).square() / (1.0 - rho.square())).maxCoeff();
  }
};

// Ranges over the ramps of some neighbouring knots.
struct RampRange {
  double fit[2], level[2], slope[2];

  RampRange(const Ramps &ramps, Index first, Index n)
      : fit{ramps.fit.segment(first, n).minCoeff(), ramps.fit.segment(first, n).maxCoeff()},
        level{ramps.level.segment(first, n).minCoeff(), ramps.level.segment(first, n).maxCoeff()},
        slope{ramps.slope.segment(first, n).minCoeff(), ramps.slope.segment(first, n).maxCoeff()} {}
};

// The least and the largest product of a number from each of two ranges.
inline void add_products(const double (&a)[2], const double (&b)[2], double *low, double *high) {
  const double all[4] = {a[0] * b[0], a[0] * b[1], a[1] * b[0], a[1] * b[1]};
  *low += *std::min_element(all, all + 4);
  *high += *std::max_element(all, all + 4);
}

// The explained sum, (p^2 + f^2 - 2 p f rho) / (1 - rho^2), is convex in p, f and rho, hence
// largest in a corner of their ranges.
inline double most_explained(const RampRange &lower, const RampRange &upper) {
  double low = 0.0, high = 0.0;
  add_products(lower.level, upper.level, &low, &high);
  add_products(lower.slope, upper.slope, &low, &high);
  if (!(std::max(std::abs(low), std::abs(high)) < 1.0 - 1e-6))
    return std::numeric_limits<double>::infinity();
  double most = 0.0;
  for (const double rho : {-low, -high})
    for (const double p : lower.fit)
      for (const double f : upper.fit)
        most = std::max(most, (p * p + f * f - 2.0 * p * f * rho) / (1.0 - rho * rho));
  return most;
}

// The knots in blocks of neighbours.
struct RampBlocks {
  Index m, size;
  Array<RampRange> lower, upper;

  // Larger blocks for long curves: about five hundred at most.
  explicit RampBlocks(const Search &search)
      : m(search.lower.fit.size()), size(std::max<Index>(24, m / 512)) {
    for (Index first = 0; first < m; first += size) {
      lower.emplace_back(search.lower, first, std::min(size, m - first));
      upper.emplace_back(search.upper, first, std::min(size, m - first));
    }
  }

  Index n() const { return lower.size(); }
  Index first(Index block) const { return block * size; }
  Index end(Index block) const { return std::min(first(block) + size, m); }
};

// A large sum, which leaves few blocks to look at: from the best of the corners of blocks, each
// knot in turn goes to its best place.
inline double climb(const Search &search, const RampBlocks &blocks) {
  Index lower = 0, upper = blocks.m - 1;
  double most = search.explained(lower, upper);
  const auto take = [&](Index a, Index b) {
    const double sum = search.explained(a, b);
    if (!(sum > most))
      return false;
    most = sum, lower = a, upper = b;
    return true;
  };
  for (Index i = 0; i < blocks.n(); ++i)
    for (Index j = i; j < blocks.n(); ++j)
      take(blocks.first(i), blocks.end(j) - 1);
  for (bool moved = true; moved;) {
    moved = false;
    for (Index a = 0; a <= upper; ++a)
      moved |= take(a, upper);
    for (Index b = lower; b < blocks.m; ++b)
      moved |= take(lower, b);
  }
  return most;
}

// The largest sum that any pair of knots explains, for each lower knot; possibly less where it
// cannot come within `tie` of the overall maximum. Blocks of pairs that cannot are skipped.
inline Array<double> best_of_rows(const Search &search, double total, double tie,
                                  const Runtime &runtime) {
  const RampBlocks blocks(search);
  const double some = climb(search, blocks);
  Array<double> best(blocks.m, 0.0);
  runtime.parallel_for(blocks.n(), [&](Index i) {
    double most = some;
    for (Index j = i; j < blocks.n(); ++j) {
      const double rest = search.pieces.least(blocks.first(i), blocks.end(i) - 1, blocks.first(j),
                                              blocks.end(j) - 1);
      const double least = most - 1e-9 * total - 2.0 * tie;
      if (total - rest < least || most_explained(blocks.lower[i], blocks.upper[j]) < least)
        continue;
      for (Index a = blocks.first(i); a < blocks.end(i); ++a) {
        const Index first = std::max(a, blocks.first(j));
        double &row = best[a];
        if (first < blocks.end(j))
          row = std::max(row, search.best_of_row(a, first, blocks.end(j) - first));
        most = std::max(most, row);
      }
    }
  });
  return best;
}

struct Knots {
  Index lower, upper; // indices from 0
};

// Pairs that explain the same within rounding are one fit: the pair with the fewest points above
// the upper knot wins, then the fewest below the lower.
inline Knots search_knots(const Search &search, double rss_linear, const Runtime &runtime) {
  const Index m = search.lower.fit.size();
  const double tie = 1e-12 * rss_linear;
  const Array<double> row_best = best_of_rows(search, rss_linear, tie, runtime);
  const double enough = *std::max_element(row_best.begin(), row_best.end()) - tie;
  Knots best{0, 0};
  for (Index a = 0; a < m; ++a) {
    if (row_best[a] < enough)
      continue;
    Index b = m - 1;
    while (b > a && !(search.may_stand(b) && search.explained(a, b) >= enough))
      --b;
    if (b > best.upper)
      best = {a, b};
  }
  return best;
}

} // namespace three_segment_detail

} // namespace stabilect

#endif
