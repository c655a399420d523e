#include "catch.h"

#include "path_oracle.h"

#include <algorithm>
#include <limits>

using namespace path_oracle;
using namespace stabilect;

namespace {

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
  for (Index j = 0; j < 6; ++j) {
    const PathColumns::Scale scale = columns.scale(j);
    CHECK_FALSE(scale.constant);
    const double *column = columns.column(columns.slot(j));
    double square = 0.0, mean = 0.0;
    for (Index i = 0; i < columns.n_rows(); ++i) {
      const double root = columns.roots()[i];
      const double value = data.x(columns.rows()[i], j);
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

TEST_CASE("path parts: the randomised lasso weakens columns by [weakness, 1)", "[path]") {
  const Data data;
  const PackedMatrix packed(data.x, true);
  LarsOptions options;
  PathColumns strong = data.columns(packed, options);
  CHECK(strong.factor(0) == 1.0);
  options.weakness = 0.4;
  PathColumns weak(packed, data.weights.data(), options, 3);
  for (Index j = 0; j < 7; ++j) {
    CHECK(weak.factor(j) >= 0.4);
    CHECK(weak.factor(j) < 1.0);
  }
}

TEST_CASE("path parts: norms err by less than they say", "[path]") {
  const Data data;
  for (bool intercept : {true, false})
    for (bool normalize : {true, false}) {
      LarsOptions options;
      options.intercept = intercept;
      options.normalize = normalize;
      const PackedMatrix packed(data.x, intercept);
      Array<PathColumns> lanes;
      lanes.push_back(data.columns(packed, options));
      lanes.push_back(data.columns(packed, options));
      NormTable table(packed);
      table.compute(lanes, options, kernels());
      const LaneNorms norms = table.lane(1);
      double largest = normalize ? 1.0 : 0.0;
      for (int j = 0; j < (intercept ? 6 : 7); ++j) {
        const Index column = j;
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

namespace {

// A residual, a direction of two columns, and forty columns.
struct Segment {
  MatrixXd x{16, 40};
  PackedMatrix packed;
  PathColumns columns;
  Residual at;
  AlignedBuffer<double> u;

  Segment()
      : x(normal(32)), packed(x, true), columns(packed, VectorXd::Ones(16).eval().data(), {}),
        at(columns, response().data(), true, kernels()), u(columns.ld()) {
    for (Index i = 0; i < 16; ++i)
      u[i] = 0.3 * columns.column(columns.slot(0))[i] + 0.2 * columns.column(columns.slot(1))[i];
  }

  static MatrixXd normal(std::uint64_t stream) {
    Rng rng(stream, 0);
    return normal_matrix(rng, 16, 40);
  }
  VectorXd response() const { return x.col(0) + x.col(1) + 0.5 * x.col(2); }
  double product(int j, double step) {
    return columns.product(j, at.r, kernels()) - step * columns.product(j, u, kernels());
  }
};

} // namespace

TEST_CASE("path parts: a snapshot says which columns stay below lambda", "[path]") {
  Segment s;
  REQUIRE_FALSE(s.at.constant);
  int covered = 0, partly = 0;
  for (double ahead : {0.0, 0.05, 0.2})
    for (double lambda : {0.2, 0.5, 0.9})
      for (double step : {0.0, 0.1, 0.5}) {
        s.at.lambda = lambda * s.at.norm();
        const double length = step * s.at.lambda, start = ahead * s.at.lambda;
        SnapshotBound bound(s.columns.ld(), 1.0, kernels());
        bound.take(s.at, s.u, start, 0.1);
        CHECK(bound.threshold() == 0.1);
        const double reach = bound.reach(s.at, length);
        double norm2 = 0.0;
        for (Index i = 0; i < 16; ++i)
          norm2 += std::pow(s.at.r[i] - start * s.u[i], 2);
        for (int j = 0; j < 40; ++j)
          if (std::abs(s.product(j, start)) <= reach * std::sqrt(norm2)) {
            ++covered;
            CHECK(std::abs(s.product(j, length)) <= s.at.lambda - length);
          }
        partly += reach > 0.0 && reach < 1.0;
        // At the snapshot's own residual the limit is lambda itself.
        if (length == start)
          CHECK(reach * std::sqrt(norm2) == Approx(s.at.lambda - length).epsilon(1e-3));
      }
  CHECK(covered > 100);
  CHECK(partly > 3);
  // Where lambda reaches zero nothing is covered.
  SnapshotBound bound(s.columns.ld(), 1.0, kernels());
  bound.take(s.at, s.u, 0.0, 0.0);
  CHECK(bound.reach(s.at, s.at.lambda) < 0.0);
}

TEST_CASE("path parts: more columns are watched as the limit falls, none without need", "[path]") {
  Segment s;
  Array<PathColumns> lanes;
  lanes.push_back(PathColumns(s.packed, VectorXd::Ones(16).eval().data(), {}));
  NormTable table(s.packed);
  table.compute(lanes, {}, kernels());
  WorkingSet work(s.packed, s.columns, table.lane(0), kernels());
  const double norm = s.at.norm();
  work.clear();
  for (int j = 0; j < 40; ++j)
    work.add_found(j, static_cast<float>(s.product(j, 0.0) / norm * s.columns.moments(j).norm));
  work.set_residual(norm);
  work.set_direction(s.u);
  for (double share : {0.6, 0.3, 0.1, 0.0}) {
    work.watch(share, s.at.r, norm);
    CHECK(work.watched() == share);
    Array<int> found = work.candidates(0.0, 0.0), expected;
    std::sort(found.begin(), found.end());
    for (int j = 0; j < 40; ++j)
      if (std::abs(s.product(j, 0.0)) > share * norm)
        expected.push_back(j);
    CHECK(found == expected);
    // Products of columns that joined early and late agree after the same steps.
    work.move(0.01 * norm, norm);
    for (Index i = 0; i < s.columns.ld(); ++i)
      s.at.r[i] -= 0.01 * norm * s.u[i];
    s.at.measure(kernels());
    for (int j : work.candidates(0.0, 0.2 * norm))
      CHECK(std::abs(s.product(j, 0.0)) > 0.199 * norm);
    for (Index i = 0; i < s.columns.ld(); ++i)
      s.at.r[i] += 0.01 * norm * s.u[i];
    work.move(-0.01 * norm, norm);
  }
}

TEST_CASE("path parts: a column leans on the active ones that it is made of", "[path]") {
  MatrixXd x = Segment::normal(33);
  x.col(5) = x.col(1);
  x.col(6) = x.col(1) - 2.0 * x.col(3);
  x.col(7) = x.col(0) + 3e-7 * x.col(20); // inside the limit, but not far
  const PackedMatrix packed(x, true);
  PathColumns columns(packed, VectorXd::Ones(16).eval().data(), {});
  ActiveSet active(columns, kernels());
  for (int j : {0, 1, 2, 3})
    REQUIRE(active.append(j, columns.slot(j), 1.0));
  REQUIRE(active.spans(columns.slot(5)));
  CHECK((active.leaned_on() == Array<int>{1}));
  REQUIRE(active.spans(columns.slot(6)));
  CHECK((active.leaned_on() == Array<int>{1, 3}));
  REQUIRE_FALSE(active.append(7, columns.slot(7), 1.0));
  CHECK(active.leaned_on().size() == 4u);
  CHECK_FALSE(active.spans(columns.slot(8)));
}

TEST_CASE("path parts: a constant response leaves nothing to explain", "[path]") {
  const Data data;
  const PackedMatrix packed(data.x, true);
  const PathColumns columns = data.columns(packed, LarsOptions());
  const VectorXd same = VectorXd::Constant(30, 0.1);
  CHECK(Residual(columns, same.data(), true, kernels()).constant);
  CHECK_FALSE(Residual(columns, same.data(), false, kernels()).constant);
}
