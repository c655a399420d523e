#ifndef STABILECT_TYPES_OF_THE_BORDER_H
#define STABILECT_TYPES_OF_THE_BORDER_H

// Rcpp includes a file of this name in RcppExports.cpp. Here alone exceptions of the core become
// conditions of R: Interrupted becomes R's interrupt, which is no error, and errors of the core get
// the class of the package. END_RCPP follows the call of every exported function; this version adds
// three catches to Rcpp's. The brace that closes the last of them is the first token of
// VOID_END_RCPP; output types 1 and 2 are Rcpp's names for an interrupt and for a condition to stop
// with.

#include <RcppEigen.h>

#include <new>
#include <stdexcept>

#include "stabilect/base/runtime.h"

#undef END_RCPP
#define END_RCPP                                                                                   \
  }                                                                                                \
  catch (const stabilect::Interrupted &) {                                                         \
    rcpp_output_type = 1;                                                                          \
  }                                                                                                \
  catch (const std::invalid_argument &refused) {                                                   \
    rcpp_output_type = 2;                                                                          \
    rcpp_output_condition = PROTECT(stabilect::r::refusal(refused.what()));                        \
    ++nprot;                                                                                       \
  }                                                                                                \
  catch (const std::bad_alloc &) {                                                                 \
    rcpp_output_type = 2;                                                                          \
    rcpp_output_condition = PROTECT(stabilect::r::no_memory());                                    \
    ++nprot;                                                                                       \
    VOID_END_RCPP return R_NilValue;

namespace stabilect {
namespace r {

inline SEXP refusal(const char *message) {
  Rcpp::List condition =
      Rcpp::List::create(Rcpp::_["message"] = message, Rcpp::_["call"] = R_NilValue);
  condition.attr("class") = Rcpp::CharacterVector::create("stabilect_error_input",
                                                          "stabilect_error", "error", "condition");
  return condition;
}

// An allocation failed: R knows the call and the sizes of its data.
inline SEXP no_memory() {
  const Rcpp::Function of_call = Rcpp::Environment::namespace_env("stabilect")["no_memory"];
  return of_call();
}

} // namespace r
} // namespace stabilect

#endif
