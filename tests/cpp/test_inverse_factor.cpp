#include "catch.h"

#include <stabilect/base/rng.h>
#include <stabilect/path/inverse_factor.h>

#include <Eigen/Dense>

using Eigen::MatrixXd;
using Eigen::VectorXd;
using stabilect::Array;
using stabilect::Index;
using stabilect::InverseFactor;
using stabilect::Rng;

namespace {

// Keeps a factor and, as the truth, the columns it stands for.
class Tracked {
public:
  Tracked(const MatrixXd &columns, const stabilect::Kernels &kernels)
      : columns_(columns), factor_(kernels) {}

  Index size() const { return chosen_.size(); }

  void append(Index j) {
    const MatrixXd before = chosen_columns();
    const VectorXd x = columns_.col(j);
    VectorXd z = VectorXd::Zero(before.cols());
    if (before.cols() > 0)
      z = before.colPivHouseholderQr().solve(x);
    factor_.append(z.data(), before.cols() > 0 ? (x - before * z).norm() : x.norm());
    chosen_.push_back(j);
  }

  void drop(Index at) {
    factor_.drop(at);
    chosen_.erase(chosen_.begin() + at);
  }

  void clear() {
    factor_.clear();
    chosen_.clear();
  }

  // Relative differences from Eigen's inverse, of all that the factor can do.
  double error(Rng &rng) {
    const Index m = size();
    const MatrixXd x = chosen_columns();
    const MatrixXd inverse = (x.transpose() * x).ldlt().solve(MatrixXd::Identity(m, m));
    MatrixXd u(m, m);
    for (Index k = 0; k < m; ++k)
      u.col(k) = result(VectorXd::Unit(m, k), &InverseFactor::times);
    double worst = (u * u.transpose() - inverse).norm() / inverse.norm();
    worst = std::max(worst, MatrixXd(u.triangularView<Eigen::StrictlyLower>()).norm());
    VectorXd v(m);
    for (Index k = 0; k < m; ++k)
      v[k] = rng.normal();
    const VectorXd transposed = result(v, &InverseFactor::transpose_times);
    worst = std::max(worst, (transposed - u.transpose() * v).norm() / transposed.norm());
    const VectorXd solved = result(v, &InverseFactor::solve);
    worst = std::max(worst, (solved - inverse * v).norm() / solved.norm());
    const VectorXd last = Eigen::Map<const VectorXd>(factor_.last_column(), m);
    return std::max(worst, (last - u.col(m - 1)).norm());
  }

private:
  MatrixXd chosen_columns() const {
    MatrixXd out(columns_.rows(), size());
    for (Index k = 0; k < size(); ++k)
      out.col(k) = columns_.col(chosen_[k]);
    return out;
  }

  template <typename Product> VectorXd result(const VectorXd &v, Product product) {
    const Index padded = stabilect::pad_rows(size());
    Array<double> in(padded, 0.0), out(padded, 99.0);
    std::copy(v.data(), v.data() + v.size(), in.begin());
    (factor_.*product)(in.data(), out.data());
    return Eigen::Map<const VectorXd>(out.data(), v.size());
  }

  const MatrixXd &columns_;
  InverseFactor factor_;
  Array<Index> chosen_;
};

MatrixXd normal_columns(Rng &rng, Index n, Index p) {
  MatrixXd x(n, p);
  for (Index j = 0; j < p; ++j)
    for (Index i = 0; i < n; ++i)
      x(i, j) = rng.normal();
  return x;
}

} // namespace

TEST_CASE("long sequences of additions and removals keep the inverse", "[inverse_factor]") {
  for (int width : {16, 0}) {
    Rng rng(31, static_cast<std::uint64_t>(width));
    const MatrixXd columns = normal_columns(rng, 60, 400);
    Tracked factor(columns, stabilect::kernels(width));
    Index next = 0;
    for (int step = 0; step < 400; ++step) {
      // Grows to about forty columns, then keeps about that size.
      const bool grow = factor.size() == 0 || rng.below(factor.size() < 40 ? 5 : 2) != 0;
      if (grow && factor.size() < 45)
        factor.append(next++ % 400);
      else
        factor.drop(rng.below(factor.size()));
      if (factor.size() > 0 && step % 4 == 0) {
        INFO("step " << step << ", size " << factor.size());
        REQUIRE(factor.error(rng) < 1e-10);
      }
    }
  }
}

TEST_CASE("the first, the last and all columns can be removed", "[inverse_factor]") {
  Rng rng(32, 0);
  const MatrixXd columns = normal_columns(rng, 30, 20);
  for (Index size = 2; size <= 18; ++size) {
    Tracked factor(columns, stabilect::kernels());
    for (Index k = 0; k < size; ++k)
      factor.append(k);
    REQUIRE(factor.error(rng) < 1e-12);
    factor.drop(0);
    REQUIRE(factor.error(rng) < 1e-12);
    factor.append(19);
    factor.drop(factor.size() - 1);
    REQUIRE(factor.error(rng) < 1e-12);
    while (factor.size() > 1) {
      factor.drop(factor.size() / 2);
      REQUIRE(factor.error(rng) < 1e-12);
    }
    factor.drop(0);
    factor.append(5);
    factor.append(6);
    REQUIRE(factor.error(rng) < 1e-12);
    factor.clear();
    factor.append(7);
    REQUIRE(factor.error(rng) < 1e-12);
  }
}

TEST_CASE("nearly dependent columns lose digits only as their condition demands",
          "[inverse_factor]") {
  Rng rng(33, 0);
  MatrixXd columns = normal_columns(rng, 30, 8);
  columns.col(7) = columns.col(2) + 1e-4 * columns.col(7);
  Tracked factor(columns, stabilect::kernels());
  for (Index j = 0; j < 8; ++j)
    factor.append(j);
  REQUIRE(factor.error(rng) < 1e-6); // condition of the Gram matrix: about 1e8
  factor.drop(2);                    // and well conditioned again
  REQUIRE(factor.error(rng) < 1e-8);
}
