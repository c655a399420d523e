#ifndef STABILECT_R_HASH_H
#define STABILECT_R_HASH_H

// The values of R's vectors in a hash.

#include <Rcpp.h>

#include <stdexcept>

#include "stabilect/base/hash_values.h"

namespace stabilect {
namespace r {

// The same for all encodings of a string; NA is a word that no string has.
inline void add_string(SEXP text, ValueHash &hash) {
  if (text == NA_STRING)
    return hash.add(&NA_INTEGER, 1);
  const bool bytes = Rf_getCharCE(text) == CE_BYTES;
  hash.add(std::string(bytes ? CHAR(text) : Rf_translateCharUTF8(text)));
}

inline void add_values(SEXP x, ValueHash &hash) {
  switch (TYPEOF(x)) {
  case NILSXP:
    return;
  case LGLSXP:
    return hash.add(LOGICAL(x), XLENGTH(x));
  case INTSXP:
    return hash.add(INTEGER(x), XLENGTH(x));
  case REALSXP:
    return hash.add(REAL(x), XLENGTH(x));
  case CPLXSXP:
    return hash.add(reinterpret_cast<const double *>(COMPLEX(x)), 2 * XLENGTH(x));
  case RAWSXP:
    return hash.add(RAW(x), XLENGTH(x));
  case STRSXP:
    for (R_xlen_t i = 0; i < XLENGTH(x); ++i)
      add_string(STRING_ELT(x, i), hash);
    return;
  default:
    throw std::invalid_argument("x must be a vector, and no list");
  }
}

} // namespace r
} // namespace stabilect

#endif
