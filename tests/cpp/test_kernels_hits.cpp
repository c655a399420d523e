#include "catch.h"

#include <stabilect/base/kernels.h>
#include <stabilect/base/rng.h>
#include <stabilect/base/types.h>

#include <cmath>

using stabilect::AlignedBuffer;
using stabilect::Array;
using stabilect::Index;
using stabilect::pad_rows;
using stabilect::Rng;

TEST_CASE("the nearest hit and the candidates are those of the formulas", "[kernels]") {
  Rng rng(47, 0);
  for (Index m : {1u, 8u, 13u, 100u}) {
    const Index padded = pad_rows(m);
    AlignedBuffer<float> c(padded), a(padded), scale(padded), slack(padded);
    for (Index k = 0; k < padded; ++k) {
      scale[k] = k < m ? static_cast<float>(0.5 + rng.uniform()) : 1.0f;
      c[k] = k < m ? static_cast<float>(0.9 * scale[k] * (2.0 * rng.uniform() - 1.0)) : 0.0f;
      a[k] = k < m ? static_cast<float>(2.0 * scale[k] * (2.0 * rng.uniform() - 1.0)) : 0.0f;
      slack[k] = k < m ? 1e-4f : 0.0f;
    }
    const double norm_a = 0.8, lambda = 1.0;
    const stabilect::HitArgs hits = {c.data(), a.data(), scale.data(), slack.data(),
                                     m,        0.8f,     1.0f,         0.0f};
    double nearest = lambda;
    for (Index k = 0; k < m; ++k) {
      const double product = c[k], slope = norm_a * a[k], s = scale[k];
      if (s > slope)
        nearest = std::min(nearest, (lambda * s - product) / (s - slope));
      if (s > -slope)
        nearest = std::min(nearest, (lambda * s + product) / (s + slope));
    }
    const double step = 0.7 * nearest + 0.1;
    stabilect::HitArgs at_step = hits;
    at_step.norm_a = static_cast<float>(step * norm_a);
    at_step.lambda = static_cast<float>(lambda - step);
    at_step.slack_factor = 2.0f;
    for (int width : {16, 0}) {
      const stabilect::Kernels &kernels = stabilect::kernels(width);
      REQUIRE(std::abs(kernels.nearest_hit(hits) - nearest) < 1e-5 * lambda);
      AlignedBuffer<float> moved(padded);
      for (Index k = 0; k < padded; ++k)
        moved[k] = c[k];
      kernels.move_products(0.3f, a.data(), moved.data(), m);
      for (Index k = 0; k < m; ++k)
        REQUIRE(std::abs(moved[k] - (c[k] - 0.3 * a[k])) < 1e-6);
      Array<int> found(padded, -1);
      found.resize(kernels.candidates(at_step, found.data()));
      Array<char> is_found(padded, 0);
      int last = -1;
      for (int k : found) {
        REQUIRE(k > last);
        REQUIRE(k < m);
        is_found[last = k] = 1;
      }
      for (Index k = 0; k < m; ++k) {
        const double excess =
            std::abs(c[k] - step * norm_a * a[k]) + 2.0 * slack[k] - (lambda - step) * scale[k];
        if (std::abs(excess) > 1e-5)
          REQUIRE(is_found[k] == (excess > 0.0));
      }
    }
  }
}
