#include "catch.h"

#include "path_oracle.h"

#include <limits>

using namespace path_oracle;
using namespace stabilect;

namespace {

using Eigen::Index;

// Counts of 0, 1 and 2; columns of different sizes, one far from zero, one constant among the rows
// that count.
struct Data {
  MatrixXd x{30, 7};
  VectorXd weights{30};

  Data() {
    Rng rng(31, 0);
    for (Index i = 0; i < 30; ++i) {
      weights[i] = static_cast<double>(rng.below(3));
      for (Index j = 0; j < 7; ++j)
        x(i, j) = rng.normal() * std::pow(10.0, j - 3);
      x(i, 5) += 1e7;
    }
    weights[0] = 0.0;
    x.col(6).setConstant(2.0);
    x(0, 6) = 3.0;
  }

  PathColumns columns(const PackedMatrix &packed, const LarsOptions &options) const {
    return PathColumns(packed, weights.data(), options);
  }
};

} // namespace

TEST_CASE("path parts: scaled columns have mean zero and length one", "[path]") {
  const Data data;
  const PackedMatrix packed(data.x, true);
  PathColumns columns = data.columns(packed, LarsOptions());
  CHECK(columns.rank_limit() == columns.n_rows() - 1);
  for (std::size_t j = 0; j < 6; ++j) {
    const PathColumns::Scale scale = columns.scale(j);
    CHECK_FALSE(scale.constant);
    const double *column = columns.column(columns.slot(j));
    double square = 0.0, mean = 0.0;
    for (std::size_t i = 0; i < columns.n_rows(); ++i) {
      const double root = columns.roots()[i];
      const double value = data.x(columns.rows()[i], static_cast<Index>(j));
      CHECK(column[i] == Approx(root * (value - scale.center) / scale.scale).margin(1e-8));
      square += column[i] * column[i];
      mean += root * column[i];
    }
    CHECK(square == Approx(1.0));
    CHECK(std::abs(mean) < 1e-8);
  }
  CHECK(columns.scale(6).constant);
  CHECK(columns.slot(6) < 0);
}

TEST_CASE("path parts: norms err by less than they say", "[path]") {
  const Data data;
  for (bool intercept : {true, false})
    for (bool normalize : {true, false}) {
      LarsOptions options;
      options.intercept = intercept;
      options.normalize = normalize;
      const PackedMatrix packed(data.x, intercept);
      std::vector<PathColumns> lanes;
      lanes.push_back(data.columns(packed, options));
      lanes.push_back(data.columns(packed, options));
      const NormTable table(packed, lanes, options, kernels());
      const LaneNorms norms = table.lane(1);
      double largest = normalize ? 1.0 : 0.0;
      for (int j = 0; j < (intercept ? 6 : 7); ++j) {
        const std::size_t column = static_cast<std::size_t>(j);
        const PathColumns::Moments m = lanes[1].moments(column);
        const double divisor = lanes[1].divisor(column, m);
        CHECK(std::abs(norms.scale_of(j) - divisor) <= norms.error * divisor);
        CHECK(norms.slack_of(j) > 0.0f);
        largest = std::max(largest, m.norm / divisor);
      }
      if (intercept)
        CHECK(norms.scale_of(6) == std::numeric_limits<float>::max());
      CHECK(norms.largest >= largest);
      CHECK(norms.largest <= 1.05 * largest);
    }
}

TEST_CASE("path parts: a snapshot's bound covers every column that was below its threshold",
          "[path]") {
  Rng rng(32, 0);
  MatrixXd x(16, 40);
  for (Index i = 0; i < x.size(); ++i)
    x.data()[i] = rng.normal();
  const VectorXd y = x.col(0) + x.col(1) + 0.5 * x.col(2), ones = VectorXd::Ones(16);
  const PackedMatrix packed(x, true);
  PathColumns columns(packed, ones.data(), LarsOptions());
  Residual at(columns, y.data(), true, kernels());
  REQUIRE_FALSE(at.constant);
  AlignedBuffer<double> u(columns.ld());
  for (std::size_t i = 0; i < 16; ++i)
    u[i] = 0.3 * columns.column(columns.slot(0))[i] + 0.2 * columns.column(columns.slot(1))[i];
  int held = 0, failed = 0;
  for (double q : {0.1, 0.3, 0.5, 0.8}) {
    SnapshotBound bound(columns.ld(), 1.0, kernels());
    bound.take(at, q);
    for (double lambda : {0.2, 0.5, 0.9})
      for (double step : {0.0, 0.1, 0.5}) {
        at.lambda = lambda * at.norm();
        const double length = step * at.lambda;
        if (!bound.holds(at, u, length)) {
          ++failed;
          continue;
        }
        ++held;
        for (int j = 0; j < 40; ++j) {
          const double c = columns.product(j, at.r, kernels());
          const double a = columns.product(j, u, kernels());
          if (std::abs(c) <= q * at.norm())
            CHECK(std::abs(c - length * a) <= at.lambda - length);
        }
      }
  }
  CHECK(held > 3);
  CHECK(failed > 3);
  // A snapshot of all columns leaves none that could come first.
  SnapshotBound all(columns.ld(), 1.0, kernels());
  all.take(at, 0.0);
  CHECK(all.holds(at, u, at.lambda));
}

TEST_CASE("path parts: a constant response leaves nothing to explain", "[path]") {
  const Data data;
  const PackedMatrix packed(data.x, true);
  const PathColumns columns = data.columns(packed, LarsOptions());
  const VectorXd same = VectorXd::Constant(30, 0.1);
  CHECK(Residual(columns, same.data(), true, kernels()).constant);
  CHECK_FALSE(Residual(columns, same.data(), false, kernels()).constant);
}
