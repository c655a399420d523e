#include "r_convert.h"
#include "stabilect/linear_svm.h"

using namespace stabilect;

// gram: inner products of the samples, the bias included. targets: -1 or 1, one column per machine.
// Returns the machines' samples x machines: w = sum_i beta_i z_i.
// [[Rcpp::export(rng = false)]]
Rcpp::List cpp_fit_svm(const Rcpp::NumericMatrix &gram, const Rcpp::NumericMatrix &targets,
                       double cost, const std::string &loss) {
  const Eigen::VectorXd costs = Eigen::VectorXd::Constant(targets.nrow(), cost);
  Rcpp::NumericMatrix beta(targets.nrow(), targets.ncol());
  bool converged = true;
  for (int machine = 0; machine < targets.ncol(); ++machine) {
    const Eigen::VectorXd y = r::as_map(targets).col(machine);
    std::vector<char> inside(static_cast<std::size_t>(targets.nrow()), 1);
    const DualFit fit = loss == "l2" ? solve_svm_l2(r::as_map(gram), y, costs, &inside)
                                     : solve_svm_l1(r::as_map(gram), y, costs);
    std::copy(fit.beta.data(), fit.beta.data() + fit.beta.size(), beta.column(machine).begin());
    converged = converged && fit.converged;
  }
  return Rcpp::List::create(Rcpp::Named("beta") = beta, Rcpp::Named("converged") = converged);
}
