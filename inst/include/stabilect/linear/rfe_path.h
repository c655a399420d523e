#ifndef STABILECT_RFE_PATH_H
#define STABILECT_RFE_PATH_H

// A linear classifier on nested sets of features: at each size it is fitted, predicts the samples
// that were left out, and the features with the smallest weights go.

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <vector>

#include "stabilect/linear/linear_primal.h"
#include "stabilect/linear/linear_samples.h"

namespace stabilect {

namespace rfe_detail {

using Eigen::MatrixXd;
using Eigen::VectorXd;

struct Machine {
  bool present = false;
  VectorXd y, weights; // of the active features, in their order
  std::vector<char> inside;
  DualFit dual;
  double intercept = 0.0;
};

class Path {
public:
  // shrinkage: factor of the penalty of each feature of x; root: what a scaled column is multiplied
  // with, the shrinkage not included.
  Path(const ConstMatrix &x, const std::vector<int> &codes, int n_classes, const int *counts,
       const std::vector<int> &set, const VectorXd &root, const VectorXd &shrinkage,
       const RfePathOptions &options)
      : options_(options), set_(set), shrinkage_(shrinkage),
        data_(x, counts, set, root.cwiseQuotient(shrinkage.cwiseSqrt()), options.scaling),
        active_(set.size()) {
    std::iota(active_.begin(), active_.end(), 0);
    const Index n = data_.n_bag();
    // One machine for two classes, one against the rest for each of several.
    for (int g = n_classes == 2 ? 1 : 0; g < n_classes; ++g) {
      Machine machine;
      machine.y.resize(n);
      for (Index k = 0; k < n; ++k) {
        const Index row = data_.bag()[static_cast<std::size_t>(k)];
        machine.y[k] = codes[static_cast<std::size_t>(row)] == g ? 1.0 : -1.0;
      }
      machine.present = machine.y.maxCoeff() > machine.y.minCoeff();
      machine.inside.assign(static_cast<std::size_t>(n), 1);
      machines_.push_back(machine);
    }
  }

  // `sizes` falls; the first one is that of the set.
  std::vector<RfeStep> run(const std::vector<int> &sizes) {
    std::vector<RfeStep> steps(sizes.size());
    for (std::size_t s = 0; s < sizes.size(); ++s) {
      if (s > 0)
        drop(static_cast<std::size_t>(sizes[s]), &steps[s].dropped);
      fit_all();
      const bool last = s + 1 == sizes.size(), whole = sizes[s] <= options_.keep || last;
      order(whole ? 0 : static_cast<std::size_t>(sizes[s + 1]));
      steps[s].decision = decision();
      if (whole)
        report(&steps[s]);
    }
    return steps;
  }

  LinearWeights fit() {
    fit_all();
    const Index m = static_cast<Index>(set_.size()), g = static_cast<Index>(machines_.size());
    LinearWeights out{MatrixXd::Zero(m, g), VectorXd::Zero(g), importance(), converged_};
    for (Index k = 0; k < g; ++k) {
      const Machine &machine = machines_[static_cast<std::size_t>(k)];
      if (!machine.present) {
        out.constants[k] = -std::numeric_limits<double>::infinity();
        continue;
      }
      out.constants[k] = machine.intercept;
      for (Index j = 0; j < m; ++j) {
        out.weights(j, k) = machine.weights[j] * data_.factor(j);
        out.constants[k] -= out.weights(j, k) * data_.centre(j);
      }
    }
    return out;
  }

private:
  bool is_logistic() const { return options_.loss == LinearLoss::logistic; }

  // In the coordinates of the features where they are few; hinge loss has no curvature.
  bool use_primal() const {
    return options_.loss != LinearLoss::hinge &&
           2 * static_cast<Index>(active_.size()) <= data_.n_bag();
  }

  void fit_all() {
    if (use_primal())
      return fit_primal();
    make_gram();
    const Index n = data_.n_bag();
    const MatrixXd gram = gram_.topLeftCorner(n, n).selfadjointView<Eigen::Lower>();
    for (Machine &machine : machines_)
      if (machine.present)
        fit_dual(gram, &machine);
  }

  void fit_dual(const MatrixXd &gram, Machine *machine) {
    const VectorXd &counts = data_.weights();
    if (is_logistic() && options_.free_intercept) {
      machine->dual =
          solve_logistic_dual(gram, machine->y, counts, options_.penalty, &machine->dual);
      machine->intercept = machine->dual.intercept;
    } else {
      const MatrixXd with_bias = (gram.array() + 1.0).matrix();
      const VectorXd cost = options_.penalty * counts, start = machine->dual.beta;
      if (is_logistic())
        machine->dual = solve_logistic_dual(with_bias, machine->y, counts, options_.penalty,
                                            &machine->dual, false);
      else if (options_.loss == LinearLoss::hinge)
        machine->dual = solve_svm_l1(with_bias, machine->y, cost, 1e-9, 20000, &start);
      else
        machine->dual = solve_svm_l2(with_bias, machine->y, cost, &machine->inside);
      machine->intercept = machine->dual.beta.sum();
    }
    // Newton's method ends at the limit of rounding.
    if (options_.loss == LinearLoss::hinge)
      converged_ = converged_ && machine->dual.converged;
    machine->weights = data_.weights_of(active_, machine->dual.beta);
  }

  void fit_primal() {
    const Index m = static_cast<Index>(active_.size());
    MatrixXd basis(data_.n_bag(), m + 1);
    for (Index k = 0; k < m; ++k)
      basis.col(k) = data_.column(active_[static_cast<std::size_t>(k)]);
    basis.col(m).setOnes();
    const double lambda = is_logistic() ? options_.penalty : 1.0;
    VectorXd penalty = VectorXd::Constant(m + 1, lambda);
    if (is_logistic() && options_.free_intercept)
      penalty[m] = 0.0;
    const VectorXd cost = is_logistic() ? data_.weights() : options_.penalty * data_.weights();
    for (Machine &machine : machines_) {
      if (!machine.present)
        continue;
      VectorXd start = VectorXd::Zero(m + 1);
      if (machine.weights.size() == m)
        start << machine.weights, machine.intercept;
      const PrimalFit fit = solve_primal(basis, machine.y, cost, penalty, is_logistic(), start);
      machine.weights = fit.weights.head(m);
      machine.intercept = fit.weights[m];
    }
  }

  // Products of eliminated features are subtracted, unless fewer are left than went, or the trace
  // has fallen below a thousandth of what it was when the matrix was made: differences of large
  // numbers would lose more than three digits.
  void make_gram() {
    const Index padded = static_cast<Index>(data_.ld());
    bool anew = gram_.size() == 0 || active_.size() < gone_.size();
    if (!anew) {
      data_.add_products(gone_, -1.0, &gram_);
      anew = !(gram_.trace() > 1e-3 * made_at_);
    }
    if (anew) {
      gram_ = MatrixXd::Zero(padded, padded);
      data_.add_products(active_, 1.0, &gram_);
      made_at_ = gram_.trace();
    }
    gone_.clear();
  }

  VectorXd importance() const {
    VectorXd out = VectorXd::Zero(static_cast<Index>(active_.size()));
    for (const Machine &machine : machines_)
      if (machine.present)
        out += machine.weights.cwiseAbs2();
    // Columns were divided by the root of the shrinkage, so their weights are too large by it.
    for (Index k = 0; k < out.size(); ++k) {
      const int slot = active_[static_cast<std::size_t>(k)];
      out[k] /= shrinkage_[set_[static_cast<std::size_t>(slot)]];
    }
    return out;
  }

  // Active features from the most important down; of equal ones the first column first. The first
  // `stay` of them, which will be ordered by the next model, only come before the others.
  void order(std::size_t stay) {
    importance_ = importance();
    order_.resize(active_.size());
    std::iota(order_.begin(), order_.end(), 0);
    const auto above = [this](int a, int b) {
      if (importance_[a] != importance_[b])
        return importance_[a] > importance_[b];
      return column_of(a) < column_of(b);
    };
    const auto from = order_.begin() + static_cast<std::ptrdiff_t>(stay);
    if (stay > 0)
      std::nth_element(order_.begin(), from, order_.end(), above);
    std::sort(from, order_.end(), above);
  }

  int column_of(int place) const {
    return set_[static_cast<std::size_t>(active_[static_cast<std::size_t>(place)])];
  }

  void drop(std::size_t size, std::vector<int> *dropped) {
    std::vector<char> stays(active_.size(), 1);
    for (std::size_t k = size; k < order_.size(); ++k) {
      stays[static_cast<std::size_t>(order_[k])] = 0;
      gone_.push_back(active_[static_cast<std::size_t>(order_[k])]);
      dropped->push_back(column_of(order_[k]));
    }
    std::size_t left = 0;
    for (std::size_t k = 0; k < active_.size(); ++k) {
      if (!stays[k])
        continue;
      for (Machine &machine : machines_)
        if (machine.present)
          machine.weights[static_cast<Index>(left)] = machine.weights[static_cast<Index>(k)];
      active_[left++] = active_[k];
    }
    active_.resize(left);
    for (Machine &machine : machines_)
      if (machine.present)
        machine.weights.conservativeResize(static_cast<Index>(left));
  }

  MatrixXd decision() const {
    MatrixXd out(data_.n_left(), static_cast<Index>(machines_.size()));
    for (Index g = 0; g < out.cols(); ++g) {
      const Machine &machine = machines_[static_cast<std::size_t>(g)];
      out.col(g).setConstant(machine.present ? machine.intercept
                                             : -std::numeric_limits<double>::infinity());
      if (!machine.present)
        continue;
      for (std::size_t k = 0; k < active_.size(); ++k)
        out.col(g) += machine.weights[static_cast<Index>(k)] * data_.left_out().col(active_[k]);
    }
    return out;
  }

  void report(RfeStep *step) const {
    step->importance.resize(static_cast<Index>(order_.size()));
    for (std::size_t k = 0; k < order_.size(); ++k) {
      step->features.push_back(column_of(order_[k]));
      step->importance[static_cast<Index>(k)] = importance_[order_[k]];
    }
  }

  RfePathOptions options_;
  std::vector<int> set_; // columns of x; everything else counts places in it (slots)
  VectorXd shrinkage_;
  LinearSamples data_;
  std::vector<int> active_, gone_, order_;
  std::vector<Machine> machines_;
  MatrixXd gram_;
  VectorXd importance_;
  double made_at_ = 0.0;
  bool converged_ = true;
};

} // namespace rfe_detail

// Paths over the same sizes in several resamples (columns of `counts`), each from a set of its own.
inline std::vector<std::vector<RfeStep>>
run_rfe_paths(const ConstMatrix &x, const std::vector<int> &codes, int n_classes,
              const Eigen::Ref<const Eigen::MatrixXi> &counts,
              const std::vector<std::vector<int>> &sets, const std::vector<int> &sizes,
              const Eigen::VectorXd &root, const Eigen::VectorXd &shrinkage,
              const RfePathOptions &options, const Runtime &runtime = Runtime()) {
  if (counts.rows() != x.rows() || static_cast<Index>(codes.size()) != x.rows() ||
      static_cast<Index>(sets.size()) != counts.cols())
    throw std::invalid_argument("counts, codes and sets do not belong together");
  for (std::size_t s = 0; s < sizes.size(); ++s)
    if (sizes[s] < 1 || (s > 0 && sizes[s] >= sizes[s - 1]))
      throw std::invalid_argument("sizes must fall and be positive");
  for (const auto &set : sets)
    if (sizes.empty() || static_cast<int>(set.size()) != sizes[0])
      throw std::invalid_argument("the first size must be that of the sets");
  for (const auto &set : sets)
    for (int j : set)
      if (j < 0 || j >= x.cols())
        throw std::invalid_argument("a set has a column that is not there");
  std::vector<std::vector<RfeStep>> out(sets.size());
  run_in_chunks(sets.size(), static_cast<std::size_t>(std::max(1, runtime.n_threads)), runtime,
                [&](std::size_t task) {
                  rfe_detail::Path path(x, codes, n_classes,
                                        counts.col(static_cast<Index>(task)).data(), sets[task],
                                        root, shrinkage, options);
                  out[task] = path.run(sizes);
                });
  return out;
}

// One model of all features.
inline LinearWeights fit_linear(const ConstMatrix &x, const std::vector<int> &codes, int n_classes,
                                const Eigen::VectorXd &root, const Eigen::VectorXd &shrinkage,
                                const RfePathOptions &options) {
  std::vector<int> all(static_cast<std::size_t>(x.cols()));
  std::iota(all.begin(), all.end(), 0);
  const std::vector<int> counts(static_cast<std::size_t>(x.rows()), 1);
  return rfe_detail::Path(x, codes, n_classes, counts.data(), all, root, shrinkage, options).fit();
}

} // namespace stabilect

#endif
