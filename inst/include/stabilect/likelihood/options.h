#ifndef STABILECT_LIKELIHOOD_OPTIONS_H
#define STABILECT_LIKELIHOOD_OPTIONS_H

// Options and result of a likelihood path.
//
// x~ are the columns after weighted centring and division by their weighted norm in the run, and W
// is the sum of the weights. A point of the path minimises
//   -log likelihood(b0 + z'c + x~'b) + lambda sum_j v_j (alpha |b_j| + (1 - alpha) b_j^2 / (2 m))
// with m the root of W (for numbers times their standard deviation) and v the penalty weights. This
// is the model of glmnet (Friedman, Hastie & Tibshirani 2010, Eq. 1; Simon, Friedman, Hastie &
// Tibshirani 2011) with lambda multiplied by m: in glmnet, columns have weighted mean square one
// and the likelihood is divided by W. With several classes b_j has one coefficient per class, and
// |b_j| is their Euclidean norm (Simon, Friedman & Hastie 2013): a feature is in for all classes or
// none.

#include "stabilect/likelihood/outcomes.h"
#include "stabilect/path/lars.h"

namespace stabilect {

// The smallest tolerance that rounding leaves room for.
constexpr double kTightest = 1e-10;

struct LikelihoodOptions {
  LarsOptions columns; // intercept and normalize stay true; `multiply` holds 1 / v
  double alpha = 1.0;  // share of the lasso
  // Values of lambda on the scale of glmnet, falling; if empty, `n_lambda` values from the largest
  // useful one down to `lambda_ratio` of it.
  Array<double> lambda;
  int n_lambda = 100;
  double lambda_ratio = 0.01;
  // Largest violation of the optimality conditions at a point, relative to lambda.
  double tolerance = kTightest;
  double most_explained = 0.999; // share of the deviance at which a path ends
  // Finds every intermediate model, by dividing steps until features enter or leave one at a time;
  // each is a point. Without coefficients the grid has only its ends.
  bool each_size = false;
  bool keep_coefficients = false;
};

struct LikelihoodPath {
  // Events and status. lambda[s] is where the model of step s is stated, on the scale of x~;
  // without coefficients and with each_size, where its event was foreseen, if that is not below.
  LarsPath steps;
  // Points of the path, if coefficients are kept: the points of the grid and, with each_size, of
  // the steps, as columns of one matrix.
  Array<double> lambda, deviance;    // lambda on the scale of glmnet
  Array<double> kkt;                 // largest violation of the optimality conditions / lambda
  Array<int> coef_end, coef_feature; // features in the order of columns
  // On the scale of x; intercept and covariates on the scale of z. With several classes, class by
  // class: for every feature, and for the intercept and every covariate.
  Array<double> coef_value;
  Array<Eigen::VectorXd> free;
  double null_deviance = 0.0; // of the model without features
  bool separated = false;     // have free columns coefficients without limit?

  // From a response divided by `unit` to the given one.
  void rescale(double unit) {
    for (Array<double> *values : {&lambda, &steps.lambda, &coef_value})
      for (double &value : *values)
        value *= unit;
    for (Eigen::VectorXd &column : free)
      column *= unit;
    for (double &value : deviance)
      value *= unit * unit;
    null_deviance *= unit * unit;
  }
};

} // namespace stabilect

#endif
