#include "catch.h"

#include <stabilect/base/rng.h>
#include <stabilect/likelihood/active_factor.h>

#include <Eigen/Dense>

using Eigen::MatrixXd;
using Eigen::VectorXd;
using stabilect::ActiveFactor;
using stabilect::AlignedBuffer;
using stabilect::Array;
using stabilect::Index;
using stabilect::Rng;

namespace {

MatrixXd make_gram(Rng &rng, Index m) {
  MatrixXd x(m + 20, m);
  for (Index i = 0; i < x.size(); ++i)
    x.data()[i] = 2.0 * rng.uniform() - 1.0;
  return x.transpose() * x;
}

bool never(Index) { return false; }

void fill(ActiveFactor &factor, const MatrixXd &gram) {
  factor.prepare(gram.rows());
  for (Index c = 0; c < gram.cols(); ++c)
    for (Index r = c; r < gram.rows(); ++r)
      factor.column(c)[r] = gram(r, c);
}

bool append(ActiveFactor &factor, const MatrixXd &gram, const Array<Index> &chosen, Index j,
            bool forced) {
  Array<double> row;
  for (Index k : chosen)
    row.push_back(gram(j, k));
  row.push_back(gram(j, j));
  return factor.append(row.data(), forced);
}

// The largest element of G z - b, for the chosen rows and columns.
double miss(const ActiveFactor &factor, const MatrixXd &gram, const Array<Index> &chosen,
            Rng &rng) {
  const Index m = chosen.size();
  REQUIRE(factor.size() == m);
  if (m == 0)
    return 0.0;
  MatrixXd own(m, m);
  VectorXd b(m);
  AlignedBuffer<double> z(m + 8);
  for (Index k = 0; k < m; ++k) {
    for (Index l = 0; l < m; ++l)
      own(k, l) = gram(chosen[k], chosen[l]);
    z[k] = b[k] = rng.uniform();
  }
  factor.solve(z.data());
  return (own * Eigen::Map<VectorXd>(z.data(), m) - b).cwiseAbs().maxCoeff();
}

} // namespace

TEST_CASE("a factor that rows enter and leave solves what a new one would") {
  Rng rng(33, 1);
  const Index p = 60;
  const MatrixXd gram = make_gram(rng, p);
  for (Index start : {0, 1, 7, 8, 30}) {
    ActiveFactor factor;
    Array<Index> chosen, out;
    for (Index j = 0; j < p; ++j)
      (j < start ? chosen : out).push_back(j);
    fill(factor, gram.topLeftCorner(start, start));
    REQUIRE(factor.factorise(start, never) == start);
    for (int step = 0; step < 200; ++step) {
      const bool enters = chosen.empty() || (!out.empty() && rng.below(2) == 0);
      Array<Index> &from = enters ? out : chosen, &to = enters ? chosen : out;
      const Index at = rng.below(static_cast<std::uint32_t>(from.size()));
      const Index j = from[at];
      if (enters)
        REQUIRE(append(factor, gram, chosen, j, false));
      else
        factor.remove(at);
      from.erase(from.begin() + at);
      to.push_back(j);
      REQUIRE(miss(factor, gram, chosen, rng) < 1e-8);
    }
  }
}

TEST_CASE("a row that depends on others is refused, or gets a small pivot") {
  Rng rng(33, 2);
  MatrixXd gram = make_gram(rng, 12);
  gram.row(11) = gram.row(3);
  gram.col(11) = gram.col(3);
  ActiveFactor factor;
  Array<Index> chosen;
  for (Index j = 0; j < 11; ++j) {
    REQUIRE(append(factor, gram, chosen, j, false));
    chosen.push_back(j);
  }
  REQUIRE_FALSE(append(factor, gram, chosen, 11, false));
  REQUIRE(miss(factor, gram, chosen, rng) < 1e-10);
  REQUIRE(append(factor, gram, chosen, 11, true));
  factor.remove(3);
  chosen.erase(chosen.begin() + 3);
  chosen.push_back(11);
  REQUIRE(miss(factor, gram, chosen, rng) < 1e-5);

  fill(factor, gram);
  Array<Index> asked;
  const Index lost = factor.factorise(12, [&](Index row) {
    asked.push_back(row);
    return true;
  });
  REQUIRE(lost == 11);
  REQUIRE(asked.size() == 1);
}

TEST_CASE("rows given up at the end leave the others unchanged") {
  Rng rng(33, 3);
  const MatrixXd gram = make_gram(rng, 20);
  ActiveFactor factor;
  Array<Index> chosen;
  for (Index j = 0; j < 20; ++j) {
    REQUIRE(append(factor, gram, chosen, j, false));
    chosen.push_back(j);
  }
  factor.truncate(13);
  chosen.resize(13);
  REQUIRE(miss(factor, gram, chosen, rng) < 1e-10);
  REQUIRE(append(factor, gram, chosen, 19, false));
  chosen.push_back(19);
  REQUIRE(miss(factor, gram, chosen, rng) < 1e-10);
}

TEST_CASE("a factor follows squares that are added to its matrix and taken from it") {
  Rng rng(33, 4);
  const Index m = 45;
  MatrixXd gram = make_gram(rng, m);
  ActiveFactor factor;
  Array<Index> all;
  for (Index j = 0; j < m; ++j)
    all.push_back(j);
  fill(factor, gram);
  REQUIRE(factor.factorise(m, never) == m);
  for (Index from : {0, 3, 8, 20, 41, 44}) {
    const Array<double> signs{1.0, 1.0, -1.0};
    factor.prepare_change(signs);
    for (Index q = 0; q < signs.size(); ++q) {
      VectorXd w = VectorXd::Zero(m);
      for (Index k = from; k < std::min(from + 3, m); ++k)
        factor.change_vector(q)[k] = w[k] = rng.uniform();
      gram += signs[q] * w * w.transpose();
    }
    REQUIRE(factor.change(from));
    REQUIRE(miss(factor, gram, all, rng) < 1e-9);
  }
  factor.remove(7);
  all.erase(all.begin() + 7);
  REQUIRE(miss(factor, gram, all, rng) < 1e-9);

  factor.prepare_change({-1.0});
  factor.change_vector(0)[5] = 100.0;
  REQUIRE_FALSE(factor.change(5));
}
