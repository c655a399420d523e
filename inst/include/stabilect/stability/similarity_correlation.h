#ifndef STABILECT_SIMILARITY_CORRELATION_H
#define STABILECT_SIMILARITY_CORRELATION_H

#include "stabilect/stability/similarity.h"

namespace stabilect {

using UnitColumns = Eigen::Ref<const Eigen::MatrixXd>;

namespace similarity_correlation_detail {

// Copies of a column must count as similar at threshold 1.
inline double least_correlation(double threshold) { return threshold - 1e-12; }

inline Eigen::MatrixXd pick_columns(const UnitColumns &x, const Array<int> &columns) {
  Eigen::MatrixXd picked(x.rows(), columns.size());
  for (Index k = 0; k < columns.size(); ++k)
    picked.col(k) = x.col(columns[k]);
  return picked;
}

} // namespace similarity_correlation_detail

// Absolute correlations computed when asked for, from columns of mean zero and length one.
class CorrelationSimilarity : public Similarity {
public:
  CorrelationSimilarity(const UnitColumns &x, double threshold)
      : x_(x), least_(similarity_correlation_detail::least_correlation(threshold)) {}

  Index place_size() const override { return 0; }

  void similar_pairs(const Array<int> &a, const Array<int> &b, Array<int> &,
                     Array<SimilarPair> &pairs) const override {
    pairs.clear();
    if (a.empty() || b.empty())
      return;
    const Eigen::MatrixXd product = similarity_correlation_detail::pick_columns(x_, a).transpose() *
                                    similarity_correlation_detail::pick_columns(x_, b);
    for (Index k = 0; k < product.rows(); ++k)
      for (Index l = 0; l < product.cols(); ++l)
        if (std::fabs(product(k, l)) >= least_)
          pairs.push_back(
              {static_cast<int>(k), static_cast<int>(l), std::min(1.0, std::fabs(product(k, l)))});
  }

private:
  UnitColumns x_;
  double least_;
};

struct Neighbour {
  int feature;
  double similarity;
};

// Later neighbours of each column (absolute correlation of at least the threshold). Products are
// computed in blocks and discarded: the p x p matrix is never stored.
inline Array<Array<Neighbour>> correlated_columns(const UnitColumns &x, double threshold,
                                                  const Runtime &runtime = Runtime()) {
  const Index p = x.cols(), block = 256;
  const double least = similarity_correlation_detail::least_correlation(threshold);
  Array<Array<Neighbour>> later(p);
  run_tasks((p + block - 1) / block, runtime, [&](Index t) {
    const Index from = t * block;
    const Index width = std::min(block, p - from);
    for (Index right = from; right < p; right += block) {
      const Index n_right = std::min(block, p - right);
      const Eigen::MatrixXd product =
          x.middleCols(right, n_right).transpose() * x.middleCols(from, width);
      for (Index l = 0; l < width; ++l)
        for (Index k = 0; k < n_right; ++k)
          if (right + k > from + l && std::fabs(product(k, l)) >= least)
            later[from + l].push_back(
                {static_cast<int>(right + k), std::min(1.0, std::fabs(product(k, l)))});
    }
  });
  return later;
}

// Sets to be merged: each element points towards the first of its set.
class DisjointSets {
public:
  explicit DisjointSets(Index n) : parent_(n) {
    for (Index k = 0; k < n; ++k)
      parent_[k] = static_cast<int>(k);
  }
  int first_of(int k) {
    while (parent_[k] != k) {
      int &up = parent_[k];
      up = parent_[up];
      k = up;
    }
    return k;
  }
  // False when they are in one set already.
  bool merge(int a, int b) {
    a = first_of(a);
    b = first_of(b);
    parent_[std::max(a, b)] = std::min(a, b);
    return a != b;
  }

private:
  Array<int> parent_;
};

// Clusters by single linkage: columns connected by a chain of correlations of at least the
// threshold, absolute ones unless `is_signed`. Returns the first column of the cluster of each
// column. Only links that join something are kept, in each block of columns and over all blocks.
inline Array<int> linked_columns(const UnitColumns &x, double threshold, bool is_signed,
                                 const Runtime &runtime = Runtime()) {
  const Index p = x.cols(), block = 256;
  const double least = similarity_correlation_detail::least_correlation(threshold);
  Array<Array<std::pair<int, int>>> links((p + block - 1) / block);
  run_tasks(links.size(), runtime, [&](Index t) {
    const Index from = t * block;
    const Index width = std::min(block, p - from);
    DisjointSets sets(p);
    Eigen::MatrixXd product;
    for (Index right = from; right < p && !runtime.stop_requested(); right += block) {
      product.noalias() =
          x.middleCols(right, std::min(block, p - right)).transpose() * x.middleCols(from, width);
      for (Index l = 0; l < product.cols(); ++l)
        for (Index k = 0; k < product.rows(); ++k) {
          const double r = product(k, l);
          const int a = static_cast<int>(from + l), b = static_cast<int>(right + k);
          if (b > a && (is_signed ? r : std::fabs(r)) >= least && sets.merge(a, b))
            links[t].push_back({a, b});
        }
    }
  });
  DisjointSets sets(p);
  for (const auto &some : links)
    for (const std::pair<int, int> &link : some)
      sets.merge(link.first, link.second);
  Array<int> first(p);
  for (Index j = 0; j < first.size(); ++j)
    first[j] = sets.first_of(static_cast<int>(j));
  return first;
}

struct NeighbourTotals {
  Array<int> number;
  Array<double> sum;
};

// For some of the columns: how many others are similar, and the sum of their similarities.
inline NeighbourTotals neighbour_totals(const UnitColumns &x, const Array<int> &columns,
                                        double threshold, const Runtime &runtime = Runtime()) {
  const double least = similarity_correlation_detail::least_correlation(threshold);
  NeighbourTotals totals;
  totals.number.assign(columns.size(), 0);
  totals.sum.assign(columns.size(), 0.0);
  run_tasks(columns.size(), runtime, [&](Index t) {
    const Eigen::VectorXd product = x.transpose() * x.col(columns[t]);
    for (Index f = 0; f < product.size(); ++f) {
      if (f == columns[t] || std::fabs(product[f]) < least)
        continue;
      ++totals.number[t];
      totals.sum[t] += std::min(1.0, std::fabs(product[f]));
    }
  });
  return totals;
}

} // namespace stabilect

#endif
