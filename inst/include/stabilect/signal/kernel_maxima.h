#ifndef STABILECT_KERNEL_MAXIMA_H
#define STABILECT_KERNEL_MAXIMA_H

// Dependence of any kind: the Hilbert-Schmidt independence criterion (Gretton et al. 2005) without
// bias (Song et al. 2012), as a correlation of the similarities between samples in a feature with
// those in the response. Similarities are Gaussian kernels.

#include <algorithm>
#include <cmath>
#include <utility>

#include "stabilect/base/exponential.h"
#include "stabilect/signal/null_draws.h"
#include "stabilect/signal/null_maxima.h"

namespace stabilect {

namespace signal_detail {

// The place of the pair i > j of samples in a vector of n (n - 1) / 2.
inline Index pair_place(Index i, Index j) { return i * (i - 1) / 2 + j; }

// The middle one of the distances of all pairs, the larger of two, found without a list of them: of
// values in order, the pairs within a distance are counted in one pass, and the interval that holds
// the middle is halved until it has few pairs.
inline double middle_distance(const double *values, Index n) {
  Array<double> v(values, values + n);
  std::sort(v.begin(), v.end());
  const auto first_within = [&](Index i, Index j, double most) {
    while (v[i] - v[j] > most)
      ++j;
    return j;
  };
  const auto pairs_within = [&](double most) {
    Index count = 0;
    for (Index i = 0, j = 0; i < n; ++i)
      count += i - (j = first_within(i, j, most));
    return count;
  };
  const Index all = n * (n - 1) / 2, middle = all / 2;
  Index below = pairs_within(0.0), up_to = all;
  double low = 0.0, high = v[n - 1] - v[0];
  if (below > middle)
    return 0.0;
  while (up_to - below > 4 * n) {
    const double half = low + (high - low) / 2;
    if (!(half > low && half < high))
      break; // all that are left are the same
    const Index count = pairs_within(half);
    (count > middle ? high : low) = half;
    (count > middle ? up_to : below) = count;
  }
  Array<double> left;
  left.reserve(up_to - below);
  for (Index i = 0, j = 0; i < n; ++i) {
    j = first_within(i, j, high);
    for (Index k = j; k < i && v[i] - v[k] > low; ++k)
      left.push_back(v[i] - v[k]);
  }
  const auto place = left.begin() + (middle - below);
  std::nth_element(left.begin(), place, left.end());
  return *place;
}

// 1 / (2 s^2) of a kernel, s the median distance, or the mean where most values are the same; 0 if
// nothing varies.
inline double kernel_rate(const double *values, Index n) {
  double width = middle_distance(values, n);
  if (!(width > 0.0)) {
    double sum = 0.0;
    for (Index i = 0; i < n; ++i)
      for (Index j = 0; j < i; ++j)
        sum += std::fabs(values[i] - values[j]);
    width = sum / (n * (n - 1) / 2);
  }
  return width > 0.0 ? 0.5 / (width * width) : 0.0;
}

// In place, for any number of values.
inline void exponentiate(double *values, Index m) {
  const Index whole = m / 8 * 8;
  STABILECT_AT_WIDTH(0, exponentials)(values, whole, values);
  double rest[8] = {};
  std::copy(values + whole, values + m, rest);
  STABILECT_AT_WIDTH(0, exponentials)(rest, 8, rest);
  std::copy(rest, rest + (m - whole), values + whole);
}

// U-centred similarities of all pairs, at length one; zero where nothing varies. At least 4 values.
inline void centred_similarities(const double *values, Index n, double rate, double *out) {
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < i; ++j) {
      const double off = values[i] - values[j];
      out[pair_place(i, j)] = -rate * off * off;
    }
  exponentiate(out, n * (n - 1) / 2);
  Eigen::VectorXd row = Eigen::VectorXd::Zero(n);
  for (Index i = 0; i < n; ++i) {
    const double *similarity = out + pair_place(i, 0);
    double own = 0.0;
    for (Index j = 0; j < i; ++j) {
      own += similarity[j];
      row[j] += similarity[j];
    }
    row[i] = own;
  }
  const double side = n, whole = row.sum() / ((side - 1.0) * (side - 2.0));
  row /= side - 2.0;
  double square = 0.0;
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < i; ++j) {
      double &value = out[pair_place(i, j)];
      value += whole - row[i] - row[j];
      square += value * value;
    }
  const double scale = rate > 0.0 && square > 0.0 ? 1.0 / std::sqrt(square) : 0.0;
  for (Index k = 0; k < n * (n - 1) / 2; ++k)
    out[k] *= scale;
}

// The features of ColumnPanels, by their similarities. Those take n / 2 times the memory of the
// features, and are made anew for each task.
class KernelPanels {
public:
  KernelPanels(const ConstMatrix &x, const Array<double> &rate, const Array<int> &order)
      : x_(x), rate_(rate), order_(order) {}

  Index m() const { return x_.rows() * (x_.rows() - 1) / 2; }
  Index p() const { return order_.size(); }
  Index n_panels() const { return ceiling(p(), kPanelFeatures); }

  auto reader() const {
    return [this, similarities = Array<double>(m()),
            panels = AlignedBuffer<float>(kGroupPanels * kPanelFeatures * m())](
               Index k, Index count) mutable -> const float * {
      for (Index c = 0; c < count * kPanelFeatures; ++c) {
        const Index at = k * kPanelFeatures + c;
        if (at < p())
          centred_similarities(x_.col(order_[at]).data(), x_.rows(), rate_[order_[at]],
                               similarities.data());
        float *to = panels.data() + c / kPanelFeatures * kPanelFeatures * m() + c % kPanelFeatures;
        for (Index i = 0; i < m(); ++i)
          to[i * kPanelFeatures] = at < p() ? static_cast<float>(similarities[i]) : 0.0f;
      }
      return panels.data();
    };
  }

private:
  ConstMatrix x_;
  const Array<double> &rate_;
  const Array<int> &order_;
};

// The similarities of the response between the samples that a permutation puts in place of each
// pair.
class PermutedKernel {
public:
  PermutedKernel(const Array<double> &similarities, const NullDraws &draws, Index n)
      : similarities_(similarities), draws_(draws), n_(n) {}

  Index size() const { return draws_.size(); }
  Index columns() const { return 1; }
  // Of dependence, similarities agree more than by chance, never less.
  static constexpr bool has_sign() { return true; }
  // Similarities of the features are made anew for each task: few tasks, as far as threads and
  // memory allow.
  Index tiles_per_task(const Runtime &runtime) const {
    const Index tiles = ceiling(size(), kTileDraws);
    return std::max<Index>(1, std::min<Index>(8, ceiling(tiles, runtime.n_threads)));
  }

  auto reader(Index from, Index end) const {
    const Index m = similarities_.size();
    AlignedBuffer<float> values((end - from) * kTileDraws * m);
    for (Index draw = from * kTileDraws; draw < std::min(size(), end * kTileDraws); ++draw) {
      const int *place = draws_.places(static_cast<int>(draw));
      float *to = values.data() + (draw / kTileDraws - from) * kTileDraws * m + draw % kTileDraws;
      for (Index i = 0; i < n_; ++i)
        for (Index j = 0; j < i; ++j)
          to[pair_place(i, j) * kTileDraws] = static_cast<float>(similarities_[pair_place(
              std::max(place[i], place[j]), std::min(place[i], place[j]))]);
    }
    return [m, from, values = std::move(values)](Index tile) {
      return values.data() + (tile - from) * kTileDraws * m;
    };
  }

private:
  const Array<double> &similarities_;
  const NullDraws &draws_;
  Index n_;
};

} // namespace signal_detail

struct Dependence {
  Eigen::VectorXd statistic; // p: correlations of similarities
  Array<double> adjusted_p;  // p: step-down, family-wise
  double global_p = 1.0;
};

// `x` (n x p) and `y` (n) without what the covariates explain; permutations of y.
inline Dependence kernel_evidence(const ConstMatrix &x, const ConstVector &y,
                                  const NullDraws &draws, Passes &passes) {
  using namespace signal_detail;
  const Index n = x.rows(), p = x.cols(), m = n * (n - 1) / 2;
  Array<double> of_y(m);
  centred_similarities(y.data(), n, kernel_rate(y.data(), n), of_y.data());
  const Eigen::Map<const Eigen::VectorXd> response(of_y.data(), m);
  Dependence out;
  out.statistic.resize(p);
  Array<double> rate(p);
  run_tasks(p, passes.next(), [&](Index j) {
    Eigen::VectorXd similarities(m);
    rate[j] = kernel_rate(x.col(j).data(), n);
    centred_similarities(x.col(j).data(), n, rate[j], similarities.data());
    out.statistic[j] = similarities.dot(response);
  });
  const Array<int> order = ascending(out.statistic);
  Array<double> level(p);
  for (Index k = 0; k < p; ++k)
    level[k] = out.statistic[order[k]] - slack_of(out.statistic[order[k]], m);
  const StepDown down =
      step_down(KernelPanels(x, rate, order), PermutedKernel(of_y, draws, n), level, passes.next());
  out.adjusted_p = step_down_p(down, order);
  out.global_p = p > 0 ? out.adjusted_p[order[p - 1]] : 1.0;
  passes.finish();
  return out;
}

} // namespace stabilect

#endif
