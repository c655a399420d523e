#ifndef STABILECT_SPARSE_MODEL_H
#define STABILECT_SPARSE_MODEL_H

// What one chain of the sampler works on: its data, its state, and the algebra of a model.

#include <Eigen/Cholesky>

#include <cmath>
#include <functional>

#include "stabilect/signal/column_cache.h"
#include "stabilect/signal/sparse_prior.h"

namespace stabilect {

// Data of the sampler: features and numbers have variance 1, and are adjusted for the covariates.
struct SparseData {
  SampleSpace space;
  FeaturePanels panels;
  std::function<Eigen::VectorXd(int)> column; // of a feature, in double
  Eigen::VectorXd y;                          // numbers, or -1 and 1 for classes
};

struct SparseState {
  Array<int> features;
  int slab = 0, background = 0, freedom = 0; // places in the grids
};

namespace signal_detail {

// The features of a model: L of X'A X + I / g, and z = L^-1 X'A y.
struct EffectModel {
  Array<const FeatureColumn *> columns;
  Eigen::MatrixXd gram;
  Eigen::VectorXd along;
};
struct SolvedModel {
  Eigen::LLT<Eigen::MatrixXd> factor;
  Eigen::VectorXd z;
};

inline SolvedModel solve_model(const EffectModel &model, double slab) {
  SolvedModel solved;
  Eigen::MatrixXd gram = model.gram;
  gram.diagonal().array() += 1.0 / slab;
  solved.factor.compute(gram);
  solved.z = solved.factor.matrixL().solve(model.along);
  return solved;
}

inline double log_volume(const SolvedModel &solved, double slab) {
  return -solved.factor.matrixLLT().diagonal().array().log().sum() -
         0.5 * solved.z.size() * std::log(slab);
}

// Density of errors with these squares, t with `freedom`, without the constant all share.
inline double log_errors(const Eigen::VectorXd &squares, double freedom) {
  if (!(freedom < kNormalErrors))
    return -0.5 * squares.sum() - 0.5 * squares.size() * std::log(2.0);
  const double constant =
      std::lgamma(0.5 * (freedom + 1.0)) - std::lgamma(0.5 * freedom) - 0.5 * std::log(freedom);
  return squares.size() * constant -
         0.5 * (freedom + 1.0) * (squares.array() / freedom).log1p().sum();
}

} // namespace signal_detail

} // namespace stabilect

#endif
