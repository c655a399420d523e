#ifndef STABILECT_ELIMINATION_H
#define STABILECT_ELIMINATION_H

// Recursive feature elimination (Guyon et al. 2002) with linear classifiers: fit, order, drop.

#include <algorithm>
#include <cmath>
#include <numeric>

#include "stabilect/base/ties.h"
#include "stabilect/predict/machines.h"

namespace stabilect {

struct EliminationPlan {
  Array<int> sizes;      // of the sets that are fitted: falling, the first one that of all
  int last = 0;          // of the set that is left when they have been, which is not fitted
  Array<int> kept;       // slots that never go, in the order in which they rank before all others
  Eigen::VectorXd worth; // importance = squared weight * worth of the slot; empty: ones
  TieOrder ties;         // of columns with equal importance
  // Sets up to this size are sorted completely; in larger ones only the features that are dropped
  // are sorted.
  int ordered = 0;
};

// From `first` features down, dropping a share (but at least one) at a time, while there are more
// than `last`.
inline Array<int> sizes_by_share(int first, double share, int last) {
  Array<int> sizes;
  for (int size = first; size > last;) {
    sizes.push_back(size);
    size -= static_cast<int>(std::max(1.0, std::floor(share * size)));
  }
  return sizes;
}

class Elimination {
public:
  Elimination(const LinearSamples &samples, const Array<int> &codes, int n_classes,
              const LinearOptions &options, EliminationPlan plan)
      : samples_(samples), machines_(samples, codes, n_classes, options), plan_(std::move(plan)),
        left_(samples), kept_(samples), importance_(samples.n_features()) {
    Array<char> is_kept(samples.n_features(), 0);
    for (int slot : plan_.kept)
      is_kept[slot] = 1;
    active_ = plan_.kept;
    for (int slot = 0; slot < static_cast<int>(samples.n_features()); ++slot)
      if (!is_kept[slot])
        active_.push_back(slot);
  }

  // After each fit, visit(s, next): the sizes[s] active features are ranked, at least those dropped
  // next, from place `next` on, the size of the next set.
  template <typename Visit> void run(const Visit &visit) {
    for (Index s = 0; s < plan_.sizes.size(); ++s) {
      const bool at_end = s + 1 == plan_.sizes.size();
      const int next = at_end ? plan_.last : plan_.sizes[s + 1];
      fit();
      order(plan_.sizes[s] <= plan_.ordered ? 0 : next);
      visit(s, next);
      drop(next);
    }
  }

  const Machines &machines() const { return machines_; }
  // Slots of the last fit, the most important first.
  const Array<int> &active() const { return active_; }
  const Array<int> &ranking() const { return ranking_; }
  double importance(int slot) const { return importance_[slot]; }

private:
  struct Place {
    double importance;
    int column, slot;
  };

  void fit() {
    if (machines_.in_features(active_.size()))
      return machines_.fit_features(active_);
    const Index n_kept = plan_.kept.size(), n_others = active_.size() - n_kept;
    const int *others = active_.data() + n_kept;
    if (left_.empty())
      left_.renew(others, n_others);
    else
      left_.drop(gone_, others, n_others);
    // Products of kept features are stored separately: they may be much larger, and subtracting the
    // others from a common sum would lose digits.
    if (n_kept > 0 && kept_.empty())
      kept_.renew(plan_.kept.data(), n_kept);
    if (n_kept > 0)
      machines_.fit_products(active_, left_.matrix() + kept_.matrix());
    else
      machines_.fit_products(active_, left_.matrix());
  }

  // The next model orders the first `stay` features: here they only precede the others. Compared
  // values lie side by side, which makes sorting fast.
  void order(Index stay) {
    const Eigen::VectorXd squares = machines_.squares(active_.size());
    places_.resize(active_.size());
    for (Index k = 0; k < active_.size(); ++k) {
      const int slot = active_[k];
      const double square = squares[k];
      importance_[slot] = plan_.worth.size() > 0 ? square * plan_.worth[slot] : square;
      places_[k] = {to_ten_digits(importance_[slot]), samples_.column_of(slot), slot};
    }
    const Index n_kept = plan_.kept.size();
    const auto place = [this](Index k) { return places_.begin() + k; };
    const auto above = [this](const Place &a, const Place &b) {
      return a.importance != b.importance ? a.importance > b.importance
                                          : plan_.ties(a.column, b.column);
    };
    stay = std::max(stay, n_kept);
    if (stay > n_kept)
      std::nth_element(place(n_kept), place(stay), places_.end(), above);
    std::sort(place(stay), places_.end(), above);
    ranking_.resize(places_.size());
    for (Index k = 0; k < places_.size(); ++k)
      ranking_[k] = places_[k].slot;
  }

  void drop(Index size) {
    gone_.assign(ranking_.begin() + size, ranking_.end());
    Array<char> goes(samples_.n_features(), 0);
    for (int slot : gone_)
      goes[slot] = 1;
    Array<char> stays;
    for (int slot : active_)
      stays.push_back(!goes[slot]);
    machines_.keep(stays);
    active_.erase(
        std::remove_if(active_.begin(), active_.end(), [&](int slot) { return goes[slot]; }),
        active_.end());
  }

  const LinearSamples &samples_;
  Machines machines_;
  EliminationPlan plan_;
  ProductMatrix left_, kept_; // of the features that may go, and of those that are kept
  Array<int> active_, gone_, ranking_;
  Array<Place> places_;
  Eigen::VectorXd importance_; // of the active slots, at the last fit
};

} // namespace stabilect

#endif
