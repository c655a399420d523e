#ifndef STABILECT_THREE_SEGMENT_H
#define STABILECT_THREE_SEGMENT_H

#include <Eigen/Dense>
#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>

#include "stabilect/base/error.h"
#include "stabilect/select/knot_search.h"

namespace stabilect {

// The curve has six unknowns (four coefficients, two knots): with fewer points a
// close fit is no evidence of any shape.
constexpr Index kThreeSegmentMinPoints = 8;

// Replacement for the features above the upper knot if there is none.
enum class Fallback { none, half_score, majority };

struct ThreeSegmentOptions {
  // A bent segment is empty or has at least this many points.
  Index min_segment = 1;
  // For runs whose curve does not bend up: see RunsThreshold.
  Fallback fallback = Fallback::none;
};

enum class BendStatus { bends_up, too_few_points, all_equal, straight, bends_down, not_real };

struct ThreeSegmentResult {
  BendStatus status = BendStatus::too_few_points;
  // Ranks, counted from 1. lower_knot = 1: no lower bend; upper_knot = number of
  // points: no upper bend; both 0 when no curve was fitted.
  Index lower_knot = 0;
  Index upper_knot = 0;
  // Coefficients of 1, t, (lower_knot - t)_+^2, (t - upper_knot)_+^2, with t the rank.
  std::array<double, 4> coefficients{{0.0, 0.0, 0.0, 0.0}};
  double rss = 0.0;
  double rss_linear = 0.0;
  double rss_no_upper = 0.0;
  // rss_no_upper / rss, and the limit that a real bend must exceed.
  double bend_ratio = 1.0;
  double bend_limit = 0.0;
  // Points strictly above the upper knot when the curve bends up there, else 0.
  Index n_informative = 0;

  double value_at(double rank) const {
    const double below = std::max(lower_knot - rank, 0.0);
    const double above = std::max(rank - upper_knot, 0.0);
    return coefficients[0] + coefficients[1] * rank + coefficients[2] * below * below +
           coefficients[3] * above * above;
  }
  double threshold() const { return value_at(upper_knot); }
};

// Largest ratio rss_no_upper / rss expected from m points without a bend: the 95 % point for m
// ordered uniforms (a straight curve with the dependence from sorting), counting a downward bend as
// 1. The ratio does not depend on the scale of the values and hardly on m. The formula was checked
// on 1,000 to 8,000 simulated curves at each of eleven m from 8 to 1000 (measured there: 4.5 to 5.6
// % above it for min_segment = 1, fewer for larger).
inline double bend_limit(Index m) {
  const double d = m - 4.9;
  return 2.35 + 71.0 / (d * d);
}

namespace three_segment_detail {

struct Fit {
  std::array<double, 4> coefficients;
  VectorXd residual;
};

// By reflections of one column at a time: the blocked form of Eigen's takes a fifth of the
// compiler's time for this file's unit, and a basis has four columns.
inline VectorXd least_squares(Eigen::MatrixXd basis, VectorXd values) {
  const Index m = basis.rows(), k = basis.cols();
  VectorXd work(k);
  for (Index j = 0; j < k; ++j) {
    double factor, length;
    basis.col(j).tail(m - j).makeHouseholderInPlace(factor, length);
    basis(j, j) = length;
    const auto direction = basis.col(j).tail(m - j - 1);
    basis.bottomRightCorner(m - j, k - j - 1)
        .applyHouseholderOnTheLeft(direction, factor, work.data());
    values.tail(m - j).applyHouseholderOnTheLeft(direction, factor, work.data());
  }
  return basis.topRows(k).triangularView<Eigen::Upper>().solve(values.head(k));
}

// Least squares by QR on ranks scaled to [-1, 1]; a knot at its end of the sequence has a zero
// ramp, which is left out.
inline Fit fit_at(const ConstVector &values, Knots knots) {
  const Index m = values.size();
  const double centre = 0.5 * (m - 1);
  const bool has_lower = knots.lower > 0, has_upper = knots.upper < m - 1;
  Eigen::MatrixXd basis(m, 2 + has_lower + has_upper);
  for (Index i = 0; i < m; ++i) {
    const auto ramp = [&](Index steps) {
      const double s = std::max<Index>(steps, 0) / centre;
      return s * s;
    };
    basis(i, 0) = 1.0;
    basis(i, 1) = (i - centre) / centre;
    if (has_lower)
      basis(i, 2) = ramp(knots.lower - i);
    if (has_upper)
      basis(i, 2 + has_lower) = ramp(i - knots.upper);
  }
  const VectorXd beta = least_squares(basis, values);
  Fit fit{{{0.0, beta[1] / centre, 0.0, 0.0}}, values - basis * beta};
  fit.coefficients[0] = beta[0] - fit.coefficients[1] * (centre + 1.0);
  if (has_lower)
    fit.coefficients[2] = beta[2] / (centre * centre);
  if (has_upper)
    fit.coefficients[3] = beta[2 + has_lower] / (centre * centre);
  return fit;
}

// Ratios below rounding level have no meaning, so both parts are at least `floor`.
inline BendStatus judge_bend(ThreeSegmentResult *result, Index m, double floor) {
  result->bend_ratio = std::max(result->rss_no_upper, floor) / std::max(result->rss, floor);
  result->bend_limit = bend_limit(m);
  if (result->coefficients[3] < 0.0)
    return BendStatus::bends_down;
  return result->bend_ratio > result->bend_limit ? BendStatus::bends_up : BendStatus::not_real;
}

inline void check_values(const ConstVector &values) {
  if (!values.allFinite())
    throw Error("values must be finite");
  for (Index i = 0; i + 1 < values.size(); ++i) {
    if (values[i] > values[i + 1])
      throw Error("values must be ascending");
  }
}

} // namespace three_segment_detail

// The quadratic - linear - quadratic curve, continuous with continuous slope, closest to ascending
// values in least squares, over all pairs of knots lower <= upper (Zare et al. 2013, Algorithm 1
// step 9; the search is ours). The upper knot never separates equal values.
inline ThreeSegmentResult
fit_three_segment(const ConstVector &values,
                  const ThreeSegmentOptions &options = ThreeSegmentOptions(),
                  const Runtime &runtime = Runtime()) {
  namespace impl = three_segment_detail;
  if (options.min_segment < 1)
    throw Error("min_segment must be at least 1");
  impl::check_values(values);
  ThreeSegmentResult result;
  const Index m = values.size();
  if (m < kThreeSegmentMinPoints)
    return result;
  if (values[m - 1] - values[0] <= 1e-12 * std::max(1.0, values.cwiseAbs().maxCoeff())) {
    result.status = BendStatus::all_equal;
    return result;
  }
  const impl::Fit line = impl::fit_at(values, {0, m - 1});
  result.rss_linear = line.residual.squaredNorm();
  const bool straight =
      result.rss_linear <= 1e-20 * (values.array() - values.mean()).matrix().squaredNorm();
  impl::Knots knots{0, m - 1}, no_upper{0, m - 1};
  if (!straight) {
    const impl::Search search(values, line.residual, options.min_segment);
    knots = search_knots(search, result.rss_linear, runtime);
    search.lower.fit.square().maxCoeff(&no_upper.lower);
  }
  const impl::Fit fit = impl::fit_at(values, knots);
  result.lower_knot = knots.lower + 1;
  result.upper_knot = knots.upper + 1;
  result.coefficients = fit.coefficients;
  result.rss = fit.residual.squaredNorm();
  result.rss_no_upper = impl::fit_at(values, no_upper).residual.squaredNorm();
  const BendStatus judged = impl::judge_bend(&result, m, 1e-20 * result.rss_linear);
  result.status = straight ? BendStatus::straight : judged;
  if (result.status == BendStatus::bends_up)
    result.n_informative = m - result.upper_knot;
  return result;
}

} // namespace stabilect

#endif
