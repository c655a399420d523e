#ifndef STABILECT_R_CONVERT_H
#define STABILECT_R_CONVERT_H

// Borrowed views of R's memory, copies that count from zero or from one, and options from R's
// strings.

#include <Rcpp.h>

#include <algorithm>
#include <initializer_list>
#include <stdexcept>
#include <string>
#include <utility>

#include "stabilect/base/ties.h"
#include "stabilect/base/types.h"

namespace Rcpp {
namespace traits {

// Rcpp converts an Array as it does a std::vector.
template <typename T> class Exporter<stabilect::Array<T>> {
public:
  explicit Exporter(SEXP values) : values_(Rcpp::as<std::vector<T>>(values)) {}
  stabilect::Array<T> get() { return values_; }

private:
  std::vector<T> values_;
};

} // namespace traits
} // namespace Rcpp

namespace stabilect {
namespace r {

using MatrixMap = Eigen::Map<const Eigen::MatrixXd>;

inline MatrixMap as_map(const Rcpp::NumericMatrix &x) {
  return MatrixMap(x.begin(), x.nrow(), x.ncol());
}
inline MatrixMap as_map(const Rcpp::NumericVector &x) { return MatrixMap(x.begin(), x.size(), 1); }

inline Eigen::VectorXd as_vector(const Rcpp::NumericVector &x) {
  return Eigen::Map<const Eigen::VectorXd>(x.begin(), x.size());
}

using CountMap = Eigen::Map<const Eigen::MatrixXi>;

// How often each run (column) drew each of the n samples, from an object that R's user may have
// changed. NA is a negative number here.
inline CountMap as_counts(const Rcpp::IntegerMatrix &counts, int n) {
  if (counts.nrow() != n)
    throw std::invalid_argument("counts must have one row for each row of x");
  if (std::any_of(counts.begin(), counts.end(), [](int count) { return count < 0; }))
    throw std::invalid_argument("counts must be whole numbers and not negative");
  return CountMap(counts.begin(), n, counts.ncol());
}

// The same for counts or weights that are numbers.
inline MatrixMap as_weights(const Rcpp::NumericMatrix &weights, int n) {
  if (weights.nrow() != n)
    throw std::invalid_argument("weights must have one row for each row of x");
  if (!std::all_of(weights.begin(), weights.end(),
                   [](double weight) { return weight >= 0.0 && weight < R_PosInf; }))
    throw std::invalid_argument("weights must be finite and not negative");
  return as_map(weights);
}

// One number for each of the n samples.
inline MatrixMap as_response(const Rcpp::NumericVector &y, int n) {
  if (y.size() != n)
    throw std::invalid_argument("y must have one value for each row of x");
  return as_map(y);
}

// The same, or n numbers for each of the runs, one run after the other.
inline MatrixMap as_responses(const Rcpp::NumericVector &y, int n, int n_runs) {
  if (y.size() == n)
    return as_map(y);
  if (n == 0 || y.size() / n != n_runs || y.size() % n != 0)
    throw std::invalid_argument("y must have one value for each row of x, or as many for each run");
  return MatrixMap(y.begin(), n, n_runs);
}

// Seeds are whole numbers from 0, which R keeps as numbers.
inline std::uint64_t as_seed(double seed) { return static_cast<std::uint64_t>(seed); }

// The names of features as numbers, the same in any encoding of the session.
inline Array<std::uint64_t> name_numbers(const Rcpp::CharacterVector &names) {
  Array<std::uint64_t> out(names.size());
  for (R_xlen_t j = 0; j < names.size(); ++j)
    out[j] = name_number(Rf_translateCharUTF8(names[j]));
  return out;
}

// seeds: one per run, for the order of equal values.
inline Ties ties(const Rcpp::CharacterVector &names, const Rcpp::NumericVector &seeds) {
  return {name_numbers(names), Array<std::uint64_t>(seeds.begin(), seeds.end())};
}

// Classes and columns count from one in R and from zero in the core.
inline Array<int> from_zero(const Rcpp::IntegerVector &values) {
  Array<int> out(values.begin(), values.end());
  for (int &value : out)
    value = std::max(value, 0) - 1; // NA is the smallest of all, from which nothing can be taken
  return out;
}

inline Array<Array<int>> sets_from_zero(const Rcpp::List &sets) {
  Array<Array<int>> out;
  for (R_xlen_t k = 0; k < sets.size(); ++k)
    out.push_back(from_zero(Rcpp::as<Rcpp::IntegerVector>(sets[k])));
  return out;
}

// Classes from 1; empty where there are none.
inline Array<int> as_codes(const Rcpp::IntegerVector &codes, int n_classes) {
  if (std::any_of(codes.begin(), codes.end(),
                  [=](int code) { return code < 1 || code > n_classes; }))
    throw std::invalid_argument("codes must be from 1 to the number of classes");
  return from_zero(codes);
}

inline Rcpp::IntegerVector from_one(const Array<int> &values) {
  Rcpp::IntegerVector out(values.begin(), values.end());
  for (int &value : out)
    ++value;
  return out;
}

inline Rcpp::NumericVector wrap(const Eigen::VectorXd &values) {
  return Rcpp::NumericVector(values.data(), values.data() + values.size());
}

inline Rcpp::NumericMatrix wrap(const Eigen::MatrixXd &values) {
  return Rcpp::NumericMatrix(static_cast<int>(values.rows()), static_cast<int>(values.cols()),
                             values.data());
}

// Translates a string from R into a value of the core; unknown strings are an error: choice("rule",
// rule, {{"size", ScoreRule::size}, {"step", ScoreRule::step}}).
template <typename Meaning>
Meaning choice(const char *argument, const std::string &word,
               std::initializer_list<std::pair<const char *, Meaning>> words) {
  std::string known;
  auto left = words.size();
  for (const auto &entry : words) {
    if (word == entry.first)
      return entry.second;
    known += "\"" + std::string(entry.first) + "\"";
    --left;
    known += left > 1 ? ", " : left == 1 ? " or " : "";
  }
  throw std::invalid_argument("`" + std::string(argument) + "` must be " + known + ", not \"" +
                              word + "\".");
}

// Fields of an R list of options. Missing fields keep their defaults; unknown names are an error.
class Options {
public:
  Options(const Rcpp::List &list, std::initializer_list<std::string> known) : list_(list) {
    const Array<std::string> names =
        list.size() > 0 ? Rcpp::as<std::vector<std::string>>(list.names()) : Array<std::string>();
    for (const std::string &name : names)
      if (std::find(known.begin(), known.end(), name) == known.end())
        throw std::invalid_argument("There is no option `" + name + "`.");
  }

  template <typename Value> Value get(const char *name, const Value &otherwise) const {
    return list_.containsElementNamed(name) ? Rcpp::as<Value>(list_[name]) : otherwise;
  }

private:
  Rcpp::List list_;
};

// The ends of the runs' pieces in one concatenated vector.
template <typename Size> Rcpp::IntegerVector run_ends(Index n_runs, const Size &size) {
  Rcpp::IntegerVector ends(n_runs);
  int end = 0;
  for (Index b = 0; b < n_runs; ++b)
    ends[b] = end += static_cast<int>(size(b));
  return ends;
}

} // namespace r
} // namespace stabilect

#endif
