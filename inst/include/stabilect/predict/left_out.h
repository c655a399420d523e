#ifndef STABILECT_LEFT_OUT_H
#define STABILECT_LEFT_OUT_H

#include <stdexcept>

#include "stabilect/base/error.h"
#include "stabilect/base/runtime.h"
#include "stabilect/base/types.h"

namespace stabilect {

// Predicts each sample i of x by a linear model of the features sets[i] (columns of x) that has not
// seen the samples left_out[i], which include i. fit(weights, set) gets weights 0 for these and 1
// for all others, and returns its `intercept` and `coefficients`.
template <typename Fit>
Eigen::VectorXd predict_left_out(const ConstMatrix &x, const Array<Array<int>> &sets,
                                 const Array<Array<int>> &left_out, const Runtime &runtime,
                                 const Fit &fit) {
  const Index n = x.rows();
  if (sets.size() != n || left_out.size() != n)
    throw Error("sets and left_out must have one element per row of x");
  for (const auto &set : sets)
    for (int j : set)
      if (j < 0 || j >= x.cols())
        throw Error("sets must name columns of x");
  for (const auto &rows : left_out)
    for (int i : rows)
      if (i < 0 || i >= n)
        throw Error("left_out must name rows of x");
  Eigen::VectorXd out(n);
  run_tasks(n, runtime, [&](Index task) {
    const Index i = task;
    Eigen::VectorXd weights = Eigen::VectorXd::Ones(n);
    weights[i] = 0.0;
    for (int row : left_out[task])
      weights[row] = 0.0;
    const Array<int> &set = sets[task];
    const auto model = fit(weights, set);
    out[i] = model.intercept;
    for (Index j = 0; j < set.size(); ++j)
      out[i] += x(i, set[j]) * model.coefficients[j];
  });
  return out;
}

} // namespace stabilect

#endif
