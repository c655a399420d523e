#ifndef STABILECT_FEATURE_COPIES_H
#define STABILECT_FEATURE_COPIES_H

// Versions of the features, as drawn for their missing values.

#include <cmath>
#include <functional>

#include "stabilect/signal/signal_data.h"

namespace stabilect {

// A feature at mean zero and length one, without the covariates' part: products are correlations.
using UnitColumn = std::function<Eigen::VectorXd(int)>;

struct FeatureCopies {
  Eigen::Map<const Eigen::MatrixXd> x{nullptr, 0, 0}; // n x p
  Array<int> columns;                                 // that have versions
  Array<Eigen::MatrixXd> values;                      // of each copy, in the order of `columns`

  bool empty() const { return values.empty(); }

  Eigen::MatrixXd copy(Index m) const {
    Eigen::MatrixXd out = x;
    for (Index c = 0; c < columns.size(); ++c)
      out.col(columns[c]) = values[m].col(c);
    return out;
  }
};

inline UnitColumn unit_columns(const SignalData &data) {
  return [&data](int j) -> Eigen::VectorXd { return data.x.col(j); };
}

// Of all copies, one below the other: products are the means of their correlations.
inline UnitColumn unit_columns(const FeatureCopies &copies, const Eigen::MatrixXd &covariates) {
  Array<int> place(copies.x.cols(), -1);
  for (Index c = 0; c < copies.columns.size(); ++c)
    place[copies.columns[c]] = static_cast<int>(c);
  return [&copies, &covariates, place](int j) {
    const Index n = copies.x.rows(), m = copies.values.size();
    Eigen::VectorXd out(n * m);
    for (Index k = 0; k < m; ++k)
      if (place[j] >= 0)
        signal_detail::residual_column(copies.values[k].col(place[j]), covariates,
                                       out.segment(k * n, n));
      else
        signal_detail::residual_column(copies.x.col(j), covariates, out.segment(k * n, n));
    return Eigen::VectorXd(out / std::sqrt(static_cast<double>(m)));
  };
}

} // namespace stabilect

#endif
