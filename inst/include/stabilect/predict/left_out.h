#ifndef STABILECT_LEFT_OUT_H
#define STABILECT_LEFT_OUT_H

#include <stdexcept>

#include "stabilect/base/error.h"
#include "stabilect/base/runtime.h"
#include "stabilect/base/types.h"

namespace stabilect {

// Predicts samples by linear models that have not seen them: model t, of the features sets[t]
// (columns of x), has not seen the samples left_out[t], and predicts the samples predicted[t],
// which are among them. fit(weights, set) gets weights 0 for these and 1 for all others, and
// returns its `intercept` and `coefficients`. Returns the predictions of the first model, the
// second, ...
template <typename Fit>
Eigen::VectorXd predict_left_out(const ConstMatrix &x, const Array<Array<int>> &sets,
                                 const Array<Array<int>> &left_out,
                                 const Array<Array<int>> &predicted, const Runtime &runtime,
                                 const Fit &fit) {
  const Index n = x.rows(), n_models = sets.size();
  if (left_out.size() != n_models || predicted.size() != n_models)
    throw Error("sets, left_out and predicted must have one element per model");
  for (const auto &set : sets)
    for (int j : set)
      if (j < 0 || j >= x.cols())
        throw Error("sets must name columns of x");
  for (const auto *each : {&left_out, &predicted})
    for (const auto &rows : *each)
      for (int i : rows)
        if (i < 0 || i >= n)
          throw Error("left_out and predicted must name rows of x");
  Array<Index> start(n_models + 1, 0);
  for (Index t = 0; t < n_models; ++t)
    start[t + 1] = start[t] + predicted[t].size();
  Eigen::VectorXd out(start[n_models]);
  run_tasks(n_models, runtime, [&](Index t) {
    Eigen::VectorXd weights = Eigen::VectorXd::Ones(n);
    for (int row : predicted[t])
      weights[row] = 0.0;
    for (int row : left_out[t])
      weights[row] = 0.0;
    const Array<int> &set = sets[t];
    const auto model = fit(weights, set);
    for (Index k = 0; k < predicted[t].size(); ++k) {
      double link = model.intercept;
      for (Index j = 0; j < set.size(); ++j)
        link += x(predicted[t][k], set[j]) * model.coefficients[j];
      out[start[t] + k] = link;
    }
  });
  return out;
}

} // namespace stabilect

#endif
