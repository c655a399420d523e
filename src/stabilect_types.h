#ifndef STABILECT_TYPES_OF_THE_BORDER_H
#define STABILECT_TYPES_OF_THE_BORDER_H

// Rcpp includes a file of this name in RcppExports.cpp, before its own headers. Here is the one
// place where the core's Interrupted becomes R's interrupt, which is no error: Rcpp lets a package
// give its own END_RCPP, what follows the call of every exported function. The brace that closes
// the catch is the first token of VOID_END_RCPP, and output type 1 is Rcpp's word for an interrupt.

#include "stabilect/base/runtime.h"

#define END_RCPP                                                                                   \
  }                                                                                                \
  catch (const stabilect::Interrupted &) {                                                         \
    rcpp_output_type = 1;                                                                          \
    VOID_END_RCPP return R_NilValue;

#endif
