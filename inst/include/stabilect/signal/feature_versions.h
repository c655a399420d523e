#ifndef STABILECT_FEATURE_VERSIONS_H
#define STABILECT_FEATURE_VERSIONS_H

// Versions of the features, as drawn for their missing values.

#include <cmath>
#include <functional>

#include "stabilect/signal/signal_data.h"

namespace stabilect {

// A feature at mean zero and length one, without the covariates' part: products are correlations.
using UnitColumn = std::function<Eigen::VectorXd(int)>;

struct FeatureVersions {
  Eigen::Map<const Eigen::MatrixXd> x{nullptr, 0, 0}; // n x p
  Array<int> columns;                                 // that have versions
  Array<Eigen::MatrixXd> values;                      // of each version, in the order of `columns`

  bool empty() const { return values.empty(); }

  Eigen::MatrixXd version(Index m) const {
    Eigen::MatrixXd out = x;
    for (Index c = 0; c < columns.size(); ++c)
      out.col(columns[c]) = values[m].col(c);
    return out;
  }
};

inline UnitColumn unit_columns(const SignalData &data) {
  return [&data](int j) -> Eigen::VectorXd { return data.x.col(j); };
}

// Of all versions, one below the other: products are the means of their correlations.
inline UnitColumn unit_columns(const FeatureVersions &versions, const Eigen::MatrixXd &covariates) {
  Array<int> place(versions.x.cols(), -1);
  for (Index c = 0; c < versions.columns.size(); ++c)
    place[versions.columns[c]] = static_cast<int>(c);
  return [&versions, &covariates, place](int j) {
    const Index n = versions.x.rows(), m = versions.values.size();
    Eigen::VectorXd out(n * m);
    for (Index k = 0; k < m; ++k)
      if (place[j] >= 0)
        signal_detail::residual_column(versions.values[k].col(place[j]), covariates,
                                       out.segment(k * n, n));
      else
        signal_detail::residual_column(versions.x.col(j), covariates, out.segment(k * n, n));
    return Eigen::VectorXd(out / std::sqrt(static_cast<double>(m)));
  };
}

} // namespace stabilect

#endif
