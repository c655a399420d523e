#ifndef STABILECT_MRMR_H
#define STABILECT_MRMR_H

#include "stabilect/base/ties.h"
#include "stabilect/score/information.h"

namespace stabilect {

namespace mrmr_detail {

using namespace information_detail;

// Greedy choice in one run (Peng, Long & Ding 2005): the feature with the largest relevance, then
// always the feature with the best relevance against its mean information with the chosen ones.
class Mrmr {
public:
  Mrmr(const ConstMatrix &x, const Bag &bag, const Entropies &entropies, const MrmrOptions &options,
       TieOrder ties)
      : p_(x.cols()), m_(bag.row.size()), bag_(&bag), options_(&options), ties_(ties),
        information_(bag, entropies, options.information.miller_madow), codes_(p_ * m_),
        relevance_(p_), redundancy_(Eigen::VectorXd::Zero(p_)), taken_(p_, 0) {
    const BinRule rule = options.information.rule;
    for (Index j = 0; j < p_; ++j) {
      Array<Index> order;
      if (rule == BinRule::equal_frequency)
        order = sorted_rows(x.col(j).data(), x.rows());
      discretise(x.col(j).data(), bag, order, rule, codes(j));
      relevance_[j] = information_(codes(j), bag.n_bins, bag.y.data(), bag.n_classes);
    }
  }

  Array<int> choose(const Runtime &runtime) {
    Array<int> chosen;
    const Index n_features = std::min<Index>(options_->n_features, p_);
    while (chosen.size() < n_features && !runtime.stop_requested()) {
      const Index best = best_feature(chosen.size());
      taken_[best] = 1;
      chosen.push_back(static_cast<int>(best));
      if (chosen.size() == n_features)
        break;
      for (Index j = 0; j < p_; ++j)
        if (!taken_[j])
          redundancy_[j] += information_(codes(j), bag_->n_bins, codes(best), bag_->n_bins);
    }
    return chosen;
  }

private:
  Code *codes(Index j) { return codes_.data() + j * m_; }

  Index best_feature(Index n_chosen) const {
    Index best = -1;
    double highest = 0.0;
    for (Index j = 0; j < p_; ++j) {
      if (taken_[j])
        continue;
      double value = relevance_[j];
      if (n_chosen > 0) {
        const double mean = redundancy_[j] / n_chosen;
        // The quotient would be infinite where the divisor is 0.
        value = options_->redundancy == Redundancy::difference ? value - mean
                                                               : value / std::max(mean, 1e-12);
      }
      if (best < 0 || value > highest || (value == highest && ties_(j, best)))
        best = j, highest = value;
    }
    return best;
  }

  Index p_;
  Index m_;
  const Bag *bag_;
  const MrmrOptions *options_;
  TieOrder ties_;
  PairInformation information_;
  Array<Code> codes_;
  Eigen::VectorXd relevance_, redundancy_;
  Array<char> taken_;
};

} // namespace mrmr_detail

// The features (from 0) that each run chooses, best first; none in runs without samples. A thread
// keeps one byte per feature and sample.
inline Array<Array<int>> select_mrmr(const ConstMatrix &x, const Array<int> &codes, int n_classes,
                                     const ConstVector &y,
                                     const Eigen::Ref<const Eigen::MatrixXi> &counts,
                                     const MrmrOptions &options, const Runtime &runtime = Runtime(),
                                     const Ties &ties = Ties()) {
  check_ties(ties, x.cols(), counts.cols());
  namespace impl = mrmr_detail;
  const Array<impl::Bag> bags = impl::make_bags(codes, n_classes, y, counts, options.information);
  const impl::Entropies entropies(impl::largest_total(counts));
  Array<Array<int>> chosen(bags.size());
  run_tasks(bags.size(), runtime, [&](Index b) {
    if (!bags[b].row.empty())
      chosen[b] = impl::Mrmr(x, bags[b], entropies, options, ties.in_run(b)).choose(runtime);
  });
  return chosen;
}

} // namespace stabilect

#endif
