#ifndef STABILECT_NULL_BAND_H
#define STABILECT_NULL_BAND_H

#include <algorithm>
#include <cmath>
#include <functional>

#include "stabilect/signal/signal_data.h"

namespace stabilect {

// The lengths of the rows: of one column its absolute values.
inline Eigen::VectorXd lengths_of(const ConstMatrix &products) {
  if (products.cols() == 1)
    return products.col(0).cwiseAbs();
  return products.rowwise().norm();
}

// The k-th largest absolute correlation of null responses, for a picture: 5 % and 95 % points (row)
// for k = 1, 2, ... (column), by the empirical distribution. `draws`: m x R, of length one, or
// orthonormal columns, `columns` for each draw.
inline Eigen::MatrixXd null_band(const SignalData &data, const ConstMatrix &draws, Index columns,
                                 const Runtime &runtime) {
  constexpr Index kRanks = 500, kAtOnce = 16;
  const Index n_ranks = std::min(data.p(), kRanks), n_draws = draws.cols() / columns;
  Eigen::MatrixXd ranked(n_draws, n_ranks);
  run_tasks((n_draws + kAtOnce - 1) / kAtOnce, runtime, [&](Index t) {
    const Index from = t * kAtOnce;
    const Index width = std::min(kAtOnce, n_draws - from);
    const Eigen::MatrixXd products =
        data.x.transpose() * draws.middleCols(from * columns, width * columns);
    Eigen::MatrixXd size(data.p(), width);
    for (Index r = 0; r < width; ++r) {
      size.col(r) = lengths_of(products.middleCols(r * columns, columns));
      double *first = size.col(r).data(), *last = first + n_ranks;
      std::nth_element(first, last - 1, first + data.p(), std::greater<double>());
      std::sort(first, last, std::greater<double>());
      ranked.row(from + r) = size.col(r).head(n_ranks).transpose();
    }
  });
  Eigen::MatrixXd band(2, n_ranks);
  const auto at = [&](double share) { return static_cast<Index>(std::ceil(share * n_draws)) - 1; };
  for (Index k = 0; k < n_ranks; ++k) {
    std::sort(ranked.col(k).data(), ranked.col(k).data() + n_draws);
    band(0, k) = ranked(at(0.05), k);
    band(1, k) = ranked(at(0.95), k);
  }
  return band;
}

} // namespace stabilect

#endif
