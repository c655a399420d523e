#include "r_convert.h"
#include "r_runtime.h"
#include "stabilect/path/doctor.h"

using namespace stabilect;

namespace {

Rcpp::CharacterVector pick_names(const Rcpp::CharacterVector &names, const int *from,
                                 const int *to) {
  Rcpp::CharacterVector picked(to - from);
  for (R_xlen_t k = 0; k < picked.size(); ++k)
    picked[k] = names[from[k]];
  return picked;
}

// The names of the features with a coefficient, step by step.
Rcpp::List wrap_sets(const Doctor &doctor, const Rcpp::CharacterVector &names) {
  Rcpp::List sets(doctor.set_end.size());
  int from = 0;
  for (Index k = 0; k < doctor.set_end.size(); ++k) {
    const int to = doctor.set_end[k];
    sets[k] = pick_names(names, doctor.sets.data() + from, doctor.sets.data() + to);
    from = to;
  }
  return sets;
}

Rcpp::List wrap_path(const Doctor &doctor, const Array<int> &place) {
  const LarsPath &path = doctor.path;
  Array<int> event(path.events), feature(path.coef_feature);
  for (int &e : event)
    e = e > 0 ? place[e - 1] + 1 : -(place[-e - 1] + 1);
  for (int &f : feature)
    f = place[f];
  const Array<double> lambda(path.lambda.begin(), path.lambda.end() - 1);
  return Rcpp::List::create(
      Rcpp::_["mu"] = doctor.y_mean, Rcpp::_["lambda"] = lambda, Rcpp::_["RSS"] = path.rss,
      Rcpp::_["event"] = event, Rcpp::_["event_end"] = path.event_end, Rcpp::_["feature"] = feature,
      Rcpp::_["end"] = path.coef_end, Rcpp::_["coefficient"] = doctor.coefficient,
      Rcpp::_["center"] = doctor.center, Rcpp::_["scale"] = doctor.scale);
}

Rcpp::List wrap_doctor(const Doctor &doctor, const Rcpp::CharacterVector &names, bool keep_path) {
  const Array<int> &considered = doctor.considered;
  const Array<int> place = places(doctor, names.size());
  const Contribution sums = contribution(doctor, place);
  const Rcpp::CharacterVector labels =
      pick_names(names, considered.data(), considered.data() + considered.size());
  Rcpp::NumericVector score(sums.score.begin(), sums.score.end()),
      frequency(sums.frequency.begin(), sums.frequency.end());
  score.names() = labels;
  frequency.names() = labels;
  Rcpp::List out = Rcpp::List::create(
      Rcpp::_["best"] = doctor.best, Rcpp::_["probabilities"] = doctor.probabilities(),
      Rcpp::_["accuracy"] = doctor.at_best.f_measure,
      Rcpp::_["precision"] = doctor.at_last.precision, Rcpp::_["recall"] = doctor.at_last.recall,
      Rcpp::_["logistic"] = Rcpp::NumericVector::create(doctor.fit.intercept, doctor.fit.slope),
      Rcpp::_["global_errors"] = doctor.global_errors, Rcpp::_["features"] = labels,
      Rcpp::_["contribution"] = score, Rcpp::_["frequency"] = frequency,
      Rcpp::_["considered"] = considered, Rcpp::_["sets"] = wrap_sets(doctor, names));
  out["path"] = keep_path ? SEXP(wrap_path(doctor, place)) : R_NilValue;
  return out;
}

// NULL for a failed doctor. The memory of each is released once it is wrapped.
Rcpp::List wrap_doctors(Array<Doctor> doctors, const Rcpp::CharacterVector &names,
                        bool keep_paths) {
  Rcpp::List out(doctors.size());
  for (Index b = 0; b < doctors.size(); ++b) {
    if (!doctors[b].failed)
      out[b] = wrap_doctor(doctors[b], names, keep_paths);
    doctors[b] = Doctor();
  }
  return out;
}

} // namespace

// One doctor per column of `weights` (n x B: how often a sample is among the balanced rows); NULL
// for a failed one. The features that vary among its rows are considered, or all. `validating` of
// the same form: how often a sample validates; without columns those that were not drawn do.
// [[Rcpp::export(rng = false)]]
Rcpp::List cpp_train_doctors(const Rcpp::NumericMatrix &x, const Rcpp::NumericVector &y,
                             const Rcpp::IntegerVector &positive,
                             const Rcpp::NumericMatrix &weights,
                             const Rcpp::NumericMatrix &validating,
                             const Rcpp::CharacterVector &names, int max_steps, bool consider_all,
                             bool keep_paths, int n_threads) {
  if (positive.size() != x.nrow() || names.size() != x.ncol())
    throw std::invalid_argument("x must have a class for each row and a name for each column");
  const DoctorOptions options{max_steps, consider_all};
  return wrap_doctors(train_doctors(r::as_map(x), r::as_response(y, x.nrow()), positive.begin(),
                                    r::as_weights(weights, x.nrow()),
                                    r::as_weights(validating, x.nrow()), options,
                                    make_runtime(n_threads)),
                      names, keep_paths);
}

// Intercept and slope; empty when lrm() has no coefficients, NULL when it stops with an error.
// [[Rcpp::export(rng = false)]]
SEXP cpp_fit_lrm(const Rcpp::NumericVector &scores, const Rcpp::IntegerVector &positive) {
  if (positive.size() != scores.size())
    throw std::invalid_argument("scores must have a class each");
  const lrm::LogisticFit fit = lrm::fit_lrm(scores.begin(), positive.begin(), scores.size());
  if (fit.status == lrm::FitStatus::failed)
    return R_NilValue;
  if (fit.status == lrm::FitStatus::singular)
    return Rcpp::NumericVector(0);
  return Rcpp::NumericVector::create(fit.intercept, fit.slope);
}
