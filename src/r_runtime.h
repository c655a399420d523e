#ifndef STABILECT_R_RUNTIME_H
#define STABILECT_R_RUNTIME_H

#include <Rcpp.h>

#include "stabilect/base/runtime.h"

namespace stabilect {

// `progress` is an R function of (done, total) or NULL.
Runtime make_runtime(int n_threads, SEXP progress = R_NilValue);

} // namespace stabilect

#endif
