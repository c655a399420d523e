#ifndef STABILECT_FEATURE_PANELS_H
#define STABILECT_FEATURE_PANELS_H

// The features in panels of 32 in float, and what the sampler asks of all of them at once.

#include "stabilect/base/runtime.h"
#include "stabilect/base/simd.h"
#include "stabilect/base/types.h"

namespace stabilect {

constexpr Index kWidePanel = 32;
constexpr Index kMostColumns = 12; // features in a model

// The model, and the numbers of all features that its gains need.
struct GainArgs {
  const float *squares, *products; // x_j'A x_j and x_j'A y
  const float *columns[kMostColumns];
  float triangle[kMostColumns * kMostColumns]; // L^-1, rows of kMostColumns
  float heights[kMostColumns];                 // L^-1 X'A y
  Index n_columns;
  float inverse_slab, least; // 1 / g, and the smallest v
  bool normal;               // gain w^2 / 2 v, or -power log(1 - w^2 / (v sum))
  float power, inverse_sum, least_left;
};

} // namespace stabilect

#define STABILECT_BODY "stabilect/signal/feature_panels_body.h"
#include "stabilect/base/simd_widths.h"

namespace stabilect {

class FeaturePanels {
public:
  FeaturePanels() = default;
  FeaturePanels(Index n, Index p) { resize(n, p); }

  void resize(Index n, Index p) {
    n_ = n, p_ = p;
    values_.resize(padded() * n);
  }

  Index n() const { return n_; }
  Index p() const { return p_; }
  Index n_panels() const { return (p_ + kWidePanel - 1) / kWidePanel; }
  Index padded() const { return n_panels() * kWidePanel; }
  const float *panel(Index k) const { return values_.data() + k * kWidePanel * n_; }

  void set_column(Index j, const ConstVector &x) {
    float *at = values_.data() + j / kWidePanel * kWidePanel * n_ + j % kWidePanel;
    for (Index i = 0; i < n_; ++i)
      at[i * kWidePanel] = static_cast<float>(x[i]);
  }

  // x_j'v of all features.
  void products(const ConstVector &v, float *out, int width = 0) const {
    const Eigen::VectorXf single = v.cast<float>();
    for (Index k = 0; k < n_panels(); ++k)
      STABILECT_AT_WIDTH(width, panel_product)
    (panel(k), n_, single.data(), out + k * kWidePanel);
  }

  // x_j'(diag(weight) - F F') x_j of all features. `factor`: F, n x r.
  void squares(const ConstVector &weight, const ConstMatrix &factor, float *out,
               int width = 0) const {
    const Eigen::VectorXf single = weight.cast<float>();
    const Eigen::MatrixXf columns = factor.cast<float>();
    for (Index k = 0; k < n_panels(); ++k)
      STABILECT_AT_WIDTH(width, panel_squares)
    (panel(k), n_, single.data(), columns.data(), columns.cols(), out + k * kWidePanel);
  }

private:
  Index n_ = 0, p_ = 0;
  AlignedBuffer<float> values_;
};

// The weights of all features to enter a model, from which one is drawn.
class EntryWeights {
public:
  explicit EntryWeights(Index p)
      : p_(p), weight_((p + kWidePanel - 1) / kWidePanel * kWidePanel),
        sums_(weight_.size() / kWidePanel) {}

  // Returns the logarithm of their sum; `members` get none.
  double fill(const GainArgs &args, const Array<int> &members, int width = 0) {
    const Index n = sums_.size();
    float top = -3e38f;
    for (Index k = 0; k < n; ++k)
      top = std::max(top,
                     STABILECT_AT_WIDTH(width, panel_gains)(args, k * kWidePanel, weight_.data()));
    for (Index j = p_; j < weight_.size(); ++j)
      weight_[j] = kNever;
    for (int j : members)
      weight_[j] = kNever;
    total_ = 0.0;
    for (Index k = 0; k < n; ++k) {
      sums_[k] = STABILECT_AT_WIDTH(width, panel_weights)(top, weight_.data() + k * kWidePanel);
      total_ += sums_[k];
    }
    return top + std::log(total_);
  }

  // The feature at `share` (in [0, 1)) of the sum.
  int at(double share) const {
    double left = share * total_;
    Index k = 0;
    while (k + 1 < sums_.size() && left >= sums_[k])
      left -= sums_[k++];
    int found = -1;
    for (Index j = k * kWidePanel; j < (k + 1) * kWidePanel; ++j) {
      if (!(weight_[j] > 0.0f))
        continue;
      found = static_cast<int>(j);
      left -= weight_[j];
      if (left < 0.0)
        break;
    }
    return found >= 0 ? found : heaviest();
  }

  double weight(Index j) const { return weight_[j] / total_; }

  // Adds the probabilities to `total`, padded as in FeaturePanels.
  void add_to(AlignedBuffer<float> &total, int width = 0) const {
    const float factor = static_cast<float>(1.0 / total_);
    for (Index at = 0; at < weight_.size(); at += kWidePanel)
      STABILECT_AT_WIDTH(width, add_panel)(weight_.data() + at, factor, total.data() + at);
  }

private:
  static constexpr float kNever = -3e38f;

  // Where rounding has led to a panel without any weight.
  int heaviest() const {
    return static_cast<int>(std::max_element(weight_.data(), weight_.data() + p_) - weight_.data());
  }

  Index p_;
  AlignedBuffer<float> weight_;
  Array<double> sums_; // by panel
  double total_ = 0.0;
};

} // namespace stabilect

#endif
