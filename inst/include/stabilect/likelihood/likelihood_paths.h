#ifndef STABILECT_LIKELIHOOD_PATHS_H
#define STABILECT_LIKELIHOOD_PATHS_H

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "stabilect/base/error.h"
#include "stabilect/likelihood/class_likelihood.h"
#include "stabilect/likelihood/run_likelihood.h"
#include "stabilect/likelihood/snapshot_group.h"

namespace stabilect {

namespace likelihood_paths_detail {

template <typename Likelihood>
void run(const PackedMatrix &x, const Outcomes &outcomes, const ConstMatrix &z,
         const ConstMatrix &weights, const LikelihoodOptions &options, Index most,
         const Runtime &runtime, const PathConsumer<LikelihoodPath> &consume) {
  using Run = FollowedPath<Likelihood>;
  const Kernels &chosen = kernels(options.columns.kernel_width);
  const auto make = [&](Index, PathColumns columns, const LaneNorms &norms) {
    const double unit = std::sqrt(columns.total_weight());
    return new Run(options, unit, x, std::move(columns), outcomes, z, norms, chosen);
  };
  // A run must not depend on others being there: without coefficients, where models are stated
  // depends on the rounding of the products.
  if (weights.cols() != 1 || !options.keep_coefficients)
    return run_in_groups<SnapshotGroup<Likelihood>>(x, weights, options.columns, most, runtime,
                                                    make, consume);
  run_long_tasks(1, runtime, [&](Index, const std::function<void(double)> &part) {
    Array<PathColumns> columns;
    columns.emplace_back(x, weights.data(), options.columns);
    NormTable norms(x, 1);
    norms.compute(columns, options.columns, chosen);
    const std::unique_ptr<Run> run(make(0, std::move(columns[0]), norms.lane(0)));
    run_alone(x, *run, runtime, part);
    if (run->finished())
      consume(0, run->take_path());
  });
}

} // namespace likelihood_paths_detail

// Likelihood paths on many resamples of one matrix: column b of `weights` (n x B) weights the
// samples in run b. `z` (n x k, k may be 0) has the unpenalised columns. Consumers see each
// finished path once: consume(run, path), on any thread.
inline void run_likelihood_paths(const PackedMatrix &x, const Outcomes &outcomes,
                                 const ConstMatrix &z, const ConstMatrix &weights,
                                 LikelihoodOptions options, const Runtime &runtime,
                                 const PathConsumer<LikelihoodPath> &consume) {
  namespace impl = likelihood_paths_detail;
  if (outcomes.y.size() != x.n() || z.rows() != outcomes.y.size())
    throw Error("the response and the covariates must have one row per row of x");
  if (outcomes.offset.size() &&
      (outcomes.offset.rows() != outcomes.y.size() ||
       outcomes.offset.cols() != (outcomes.family == Family::multinomial ? outcomes.n_classes : 1)))
    throw Error("there must be one offset per row of x and linear predictor");
  if (!factors_fit(options.columns, x.p(), weights.cols()))
    throw Error("there must be one penalty weight per column of x, or per block and run");
  if (!(options.alpha > 0.0 && options.alpha <= 1.0) || options.n_lambda < 1)
    throw Error("alpha must be in (0, 1] and n_lambda at least 1");
  if (outcomes.family == Family::multinomial) {
    return impl::run<ClassLikelihood>(x, outcomes, z, weights, options, kLanes, runtime, consume);
  }
  for (double &lambda : options.lambda)
    lambda /= outcomes.unit;
  impl::run<RunLikelihood>(x, outcomes, z, weights, options, kLanes, runtime,
                           [&](Index run, LikelihoodPath path) {
                             if (outcomes.unit != 1.0)
                               path.rescale(outcomes.unit);
                             consume(run, std::move(path));
                           });
}

} // namespace stabilect

#endif
