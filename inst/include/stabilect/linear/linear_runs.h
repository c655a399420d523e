#ifndef STABILECT_LINEAR_RUNS_H
#define STABILECT_LINEAR_RUNS_H

// Scores from the weights of linear classifiers, and recursive feature elimination (Guyon et al.
// 2002), in every run. Features enter only through the inner products of the samples, from which
// those of eliminated features are subtracted.

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>
#include <utility>
#include <vector>

#include "stabilect/base/kernels.h"
#include "stabilect/base/runtime.h"
#include "stabilect/linear/linear_svm.h"

namespace stabilect {

enum class LinearLoss { squared_hinge, hinge, logistic };

struct LinearOptions {
  LinearLoss loss = LinearLoss::squared_hinge;
  double cost = 1.0;   // of the hinge losses
  double lambda = 1.0; // of the logistic loss
  bool standardise = true;
  bool eliminate = false;
  double step = 0.0; // share of the features eliminated at a time; 0: one
};

// gram += sign * sum over features of z z', in the lower triangle, for padded columns of length ld.
// Tiles of 8 x 4 stay in registers; the order of additions is that of the features.
#define STABILECT_DEFINE_ADD_PRODUCTS(width, target)                                               \
  namespace width {                                                                                \
  target inline void add_products(const double *z, std::size_t ld, const int *features,            \
                                  std::size_t n, double sign, double *gram) {                      \
    for (std::size_t row = 0; row < ld; row += 8)                                                  \
      for (std::size_t column = 0; column < row + 8; column += 4) {                                \
        Double8 s0, s1, s2, s3, x;                                                                 \
        zero(s0), zero(s1), zero(s2), zero(s3);                                                    \
        for (std::size_t k = 0; k < n; ++k) {                                                      \
          const double *at = z + ld * static_cast<std::size_t>(features[k]), *f = at + column;     \
          load(x, at + row);                                                                       \
          add_scaled(s0, x, f[0]), add_scaled(s1, x, f[1]);                                        \
          add_scaled(s2, x, f[2]), add_scaled(s3, x, f[3]);                                        \
        }                                                                                          \
        double *out = gram + column * ld + row;                                                    \
        load(x, out), add_scaled(x, s0, sign), store(out, x), out += ld;                           \
        load(x, out), add_scaled(x, s1, sign), store(out, x), out += ld;                           \
        load(x, out), add_scaled(x, s2, sign), store(out, x), out += ld;                           \
        load(x, out), add_scaled(x, s3, sign), store(out, x);                                      \
      }                                                                                            \
  }                                                                                                \
  }
STABILECT_DEFINE_ADD_PRODUCTS(kernels_16, )
#ifdef STABILECT_HAS_AVX2
STABILECT_DEFINE_ADD_PRODUCTS(kernels_32, __attribute__((target("avx2"))))
#endif
#undef STABILECT_DEFINE_ADD_PRODUCTS

inline void add_products(const double *z, std::size_t ld, const int *features, std::size_t n,
                         double sign, double *gram) {
#ifdef STABILECT_HAS_AVX2
  static const bool wide = cpu_has_avx2();
  if (wide)
    return kernels_32::add_products(z, ld, features, n, sign, gram);
#endif
  kernels_16::add_products(z, ld, features, n, sign, gram);
}

namespace linear_detail {

using Eigen::MatrixXd;
using Eigen::VectorXd;

// The in-bag rows of a run, standardised: features in columns, padded with zeros for the kernels.
class RunData {
public:
  RunData(const ConstMatrix &x, const int *counts, bool standardise) {
    for (Index i = 0; i < x.rows(); ++i)
      if (counts[i] > 0)
        rows_.push_back(i);
    weights_.resize(n_rows());
    for (Index k = 0; k < n_rows(); ++k)
      weights_[k] = counts[rows_[static_cast<std::size_t>(k)]];
    ld_ = pad_rows(rows_.size());
    weights_.conservativeResizeLike(VectorXd::Zero(static_cast<Index>(ld_)));
    z_.resize(static_cast<Index>(ld_), x.cols());
    VectorXd squares(static_cast<Index>(ld_));
    for (Index j = 0; j < x.cols(); ++j) {
      double *z = z_.col(j).data();
      const double *from = x.col(j).data(), shift = standardise ? from[rows_[0]] : 0.0;
      for (std::size_t k = 0; k < rows_.size(); ++k)
        z[k] = from[rows_[k]] - shift;
      std::fill(z + rows_.size(), z + ld_, 0.0);
      if (standardise)
        standardise_column(z_.col(j), &squares);
    }
  }

  Index n_rows() const { return static_cast<Index>(rows_.size()); }
  const std::vector<Index> &rows() const { return rows_; }
  Eigen::VectorXd weights() const { return weights_.head(n_rows()); }

  // gram += sign * sum over features of z z', lower triangle, with padded rows and columns.
  void add_products(const std::vector<int> &features, double sign, MatrixXd *gram) const {
    constexpr std::size_t kBlock = 64; // that many stay in the first cache
    for (std::size_t from = 0; from < features.size(); from += kBlock)
      stabilect::add_products(z_.data(), ld_, &features[from],
                              std::min(kBlock, features.size() - from), sign, gram->data());
  }

  // w_j = sum_i beta_i z_ij
  VectorXd weights_of(const std::vector<int> &features, const VectorXd &beta) const {
    VectorXd padded = VectorXd::Zero(static_cast<Index>(ld_));
    padded.head(n_rows()) = beta;
    VectorXd out(static_cast<Index>(features.size()));
    kernels().dot_one(z_.data(), ld_, features.data(), features.size(), padded.data(), out.data());
    return out;
  }

private:
  // Mean and standard deviation (divisor: sum of counts) of the run; a constant becomes zero.
  void standardise_column(Eigen::Ref<VectorXd> z, VectorXd *squares) const {
    const double total = weights_.sum();
    z.head(n_rows()).array() -= kernels().dot(weights_.data(), z.data(), ld_) / total;
    *squares = z.cwiseAbs2();
    const double square = kernels().dot(weights_.data(), squares->data(), ld_);
    z *= square > 0.0 ? std::sqrt(total / square) : 0.0;
  }

  std::size_t ld_ = 0;
  std::vector<Index> rows_;
  VectorXd weights_;
  MatrixXd z_;
};

class Run {
public:
  Run(const ConstMatrix &x, const std::vector<int> &codes, int n_classes, const int *counts,
      const LinearOptions &options)
      : options_(&options), data_(x, counts, options.standardise),
        all_(static_cast<std::size_t>(x.cols())) {
    std::iota(all_.begin(), all_.end(), 0);
    const Index m = data_.n_rows();
    // One machine for two classes, one against the rest for each of several.
    for (int g = n_classes == 2 ? 1 : 0; g < n_classes; ++g) {
      VectorXd y(m);
      for (Index k = 0; k < m; ++k) {
        const Index row = data_.rows()[static_cast<std::size_t>(k)];
        y[k] = codes[static_cast<std::size_t>(row)] == g ? 1 : -1;
      }
      if (y.maxCoeff() > y.minCoeff())
        machines_.push_back({y, std::vector<char>(static_cast<std::size_t>(m), 1), DualFit()});
    }
  }

  VectorXd score() { return options_->eliminate ? eliminate() : weights().cwiseSqrt(); }

private:
  // Each fit starts from the one before, with more features.
  struct Machine {
    VectorXd y;
    std::vector<char> inside;
    DualFit fit;
  };

  void fit(const MatrixXd &gram, Machine *machine) const {
    const VectorXd &beta = machine->fit.beta;
    if (options_->loss == LinearLoss::logistic) {
      machine->fit =
          solve_logistic_dual(gram, machine->y, data_.weights(), options_->lambda, &machine->fit);
      return;
    }
    const MatrixXd with_bias = (gram.array() + 1.0).matrix();
    const VectorXd cost = options_->cost * data_.weights();
    machine->fit = options_->loss == LinearLoss::hinge
                       ? solve_svm_l1(with_bias, machine->y, cost, 1e-9, 20000, &beta)
                       : solve_svm_l2(with_bias, machine->y, cost, &machine->inside);
  }

  // Squared weights of the features, summed over machines.
  VectorXd squared_weights(const MatrixXd &lower, const std::vector<int> &features) {
    const Index m = data_.n_rows();
    const MatrixXd gram = lower.topLeftCorner(m, m).selfadjointView<Eigen::Lower>();
    VectorXd out = VectorXd::Zero(static_cast<Index>(features.size()));
    for (Machine &machine : machines_) {
      fit(gram, &machine);
      out += data_.weights_of(features, machine.fit.beta).cwiseAbs2();
    }
    return out;
  }

  MatrixXd products(const std::vector<int> &features) {
    const Index padded = static_cast<Index>(pad_rows(data_.rows().size()));
    MatrixXd gram = MatrixXd::Zero(padded, padded);
    data_.add_products(features, 1.0, &gram);
    return gram;
  }

  VectorXd weights() { return squared_weights(products(all_), all_); }

  // The first feature out scores 1, the last one p.
  VectorXd eliminate() {
    std::vector<int> active = all_;
    VectorXd score(static_cast<Index>(all_.size()));
    MatrixXd gram = products(active);
    double made_at = gram.trace(), next_score = 1.0;
    while (!active.empty()) {
      const VectorXd squares = squared_weights(gram, active);
      const std::size_t n_out = static_cast<std::size_t>(
          std::max(1.0, std::floor(options_->step * static_cast<double>(active.size()))));
      const std::vector<int> gone = take_lowest(squares, n_out, &active);
      for (int j : gone)
        score[j] = next_score++;
      const bool few_left = active.size() < gone.size();
      if (!few_left)
        data_.add_products(gone, -1.0, &gram);
      // Differences of large numbers: made anew before they have lost more than three digits.
      if (few_left || !(gram.trace() > 1e-3 * made_at)) {
        gram = products(active);
        made_at = gram.trace();
      }
    }
    return score;
  }

  // Removes the features with the lowest squares, of equal ones the last column first.
  static std::vector<int> take_lowest(const VectorXd &squares, std::size_t n_out,
                                      std::vector<int> *active) {
    using Entry = std::pair<double, int>; // minus the position: ties
    std::vector<Entry> order(active->size());
    for (std::size_t k = 0; k < order.size(); ++k)
      order[k] = {squares[static_cast<Index>(k)], -static_cast<int>(k)};
    const auto last = order.begin() + static_cast<Index>(n_out);
    if (last != order.end())
      std::nth_element(order.begin(), last, order.end());
    std::sort(order.begin(), last);
    std::vector<int> gone;
    for (auto at = order.begin(); at != last; ++at) {
      int &feature = (*active)[static_cast<std::size_t>(-at->second)];
      gone.push_back(feature);
      feature = -1;
    }
    active->erase(std::remove(active->begin(), active->end(), -1), active->end());
    return gone;
  }

  const LinearOptions *options_;
  RunData data_;
  std::vector<int> all_;
  std::vector<Machine> machines_;
};

} // namespace linear_detail

// p x B. Scores are |w_j|, for several classes the root of the sum of the squared weights of one
// machine per class; with `eliminate`, the order in which features went (the last scores p). Runs
// of one class score 0. `codes`: class from 0.
inline Eigen::MatrixXd score_linear(const ConstMatrix &x, const std::vector<int> &codes,
                                    int n_classes, const Eigen::Ref<const Eigen::MatrixXi> &counts,
                                    const LinearOptions &options,
                                    const Runtime &runtime = Runtime()) {
  if (counts.rows() != x.rows() || static_cast<Index>(codes.size()) != x.rows())
    throw std::invalid_argument("counts and codes must have one row per row of x");
  if (!(options.cost > 0.0) || !(options.lambda > 0.0))
    throw std::invalid_argument("cost and lambda must be positive");
  if (!(options.step >= 0.0 && options.step < 1.0))
    throw std::invalid_argument("step must be in [0, 1)");
  Eigen::MatrixXd out = Eigen::MatrixXd::Zero(x.cols(), counts.cols());
  run_in_chunks(static_cast<std::size_t>(counts.cols()),
                static_cast<std::size_t>(std::max(1, runtime.n_threads)), runtime,
                [&](std::size_t task) {
                  const Index b = static_cast<Index>(task);
                  int first = -1;
                  bool two = false;
                  for (Index i = 0; i < x.rows(); ++i) {
                    if (counts(i, b) == 0)
                      continue;
                    if (first < 0)
                      first = codes[static_cast<std::size_t>(i)];
                    two = two || codes[static_cast<std::size_t>(i)] != first;
                  }
                  const int *in_bag = counts.col(b).data();
                  if (two)
                    out.col(b) = linear_detail::Run(x, codes, n_classes, in_bag, options).score();
                });
  return out;
}

} // namespace stabilect

#endif
