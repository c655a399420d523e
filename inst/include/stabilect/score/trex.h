#ifndef STABILECT_TREX_H
#define STABILECT_TREX_H

// T-Rex (Machkour, Muma and Palomar 2025): in K experiments features compete with new dummies; a
// feature is judged by how often it entered before the T-th dummy.

#include <cmath>
#include <memory>
#include <stdexcept>

#include "stabilect/base/error.h"
#include "stabilect/score/trex_path.h"

namespace stabilect {

struct TrexOptions {
  double fdr = 0.2;
  int n_experiments = 20;
  int max_dummies = 10; // dummies are so many times the features at most
};

// The counts from which a set is chosen, and its estimated false discovery proportions.
class TrexRates {
public:
  TrexRates(int n_experiments, Index n_total, Index n_dummies)
      : k_(n_experiments), n_total_(n_total), n_dummies_(n_dummies) {}

  // `count`: the number of experiments in which each feature was active when the next dummy
  // entered.
  void add(const Eigen::VectorXi &count) {
    counts_.push_back(count);
    phi_prime_ = adjusted();
    Eigen::VectorXd fdp(n_levels());
    for (int i = 0; i < n_levels(); ++i)
      fdp[i] = proportion(i);
    fdp_.push_back(fdp);
  }

  // Levels 1/2, 1/2 + 1/K, ...; only features of all experiments are above the highest.
  int n_levels() const { return k_ / 2 + 1; }
  double level(int i) const { return 0.5 * twice(i) / k_; }
  int middle_level() const { return k_ / 4; } // 3/4, or the one below
  Index n_entered() const { return counts_.size(); }
  const Eigen::VectorXi &count(Index t) const { return counts_[t]; }
  const Eigen::VectorXd &phi_prime() const { return phi_prime_; }
  const Eigen::VectorXd &fdp(Index t) const { return fdp_[t]; }

  // Most features at an estimate of at most `fdr`; ties: the highest level, then the most dummies.
  // The last number of dummies, at which the growth ended, is not among them.
  struct Choice {
    Index entered = 0; // index of counts
    int level = -1;    // none: no estimate is low enough
  };
  Choice choose(double fdr) const {
    Choice best;
    int largest = 0;
    const Index last = counts_.size() > 1 ? counts_.size() - 1 : 1;
    for (int i = 0; i < n_levels(); ++i)
      for (Index t = 0; t < last; ++t) {
        const int size = above(t, i);
        if (fdp_[t][i] > fdr || size < largest)
          continue;
        largest = size;
        best.entered = t, best.level = i;
      }
    return best;
  }

private:
  int twice(int i) const { return std::min(k_ + 2 * i, 2 * k_ - 1); } // level times 2 K
  bool is_above(Index t, Index j, int i) const { return 2 * counts_[t][j] > twice(i); }
  int above(Index t, int i) const {
    int size = 0;
    for (Index j = 0; j < counts_[t].size(); ++j)
      size += is_above(t, j, i);
    return size;
  }
  int gain(Index t, Index j) const { return counts_[t][j] - (t > 0 ? counts_[t - 1][j] : 0); }

  // Phi'_j: every gain of j between two dummies, minus the share of these gains expected for
  // dummies, among features that were active in most experiments.
  Eigen::VectorXd adjusted() const {
    const Index last = counts_.size() - 1;
    const Index p = counts_[last].size();
    Eigen::VectorXd out = Eigen::VectorXd::Zero(p);
    for (Index t = 0; t <= last; ++t) {
      double all = 0.0, gained = 0.0;
      for (Index j = 0; j < p; ++j) {
        all += counts_[t][j];
        if (is_above(last, j, 0))
          gained += gain(t, j);
      }
      if (!(gained > 0.0))
        continue;
      const double left = n_dummies_ - t;
      const double share = 1.0 - (n_total_ - all / k_) / left / (gained / k_);
      for (Index j = 0; j < p; ++j)
        out[j] += share * gain(t, j) / k_;
    }
    return out;
  }

  double proportion(int i) const {
    const Index last = counts_.size() - 1;
    double sum = 0.0;
    int size = 0;
    for (Index j = 0; j < phi_prime_.size(); ++j)
      if (is_above(last, j, i))
        sum += 1.0 - phi_prime_[j], ++size;
    return size == 0 ? 0.0 : std::min(1.0, sum / size);
  }

  int k_;
  Index n_total_, n_dummies_;
  Array<Eigen::VectorXi> counts_;
  Eigen::VectorXd phi_prime_;
  Array<Eigen::VectorXd> fdp_;
};

// Of one run. No feature varies: n_dummies is 0.
struct TrexResult {
  Eigen::VectorXd phi; // share of the experiments, at the number of dummies that was chosen
  double level = 1.0;  // the set: features above it
  Index n_dummies = 0, n_entered = 0;
};

namespace trex_detail {

// Experiments with the same number of dummies; they continue if one more may enter.
class Experiments {
public:
  Experiments(const TrexColumns &x, const double *y, Index times, int n_experiments,
              std::uint64_t seed, const Runtime &runtime)
      : n_total_(x.p()), rates_(n_experiments, x.n_varying(), times * x.n_varying()),
        paths_(n_experiments) {
    run_tasks(paths_.size(), runtime, [&](Index k) {
      const Rng rng(seed, k + paths_.size() * times, domain_tag("trex dummies"));
      paths_[k] = std::make_unique<TrexPath>(x, y, x.p(), times * x.n_varying(), rng);
    });
  }

  const TrexRates &rates() const { return rates_; }

  void next_dummy(const Runtime &runtime) {
    const Index t = rates_.n_entered() + 1;
    run_tasks(paths_.size(), runtime, [&](Index k) { paths_[k]->advance(t, runtime); });
    Eigen::VectorXi count = Eigen::VectorXi::Zero(n_total_);
    for (const auto &path : paths_)
      for (Index at = 0; at < path->before_dummy(t); ++at)
        if (path->order()[at] < n_total_)
          ++count[path->order()[at]];
    rates_.add(count);
  }

private:
  Index n_total_;
  TrexRates rates_;
  Array<std::unique_ptr<TrexPath>> paths_;
};

// More dummies, until the middle level is safe with one entering dummy; then more entering ones,
// until the highest level is not.
inline TrexResult select(const TrexColumns &x, const double *y, const TrexOptions &options,
                         std::uint64_t seed, const Runtime &runtime) {
  TrexResult out;
  out.phi = Eigen::VectorXd::Zero(x.p());
  if (x.n_varying() == 0)
    return out;
  std::unique_ptr<Experiments> run;
  Index times = 0;
  do {
    ++times;
    run = std::make_unique<Experiments>(x, y, times, options.n_experiments, seed, runtime);
    run->next_dummy(runtime);
  } while (run->rates().fdp(0)[run->rates().middle_level()] > options.fdr &&
           times < options.max_dummies);
  out.n_dummies = times * x.n_varying();
  const TrexRates &rates = run->rates();
  const Index most = std::min(out.n_dummies, (x.n() + 1) / 2);
  while (rates.fdp(rates.n_entered() - 1)[rates.n_levels() - 1] <= options.fdr &&
         rates.n_entered() < most)
    run->next_dummy(runtime);
  const TrexRates::Choice choice = rates.choose(options.fdr);
  out.n_entered = choice.entered + 1;
  out.phi = rates.count(choice.entered).cast<double>() / options.n_experiments;
  if (choice.level >= 0)
    out.level = rates.level(choice.level);
  return out;
}

} // namespace trex_detail

// The results of all runs (columns of `counts`), each with its seed. A repeated sample counts once:
// copies would raise the chance correlations of features above those of dummies, which have no
// copies.
inline Array<TrexResult> select_trex(const ConstMatrix &x, const ConstMatrix &y,
                                     const Eigen::Ref<const Eigen::MatrixXi> &counts,
                                     const Array<std::uint64_t> &seeds, const TrexOptions &options,
                                     const Runtime &runtime = Runtime()) {
  const Index n_runs = counts.cols();
  if (seeds.size() != n_runs || options.n_experiments < 2 || options.max_dummies < 1)
    throw Error("T-Rex needs a seed for each run, two experiments and dummies");
  Array<TrexResult> out(n_runs);
  // A single run has its experiments in parallel; several are in parallel themselves.
  Runtime within;
  within.stop_requested = runtime.stop_requested;
  if (n_runs == 1)
    within.parallel_for = runtime.parallel_for;
  const auto task = [&](Index b) {
    Array<Index> rows;
    for (Index i = 0; i < counts.rows(); ++i)
      if (counts(i, b) > 0)
        rows.push_back(i);
    if (rows.size() < 3)
      return;
    const TrexColumns response(y, rows);
    out[b] =
        trex_detail::select(TrexColumns(x, rows), response.column(0), options, seeds[b], within);
  };
  if (n_runs == 1)
    task(0);
  else
    run_tasks(n_runs, runtime, task);
  return out;
}

} // namespace stabilect

#endif
