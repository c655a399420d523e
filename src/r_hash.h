#ifndef STABILECT_R_HASH_H
#define STABILECT_R_HASH_H

// The values of R's vectors in a hash.

#include <Rcpp.h>

#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

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

// A value with all its parts and attributes; these have no order.
inline std::string hash_tree(SEXP x) {
  const std::string kind = Rf_type2char(TYPEOF(x));
  if (Rf_isFunction(x) || Rf_isEnvironment(x) || TYPEOF(x) == LANGSXP || TYPEOF(x) == SYMSXP ||
      TYPEOF(x) == EXPRSXP)
    throw std::invalid_argument("No value: " + kind);
  ValueHash hash;
  hash.add(kind);
  if (TYPEOF(x) == VECSXP)
    for (R_xlen_t i = 0; i < XLENGTH(x); ++i)
      hash.add(hash_tree(VECTOR_ELT(x, i)));
  else if (TYPEOF(x) == LISTSXP)
    for (SEXP rest = x; rest != R_NilValue; rest = CDR(rest))
      hash.add(hash_tree(CAR(rest)));
  else if (Rf_isVectorAtomic(x))
    add_values(x, hash);
  const Rcpp::Shield<SEXP> call(Rf_lang2(Rf_install("attributes"), x));
  const Rcpp::Shield<SEXP> known(Rcpp::Rcpp_fast_eval(call, R_BaseEnv));
  if (Rf_isNull(known))
    return hash.text();
  const Rcpp::List values(known);
  const Rcpp::CharacterVector names = values.names();
  std::vector<std::pair<std::string, SEXP>> sorted;
  for (R_xlen_t i = 0; i < values.size(); ++i)
    sorted.emplace_back(Rf_translateCharUTF8(names[i]), values[i]);
  std::sort(sorted.begin(), sorted.end(),
            [](const std::pair<std::string, SEXP> &a, const std::pair<std::string, SEXP> &b) {
              return a.first < b.first;
            });
  ValueHash whole;
  whole.add(std::string("attributes"));
  whole.add(hash.text());
  for (const auto &one : sorted)
    whole.add(one.first);
  for (const auto &one : sorted)
    whole.add(hash_tree(one.second));
  return whole.text();
}

} // namespace r
} // namespace stabilect

#endif
