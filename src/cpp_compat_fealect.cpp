#include "r_convert.h"
#include "r_runtime.h"
#include "stabilect/linear/lrm.h"
#include "stabilect/path/lars_batch.h"

// What the R package FeaLect 1.20 computes for each model ("doctor"), on the paths of the engine.

using namespace stabilect;

namespace {

using lrm::FitStatus;
using lrm::LogisticFit;

struct Validation {
  double f_measure = 0.0, precision = 0.0, recall = 0.0;
};

struct Doctor {
  bool failed = false;
  std::vector<int> considered;               // features that vary among the rows, from 0
  std::vector<int> sets, set_end;            // features with a coefficient, step by step
  std::vector<double> global_errors, scores; // of every step; of every sample, best step
  int best = 0;                              // step, from 1; 0 for none
  LogisticFit fit;                           // of the best step
  Validation at_best, at_last;
  double y_mean = 0.0;
  LarsPath path;
  std::vector<double> center, scale, coefficient; // of each coefficient of the path
};

class Trainer {
public:
  Trainer(const r::MatrixMap &x, const PackedMatrix &packed, const double *y, const int *positive,
          int max_steps, bool consider_all)
      : x_(x), packed_(packed), y_(y), positive_(positive), max_steps_(max_steps),
        consider_all_(consider_all) {}

  Doctor train(const double *weights, LarsPath path) const {
    Doctor doctor;
    doctor.considered = considered(weights);
    const std::size_t steps =
        std::min({path.n_steps(), static_cast<std::size_t>(max_steps_), doctor.considered.size()});
    doctor.failed = steps == 0;
    double total = 0.0;
    for (Index i = 0; i < x_.rows(); ++i)
      total += weights[i], doctor.y_mean += weights[i] * y_[i];
    doctor.y_mean /= total;
    rescale(weights, path, doctor);
    for (std::size_t k = 0; k < path.n_steps(); ++k) {
      double norm = 0.0;
      for (int c = start(path, k); c < path.coef_end[k]; ++c)
        norm += std::abs(doctor.coefficient[c]);
      doctor.global_errors.push_back(path.rss[k + 1] / (2.0 * total) + path.lambda[k] * norm);
      if (k < steps)
        keep_set(path, k, doctor);
    }
    for (std::size_t k = 0; k < steps && !doctor.failed; ++k)
      validate(weights, path, k, doctor);
    doctor.path = std::move(path);
    return doctor;
  }

private:
  static int start(const LarsPath &path, std::size_t k) { return k ? path.coef_end[k - 1] : 0; }

  std::vector<int> considered(const double *weights) const {
    std::vector<Index> rows;
    for (Index i = 0; i < x_.rows(); ++i)
      if (weights[i] > 0.0)
        rows.push_back(i);
    std::vector<int> features;
    for (Index j = 0; j < x_.cols(); ++j) {
      const double first = x_(rows[0], j);
      if (consider_all_ ||
          std::any_of(rows.begin(), rows.end(), [&](Index i) { return x_(i, j) != first; }))
        features.push_back(static_cast<int>(j));
    }
    return features;
  }

  void rescale(const double *weights, const LarsPath &path, Doctor &doctor) const {
    const PathColumns columns(packed_, weights, LarsOptions());
    std::vector<double> center(packed_.p()), scale(packed_.p(), 0.0);
    for (std::size_t c = 0; c < path.coef_feature.size(); ++c) {
      const std::size_t j = static_cast<std::size_t>(path.coef_feature[c]);
      if (scale[j] == 0.0) {
        const PathColumns::Moments m = columns.moments(j);
        center[j] = packed_.center(j) + m.mean * packed_.unit(j);
        scale[j] = columns.divisor(j, m) * packed_.unit(j);
      }
      doctor.center.push_back(center[j]);
      doctor.scale.push_back(scale[j]);
      doctor.coefficient.push_back(path.coef_value[c] / scale[j]);
    }
  }

  void keep_set(const LarsPath &path, std::size_t k, Doctor &doctor) const {
    const std::ptrdiff_t from = start(path, k), to = path.coef_end[k];
    doctor.sets.insert(doctor.sets.end(), path.coef_feature.begin() + from,
                       path.coef_feature.begin() + to);
    std::sort(doctor.sets.begin() + from, doctor.sets.end());
    doctor.set_end.push_back(static_cast<int>(to));
  }

  // Linear scores of all samples at the end of a step, their logistic fit, and what it makes of
  // the samples that were not drawn.
  void validate(const double *weights, const LarsPath &path, std::size_t k, Doctor &doctor) const {
    const std::size_t n = static_cast<std::size_t>(x_.rows());
    std::vector<double> scores(n, 0.0);
    for (int c = start(path, k); c < path.coef_end[k]; ++c) {
      const double *x = x_.data() + path.coef_feature[c] * x_.rows();
      for (std::size_t i = 0; i < n; ++i)
        scores[i] += (x[i] - doctor.center[c]) * doctor.coefficient[c];
    }
    for (double &score : scores)
      score += doctor.y_mean;
    const LogisticFit fit = lrm::fit_lrm(scores.data(), positive_, n);
    doctor.failed = fit.status == FitStatus::failed;
    doctor.at_last = Validation();
    if (fit.status != FitStatus::ok)
      return;
    double true_positive = 0.0, predicted = 0.0, positives = 0.0;
    for (std::size_t i = 0; i < n; ++i) {
      if (weights[i] > 0.0)
        continue;
      const bool above = lrm::probability(fit, scores[i]) > 0.0;
      predicted += above;
      positives += positive_[i];
      true_positive += above && positive_[i];
    }
    Validation &now = doctor.at_last;
    if (predicted > 0.0)
      now.precision = true_positive / predicted;
    if (positives > 0.0)
      now.recall = true_positive / positives;
    const double sum = now.precision + now.recall;
    if (!(sum > 0.0))
      return;
    now.f_measure = 2.0 * now.precision * now.recall / sum;
    // As in FeaLect, the last step that predicts anything is "best".
    doctor.best = static_cast<int>(k) + 1;
    doctor.fit = fit;
    doctor.at_best = now;
    doctor.scores = scores;
  }

  const r::MatrixMap &x_;
  const PackedMatrix &packed_;
  const double *y_;
  const int *positive_;
  int max_steps_;
  bool consider_all_;
};

Rcpp::CharacterVector pick_names(const Rcpp::CharacterVector &names, const int *from,
                                 const int *to) {
  Rcpp::CharacterVector picked(to - from);
  for (R_xlen_t k = 0; k < picked.size(); ++k)
    picked[k] = names[from[k]];
  return picked;
}

// Position among the considered features, from 0.
std::vector<int> places(const Doctor &doctor, R_xlen_t n_features) {
  std::vector<int> place(static_cast<std::size_t>(n_features), -1);
  for (std::size_t k = 0; k < doctor.considered.size(); ++k)
    place[static_cast<std::size_t>(doctor.considered[k])] = static_cast<int>(k);
  return place;
}

// Scores and frequencies in the order of the steps, which FeaLect's sums follow to the last bit.
void add_contributions(const Doctor &doctor, const Rcpp::CharacterVector &names,
                       const std::vector<int> &place, Rcpp::List &out) {
  const std::vector<int> &considered = doctor.considered;
  Rcpp::NumericVector score(considered.size()), frequency(considered.size());
  Rcpp::List sets(doctor.set_end.size());
  int from = 0;
  for (std::size_t k = 0; k < doctor.set_end.size(); ++k) {
    const int to = doctor.set_end[k];
    for (int c = from; c < to; ++c) {
      score[place[doctor.sets[c]]] += 1.0 / (to - from);
      frequency[place[doctor.sets[c]]] += 1.0;
    }
    sets[k] = pick_names(names, doctor.sets.data() + from, doctor.sets.data() + to);
    from = to;
  }
  const Rcpp::CharacterVector labels =
      pick_names(names, considered.data(), considered.data() + considered.size());
  score.names() = labels;
  frequency.names() = labels;
  out["features"] = labels;
  out["contribution"] = score;
  out["frequency"] = frequency;
  out["considered"] = Rcpp::wrap(considered);
  out["sets"] = sets;
}

Rcpp::List wrap_path(const Doctor &doctor, const std::vector<int> &place) {
  const LarsPath &path = doctor.path;
  std::vector<int> event(path.events), feature(path.coef_feature);
  for (int &e : event)
    e = e > 0 ? place[e - 1] + 1 : -(place[-e - 1] + 1);
  for (int &f : feature)
    f = place[f];
  const std::vector<double> lambda(path.lambda.begin(), path.lambda.end() - 1);
  return Rcpp::List::create(
      Rcpp::_["mu"] = doctor.y_mean, Rcpp::_["lambda"] = lambda, Rcpp::_["RSS"] = path.rss,
      Rcpp::_["event"] = event, Rcpp::_["event_end"] = path.event_end, Rcpp::_["feature"] = feature,
      Rcpp::_["end"] = path.coef_end, Rcpp::_["coefficient"] = doctor.coefficient,
      Rcpp::_["center"] = doctor.center, Rcpp::_["scale"] = doctor.scale);
}

Rcpp::List wrap_doctor(const Doctor &doctor, const Rcpp::CharacterVector &names, bool keep_path) {
  Rcpp::NumericVector probabilities(doctor.scores.size());
  for (R_xlen_t i = 0; i < probabilities.size(); ++i)
    probabilities[i] = lrm::probability(doctor.fit, doctor.scores[i]);
  const Validation &best = doctor.at_best, &last = doctor.at_last;
  Rcpp::List out = Rcpp::List::create(
      Rcpp::_["best"] = doctor.best, Rcpp::_["probabilities"] = probabilities,
      Rcpp::_["accuracy"] = best.f_measure, Rcpp::_["precision"] = last.precision,
      Rcpp::_["recall"] = last.recall,
      Rcpp::_["logistic"] = Rcpp::NumericVector::create(doctor.fit.intercept, doctor.fit.slope),
      Rcpp::_["global_errors"] = doctor.global_errors, Rcpp::_["features"] = R_NilValue,
      Rcpp::_["contribution"] = R_NilValue, Rcpp::_["frequency"] = R_NilValue,
      Rcpp::_["considered"] = R_NilValue, Rcpp::_["sets"] = R_NilValue,
      Rcpp::_["path"] = R_NilValue);
  const std::vector<int> place = places(doctor, names.size());
  add_contributions(doctor, names, place, out);
  if (keep_path)
    out["path"] = wrap_path(doctor, place);
  return out;
}

} // namespace

// One doctor per column of `weights` (n x B: how often a sample is among the balanced rows);
// NULL for one that failed. Considered are the features that vary among its rows, or all.
// [[Rcpp::export(rng = false)]]
Rcpp::List cpp_train_doctors(const Rcpp::NumericMatrix &x, const Rcpp::NumericVector &y,
                             const Rcpp::IntegerVector &positive,
                             const Rcpp::NumericMatrix &weights, const Rcpp::CharacterVector &names,
                             int max_steps, bool consider_all, bool keep_paths, int n_threads) {
  LarsOptions options;
  options.keep_coefficients = true;
  const r::MatrixMap values = r::as_map(x);
  const PackedMatrix packed(values, true);
  const Trainer trainer(values, packed, y.begin(), positive.begin(), max_steps, consider_all);
  std::vector<Doctor> doctors(static_cast<std::size_t>(weights.ncol()));
  const double *weight = weights.begin();
  const std::size_t n = static_cast<std::size_t>(x.nrow());
  run_paths(packed, r::as_map(y), r::as_map(weights), options, make_runtime(n_threads),
            [&](std::size_t b, LarsPath path) {
              doctors[b] = trainer.train(weight + b * n, std::move(path));
            });
  Rcpp::List out(doctors.size());
  for (std::size_t b = 0; b < doctors.size(); ++b) {
    if (!doctors[b].failed)
      out[static_cast<R_xlen_t>(b)] = wrap_doctor(doctors[b], names, keep_paths);
    doctors[b] = Doctor();
  }
  return out;
}

// Intercept and slope; empty when lrm() has no coefficients, NULL when it stops with an error.
// [[Rcpp::export(rng = false)]]
SEXP cpp_fit_lrm(const Rcpp::NumericVector &scores, const Rcpp::IntegerVector &positive) {
  const LogisticFit fit =
      lrm::fit_lrm(scores.begin(), positive.begin(), static_cast<std::size_t>(scores.size()));
  if (fit.status == FitStatus::failed)
    return R_NilValue;
  if (fit.status == FitStatus::singular)
    return Rcpp::NumericVector(0);
  return Rcpp::NumericVector::create(fit.intercept, fit.slope);
}
