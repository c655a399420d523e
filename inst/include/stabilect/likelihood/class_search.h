#ifndef STABILECT_CLASS_SEARCH_H
#define STABILECT_CLASS_SEARCH_H

// For several classes: features found by a snapshot are not screened again in float. The few that
// are no longer proved below the bound (residual_watch.h) are computed in double.

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "stabilect/likelihood/class_likelihood.h"
#include "stabilect/likelihood/model_search.h"

namespace stabilect {

class ClassSearch : public ModelSearch<ClassSearch, ClassLikelihood> {
public:
  ClassSearch(const LikelihoodOptions &options, const PackedMatrix &, PathColumns columns,
              const Outcomes &outcomes, const ConstMatrix &z, const LaneNorms &norms,
              const Kernels &kernels)
      : ModelSearch(options, std::move(columns), outcomes, z, norms, kernels), norms_(norms) {}

  void begin_snapshot(double q) {
    watch_.begin_snapshot(q);
    found_.clear();
  }
  // `product`: norm of the products with the residual of norm one, in float.
  void receive(int j, float product) {
    const float scale = norms_.scale_of(j);
    if (scale < std::numeric_limits<float>::max())
      found_.push_back({j, (product + norms_.slack_of(j)) / scale * (1.0 + 2.5 * norms_.error)});
  }
  void end_snapshot() {
    std::stable_sort(found_.begin(), found_.end(),
                     [](const Found &a, const Found &b) { return a.most > b.most; });
  }

  double largest_product() {
    double largest = 0.0;
    for (const Found &one : found_) {
      if (one.most * watch_.norm() < largest)
        break;
      largest = std::max(largest, std::abs(set_.product(one.feature)));
    }
    return largest;
  }

  Array<Violator> violators(double bound, double excess) {
    const double reach = watch_.reach(likelihood_.residual(), bound);
    Array<Violator> out;
    for (const Found &one : found_) {
      if (one.most <= reach)
        break;
      if (set_.has(one.feature))
        continue;
      const double product = set_.product(one.feature);
      if (std::abs(product) > excess)
        out.push_back({one.feature, product});
    }
    return out;
  }

  // The class, from 1, in which the coefficient of an active feature is largest; for two classes,
  // is it the second?
  char sign_of(int j) const {
    const Array<int> &active = set_.state().feature;
    const auto at = std::find(active.begin(), active.end(), j) - active.begin();
    Index best;
    const Eigen::VectorXd of_classes = likelihood_.by_class(set_.block(at));
    of_classes.maxCoeff(&best);
    return static_cast<char>(likelihood_.width() == 1 ? best : best + 1);
  }

private:
  struct Found {
    int feature;
    double most; // of ||x~_j'R|| / ||R|| at the snapshot
  };

  LaneNorms norms_;
  Array<Found> found_;
};

} // namespace stabilect

#endif
