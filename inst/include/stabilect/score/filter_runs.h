#ifndef STABILECT_FILTER_RUNS_H
#define STABILECT_FILTER_RUNS_H

// Means and sums of squares of all features in all runs, by class: a product of two
// matrices, made in tiles of two features by eight runs.

#include <algorithm>
#include <cmath>

#include "stabilect/base/kernels.h"
#include "stabilect/base/scale.h"
#include "stabilect/base/types.h"

namespace stabilect {

using ConstCounts = Eigen::Ref<const Eigen::MatrixXi>;

namespace filter_detail {

constexpr Index kTile = 8;    // runs that a kernel takes at once
constexpr Index kColumns = 4; // columns of a panel: deviations and squares of two features

} // namespace filter_detail

} // namespace stabilect

#define STABILECT_BODY "stabilect/score/filter_runs_body.h"
#include "stabilect/base/simd_widths.h"

namespace stabilect {

namespace filter_detail {

using PanelSums = void (*)(const double *, const double *, Index, double *);

inline PanelSums panel_sums(int width = 0) { return STABILECT_AT_WIDTH(width, panel_sums); }

// Rows sorted by class (in order within), and the counts in tiles of kTile runs: the tile t of row
// i starts at (t * n + i) * kTile.
struct Runs {
  Index n = 0, n_classes = 1, n_runs = 0, padded = 0;
  Array<Index> row, start;
  AlignedBuffer<double> weights;
  Array<double> total; // sum of counts, class g of run b at g * padded + b

  Runs(const Array<int> &codes, int classes, const ConstCounts &counts)
      : n(counts.rows()), n_classes(classes), n_runs(counts.cols()),
        padded((n_runs + kTile - 1) / kTile * kTile), start(1, 0), weights(n * padded),
        total(classes * padded, 0.0) {
    for (int g = 0; g < classes; ++g) {
      for (Index i = 0; i < n; ++i)
        if (codes.empty() || codes[i] == g)
          row.push_back(i);
      start.push_back(row.size());
    }
    for (Index b = 0; b < n_runs; ++b)
      for (Index g = 0; g < n_classes; ++g)
        for (Index i = start[g]; i < start[g + 1]; ++i) {
          const double w = counts(row[i], b);
          weights[at(b, i)] = w;
          total[g * padded + b] += w;
        }
  }

  Index at(Index run, Index i) const { return (run / kTile * n + i) * kTile + run % kTile; }
  double weight(Index run, Index i) const { return weights[at(run, i)]; }
};

struct Moments {
  double mean = 0.0, square = 0.0; // sum of squares about the mean
};

// Two features at a time: deviations from the mean of the class over all samples. The sums of a run
// lose no digits by cancellation, unless the run leaves out outliers.
class FeaturePair {
public:
  explicit FeaturePair(const Runs &runs)
      : runs_(&runs), sums_(panel_sums()), panel_(runs.n * kColumns), centre_(2 * runs.n_classes),
        sum_(runs.n_classes * runs.padded * kColumns) {}

  void load(const double *first, const double *second) {
    load_one(first, 0);
    load_one(second, 1);
    double *panel = panel_.data();
    for (Index i = 0; i < runs_->n; ++i) {
      panel[i * kColumns + 1] = panel[i * kColumns] * panel[i * kColumns];
      panel[i * kColumns + 3] = panel[i * kColumns + 2] * panel[i * kColumns + 2];
    }
    for (Index b = 0; b < runs_->padded; b += kTile)
      for (Index g = 0; g < runs_->n_classes; ++g)
        sums_(panel + runs_->start[g] * kColumns,
              runs_->weights.data() + runs_->at(b, runs_->start[g]),
              runs_->start[g + 1] - runs_->start[g], sum_.data() + tile(b, g));
  }

  // Values are multiplied by the unit of the feature. The mean is relative to one value of the
  // feature, the same for all classes.
  Moments moments(int which, Index g, Index run) const {
    const double w = runs_->total[g * runs_->padded + run];
    if (w == 0.0)
      return Moments();
    const double *sum = sum_.data() + tile(run, g) + run % kTile + 2 * kTile * which;
    if (sum[kTile] == 0.0)
      return {centre_[2 * g + which], 0.0};
    const double mean = sum[0] / w, square = sum[kTile] - sum[0] * mean;
    if (!(square > 1e-6 * sum[kTile]))
      return two_pass(which, g, run, w);
    return {centre_[2 * g + which] + mean, square};
  }

  double unit(int which) const { return unit_[which]; }

  double deviation(int which, Index i) const { return panel_[i * kColumns + 2 * which]; }

private:
  Index tile(Index run, Index g) const {
    return (run / kTile * runs_->n_classes + g) * kTile * kColumns;
  }

  void load_one(const double *x, int which) {
    double *panel = panel_.data() + 2 * which;
    double largest = 0.0;
    for (const Index row : runs_->row)
      largest = std::max(largest, std::abs(x[row]));
    const double unit = unit_[which] = unit_for(largest);
    const double origin = unit * x[runs_->row[0]];
    for (Index g = 0; g < runs_->n_classes; ++g) {
      const Index from = runs_->start[g], to = runs_->start[g + 1];
      if (from == to)
        continue;
      // About a value of the class: exact when all are equal.
      const double first = unit * x[runs_->row[from]];
      double mean = 0.0;
      for (Index i = from; i < to; ++i)
        mean += unit * x[runs_->row[i]] - first;
      mean /= to - from;
      centre_[2 * g + which] = (first - origin) + mean;
      for (Index i = from; i < to; ++i)
        panel[i * kColumns] = (unit * x[runs_->row[i]] - first) - mean;
    }
  }

  Moments two_pass(int which, Index g, Index run, double total) const {
    const Index from = runs_->start[g], to = runs_->start[g + 1];
    Index i = from;
    while (runs_->weight(run, i) == 0.0)
      ++i;
    const double first = deviation(which, i);
    double mean = 0.0, square = 0.0;
    for (; i < to; ++i)
      mean += runs_->weight(run, i) * (deviation(which, i) - first);
    mean /= total;
    for (i = from; i < to; ++i) {
      const double d = (deviation(which, i) - first) - mean;
      square += runs_->weight(run, i) * d * d;
    }
    return {centre_[2 * g + which] + first + mean, square};
  }

  const Runs *runs_;
  PanelSums sums_;
  AlignedBuffer<double> panel_;
  double unit_[2] = {1.0, 1.0};
  Array<double> centre_;
  AlignedBuffer<double> sum_;
};

} // namespace filter_detail

} // namespace stabilect

#endif
