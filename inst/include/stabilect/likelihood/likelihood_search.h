#ifndef STABILECT_LIKELIHOOD_SEARCH_H
#define STABILECT_LIKELIHOOD_SEARCH_H

// For numbers, two classes, counts and survival times: features found by snapshots are screened
// again in float at every point.

#include <algorithm>
#include <cmath>
#include <utility>

#include "stabilect/likelihood/model_search.h"
#include "stabilect/likelihood/run_likelihood.h"
#include "stabilect/path/working_set.h"

namespace stabilect {

class LikelihoodSearch : public ModelSearch<LikelihoodSearch, RunLikelihood> {
public:
  LikelihoodSearch(const LikelihoodOptions &options, const PackedMatrix &x, PathColumns columns,
                   const Outcomes &outcomes, const ConstMatrix &z, const LaneNorms &norms,
                   const Kernels &kernels)
      : ModelSearch(options, std::move(columns), outcomes, z, norms, kernels),
        work_(x, columns_, norms, kernels) {}

  void begin_snapshot(double q) {
    watch_.begin_snapshot(q);
    work_.clear();
  }
  void receive(int j, float product) {
    if (work_.varies(j))
      work_.add_found(j, product);
  }
  void end_snapshot() {
    work_.set_residual(watch_.norm());
    work_.watch(0.0, likelihood_.residual(), watch_.norm());
  }

  double largest_product() {
    double largest = 0.0;
    for (int j : work_.candidates(0.0, work_.largest_product()))
      largest = std::max(largest, std::abs(product(j)));
    return largest;
  }

  Array<Violator> violators(double bound, double excess) {
    work_.renew(likelihood_.residual(), set_.residual_norm());
    Array<Violator> out;
    for (int j : work_.candidates(0.0, bound)) {
      if (set_.has(j))
        continue;
      const double own = product(j);
      if (std::abs(own) > excess)
        out.push_back({j, own});
    }
    return out;
  }

  bool sign_of(int j) const { return set_.sign_of(j) > 0.0; }

private:
  double product(int j) { return columns_.product(j, likelihood_.residual(), *kernels_); }

  WorkingSet work_;
};

} // namespace stabilect

#endif
