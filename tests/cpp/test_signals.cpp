#include "catch.h"

#include <Eigen/Eigenvalues>

#include <stabilect/signal/find_signals.h>

#include "normals.h"
#include "two_threads.h"

using namespace stabilect;

namespace {

Eigen::MatrixXd intercept(Index n) {
  return Eigen::MatrixXd::Constant(n, 1, 1.0 / std::sqrt(static_cast<double>(n)));
}

Array<int> all_columns(Index p) {
  Array<int> order(p);
  std::iota(order.begin(), order.end(), 0);
  return order;
}

// All orders of n samples but the one in which they are.
Array<int> other_orders(int n) {
  Array<int> order = all_columns(n), places;
  while (std::next_permutation(order.begin(), order.end()))
    places.insert(places.end(), order.begin(), order.end());
  return places;
}

// Of the first question alone: with this gate nothing is sampled.
Signals signals_of(const SignalData &data, const NullDraws &draws, const Runtime &runtime) {
  Passes passes(runtime);
  SignalOptions options;
  options.gate = 0.0;
  return find_signals(data, intercept(data.basis.rows()), data.y, draws, options, passes);
}

} // namespace

TEST_CASE("coordinates are orthogonal to the covariates and keep all lengths", "[signal]") {
  const Index n = 12, p = 30;
  Eigen::MatrixXd x = normals(n, p, 1);
  x.col(4).setConstant(3.7);
  x.col(5).array() += 1e7;
  Eigen::MatrixXd z(n, 2);
  z << Eigen::VectorXd::Ones(n), normals(n, 1, 2);
  const Eigen::MatrixXd basis =
      Eigen::HouseholderQR<Eigen::MatrixXd>(z).householderQ() * Eigen::MatrixXd::Identity(n, 2);
  x.col(6) = 2.0 * z.col(1).array() + 5.0; // nothing is left of it
  const SignalData data = signal_data(x, normals(n, 1, 3).col(0), basis);
  REQUIRE(data.m() == n - 2);
  REQUIRE((data.basis.transpose() * z).cwiseAbs().maxCoeff() < 1e-10);
  REQUIRE((data.basis.transpose() * data.basis - Eigen::MatrixXd::Identity(data.m(), data.m()))
              .cwiseAbs()
              .maxCoeff() < 1e-10);
  for (Index j = 0; j < p; ++j) {
    REQUIRE(data.varies(j) == (j != 4 && j != 6));
    REQUIRE(data.x.col(j).norm() == Approx(data.varies(j) ? 1.0 : 0.0).margin(1e-9));
  }
  // In these coordinates the products of the samples are diagonal, and ascend.
  Eigen::MatrixXd products = data.x * data.x.transpose();
  products *= data.m() / products.trace();
  REQUIRE((products.diagonal() - data.spectrum).cwiseAbs().maxCoeff() < 1e-10);
  products.diagonal().setZero();
  REQUIRE(products.cwiseAbs().maxCoeff() < 1e-10);
  REQUIRE(std::is_sorted(data.spectrum.data(), data.spectrum.data() + data.m()));
}

TEST_CASE("eigenvectors are those of Eigen, in steps and on two threads", "[signal]") {
  const Index n = 70;
  // Some eigenvalues are equal, some are zero.
  Eigen::MatrixXd half = normals(n, 60, 1);
  half.col(1) = half.col(0);
  Eigen::MatrixXd matrix = half * half.transpose();
  matrix.diagonal().tail(3).setConstant(7.0);
  matrix.bottomRows(3).leftCols(n - 3).setZero();
  matrix.rightCols(3).topRows(n - 3).setZero();
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> known(matrix);
  const SymmetricEigen found = symmetric_eigen(matrix);
  const double size = known.eigenvalues().maxCoeff();
  REQUIRE((found.values - known.eigenvalues()).cwiseAbs().maxCoeff() < 1e-13 * size);
  // The largest are apart from each other; signs are those of the same algorithm.
  REQUIRE((found.vectors.rightCols(20) - known.eigenvectors().rightCols(20)).cwiseAbs().maxCoeff() <
          1e-11);
  const Eigen::MatrixXd one = Eigen::MatrixXd::Identity(n, n);
  for (Index in_place : {Index(1000), Index(10)}) {
    const SymmetricEigen again = symmetric_eigen(matrix, two_threads(), in_place);
    REQUIRE((again.vectors.transpose() * again.vectors - one).cwiseAbs().maxCoeff() < 1e-12);
    REQUIRE(
        (matrix * again.vectors - again.vectors * again.values.asDiagonal()).cwiseAbs().maxCoeff() <
        1e-12 * size);
    REQUIRE(again.vectors == symmetric_eigen(matrix, Runtime(), in_place).vectors);
    if (in_place > n)
      REQUIRE(again.vectors == found.vectors);
  }
}

TEST_CASE("an interrupt stops the eigenvectors at every stage", "[signal]") {
  const Eigen::MatrixXd half = normals(40, 60, 1), matrix = half * half.transpose();
  for (int after : {0, 20, 45, 75}) {
    int asked = 0;
    Runtime runtime;
    runtime.stop_requested = [&] { return ++asked > after; };
    REQUIRE_THROWS_AS(symmetric_eigen(matrix, runtime), Interrupted);
  }
}

namespace {

// Columns and covariates, one direction far above the others; column 5 does not vary.
struct ManySamples {
  Eigen::MatrixXd x, z, basis;
  Eigen::VectorXd y;

  ManySamples(Index n, Index p) : x(normals(n, p, 1)), z(n, 2), y(normals(n, 1, 3).col(0)) {
    x.col(3) = x.col(2) - x.col(1); // so that the rank is below p
    x.col(5).setConstant(2.0);
    x.leftCols(4).colwise() += 3.0 * normals(n, 1, 4).col(0);
    z << Eigen::VectorXd::Ones(n), normals(n, 1, 2);
    basis =
        Eigen::HouseholderQR<Eigen::MatrixXd>(z).householderQ() * Eigen::MatrixXd::Identity(n, 2);
  }
};

} // namespace

TEST_CASE("the samples as coordinates keep products, spectrum and directions", "[signal]") {
  const Index n = 40, p = 12;
  const ManySamples of(n, p);
  const SignalData few = signal_data(of.x, of.y, of.basis),
                   many = signal_data(of.x, of.y, of.basis, Runtime(), 10);
  REQUIRE(!few.in_samples());
  REQUIRE(many.in_samples());
  REQUIRE(many.m() == n);
  REQUIRE(many.degrees == few.m());
  REQUIRE(many.x_norm == few.x_norm);
  REQUIRE((many.x.transpose() * many.x - few.x.transpose() * few.x).cwiseAbs().maxCoeff() < 1e-10);
  REQUIRE((many.x.transpose() * many.y - few.x.transpose() * few.y).cwiseAbs().maxCoeff() < 1e-10);
  REQUIRE((many.x.transpose() * of.z).cwiseAbs().maxCoeff() < 1e-10);
  REQUIRE((many.spectrum - few.spectrum.tail(p)).cwiseAbs().maxCoeff() < 1e-10);
  const Eigen::MatrixXd metric = few.basis * few.spectrum.asDiagonal() * few.basis.transpose();
  REQUIRE((many.directions * many.directions.transpose() - metric).cwiseAbs().maxCoeff() < 1e-10);
  // Products of columns without the covariates are the same in both coordinates.
  const Eigen::MatrixXd columns = normals(n, 3, 7);
  const Eigen::MatrixXd a = few.coordinates_of(columns), b = many.coordinates_of(columns);
  REQUIRE((a.transpose() * a - b.transpose() * b).cwiseAbs().maxCoeff() < 1e-10);
  REQUIRE((few.samples_of(a.col(1)) - many.samples_of(b.col(1))).cwiseAbs().maxCoeff() < 1e-10);
}

TEST_CASE("the p values of many samples are those of few", "[signal]") {
  const Index n = 40;
  const ManySamples of(n, 12);
  const NullDraws draws = NullDraws::permutations(Array<int>(n, 0), 199, 4);
  const Runtime runtime = two_threads();
  const auto found = [&](Index many) {
    const SignalData data = signal_data(of.x, of.y, of.basis, runtime, many);
    Passes passes(runtime);
    SignalOptions options;
    options.gate = 0.0;
    return find_signals(data, of.basis, of.y, draws, options, passes);
  };
  const Signals few = found(1000), many = found(10);
  REQUIRE(many.adjusted_p == few.adjusted_p);
  REQUIRE((many.maxima - few.maxima).cwiseAbs().maxCoeff() < 1e-6);
}

TEST_CASE("leading directions are those of a decomposition", "[signal]") {
  // More columns than are decomposed whole: ten strong directions among weak ones.
  const Index n = 400, p = 300, strong = 10;
  const Eigen::MatrixXd x = normals(n, p, 1) + 4.0 * normals(n, strong, 2) * normals(strong, p, 3);
  const SignalData few = signal_data(x, normals(n, 1, 4).col(0), intercept(n)),
                   many = signal_data(x, normals(n, 1, 4).col(0), intercept(n), Runtime(), 10),
                   again = signal_data(x, normals(n, 1, 4).col(0), intercept(n), two_threads(), 10);
  REQUIRE(many.directions == again.directions);
  REQUIRE(many.spectrum.size() == kMostDirections);
  for (Index k = 1; k <= strong; ++k)
    REQUIRE(many.spectrum[kMostDirections - k] == Approx(few.spectrum[few.m() - k]).epsilon(1e-6));
  // Of the weak ones nearly all that a decomposition has.
  REQUIRE(many.spectrum.sum() > 0.97 * few.spectrum.tail(kMostDirections).sum());
  REQUIRE(many.spectrum.sum() < few.spectrum.tail(kMostDirections).sum() + 1e-8);
}

TEST_CASE("the slack of many samples is a small part of a correlation without signal", "[signal]") {
  for (Index m : {10, 50, 63})
    REQUIRE(likely_slack(m) == float_slack(m));
  for (Index m : {1001, 10000, 100000, 1000000}) {
    REQUIRE(likely_slack(m) < float_slack(m));
    REQUIRE(likely_slack(m, 3) < float_slack(m, 3));
  }
  REQUIRE(slack_of(0.5, 2048) == float_slack(2048));
  // Of similarities, whose statistics without signal are about one over the samples.
  REQUIRE(slack_of(0.001, 500000) < 0.01 * 0.001);
  REQUIRE(slack_of(1.0, 500000) == likely_slack(500000));
  REQUIRE(float_slack(100000) > 1.0 / std::sqrt(1e5));
  REQUIRE(likely_slack(100000) < 0.1 / std::sqrt(1e5));
  // A column with its own product, as large as it can be, is within it of 1.
  for (Index m : {2000, 50000}) {
    const Eigen::MatrixXd x = normals(m, 8, 11).colwise().normalized();
    const auto found =
        step_down(ColumnPanels(x, all_columns(8)), DrawTiles(x), Array<double>(8, -1.0), Runtime());
    REQUIRE((found.maxima.array() - 1.0).abs().maxCoeff() < likely_slack(m));
  }
}

TEST_CASE("successive maxima are counted as a loop counts them", "[signal]") {
  const Index m = 9, p = 22, n_draws = 70;
  const Eigen::MatrixXd x = normals(m, p, 1).colwise().normalized();
  const Eigen::MatrixXd draws = normals(m, n_draws, 2).colwise().normalized();
  Array<double> level;
  for (Index j = 0; j < p; ++j)
    level.push_back(static_cast<double>(j) / static_cast<double>(p) - 0.1);
  const Eigen::MatrixXd size = (x.transpose() * draws).cwiseAbs();
  const ColumnPanels panels(x, all_columns(p));
  const StepDown found = step_down(panels, DrawTiles(draws), level, Runtime());
  for (Index j = 0; j < p; ++j) {
    int reached = 0;
    for (Index r = 0; r < n_draws; ++r)
      reached += size.col(r).head(j + 1).maxCoeff() >= level[j];
    REQUIRE(found.reached[j] == reached);
  }
  REQUIRE(step_down(panels, DrawTiles(draws), level, Runtime(), 16).reached == found.reached);
  REQUIRE(step_down(panels, DrawTiles(draws), level, two_threads()).reached == found.reached);
}

TEST_CASE("lengths of products with two columns are counted as by a loop", "[signal]") {
  const Index m = 9, p = 22, n_draws = 35, k = 2;
  const Eigen::MatrixXd x = normals(m, p, 1).colwise().normalized();
  Eigen::MatrixXd draws = normals(m, n_draws * k, 2);
  signal_detail::orthonormalise(draws, k);
  REQUIRE(std::fabs(draws.col(6).dot(draws.col(7))) < 1e-14);
  Eigen::MatrixXd length(p, n_draws);
  for (Index r = 0; r < n_draws; ++r)
    length.col(r) = (x.transpose() * draws.middleCols(r * k, k)).rowwise().norm();
  Array<double> level;
  for (Index j = 0; j < p; ++j)
    level.push_back(static_cast<double>(j) / static_cast<double>(p) - 0.1);
  const ColumnPanels panels(x, all_columns(p));
  const StepDown found = step_down(panels, DrawTiles(draws, k), level, Runtime());
  for (Index j = 0; j < p; ++j) {
    int reached = 0;
    for (Index r = 0; r < n_draws; ++r)
      reached += length.col(r).head(j + 1).maxCoeff() >= level[j];
    REQUIRE(found.reached[j] == reached);
  }
  REQUIRE((found.maxima.transpose() - length.colwise().maxCoeff()).cwiseAbs().maxCoeff() < 1e-6);
  REQUIRE(step_down(panels, DrawTiles(draws, k), level, Runtime(), 16).reached == found.reached);
  REQUIRE(step_down(panels, DrawTiles(draws, k), level, two_threads()).reached == found.reached);
}

TEST_CASE("a maximum of just the level has reached it", "[signal]") {
  // Products of powers of two have no error, so that what is equal is equal.
  const Eigen::MatrixXd x = Eigen::MatrixXd::Identity(2, 2);
  Eigen::MatrixXd draws = Eigen::MatrixXd::Zero(2, 40);
  draws.row(0).setConstant(0.5), draws.row(1).setConstant(-0.75);
  for (int width : {0, 16}) {
    const auto found =
        step_down(ColumnPanels(x, {0, 1}), DrawTiles(draws), {0.5, 0.75}, Runtime(), width);
    REQUIRE(found.reached == Array<int>({40, 40}));
  }
}

TEST_CASE("over all orders of the response the p value is uniform", "[signal]") {
  const int n = 5;
  const Eigen::MatrixXd x = normals(n, 12, 1);
  const NullDraws draws = NullDraws::of_places(other_orders(n), n);
  REQUIRE(draws.size() == 119);
  Eigen::VectorXd y = normals(n, 1, 2).col(0);
  std::sort(y.data(), y.data() + n);
  Array<double> global;
  do {
    const Signals found = signals_of(signal_data(x, y, intercept(n)), draws, Runtime());
    global.push_back(found.global_p);
  } while (std::next_permutation(y.data(), y.data() + n));
  REQUIRE(global.size() == 120);
  std::sort(global.begin(), global.end());
  for (Index k = 0; k < 120; ++k)
    REQUIRE(global[k] == Approx(static_cast<double>(k + 1) / 120.0));
}

TEST_CASE("equal arrangements of two classes count against the features", "[signal]") {
  const int n = 6;
  const Eigen::MatrixXd x = normals(n, 8, 3);
  Eigen::VectorXd y(n);
  y << -1, -1, -1, 1, 1, 1;
  const NullDraws draws = NullDraws::of_places(other_orders(n), n);
  const Signals found = signals_of(signal_data(x, y, intercept(n)), draws, Runtime());
  // 720 orders are 20 divisions, or 10 pairs of mirror images with the same absolute correlation.
  REQUIRE(std::remainder(found.global_p * 10.0, 1.0) == Approx(0.0).margin(1e-9));
}

TEST_CASE("permutations stay within blocks and do not depend on their number", "[signal]") {
  const Array<int> blocks = {0, 1, 0, 2, 1, 0, 2, 2};
  const Eigen::MatrixXd x = normals(8, 4, 1);
  const SignalData data = signal_data(x, x.col(0) + x.col(1), intercept(8));
  const auto responses = [&](int n_draws) {
    return NullDraws::permutations(blocks, n_draws, 7).responses(data, data.y);
  };
  const Eigen::MatrixXd values = data.basis * responses(50), y = data.basis * data.y;
  bool moved = false;
  for (Index r = 0; r < 50; ++r)
    for (int block = 0; block < 3; ++block) {
      Array<double> before, after;
      for (Index i = 0; i < 8; ++i)
        if (blocks[i] == block) {
          before.push_back(y(i, 0));
          after.push_back(values(i, r));
          moved = moved || std::fabs(before.back() - after.back()) > 1e-9;
        }
      std::sort(before.begin(), before.end());
      std::sort(after.begin(), after.end());
      for (Index k = 0; k < before.size(); ++k)
        REQUIRE(after[k] == Approx(before[k]).margin(1e-12));
    }
  REQUIRE(moved);
  REQUIRE(responses(50).leftCols(20) == responses(20));
}

TEST_CASE("rotations are those of the samples, whatever coordinates these have", "[signal]") {
  const Eigen::MatrixXd x = normals(8, 5, 3);
  const SignalData data = signal_data(x, x.col(0) + x.col(1), intercept(8));
  SignalData turned = data;
  turned.basis.col(1) *= -1.0;
  const NullDraws draws = NullDraws::rotations(8, 20, 7);
  const Eigen::MatrixXd noise = data.basis * draws.responses(data, data.y);
  REQUIRE((turned.basis * draws.responses(turned, data.y) - noise).norm() < 1e-12);
  // Normal, but for what the intercept explains.
  REQUIRE(noise.colwise().sum().norm() < 1e-12);
  REQUIRE(noise.squaredNorm() / (7 * 20) == Approx(1.0).margin(0.3));
}

TEST_CASE("passes count by their work, and only the end is all", "[signal]") {
  Array<double> told;
  Runtime runtime;
  runtime.report = [&](double done, double total) { told.push_back(done / total); };
  Passes passes(runtime, {1.0, 3.0});
  passes.next().report(1, 2);
  const Runtime second = passes.next();
  second.report(1, 3);
  second.report(3, 3);
  passes.next().report(1, 2); // one more than was foreseen
  passes.finish();
  REQUIRE(told.size() == 5);
  REQUIRE(told[0] == Approx(0.125));
  REQUIRE(told[1] == Approx(0.5));
  for (Index k = 2; k < 4; ++k) {
    REQUIRE(told[k] > 0.5);
    REQUIRE(told[k] < 1.0);
  }
  REQUIRE(told[4] == 1.0);
}

TEST_CASE("nothing is found where nothing varies, and nothing breaks", "[signal]") {
  const Eigen::MatrixXd x = Eigen::MatrixXd::Constant(6, 3, 2.0);
  const SignalData data = signal_data(x, normals(6, 1, 1).col(0), intercept(6));
  const Signals found = signals_of(data, NullDraws::rotations(6, 19, 1), Runtime());
  REQUIRE(found.global_p == 1.0);
  REQUIRE_FALSE(found.sampled);
  REQUIRE(found.names.named.empty());
}
