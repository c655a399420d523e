#ifndef STABILECT_RESAMPLE_H
#define STABILECT_RESAMPLE_H

#include <Eigen/Core>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <stdexcept>

#include "stabilect/base/allocate.h"
#include "stabilect/base/error.h"
#include "stabilect/base/rng.h"
#include "stabilect/base/runtime.h"

namespace stabilect {

enum class ResampleScheme { subsample, bootstrap, pairs, loo, folds };

struct ResampleOptions {
  ResampleScheme scheme = ResampleScheme::subsample;
  // Independent draws: runs of subsample and bootstrap, pairs, repeats of folds. Not used by loo.
  int n_units = 100;
  // Size of subsample and bootstrap draws: floor(fraction * n + 1e-9). Not used by the others.
  double fraction = 0.75;
  int n_folds = 10;
  // Allocate every draw over the classes by largest remainder.
  bool stratify = false;
  // Oversample the smaller classes of every draw to the size of its largest class.
  bool balance = false;
  // Fewest samples in a run. Blocks of samples, drawn in their place, may be alone.
  int min_size = 2;
  int max_redraws = 1000;
  std::uint64_t seed = 0;
};

// One entry per run (column of the counts).
struct ResampleResult {
  Array<int> redraws;
  Array<bool> degenerate;
};

// Label of a block with samples of several labels: no run with it is degenerate.
constexpr int several_labels = -1;

// Draws the in-bag counts of every run. Unit u (a run, a pair, a repeat of folds) uses only
// Rng(seed, u, tag of the scheme): it is the same for any number of units.
class Resampler {
public:
  // `labels`: class codes from 0, one per sample, in the order in which ties are allocated; for a
  // numeric response any code per distinct value; empty without a response. A sample here may be a
  // block of samples; then `several_labels` is also allowed.
  Resampler(int n, const Array<int> &labels, const ResampleOptions &options)
      : n_(n), labels_(labels), options_(options) {
    check();
    n_labels_ = labels.empty() ? 0 : *std::max_element(labels.begin(), labels.end()) + 1;
    strata_.resize(options.stratify ? n_labels_ : 1);
    for (int i = 0; i < n; ++i) {
      strata_[options.stratify ? labels[i] : 0].push_back(i);
    }
    for (const auto &rows : strata_)
      stratum_sizes_.push_back(static_cast<int>(rows.size()));
    if (options.scheme != ResampleScheme::folds && options.scheme != ResampleScheme::loo) {
      first_ = allocate(size_, stratum_sizes_);
    }
    if (options.scheme == ResampleScheme::pairs) {
      Array<int> rest(stratum_sizes_);
      for (Index s = 0; s < rest.size(); ++s)
        rest[s] -= first_[s];
      second_ = allocate(size_, rest);
    }
    tries_ = redraws_allowed();
  }

  int n_units() const { return options_.scheme == ResampleScheme::loo ? n_ : options_.n_units; }

  int runs_per_unit() const {
    if (options_.scheme == ResampleScheme::pairs)
      return 2;
    return options_.scheme == ResampleScheme::folds ? options_.n_folds : 1;
  }

  int n_runs() const { return n_units() * runs_per_unit(); }

  // Fills `counts` (n x runs_per_unit()) with unit `unit` and returns the number of redraws.
  int draw_unit(int unit, Eigen::Ref<Eigen::MatrixXi> counts) const {
    Rng rng(options_.seed, unit, domain());
    int redraws = 0;
    draw_rows(unit, rng, counts);
    while (redraws < tries_ && any_degenerate(counts)) {
      draw_rows(unit, rng, counts);
      ++redraws;
    }
    if (options_.balance) {
      for (Index run = 0; run < counts.cols(); ++run)
        balance(rng, counts.col(run));
    }
    return redraws;
  }

  // Does a run have fewer than two distinct labels (never without labels)?
  bool degenerate(const Eigen::Ref<const Eigen::VectorXi> &counts) const {
    if (labels_.empty())
      return false;
    int seen = -1;
    for (int i = 0; i < n_; ++i) {
      if (counts[i] == 0)
        continue;
      if (labels_[i] == several_labels || (seen >= 0 && labels_[i] != seen))
        return false;
      seen = labels_[i];
    }
    return true;
  }

private:
  void check() {
    if (n_ < 2)
      throw Error("`n` must be at least 2");
    if (!labels_.empty() && labels_.size() != n_) {
      throw Error("`labels` must be empty or have one entry per sample");
    }
    const int smallest = options_.stratify || options_.balance ? 0 : several_labels;
    if (std::any_of(labels_.begin(), labels_.end(), [&](int label) { return label < smallest; })) {
      throw Error("`labels` must not be negative");
    }
    if (labels_.empty() && (options_.stratify || options_.balance)) {
      throw Error("`stratify` and `balance` need labels");
    }
    if (options_.n_units < 1)
      throw Error("`n_units` must be at least 1");
    if (!(options_.fraction > 0.0 && options_.fraction <= 1.0)) {
      throw Error("`fraction` must be in (0, 1]");
    }
    const bool folds = options_.scheme == ResampleScheme::folds;
    if (folds && (options_.n_folds < 2 || options_.n_folds > n_)) {
      throw Error("`n_folds` must be between 2 and the number of samples");
    }
    // 1e-9 is added because 0.29 * 100 is 28.999... in floating point, where users expect 29.
    size_ = options_.scheme == ResampleScheme::pairs
                ? n_ / 2
                : static_cast<int>(std::floor(options_.fraction * n_ + 1e-9));
    if (smallest_run() < options_.min_size)
      throw Error("a run has too few samples");
  }

  int smallest_run() const {
    if (options_.scheme == ResampleScheme::loo)
      return n_ - 1;
    if (options_.scheme == ResampleScheme::folds)
      return n_ - 1 - (n_ - 1) / options_.n_folds;
    return size_;
  }

  std::uint64_t domain() const {
    static const std::uint64_t tags[] = {
        // in the order of ResampleScheme
        domain_tag("resample subsample"), domain_tag("resample bootstrap"),
        domain_tag("resample pairs"), domain_tag("resample loo"), domain_tag("resample folds")};
    return tags[static_cast<int>(options_.scheme)];
  }

  // No redraw where it cannot help: nothing is random (loo), the class totals of a draw are fixed
  // (stratified), or only one sample is outside the most frequent label and two runs need one each
  // (pairs, folds).
  int redraws_allowed() const {
    if (labels_.empty() || options_.stratify || options_.scheme == ResampleScheme::loo)
      return 0;
    Array<int> totals(n_labels_, 0);
    for (int label : labels_) {
      if (label != several_labels)
        ++totals[label];
    }
    const auto most = std::max_element(totals.begin(), totals.end());
    const int others = most == totals.end() ? n_ : n_ - *most;
    return others < (runs_per_unit() > 1 ? 2 : 1) ? 0 : options_.max_redraws;
  }

  void draw_rows(int unit, Rng &rng, Eigen::Ref<Eigen::MatrixXi> counts) const {
    counts.setZero();
    if (options_.scheme == ResampleScheme::loo) {
      counts.setOnes();
      counts(unit, 0) = 0;
      return;
    }
    int dealt = 0;
    for (Index s = 0; s < strata_.size(); ++s) {
      if (options_.scheme == ResampleScheme::bootstrap) {
        for (int i = 0; i < first_[s]; ++i) {
          ++counts(strata_[s][rng.below(strata_[s].size())], 0);
        }
      } else if (options_.scheme == ResampleScheme::folds) {
        deal_folds(rng, strata_[s], dealt, counts);
      } else {
        draw_without_replacement(rng, s, counts);
      }
    }
  }

  // The first rows of the shuffle go to the first half of a pair, the next to the second.
  void draw_without_replacement(Rng &rng, Index s, Eigen::Ref<Eigen::MatrixXi> counts) const {
    Array<int> rows(strata_[s]);
    const Index first = first_[s];
    const Index both = first + (second_.empty() ? 0 : second_[s]);
    rng.partial_shuffle(rows.begin(), rows.end(), both);
    for (Index i = 0; i < both; ++i)
      counts(rows[i], i < first ? 0 : 1) = 1;
  }

  // Rows are dealt to the folds in turn; the next stratum continues after the last fold. Sizes and
  // class totals of the folds then differ by at most one.
  void deal_folds(Rng &rng, const Array<int> &stratum, int &dealt,
                  Eigen::Ref<Eigen::MatrixXi> counts) const {
    Array<int> rows(stratum);
    rng.shuffle(rows.begin(), rows.end());
    for (int row : rows) {
      counts.row(row).setOnes();
      counts(row, dealt++ % options_.n_folds) = 0;
    }
  }

  bool any_degenerate(const Eigen::Ref<const Eigen::MatrixXi> &counts) const {
    for (Index run = 0; run < counts.cols(); ++run) {
      if (degenerate(counts.col(run)))
        return true;
    }
    return false;
  }

  // As compute.balanced() of FeaLect: the extra samples of a class are drawn with replacement from
  // its drawn rows (a row drawn twice counts twice). A class that was not drawn is not added.
  void balance(Rng &rng, Eigen::Ref<Eigen::VectorXi> counts) const {
    Array<Array<int>> drawn(n_labels_);
    for (int i = 0; i < n_; ++i) {
      auto &rows = drawn[labels_[i]];
      rows.insert(rows.end(), std::size_t(counts[i]), i);
    }
    Index largest = 0;
    for (const auto &rows : drawn)
      largest = std::max(largest, rows.size());
    for (const auto &rows : drawn) {
      if (rows.empty())
        continue;
      for (Index i = rows.size(); i < largest; ++i)
        ++counts[rows[rng.below(rows.size())]];
    }
  }

  int n_;
  Array<int> labels_;
  ResampleOptions options_;
  int n_labels_ = 0;
  int size_ = 0;
  int tries_ = 0;
  Array<Array<int>> strata_;
  Array<int> stratum_sizes_;
  Array<int> first_;  // samples per stratum of a draw, or of the first half of a pair
  Array<int> second_; // samples per stratum of the second half of a pair
};

// All units: the columns of `counts` (n x n_runs) are the runs, unit by unit. Many units of many
// samples take seconds: the runtime is polled before each.
inline ResampleResult draw_resamples(const Resampler &resampler, Eigen::Ref<Eigen::MatrixXi> counts,
                                     const Runtime &runtime = Runtime()) {
  const int width = resampler.runs_per_unit();
  if (counts.cols() != resampler.n_runs()) {
    throw Error("`counts` must have one column per run");
  }
  ResampleResult result;
  for (int unit = 0; unit < resampler.n_units(); ++unit) {
    if (runtime.stop_requested())
      throw Interrupted();
    const int redraws = resampler.draw_unit(unit, counts.middleCols(unit * width, width));
    for (int run = unit * width; run < (unit + 1) * width; ++run) {
      result.redraws.push_back(redraws);
      result.degenerate.push_back(resampler.degenerate(counts.col(run)));
    }
  }
  return result;
}

} // namespace stabilect

#endif
