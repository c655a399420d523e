#ifndef STABILECT_RELIEF_H
#define STABILECT_RELIEF_H

// Relief-F (Kononenko 1994) and RReliefF (Robnik-Sikonja & Kononenko 2003) in every run. Both are
// sums over pairs of samples of a coefficient times the difference in a feature: a run finds its
// pairs from distances that all runs share, then adds up |z_i - z_k| of them.

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "stabilect/base/error.h"
#include "stabilect/base/runtime.h"
#include "stabilect/base/types.h"

namespace stabilect {

struct ReliefOptions {
  int n_neighbours = 10;
};

namespace relief_detail {

using Eigen::MatrixXd;
using Eigen::VectorXd;

struct Pair {
  Index i, k;
  double coefficient;
};

// p x n, every feature divided by its range over all samples; constants are zero.
inline MatrixXd scale_by_range(const ConstMatrix &x) {
  MatrixXd z(x.cols(), x.rows());
  for (Index j = 0; j < x.cols(); ++j) {
    const double low = x.col(j).minCoeff(), range = x.col(j).maxCoeff() - low;
    if (range > 0.0)
      z.row(j) = ((x.col(j).array() - low) / range).matrix().transpose();
    else
      z.row(j).setZero();
  }
  return z;
}

// Sum of |a - b| by four running sums: the order of additions does not depend on the compiler.
inline double manhattan(const double *a, const double *b, Index p) {
  double s0 = 0.0, s1 = 0.0, s2 = 0.0, s3 = 0.0;
  Index j = 0;
  for (; j + 4 <= p; j += 4) {
    s0 += std::abs(a[j] - b[j]), s1 += std::abs(a[j + 1] - b[j + 1]);
    s2 += std::abs(a[j + 2] - b[j + 2]), s3 += std::abs(a[j + 3] - b[j + 3]);
  }
  for (; j < p; ++j)
    s0 += std::abs(a[j] - b[j]);
  return (s0 + s1) + (s2 + s3);
}

constexpr double kAsNear = 1e-10;

// order.col(i): all samples by their distance to sample i; ~k is a sample k that is as near as the
// one before it, but for rounding.
inline Eigen::MatrixXi order_by_distance(const MatrixXd &z, const Runtime &runtime) {
  const Index n = z.cols();
  MatrixXd distance = MatrixXd::Zero(n, n);
  run_tasks(n, runtime, [&](Index task) {
    const Index i = task;
    for (Index k = 0; k < i; ++k)
      distance(k, i) = manhattan(z.col(i).data(), z.col(k).data(), z.rows());
  });
  distance.triangularView<Eigen::StrictlyLower>() = distance.transpose();
  Eigen::MatrixXi order(n, n);
  for (Index i = 0; i < n; ++i) {
    int *first = order.col(i).data();
    for (Index k = 0; k < n; ++k)
      first[k] = static_cast<int>(k);
    const double *d = distance.col(i).data();
    std::stable_sort(first, first + n, [d](int a, int b) { return d[a] < d[b]; });
    for (Index k = n - 1; k > 0; --k)
      if (d[first[k]] - d[first[k - 1]] <= kAsNear * d[first[k]])
        first[k] = ~first[k];
  }
  return order;
}

class Run {
public:
  Run(const Eigen::MatrixXi &order, const VectorXd &y, int n_classes, const int *counts,
      int n_neighbours)
      : order_(order), y_(y), counts_(counts), n_neighbours_(n_neighbours),
        total_(Eigen::Map<const Eigen::VectorXi>(counts, y.size()).sum()),
        size_(VectorXd::Zero(n_classes)) {
    for (Index i = 0; i < y.size() && n_classes > 0; ++i)
      size_[static_cast<Index>(y[i])] += counts[i];
  }

  Array<Pair> pairs() {
    n_classes() > 0 ? classes() : numbers();
    return pairs_;
  }

private:
  Index n_classes() const { return size_.size(); }

  // Up to n_neighbours copies of the rows nearest to i, only of class g unless g < 0; a row is no
  // neighbour of its own copies, and rows that are equally near share what is left. Adds pairs with
  // the number of copies; returns how many.
  int find(Index i, int g, Array<Pair> *out) const {
    int found = 0;
    for (Index at = 0; at < order_.rows() && found < n_neighbours_;) {
      const Index from = out->size();
      int copies = 0;
      do {
        const Index k = order_(at, i) < 0 ? ~order_(at, i) : order_(at, i);
        if (k != i && counts_[k] > 0 && (g < 0 || static_cast<int>(y_[k]) == g)) {
          out->push_back({i, k, 1.0 * counts_[k]});
          copies += counts_[k];
        }
      } while (++at < order_.rows() && order_(at, i) < 0);
      const int taken = std::min(copies, n_neighbours_ - found);
      for (Index q = from; taken < copies && q < out->size(); ++q)
        (*out)[q].coefficient *= 1.0 * taken / copies;
      found += taken;
    }
    return found;
  }

  // W = -diff(hits) / (m k) + sum over other classes of P / (1 - P(own)) diff(misses) / (m k)
  void classes() {
    for (Index i = 0; i < y_.size(); ++i) {
      if (counts_[i] == 0)
        continue;
      const int own = static_cast<int>(y_[i]);
      for (int g = 0; g < static_cast<int>(n_classes()); ++g) {
        const Index from = pairs_.size();
        const int found = find(i, g, &pairs_);
        const double share = g == own ? -1.0 : size_[g] / (total_ - size_[own]);
        for (Index q = from; q < pairs_.size(); ++q)
          pairs_[q].coefficient *= share * counts_[i] / (total_ * found);
      }
    }
  }

  // W = N(dC & dA) / N(dC) - (N(dA) - N(dC & dA)) / (m - N(dC)), every neighbour with weight 1 / k
  void numbers() {
    const double low = in_bag(1.0), range = -in_bag(-1.0) - low;
    double changed = 0.0, counted = 0.0;
    Array<double> change;
    for (Index i = 0; i < y_.size(); ++i) {
      if (counts_[i] == 0)
        continue;
      const Index from = pairs_.size();
      const int found = find(i, -1, &pairs_);
      for (Index q = from; q < pairs_.size(); ++q) {
        pairs_[q].coefficient *= 1.0 * counts_[i] / found;
        change.push_back(std::abs(y_[i] - y_[pairs_[q].k]) / range);
        changed += pairs_[q].coefficient * change.back();
        counted += pairs_[q].coefficient;
      }
    }
    const double same = counted - changed;
    for (Index q = 0; q < pairs_.size(); ++q) {
      const double with = changed > 0.0 ? change[q] / changed : 0.0;
      const double without = same > 0.0 ? (1.0 - change[q]) / same : 0.0;
      pairs_[q].coefficient *= with - without;
    }
  }

  // The smallest sign * y in the run.
  double in_bag(double sign) const {
    double low = HUGE_VAL;
    for (Index i = 0; i < y_.size(); ++i)
      if (counts_[i] > 0)
        low = std::min(low, sign * y_[i]);
    return low;
  }

  const Eigen::MatrixXi &order_;
  const VectorXd &y_;
  const int *counts_;
  int n_neighbours_;
  double total_;
  VectorXd size_;
  Array<Pair> pairs_;
};

// Every pair once: mutual neighbours are read once.
inline Array<Pair> merge_pairs(Array<Pair> pairs) {
  for (Pair &pair : pairs)
    if (pair.i > pair.k)
      std::swap(pair.i, pair.k);
  std::stable_sort(pairs.begin(), pairs.end(), [](const Pair &a, const Pair &b) {
    return a.i < b.i || (a.i == b.i && a.k < b.k);
  });
  Array<Pair> out;
  for (const Pair &pair : pairs) {
    if (!out.empty() && out.back().i == pair.i && out.back().k == pair.k)
      out.back().coefficient += pair.coefficient;
    else
      out.push_back(pair);
  }
  return out;
}

// sum over pairs of coefficient |z_i - z_k|, in blocks of features that stay in the cache.
inline VectorXd add_differences(const MatrixXd &z, const Array<Pair> &pairs) {
  constexpr Index kBlock = 128;
  VectorXd score = VectorXd::Zero(z.rows());
  for (Index from = 0; from < z.rows(); from += kBlock) {
    const Index size = std::min(kBlock, z.rows() - from);
    auto part = score.segment(from, size).array();
    for (const Pair &pair : pairs)
      part += pair.coefficient *
              (z.col(pair.i).segment(from, size) - z.col(pair.k).segment(from, size)).array().abs();
  }
  return score;
}

// A feature that is constant in the run cannot be judged, and gets the lowest score of the run.
inline void lower_constants(const ConstMatrix &x, const int *counts, Eigen::Ref<VectorXd> score) {
  Array<Index> rows;
  for (Index i = 0; i < x.rows(); ++i)
    if (counts[i] > 0)
      rows.push_back(i);
  const double lowest = score.minCoeff();
  for (Index j = 0; j < x.cols(); ++j) {
    const bool constant =
        std::all_of(rows.begin(), rows.end(), [&](Index i) { return x(i, j) == x(rows[0], j); });
    if (constant)
      score[j] = lowest;
  }
}

} // namespace relief_detail

// p x B. `y`: class from 0, or with n_classes = 0 numbers. Counts are repeated rows.
inline Eigen::MatrixXd score_relief(const ConstMatrix &x, const Eigen::VectorXd &y, int n_classes,
                                    const Eigen::Ref<const Eigen::MatrixXi> &counts,
                                    const ReliefOptions &options,
                                    const Runtime &runtime = Runtime()) {
  if (counts.rows() != x.rows() || y.size() != x.rows())
    throw Error("counts and y must have one row per row of x");
  if (options.n_neighbours < 1)
    throw Error("n_neighbours must be at least 1");
  const Eigen::MatrixXd z = relief_detail::scale_by_range(x);
  const Eigen::MatrixXi order = relief_detail::order_by_distance(z, runtime);
  Eigen::MatrixXd out = Eigen::MatrixXd::Zero(x.cols(), counts.cols());
  run_tasks(counts.cols(), runtime, [&](Index task) {
    const Index b = task;
    const int *in_bag = counts.col(b).data();
    if ((counts.col(b).array() > 0).count() < 2)
      return;
    relief_detail::Run run(order, y, n_classes, in_bag, options.n_neighbours);
    out.col(b) = relief_detail::add_differences(z, relief_detail::merge_pairs(run.pairs()));
    relief_detail::lower_constants(x, in_bag, out.col(b));
  });
  return out;
}

} // namespace stabilect

#endif
