#ifndef STABILECT_IMPUTATION_H
#define STABILECT_IMPUTATION_H

// Missing values from the ten nearest features and a detection curve, without the outcome: their
// expected values, and draws from their distribution (data augmentation, Tanner and Wong
// 1987). A draw uses only the random numbers of (seed, round, feature).

#include <Eigen/Core>

#include <cstdint>

#include "stabilect/data/detection_curve.h"
#include "stabilect/data/low_rank_start.h"
#include "stabilect/data/nearest_features.h"
#include "stabilect/data/neighbour_regression.h"

namespace stabilect {

struct ImputationOptions {
  int draws = 10, rounds = 6; // rounds before the first draw that is kept
  Index neighbours = 10;
  double ridge = 0.1; // per sample
  std::uint64_t seed = 0;
};

struct Imputation {
  Cells cells;
  Eigen::VectorXd expected; // of each cell, in the units of x
  Eigen::MatrixXf drawn;    // draws x cells
  Array<double> slope;      // of each group, for one unit of x
  double lower = 0.0;       // by how much the curves lower them, a mean in standard deviations
};

namespace missing_detail {

// Standard deviations of what is there; nothing is filled in beyond.
constexpr double kFarthest = 6.0;

struct CellDraw {
  double drawn, expected;
  double mean; // without the curve
};

// The distribution of a value with this mean and deviation, given that it is missing: of points at
// equal distances, whose sums are nearly exact for smooth densities.
class TiltedNormal {
public:
  TiltedNormal() {
    for (int q = 0; q < kPoints; ++q)
      density_[q] = -0.5 * point(q) * point(q);
    STABILECT_AT_WIDTH(0, exponentials)(density_, kPoints, density_);
  }

  // The log odds of being missing are `level` + `slope` times the value.
  CellDraw draw(double mean, double sd, double level, double slope, Rng &rng) const {
    if (slope == 0.0)
      return {mean + sd * rng.normal(), mean, mean};
    double weight[kPoints], total = 0.0, expected = 0.0;
    for (int q = 0; q < kPoints; ++q)
      weight[q] = -(level + slope * (mean + sd * point(q)));
    STABILECT_AT_WIDTH(0, exponentials)(weight, kPoints, weight);
    for (int q = 0; q < kPoints; ++q) {
      weight[q] = density_[q] / (1.0 + weight[q]);
      total += weight[q];
      expected += weight[q] * point(q);
    }
    if (!(total > 0.0))
      return {mean + sd * rng.normal(), mean, mean};
    const double at = rng.uniform() * total;
    int pick = 0;
    for (double sum = weight[0]; pick + 1 < kPoints && sum <= at; sum += weight[pick])
      ++pick;
    const double within = kStep * (rng.uniform() - 0.5);
    return {mean + sd * (point(pick) + within), mean + sd * expected / total, mean};
  }

private:
  static constexpr int kPoints = 24;
  static constexpr double kStep = 0.3;

  static double point(int q) { return kStep * (q - 0.5 * (kPoints - 1)); }

  double density_[kPoints];
};

class Imputer {
public:
  Imputer(const ConstMatrix &x, const Array<int> &group, const Array<int> &by_value,
          const ImputationOptions &options, Passes &passes)
      : options_(options), group_(group), cells_(missing_cells(x)),
        x_(padded_columns(x, passes.silent())), curves_(by_value.size()) {
    const Runtime start = passes.next();
    fill_by_low_rank(x_, cells_, options.seed, start);
    const Index k = std::min(options.neighbours, x_.p - 1);
    nearest_ = nearest_features(x_, cells_.column, std::max<Index>(k, 0), passes.next());
    make_groups(x, by_value);
    drawn_.resize(cells_.size());
    expected_ = Eigen::VectorXd::Zero(cells_.size());
  }

  Imputation run(const Runtime &runtime) {
    Imputation out;
    const int total = options_.rounds + options_.draws;
    out.drawn.resize(options_.draws, cells_.size());
    for (int round = 0; round < total; ++round) {
      if (round < options_.rounds)
        fit_curves(runtime);
      draw_cells(round, quiet(runtime));
      if (round >= options_.rounds)
        keep(round - options_.rounds, out);
      runtime.report(round + 1, total);
    }
    finish(out);
    return out;
  }

private:
  void make_groups(const ConstMatrix &x, const Array<int> &by_value) {
    groups_.resize(by_value.size());
    for (Index j = 0; j < x_.p; ++j) {
      CurveGroup &own = groups_[group_[j]];
      own.features.push_back(static_cast<int>(j));
      for (Index i = 0; i < x_.n; ++i)
        own.flags.push_back(std::isnan(x(i, j)) ? 1 : 0);
    }
    for (Index g = 0; g < groups_.size(); ++g) {
      set_scale(x, groups_[g]);
      groups_[g].by_value = by_value[g] != 0 && groups_[g].sd > 0.0;
      curves_[g] = flat_curve(x_, groups_[g]);
    }
  }

  static void set_scale(const ConstMatrix &x, CurveGroup &group) {
    double sum = 0.0, squares = 0.0, known = 0.0;
    for (int pass = 0; pass < 2; ++pass) {
      for (int j : group.features)
        for (Index i = 0; i < x.rows(); ++i) {
          if (std::isnan(x(i, j)))
            continue;
          const double left = x(i, j) - group.mean;
          sum += pass == 0 ? x(i, j) : 0.0;
          squares += pass == 0 ? 0.0 : left * left;
          known += pass == 0 ? 1.0 : 0.0;
        }
      group.mean = sum / std::max(known, 1.0);
    }
    const double spread = std::sqrt(squares / std::max(known - 1.0, 1.0));
    group.sd = std::isfinite(spread) ? spread : 0.0;
  }

  void fit_curves(const Runtime &runtime) {
    for (Index g = 0; g < groups_.size(); ++g)
      if (groups_[g].by_value)
        fit_curve(x_, groups_[g], runtime, curves_[g]);
  }

  // All cells are drawn from the values before the round.
  void draw_cells(int round, const Runtime &runtime) {
    const TiltedNormal tilted;
    run_tasks(cells_.n_columns(), runtime, [&](Index c) {
      const int j = cells_.column[c];
      const CurveGroup &group = groups_[group_[j]];
      const DetectionCurve &curve = curves_[group_[j]];
      const double unit = group.sd > 0.0 ? group.sd : 1.0;
      const double shift = curve.slope * (x_.mean[j] - group.mean) / unit;
      Rng rng(options_.seed, (std::int64_t(round) << 32) + j, domain_tag("imputation"));
      const DrawnRegression own = draw_regression(x_, j, nearest_[c], options_.ridge, rng);
      for (Index k = cells_.start[c]; k < cells_.start[c + 1]; ++k) {
        const Index i = cells_.row[k];
        const double mean = predicted(x_, nearest_[c], own, i);
        const CellDraw cell = tilted.draw(mean, own.sd, curve.intercept[i] + shift,
                                          curve.slope * x_.sd[j] / unit, rng);
        drawn_[k] = {bounded(cell.drawn), bounded(cell.expected), bounded(mean)};
      }
    });
    for (Index c = 0; c < cells_.n_columns(); ++c)
      for (Index k = cells_.start[c]; k < cells_.start[c + 1]; ++k)
        x_.column(cells_.column[c])[cells_.row[k]] = drawn_[k].drawn;
  }

  static double bounded(double z) { return std::max(-kFarthest, std::min(kFarthest, z)); }

  void keep(int draw, Imputation &out) {
    for (Index c = 0; c < cells_.n_columns(); ++c) {
      const int j = cells_.column[c];
      for (Index k = cells_.start[c]; k < cells_.start[c + 1]; ++k) {
        expected_[k] += drawn_[k].expected;
        out.lower += drawn_[k].mean - drawn_[k].expected;
        out.drawn(draw, k) = static_cast<float>(x_.value(cells_.row[k], j));
      }
    }
  }

  void finish(Imputation &out) {
    out.expected.resize(cells_.size());
    out.lower /= std::max(1.0, 1.0 * options_.draws * cells_.size());
    for (Index c = 0; c < cells_.n_columns(); ++c) {
      const int j = cells_.column[c];
      for (Index k = cells_.start[c]; k < cells_.start[c + 1]; ++k)
        out.expected[k] = x_.mean[j] + x_.sd[j] * expected_[k] / options_.draws;
    }
    for (Index g = 0; g < groups_.size(); ++g)
      out.slope.push_back(groups_[g].by_value ? curves_[g].slope / groups_[g].sd : 0.0);
    out.cells = std::move(cells_);
  }

  ImputationOptions options_;
  Array<int> group_;
  Cells cells_;
  PaddedColumns x_;
  Array<Array<int>> nearest_; // of each column with cells
  Array<CurveGroup> groups_;
  Array<DetectionCurve> curves_;
  Array<CellDraw> drawn_;
  Eigen::VectorXd expected_;
};

} // namespace missing_detail

// @param group of each feature, from 0: features of one group have one curve.
// @param by_value of each group: may being missing depend on the value?
inline Imputation impute(const ConstMatrix &x, const Array<int> &group, const Array<int> &by_value,
                         const ImputationOptions &options, const Runtime &runtime = Runtime()) {
  // Start, neighbours and rounds, in shares of the time.
  Passes passes(runtime, {1.0, 0.06 * std::sqrt(static_cast<double>(x.cols())), 8.0});
  missing_detail::Imputer imputer(x, group, by_value, options, passes);
  Imputation out = imputer.run(passes.next());
  passes.finish();
  return out;
}

} // namespace stabilect

#endif
