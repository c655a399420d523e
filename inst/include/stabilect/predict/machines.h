#ifndef STABILECT_MACHINES_H
#define STABILECT_MACHINES_H

// Linear classifiers of one run: one machine for two classes; for several classes one of each
// against the rest, or one of each pair.

#include <limits>
#include <numeric>
#include <stdexcept>

#include "stabilect/base/error.h"
#include "stabilect/predict/products.h"
#include "stabilect/predict/solve_dual.h"
#include "stabilect/predict/solve_primal.h"

namespace stabilect {

struct LinearOptions {
  LinearLoss loss = LinearLoss::squared_hinge;
  double penalty = 1.0;        // C of the hinge losses, lambda of the logistic loss
  bool free_intercept = false; // or a penalised constant feature, as LIBLINEAR
  Scaling scaling = Scaling::sd;
  bool pairs = false; // of several classes: a machine for each pair, or each against the rest
  // Few features are fitted in the coordinates of the features, which is faster and stays accurate
  // with small penalties. But equal columns then have equal weights only up to rounding; from the
  // products of samples they are equal bit for bit, and ties are recognised.
  bool primal = true;
};

inline void check_linear(const ConstMatrix &x, const Array<int> &codes, Index n_rows,
                         const LinearOptions &options) {
  if (n_rows != x.rows() || codes.size() != x.rows())
    throw Error("counts and codes must have one row per row of x");
  if (!(options.penalty > 0.0))
    throw Error("cost and lambda must be positive");
}

// Weights on the scale of x.
struct LinearWeights {
  Eigen::MatrixXd weights; // features x machines
  Eigen::VectorXd constants;
  bool converged = true;
};

// What a machine tells apart: the samples of class `up` from class `down`, or from all others.
struct Contrast {
  int up;
  int down; // -1 for all others
};

// Of pairs in the order (0, 1), (0, 2), ..., (1, 2), ...
inline Array<Contrast> contrasts_of(int n_classes, bool pairs) {
  if (n_classes == 2)
    return {{1, -1}};
  Array<Contrast> out;
  for (int g = 0; g < n_classes; ++g) {
    if (!pairs)
      out.push_back({g, -1});
    for (int h = g + 1; pairs && h < n_classes; ++h)
      out.push_back({h, g});
  }
  return out;
}

struct Machine {
  bool present = false; // are there samples of both sides?
  double absent = 0.0;  // the decision value if not
  LinearProblem problem;
  DualFit dual;
  Eigen::VectorXd weights; // of the scaled features, in the order of the last fit
  double intercept = 0.0;
  Eigen::MatrixXd curved; // of these features and the intercept: as in solve_primal()
  NewtonEnd end;
};

// The decision value for a class that is not in the bag. Of a pair the class that is there wins.
constexpr double kAbsent = -std::numeric_limits<double>::infinity();

class Machines {
public:
  Machines(const LinearSamples &samples, const Array<int> &codes, int n_classes,
           const LinearOptions &options)
      : samples_(samples), loss_(options.loss), free_intercept_(options.free_intercept),
        primal_(options.primal && loss_ != LinearLoss::hinge) {
    for (const Contrast &contrast : contrasts_of(n_classes, options.pairs))
      machines_.push_back(make_machine(contrast, codes, options));
  }

  const Machine &operator[](Index g) const { return machines_[g]; }
  Index size() const { return machines_.size(); }

  // In the coordinates of the features? Hinge loss has no curvature.
  bool in_features(Index n_features) const { return primal_ && n_features <= samples_.n_bag(); }

  void fit_features(const Array<int> &slots) {
    const Index m = slots.size();
    Eigen::MatrixXd basis(samples_.n_bag(), m + 1);
    for (Index k = 0; k < m; ++k)
      basis.col(k) = samples_.column(slots[k]);
    basis.col(m).setOnes();
    for (Machine &machine : machines_) {
      if (!machine.present)
        continue;
      Eigen::VectorXd start;
      if (machine.weights.size() == m && m > 0) {
        start.resize(m + 1);
        start << machine.weights, machine.intercept;
      }
      const PrimalFit fit = solve_primal(basis, machine.problem, start, machine.curved);
      machine.weights = fit.weights.head(m);
      machine.intercept = fit.weights[m];
      finish(fit.end, &machine);
    }
  }

  // `gram`: the inner products of the samples in these features.
  void fit_products(const Array<int> &slots, Eigen::MatrixXd gram) {
    if (!free_intercept_)
      gram.array() += 1.0;
    for (Machine &machine : machines_) {
      if (!machine.present)
        continue;
      machine.dual = solve_dual(gram, machine.problem, machine.dual);
      machine.intercept = free_intercept_ ? machine.dual.intercept : machine.dual.beta.sum();
      machine.weights = samples_.weights_of(slots, machine.dual.beta);
      finish(machine.dual.end, &machine);
    }
  }

  // All features.
  void fit() {
    Array<int> all(samples_.n_features());
    std::iota(all.begin(), all.end(), 0);
    if (in_features(all.size()))
      return fit_features(all);
    ProductMatrix products(samples_);
    products.renew(all.data(), all.size());
    fit_products(all, products.matrix());
  }

  // Keeps some features of the last fit, and their weights as a start.
  void keep(const Array<char> &stays) {
    for (Machine &machine : machines_) {
      Index left = 0;
      for (Index k = 0; k < machine.weights.size(); ++k)
        if (stays[k])
          machine.weights[left++] = machine.weights[k];
      machine.weights.conservativeResize(left);
      if (machine.curved.rows() == static_cast<Index>(stays.size()) + 1)
        keep_curved(stays, &machine.curved);
    }
  }

  // Squared weights, summed over machines.
  Eigen::VectorXd squares(Index n_features) const {
    Eigen::VectorXd out = Eigen::VectorXd::Zero(n_features);
    for (const Machine &machine : machines_)
      if (machine.present)
        out += machine.weights.cwiseAbs2();
    return out;
  }

  bool converged() const { return converged_; } // in all fits

  // Decision values of rows of scaled features (slots are columns).
  Eigen::MatrixXd decision(const Eigen::MatrixXd &rows, const Array<int> &slots) const {
    Eigen::MatrixXd out(rows.rows(), size());
    for (Index g = 0; g < size(); ++g) {
      const Machine &machine = machines_[g];
      out.col(g).setConstant(machine.present ? machine.intercept : machine.absent);
      if (machine.present)
        for (Index k = 0; k < slots.size(); ++k)
          out.col(g) += machine.weights[k] * rows.col(slots[k]);
    }
    return out;
  }

  // After fit().
  LinearWeights on_scale_of_x() const {
    const Index m = samples_.n_features();
    LinearWeights out{Eigen::MatrixXd::Zero(m, size()), Eigen::VectorXd::Zero(size()), converged_};
    for (Index g = 0; g < size(); ++g) {
      const Machine &machine = machines_[g];
      out.constants[g] = machine.present ? machine.intercept : machine.absent;
      for (Index j = 0; machine.present && j < m; ++j) {
        out.weights(j, g) = machine.weights[j] * samples_.factor(j);
        out.constants[g] -= out.weights(j, g) * samples_.centre(j);
      }
    }
    return out;
  }

private:
  // Samples of other classes than the pair have no cost, and so no part in the fit.
  Machine make_machine(const Contrast &contrast, const Array<int> &codes,
                       const LinearOptions &options) const {
    const bool logistic = loss_ == LinearLoss::logistic;
    const Index n = samples_.n_bag();
    Machine machine;
    machine.problem.loss = loss_;
    machine.problem.lambda = logistic ? options.penalty : 1.0;
    machine.problem.cost = (logistic ? 1.0 : options.penalty) * samples_.weights();
    machine.problem.free_intercept = free_intercept_;
    machine.problem.y.resize(n);
    bool up = false, down = false;
    for (Index k = 0; k < n; ++k) {
      const int code = codes[samples_.bag()[k]];
      const bool is_up = code == contrast.up;
      const bool is_down = contrast.down < 0 ? !is_up : code == contrast.down;
      machine.problem.y[k] = is_up ? 1.0 : -1.0;
      if (!is_up && !is_down)
        machine.problem.cost[k] = 0.0;
      up = up || is_up;
      down = down || is_down;
    }
    machine.present = up && down;
    if (contrast.down < 0 || (down && !up))
      machine.absent = kAbsent;
    else if (up && !down)
      machine.absent = -kAbsent;
    return machine;
  }

  static void keep_curved(const Array<char> &stays, Eigen::MatrixXd *curved) {
    Array<Index> left;
    for (Index k = 0; k <= stays.size(); ++k)
      if (k == stays.size() || stays[k])
        left.push_back(k);
    Eigen::MatrixXd kept(left.size(), left.size());
    for (Index l = 0; l < left.size(); ++l)
      for (Index k = l; k < left.size(); ++k)
        kept(k, l) = (*curved)(left[k], left[l]);
    curved->swap(kept);
  }

  void finish(const NewtonEnd &end, Machine *machine) {
    machine->end = end;
    converged_ = converged_ && end.converged;
  }

  const LinearSamples &samples_;
  LinearLoss loss_;
  bool free_intercept_, primal_, converged_ = true;
  Array<Machine> machines_;
};

} // namespace stabilect

#endif
