#ifndef STABILECT_LOW_RANK_START_H
#define STABILECT_LOW_RANK_START_H

// First values for missing cells: a regularised fit of low rank, repeated (Josse and Husson 2012),
// along directions of samples that follow the data by subspace iterations.

#include <Eigen/Cholesky>
#include <Eigen/QR>

#include "stabilect/base/passes.h"
#include "stabilect/base/rng.h"
#include "stabilect/data/missing_values.h"

namespace stabilect {
namespace missing_detail {

constexpr Index kColumnsAtOnce = 256;

using Columns = Eigen::Map<Eigen::MatrixXd, 0, Eigen::OuterStride<>>;

inline Columns columns_from(PaddedColumns &x, Index from) {
  return Columns(x.column(from), x.n, std::min(kColumnsAtOnce, x.p - from),
                 Eigen::OuterStride<>(x.ld));
}

inline Index n_parts(Index p) { return (p + kColumnsAtOnce - 1) / kColumnsAtOnce; }

inline Eigen::MatrixXd orthonormal(const Eigen::MatrixXd &columns) {
  const Eigen::HouseholderQR<Eigen::MatrixXd> qr(columns);
  return qr.householderQ() * Eigen::MatrixXd::Identity(columns.rows(), columns.cols());
}

class LowRankStart {
public:
  LowRankStart(PaddedColumns &x, const Cells &cells, Index rank, std::uint64_t seed,
               const Runtime &runtime)
      : x_(x), cells_(cells), runtime_(runtime), directions_(x.n, rank) {
    Rng rng(seed, 0, domain_tag("imputation start"));
    for (Index i = 0; i < directions_.size(); ++i)
      directions_.data()[i] = rng.normal();
    directions_ = orthonormal(directions_);
  }

  void run() {
    constexpr int kTurns = 8, kSteps = 2;
    for (int turn = 0; turn < kTurns; ++turn) {
      for (int step = 0; step < kSteps; ++step)
        follow();
      fill();
      runtime_.report(turn + 1, kTurns);
    }
  }

private:
  // Towards the directions of the largest eigenvalues of x x'. Sums in the order of the columns.
  void follow() {
    Array<Eigen::MatrixXd> parts(n_parts(x_.p));
    run_tasks(parts.size(), quiet(runtime_), [&](Index t) {
      const Columns some = columns_from(x_, t * kColumnsAtOnce);
      parts[t] = some * (some.transpose() * directions_);
    });
    Eigen::MatrixXd sum = Eigen::MatrixXd::Zero(x_.n, directions_.cols());
    for (const Eigen::MatrixXd &part : parts)
      sum += part;
    directions_ = orthonormal(sum);
  }

  // An eigenvalue v of the fit shrinks to v - s2 for the mean s2 of those that are left out.
  Eigen::MatrixXd shrinkage() const {
    const Index rank = directions_.cols(), rest = x_.n - rank;
    Eigen::MatrixXd inner = Eigen::MatrixXd::Zero(rank, rank);
    double all = 0.0;
    for (Index t = 0; t < n_parts(x_.p); ++t) {
      const Columns some = columns_from(x_, t * kColumnsAtOnce);
      const Eigen::MatrixXd loadings = directions_.transpose() * some;
      inner += loadings * loadings.transpose();
      all += some.squaredNorm();
    }
    const double s2 = rest > 0 ? std::max(0.0, all - inner.trace()) / rest : 0.0;
    inner.diagonal().array() += s2 + 1e-9 * (all + 1.0);
    return Eigen::MatrixXd::Identity(rank, rank) -
           s2 * inner.llt().solve(Eigen::MatrixXd::Identity(rank, rank));
  }

  void fill() {
    const Eigen::MatrixXd shrunk = shrinkage() * directions_.transpose();
    run_tasks(cells_.n_columns(), quiet(runtime_), [&](Index c) {
      double *z = x_.column(cells_.column[c]);
      const Eigen::VectorXd fit = shrunk.transpose() * (directions_.transpose() *
                                                        Eigen::Map<const Eigen::VectorXd>(z, x_.n));
      for (Index k = cells_.start[c]; k < cells_.start[c + 1]; ++k)
        z[cells_.row[k]] = fit[cells_.row[k]];
    });
  }

  PaddedColumns &x_;
  const Cells &cells_;
  const Runtime &runtime_;
  Eigen::MatrixXd directions_; // n x rank
};

} // namespace missing_detail

inline void fill_by_low_rank(PaddedColumns &x, const Cells &cells, std::uint64_t seed,
                             const Runtime &runtime) {
  const Index rank = std::max<Index>(2, std::min<Index>(10, x.n / 6));
  missing_detail::LowRankStart(x, cells, std::min({rank, x.n, x.p}), seed, runtime).run();
}

} // namespace stabilect

#endif
