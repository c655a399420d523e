#ifndef STABILECT_LEFT_OUT_FIT_H
#define STABILECT_LEFT_OUT_FIT_H

// The models of a lasso path between its knots: coefficients at a penalty, and the squared errors
// of left-out samples.

#include <algorithm>
#include <cmath>

#include "stabilect/base/types.h"
#include "stabilect/path/lars.h"

namespace stabilect {

struct SparseCoefficients {
  Array<int> feature; // from 0
  Array<double> value;
};

// The place of a penalty on a path: a share `toward` of the way from the end of step `step` - 1 to
// the end of `step`. Above the first knot the model is empty (step -1); below the end of the path
// it is the last model.
struct PathPlace {
  int step = -1;
  double toward = 0.0;
};

inline PathPlace place_on_path(const LarsPath &path, double lambda) {
  PathPlace place;
  const Index n_steps = path.coef_end.size();
  if (n_steps == 0 || lambda >= path.lambda[0])
    return place;
  const auto end = path.lambda.begin() + n_steps;
  // The first knot that is not above: the end of the segment.
  const auto at = std::lower_bound(path.lambda.begin() + 1, end, lambda,
                                   [](double a, double b) { return a > b; });
  const Index s = (at - path.lambda.begin()) - 1;
  place.step = static_cast<int>(s);
  const double from = path.lambda[s], to = path.lambda[s + 1];
  place.toward = from > to ? std::min(1.0, (from - lambda) / (from - to)) : 1.0;
  return place;
}

// How the columns of a run were centred and scaled.
class RunScale {
public:
  RunScale(const ConstMatrix &x, const double *weights) : x_(x), weights_(weights) {
    for (Index i = 0; i < x.rows(); ++i)
      total_ += weights[i];
  }
  double mean_of(const double *values) const {
    double sum = 0.0;
    for (Index i = 0; i < x_.rows(); ++i)
      sum += weights_[i] * values[i];
    return sum / total_;
  }
  double mean(int j) const { return mean_of(column(j)); }
  double norm(int j, double mean) const {
    const double *values = column(j);
    double sum = 0.0;
    for (Index i = 0; i < x_.rows(); ++i)
      sum += weights_[i] * (values[i] - mean) * (values[i] - mean);
    return std::sqrt(sum);
  }

private:
  const double *column(int j) const { return x_.data() + x_.rows() * j; }
  const ConstMatrix &x_;
  const double *weights_;
  double total_ = 0.0;
};

// Coefficients at `lambda`, on the scale of the given columns.
inline SparseCoefficients coefficients_at(const LarsPath &path, const ConstMatrix &x,
                                          const double *weights, double lambda) {
  const PathPlace place = place_on_path(path, lambda);
  Array<std::pair<int, double>> parts;
  const auto add = [&](int step, double share) {
    if (step < 0 || share == 0.0)
      return;
    const Index s = step;
    const int from = s ? path.coef_end[s - 1] : 0;
    for (int k = from; k < path.coef_end[s]; ++k) {
      const Index at = k;
      parts.emplace_back(path.coef_feature[at], share * path.coef_value[at]);
    }
  };
  add(place.step - 1, 1.0 - place.toward);
  add(place.step, place.toward);
  std::sort(parts.begin(), parts.end());
  SparseCoefficients out;
  const RunScale scale(x, weights);
  for (Index k = 0; k < parts.size(); ++k) {
    const int j = parts[k].first;
    const double value = parts[k].second / scale.norm(j, scale.mean(j));
    if (!out.feature.empty() && out.feature.back() == j) {
      out.value.back() += value;
    } else {
      out.feature.push_back(j);
      out.value.push_back(value);
    }
  }
  return out;
}

// Squared errors, summed over the samples with left_out[i] != 0, at each of n_grid penalties.
inline void left_out_loss(const LarsPath &path, const ConstMatrix &x, const double *y,
                          const double *weights, const double *left_out, const double *grid,
                          Index n_grid, double *loss) {
  Array<Index> rows;
  for (Index i = 0; i < x.rows(); ++i)
    if (left_out[i] != 0.0)
      rows.push_back(i);
  const RunScale scale(x, weights);
  const double mean_y = scale.mean_of(y);
  const Index n_steps = path.coef_end.size(), n_rows = rows.size();
  // Contribution of the model at the end of each step to the mean; the empty model first.
  Array<double> fit((n_steps + 1) * n_rows, 0.0);
  Array<double> means(x.cols(), 0.0), norms(means.size(), 0.0);
  for (Index s = 0; s < n_steps; ++s) {
    for (int k = s ? path.coef_end[s - 1] : 0; k < path.coef_end[s]; ++k) {
      const int j = path.coef_feature[k];
      const Index at = j;
      if (norms[at] == 0.0) {
        means[at] = scale.mean(j);
        norms[at] = scale.norm(j, means[at]);
      }
      const double slope = path.coef_value[k] / norms[at];
      for (Index r = 0; r < n_rows; ++r)
        fit[(s + 1) * n_rows + r] += slope * (x(rows[r], j) - means[at]);
    }
  }
  for (Index g = 0; g < n_grid; ++g) {
    const PathPlace place = place_on_path(path, grid[g]);
    const Index to = place.step + 1;
    const Index from = to ? to - 1 : 0;
    for (Index r = 0; r < n_rows; ++r) {
      const double added =
          (1.0 - place.toward) * fit[from * n_rows + r] + place.toward * fit[to * n_rows + r];
      const double error = y[rows[r]] - mean_y - added;
      loss[g] += error * error;
    }
  }
}

} // namespace stabilect

#endif
