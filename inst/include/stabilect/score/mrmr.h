#ifndef STABILECT_MRMR_H
#define STABILECT_MRMR_H

#include <vector>

#include "stabilect/score/information.h"

namespace stabilect {

namespace mrmr_detail {

using namespace information_detail;

// Greedy choice in one run (Peng, Long & Ding 2005): the feature with the largest relevance,
// then always the one with the best relevance against its mean information with those chosen.
// Ties go to the first column.
class Mrmr {
public:
  Mrmr(const ConstMatrix &x, const Bag &bag, const Entropies &entropies, const MrmrOptions &options)
      : p_(x.cols()), m_(bag.row.size()), bag_(&bag), options_(&options),
        information_(bag, entropies, options.information.miller_madow),
        codes_(static_cast<std::size_t>(p_) * m_), relevance_(p_),
        redundancy_(Eigen::VectorXd::Zero(p_)), taken_(static_cast<std::size_t>(p_), 0) {
    const BinRule rule = options.information.rule;
    for (Index j = 0; j < p_; ++j) {
      std::vector<Index> order;
      if (rule == BinRule::equal_frequency)
        order = sorted_rows(x.col(j).data(), x.rows());
      discretise(x.col(j).data(), bag, order, rule, codes(j));
      relevance_[j] = information_(codes(j), bag.n_bins, bag.y.data(), bag.n_classes);
    }
  }

  std::vector<int> choose(const Runtime &runtime) {
    std::vector<int> chosen;
    const Index n_features = std::min<Index>(options_->n_features, p_);
    while (static_cast<Index>(chosen.size()) < n_features && !runtime.stop_requested()) {
      const Index best = best_feature(chosen.size());
      taken_[static_cast<std::size_t>(best)] = 1;
      chosen.push_back(static_cast<int>(best));
      if (static_cast<Index>(chosen.size()) == n_features)
        break;
      for (Index j = 0; j < p_; ++j)
        if (!taken_[static_cast<std::size_t>(j)])
          redundancy_[j] += information_(codes(j), bag_->n_bins, codes(best), bag_->n_bins);
    }
    return chosen;
  }

private:
  Code *codes(Index j) { return codes_.data() + static_cast<std::size_t>(j) * m_; }

  Index best_feature(std::size_t n_chosen) const {
    Index best = -1;
    double highest = 0.0;
    for (Index j = 0; j < p_; ++j) {
      if (taken_[static_cast<std::size_t>(j)])
        continue;
      double value = relevance_[j];
      if (n_chosen > 0) {
        const double mean = redundancy_[j] / static_cast<double>(n_chosen);
        // The quotient would be infinite where the divisor is 0.
        value = options_->redundancy == Redundancy::difference ? value - mean
                                                               : value / std::max(mean, 1e-12);
      }
      if (best < 0 || value > highest)
        best = j, highest = value;
    }
    return best;
  }

  Index p_;
  std::size_t m_;
  const Bag *bag_;
  const MrmrOptions *options_;
  PairInformation information_;
  std::vector<Code> codes_;
  Eigen::VectorXd relevance_, redundancy_;
  std::vector<char> taken_;
};

} // namespace mrmr_detail

// The features (from 0) that each run chooses, best first; none in runs without samples. A thread
// keeps one byte per feature and sample.
inline std::vector<std::vector<int>>
select_mrmr(const ConstMatrix &x, const std::vector<int> &codes, int n_classes,
            const ConstVector &y, const Eigen::Ref<const Eigen::MatrixXi> &counts,
            const MrmrOptions &options, const Runtime &runtime = Runtime()) {
  namespace impl = mrmr_detail;
  const std::vector<impl::Bag> bags =
      impl::make_bags(codes, n_classes, y, counts, options.information);
  const impl::Entropies entropies(impl::largest_total(counts));
  std::vector<std::vector<int>> chosen(bags.size());
  run_tasks(bags.size(), runtime, [&](std::size_t b) {
    if (!bags[b].row.empty())
      chosen[b] = impl::Mrmr(x, bags[b], entropies, options).choose(runtime);
  });
  return chosen;
}

} // namespace stabilect

#endif
