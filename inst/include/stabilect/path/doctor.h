#ifndef STABILECT_DOCTOR_H
#define STABILECT_DOCTOR_H

// The computations of the R package FeaLect 1.20 for each subset of the samples, its "doctor": the
// models along a lasso path of the engine, a logistic fit of the linear scores at the end of every
// step, and its predictions for the samples that were not drawn.

#include <algorithm>
#include <cmath>

#include "stabilect/path/lars_batch.h"
#include "stabilect/path/lrm.h"

namespace stabilect {

struct Validation {
  double f_measure = 0.0, precision = 0.0, recall = 0.0;
};

struct Doctor {
  bool failed = false;
  Array<int> considered;               // features that vary among the rows, from 0
  Array<int> sets, set_end;            // features with a coefficient, step by step
  Array<double> global_errors, scores; // of every step; of every sample, best step
  int best = 0;                        // step, from 1; 0 for none
  lrm::LogisticFit fit;                // of the best step
  Validation at_best, at_last;
  double y_mean = 0.0;
  LarsPath path;
  Array<double> center, scale, coefficient; // of each coefficient of the path

  // Probability of the positive class for every sample, at the best step.
  Array<double> probabilities() const {
    Array<double> out;
    for (double score : scores)
      out.push_back(lrm::probability(fit, score));
    return out;
  }
};

// FeaLect's sums over the steps, one value per feature of `considered`.
struct Contribution {
  Array<double> score, frequency;
};

// Position of each of p features among the considered ones, from 0; -1 for the others.
inline Array<int> places(const Doctor &doctor, Index p) {
  Array<int> place(p, -1);
  for (Index k = 0; k < doctor.considered.size(); ++k)
    place[doctor.considered[k]] = static_cast<int>(k);
  return place;
}

// In the order of the steps, which FeaLect's sums follow to the last bit.
inline Contribution contribution(const Doctor &doctor, const Array<int> &place) {
  Contribution out{Array<double>(doctor.considered.size()),
                   Array<double>(doctor.considered.size())};
  int from = 0;
  for (int to : doctor.set_end) {
    for (int c = from; c < to; ++c) {
      const int at = place[doctor.sets[c]];
      out.score[at] += 1.0 / (to - from);
      out.frequency[at] += 1.0;
    }
    from = to;
  }
  return out;
}

struct DoctorOptions {
  int max_steps = 1;         // steps of the path that count
  bool consider_all = false; // all features, or those that vary among the rows drawn
};

class DoctorTrainer {
public:
  // y: n numbers that the path explains; positive: n times 0 or 1.
  DoctorTrainer(const ConstMatrix &x, const PackedMatrix &packed, const double *y,
                const int *positive, const DoctorOptions &options)
      : x_(x), packed_(packed), y_(y), positive_(positive), options_(options) {}

  // counts: how often each sample validates; null for those that were not drawn, once each.
  Doctor train(const double *weights, const double *counts, LarsPath path) const {
    Doctor doctor;
    doctor.considered = considered(weights);
    const Index steps =
        std::min<Index>({path.n_steps(), options_.max_steps, doctor.considered.size()});
    doctor.failed = steps == 0;
    double total = 0.0;
    for (Index i = 0; i < x_.rows(); ++i)
      total += weights[i], doctor.y_mean += weights[i] * y_[i];
    doctor.y_mean /= total;
    rescale(weights, path, doctor);
    for (Index k = 0; k < path.n_steps(); ++k) {
      double norm = 0.0;
      for (int c = start(path, k); c < path.coef_end[k]; ++c)
        norm += std::abs(doctor.coefficient[c]);
      doctor.global_errors.push_back(path.rss[k + 1] / (2.0 * total) + path.lambda[k] * norm);
      if (k < steps)
        keep_set(path, k, doctor);
    }
    for (Index k = 0; k < steps && !doctor.failed; ++k)
      validate(weights, counts, path, k, doctor);
    doctor.path = std::move(path);
    return doctor;
  }

private:
  static int start(const LarsPath &path, Index k) { return k ? path.coef_end[k - 1] : 0; }

  Array<int> considered(const double *weights) const {
    Array<Index> rows;
    for (Index i = 0; i < x_.rows(); ++i)
      if (weights[i] > 0.0)
        rows.push_back(i);
    Array<int> features;
    for (Index j = 0; j < x_.cols(); ++j) {
      const double first = x_(rows[0], j);
      if (options_.consider_all ||
          std::any_of(rows.begin(), rows.end(), [&](Index i) { return x_(i, j) != first; }))
        features.push_back(static_cast<int>(j));
    }
    return features;
  }

  void rescale(const double *weights, const LarsPath &path, Doctor &doctor) const {
    const PathColumns columns(packed_, weights, LarsOptions());
    Array<double> center(packed_.p()), scale(packed_.p(), 0.0);
    for (Index c = 0; c < path.coef_feature.size(); ++c) {
      const Index j = path.coef_feature[c];
      if (scale[j] == 0.0) {
        const PathColumns::Scale own = columns.scale(j);
        center[j] = own.center;
        scale[j] = own.scale;
      }
      doctor.center.push_back(center[j]);
      doctor.scale.push_back(scale[j]);
      doctor.coefficient.push_back(path.coef_value[c] / scale[j]);
    }
  }

  void keep_set(const LarsPath &path, Index k, Doctor &doctor) const {
    const Index from = start(path, k), to = path.coef_end[k];
    doctor.sets.insert(doctor.sets.end(), path.coef_feature.begin() + from,
                       path.coef_feature.begin() + to);
    std::sort(doctor.sets.begin() + from, doctor.sets.end());
    doctor.set_end.push_back(static_cast<int>(to));
  }

  // Linear scores of all samples at the end of a step, their logistic fit, and its predictions for
  // the samples that validate.
  void validate(const double *weights, const double *counts, const LarsPath &path, Index k,
                Doctor &doctor) const {
    const Index n = x_.rows();
    Array<double> scores(n, 0.0);
    for (int c = start(path, k); c < path.coef_end[k]; ++c) {
      const double *x = x_.col(path.coef_feature[c]).data();
      for (Index i = 0; i < n; ++i)
        scores[i] += (x[i] - doctor.center[c]) * doctor.coefficient[c];
    }
    for (double &score : scores)
      score += doctor.y_mean;
    const lrm::LogisticFit fit = lrm::fit_lrm(scores.data(), positive_, n);
    doctor.failed = fit.status == lrm::FitStatus::failed;
    doctor.at_last = Validation();
    if (fit.status != lrm::FitStatus::ok)
      return;
    double true_positive = 0.0, predicted = 0.0, positives = 0.0;
    for (Index i = 0; i < n; ++i) {
      const double times = counts ? counts[i] : (weights[i] > 0.0 ? 0.0 : 1.0);
      const bool above = lrm::probability(fit, scores[i]) > 0.0;
      predicted += above ? times : 0.0;
      positives += positive_[i] ? times : 0.0;
      true_positive += above && positive_[i] ? times : 0.0;
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

  ConstMatrix x_;
  const PackedMatrix &packed_;
  const double *y_;
  const int *positive_;
  DoctorOptions options_;
};

// One doctor per column of `weights` (n x B: how often a sample is among the rows of a subset).
// `validating` (n x B): how often a sample validates, or without columns: the samples not drawn.
inline Array<Doctor> train_doctors(const ConstMatrix &x, const ConstMatrix &y, const int *positive,
                                   const ConstMatrix &weights, const ConstMatrix &validating,
                                   const DoctorOptions &options,
                                   const Runtime &runtime = Runtime()) {
  LarsOptions path;
  path.keep_coefficients = true;
  const PackedMatrix packed(x, true);
  const DoctorTrainer trainer(x, packed, y.data(), positive, options);
  Array<Doctor> doctors(weights.cols());
  run_paths(packed, y, weights, path, runtime, [&](Index b, LarsPath finished) {
    const double *counts = validating.cols() ? validating.col(b).data() : nullptr;
    doctors[b] = trainer.train(weights.col(b).data(), counts, std::move(finished));
  });
  return doctors;
}

} // namespace stabilect

#endif
