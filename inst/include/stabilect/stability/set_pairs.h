#ifndef STABILECT_SET_PAIRS_H
#define STABILECT_SET_PAIRS_H

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "stabilect/base/error.h"
#include "stabilect/base/runtime.h"
#include "stabilect/base/types.h"
#include "stabilect/stability/set_overlaps.h"

namespace stabilect {

// The value of a pair of runs: offset + slope * x, with coefficients that depend only on the two
// sizes, as for every pairwise set index. x is the overlap r, or r / (k_i + k_j - r). A pair with
// offset NaN is undefined and counts as zero; the caller knows their number from the sizes.
// `size_class` (one per run) numbers the distinct sizes; the matrices are symmetric.
struct PairRule {
  enum class Form { overlap, jaccard };
  Form form = Form::overlap;
  const int *size_class = nullptr;
  Index n_classes = 0;
  const double *offsets = nullptr; // n_classes x n_classes
  const double *slopes = nullptr;

  double offset(Index a, Index c) const { return offsets[a * n_classes + c]; }
  double slope(Index a, Index c) const { return slopes[a * n_classes + c]; }
  double offset_or_zero(Index a, Index c) const {
    return std::isnan(offset(a, c)) ? 0.0 : offset(a, c);
  }
};

inline void check_pair_rule(const RunSets &sets, const PairRule &rule) {
  for (Index i = 0; i < sets.n_runs; ++i)
    if (rule.size_class[i] < 0 || rule.size_class[i] >= rule.n_classes)
      throw Error("size_class must be from 0 to n_classes - 1");
}

// Values of all pairs of run i; its own place gets 0. An undefined pair gets `undefined`.
inline void pair_values(const RunSets &sets, const PairRule &rule, Index i,
                        const Array<int> &overlap, double undefined, double *value) {
  const Index a = rule.size_class[i];
  const double *offset = rule.offsets + a * rule.n_classes;
  const double *slope = rule.slopes + a * rule.n_classes;
  const bool jaccard = rule.form == PairRule::Form::jaccard;
  for (Index j = 0; j < sets.n_runs; ++j) {
    const int c = rule.size_class[j];
    double x = overlap[j];
    if (jaccard && x > 0.0)
      x /= sets.size(i) + sets.size(j) - x;
    value[j] = std::isnan(offset[c]) ? undefined : offset[c] + slope[c] * x;
  }
  value[i] = 0.0;
}

// Calls work(block, values of its runs as columns, first run) for blocks of runs, in parallel. The
// blocks do not depend on the number of threads, so sums over them are the same for any.
template <typename Work>
void for_pair_blocks(const RunSets &sets, const PairRule &rule, double undefined,
                     const Runtime &runtime, const Work &work) {
  check_run_sets(sets);
  check_pair_rule(sets, rule);
  const Overlaps overlaps(sets);
  const Index block = pair_block_size;
  const Index n_blocks = (sets.n_runs + block - 1) / block;
  run_tasks(n_blocks, runtime, [&](Index b) {
    const Index first = b * block;
    const Index last = std::min(first + block, sets.n_runs);
    Array<int> overlap(sets.n_runs);
    Eigen::MatrixXd values(sets.n_runs, last - first);
    for (Index i = first; i < last; ++i) {
      overlaps.row(i, overlap);
      pair_values(sets, rule, i, overlap, undefined, values.col(i - first).data());
    }
    work(b, values, first);
  });
}

// Sum over the other runs of each run's pairs; the m x m matrix is never stored.
inline Array<double> pair_row_sums(const RunSets &sets, const PairRule &rule,
                                   const Runtime &runtime = Runtime()) {
  Array<double> sums(sets.n_runs, 0.0);
  for_pair_blocks(sets, rule, 0.0, runtime, [&](Index, const Eigen::MatrixXd &values, Index first) {
    for (Index i = 0; i < values.cols(); ++i) {
      double sum = 0.0;
      for (Index j = 0; j < values.rows(); ++j)
        sum += values(j, i);
      sums[first + i] = sum;
    }
  });
  return sums;
}

// All pairs, m x m: undefined ones NaN, the diagonal 0.
inline Eigen::MatrixXd pair_matrix(const RunSets &sets, const PairRule &rule,
                                   const Runtime &runtime = Runtime()) {
  Eigen::MatrixXd matrix(sets.n_runs, sets.n_runs);
  for_pair_blocks(sets, rule, std::numeric_limits<double>::quiet_NaN(), runtime,
                  [&](Index, const Eigen::MatrixXd &values, Index first) {
                    matrix.middleCols(first, values.cols()) = values;
                  });
  return matrix;
}

// Sum over i != j of w_i w_j value_ij for each column w of `weights` (m x R), streamed likewise.
inline Eigen::VectorXd pair_weighted_sums(const RunSets &sets, const PairRule &rule,
                                          const ConstMatrix &weights,
                                          const Runtime &runtime = Runtime()) {
  if (weights.rows() != sets.n_runs)
    throw Error("weights must have one row per run");
  const Index n_blocks = (sets.n_runs + pair_block_size - 1) / pair_block_size;
  Eigen::MatrixXd parts(weights.cols(), n_blocks);
  for_pair_blocks(sets, rule, 0.0, runtime,
                  [&](Index b, const Eigen::MatrixXd &values, Index first) {
                    const Eigen::MatrixXd partners = values.transpose() * weights;
                    parts.col(b) = partners.cwiseProduct(weights.middleRows(first, values.cols()))
                                       .colwise()
                                       .sum()
                                       .transpose();
                  });
  Eigen::VectorXd sums = Eigen::VectorXd::Zero(weights.cols());
  for (Index b = 0; b < n_blocks; ++b)
    sums += parts.col(b);
  return sums;
}

} // namespace stabilect

#endif
