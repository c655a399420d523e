#ifndef STABILECT_FILTERS_H
#define STABILECT_FILTERS_H

// Filters that need only sums over the samples of a run: t, Welch's t, F, variance and Pearson
// correlation, of all features in all runs in one pass over x. In-bag counts are frequencies: a
// count of 2 is a repeated row.

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "stabilect/base/error.h"
#include "stabilect/base/runtime.h"
#include "stabilect/score/filter_runs.h"

namespace stabilect {

enum class Filter { t, welch, anova, variance, pearson };

// Statistics are infinite for a feature without spread inside the classes.
constexpr double kLargestRatio = 1e8;

// The score that stands for an infinite statistic.
inline double largest_score(Filter filter) {
  if (filter == Filter::t || filter == Filter::welch)
    return kLargestRatio;
  const double none = std::numeric_limits<double>::infinity();
  return filter == Filter::anova ? kLargestRatio * kLargestRatio : none;
}

namespace filter_detail {

// |a| / b within [0, kLargestRatio]; 0 / 0 is 0.
inline double ratio(double a, double b) {
  a = std::abs(a);
  return a < kLargestRatio * b ? a / b : (a > 0.0 ? kLargestRatio : 0.0);
}

// |t| of two classes; pooled variance, or Welch's.
class TwoSample {
public:
  TwoSample(const Runs &runs, bool pooled) {
    for (Index b = 0; b < runs.n_runs; ++b) {
      const double n0 = runs.total[b];
      const double n1 = runs.total[runs.padded + b];
      const double both = (1.0 / n0 + 1.0 / n1) / (n0 + n1 - 2.0);
      factor_.push_back(pooled ? both : 1.0 / (n0 * (n0 - 1.0)));
      factor_.push_back(pooled ? both : 1.0 / (n1 * (n1 - 1.0)));
      const bool enough = n0 > 0.0 && n1 > 0.0 && (pooled ? n0 + n1 > 2.0 : n0 > 1.0 && n1 > 1.0);
      usable_.push_back(enough);
    }
  }
  double operator()(const FeaturePair &x, int which, Index b) const {
    if (!usable_[b])
      return 0.0;
    const Moments m0 = x.moments(which, 0, b), m1 = x.moments(which, 1, b);
    const double *f = &factor_[2 * b];
    return ratio(m1.mean - m0.mean, std::sqrt(m0.square * f[0] + m1.square * f[1]));
  }

private:
  Array<double> factor_;
  Array<char> usable_;
};

// F of the one-way analysis of variance over the classes that are in the run.
class OneWay {
public:
  explicit OneWay(const Runs &runs) : runs_(&runs) {}
  double operator()(const FeaturePair &x, int which, Index b) const {
    double n = 0.0, mean = 0.0, between = 0.0, within = 0.0;
    int present = 0;
    for (Index g = 0; g < runs_->n_classes; ++g) {
      const double w = runs_->total[g * runs_->padded + b];
      if (w == 0.0)
        continue;
      const Moments m = x.moments(which, g, b);
      const double shift = m.mean - mean;
      between += shift * shift * n * w / (n + w); // before n is raised: adding one class
      n += w;
      mean += shift * w / n;
      within += m.square;
      ++present;
    }
    if (present < 2 || n <= present)
      return 0.0;
    const double root =
        ratio(std::sqrt(between * (n - present)), std::sqrt(within * (present - 1)));
    return root * root;
  }

private:
  const Runs *runs_;
};

class SampleVariance {
public:
  explicit SampleVariance(const Runs &runs) : runs_(&runs) {}
  double operator()(const FeaturePair &x, int which, Index b) const {
    const double w = runs_->total[b];
    const double unit = x.unit(which);
    return w > 1.0 ? x.moments(which, 0, b).square / (w - 1.0) / unit / unit : 0.0;
  }

private:
  const Runs *runs_;
};

// |r|, with the response centred and scaled within the run.
class Pearson {
public:
  Pearson(const Runs &runs, const ConstVector &y) : runs_(&runs), response_(runs.n, runs.n_runs) {
    const double unit = unit_for(y.cwiseAbs().maxCoeff()), first = unit * y[0];
    for (Index b = 0; b < runs.n_runs; ++b) {
      double mean = 0.0, square = 0.0;
      for (Index i = 0; i < runs.n; ++i)
        mean += runs.weight(b, i) * (unit * y[i] - first);
      mean /= std::max(1.0, runs.total[b]);
      for (Index i = 0; i < runs.n; ++i) {
        const double d = (unit * y[i] - first) - mean;
        square += runs.weight(b, i) * d * d;
        response_(i, b) = runs.weight(b, i) * d;
      }
      // Rounding errors of the mean do not count as spread.
      const double spread = (unit * y.array() - first).matrix().squaredNorm();
      if (square > 1e-24 * spread)
        response_.col(b) /= std::sqrt(square);
      else
        response_.col(b).setZero();
    }
  }
  double operator()(const FeaturePair &x, int which, Index b) const {
    const double square = x.moments(which, 0, b).square;
    double s[4] = {0.0, 0.0, 0.0, 0.0};
    const double *v = response_.data() + b * runs_->n;
    Index i = 0;
    for (; i + 4 <= runs_->n; i += 4)
      for (int k = 0; k < 4; ++k)
        s[k] += v[i + k] * x.deviation(which, i + k);
    for (; i < runs_->n; ++i)
      s[0] += v[i] * x.deviation(which, i);
    return square > 0.0 ? std::min(1.0, std::abs((s[0] + s[1]) + (s[2] + s[3])) / std::sqrt(square))
                        : 0.0;
  }

private:
  const Runs *runs_;
  Eigen::MatrixXd response_;
};

template <typename Score>
void score_pairs(const ConstMatrix &x, const Runs &runs, const Score &score, const Runtime &runtime,
                 Eigen::MatrixXd *out) {
  constexpr Index kBlock = 64;
  const Index p = x.cols();
  run_tasks((p + kBlock - 1) / kBlock, runtime, [&](Index task) {
    FeaturePair pair(runs);
    const Index from = task * kBlock, to = std::min(p, from + kBlock);
    for (Index j = from; j < to; j += 2) {
      const Index next = std::min(j + 1, p - 1);
      pair.load(x.col(j).data(), x.col(next).data());
      for (Index b = 0; b < runs.n_runs; ++b) {
        (*out)(j, b) = score(pair, 0, b);
        if (next > j)
          (*out)(next, b) = score(pair, 1, b);
      }
    }
  });
}

} // namespace filter_detail

// Scores of all features in all runs (p x B), higher is more relevant. A feature that is constant
// in a run, and every feature of a run without enough samples, scores 0. `codes`: class of each
// sample from 0; `y`: the response as numbers (Pearson only).
inline Eigen::MatrixXd score_filter(const ConstMatrix &x, const Array<int> &codes, int n_classes,
                                    const ConstVector &y, const ConstCounts &counts, Filter filter,
                                    const Runtime &runtime = Runtime()) {
  namespace impl = filter_detail;
  if (counts.rows() != x.rows())
    throw Error("counts must have one row per row of x");
  const bool by_class = filter == Filter::t || filter == Filter::welch || filter == Filter::anova;
  if (by_class && codes.size() != x.rows())
    throw Error("codes must have one value per row of x");
  if ((filter == Filter::t || filter == Filter::welch) && n_classes != 2)
    throw Error("a two-sample statistic needs two classes");
  if (filter == Filter::pearson && y.size() != x.rows())
    throw Error("y must have one value per row of x");
  const impl::Runs runs(by_class ? codes : Array<int>(), by_class ? n_classes : 1, counts);
  Eigen::MatrixXd out(x.cols(), counts.cols());
  if (filter == Filter::t || filter == Filter::welch)
    impl::score_pairs(x, runs, impl::TwoSample(runs, filter == Filter::t), runtime, &out);
  else if (filter == Filter::anova)
    impl::score_pairs(x, runs, impl::OneWay(runs), runtime, &out);
  else if (filter == Filter::variance)
    impl::score_pairs(x, runs, impl::SampleVariance(runs), runtime, &out);
  else
    impl::score_pairs(x, runs, impl::Pearson(runs, y), runtime, &out);
  return out;
}

} // namespace stabilect

#endif
