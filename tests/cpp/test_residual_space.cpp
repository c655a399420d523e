#include "catch.h"

#include "path_oracle.h"
#include "stabilect/likelihood/residual_space.h"

#include <algorithm>
#include <cmath>

using namespace path_oracle;
using stabilect::AlignedBuffer;
using stabilect::Array;
using stabilect::Index;
using stabilect::LarsOptions;
using stabilect::NormTable;
using stabilect::PackedMatrix;
using stabilect::PathColumns;
using stabilect::ResidualSpace;
using stabilect::Rng;

namespace {

// A random residual without a mean, a column for each contrast.
AlignedBuffer<double> draw_residual(Rng &rng, Index n, Index ld, Index width) {
  AlignedBuffer<double> r(ld * width);
  for (Index a = 0; a < width; ++a) {
    double mean = 0.0;
    for (Index i = 0; i < n; ++i)
      mean += r[a * ld + i] = rng.uniform();
    for (Index i = 0; i < n; ++i)
      r[a * ld + i] -= mean / static_cast<double>(n);
  }
  return r;
}

AlignedBuffer<double> between(const AlignedBuffer<double> &a, const AlignedBuffer<double> &b,
                              double share) {
  AlignedBuffer<double> out(a.size());
  for (Index i = 0; i < out.size(); ++i)
    out[i] = a[i] + share * (b[i] - a[i]);
  return out;
}

// A matrix with all rows, and the space of its residuals.
struct Screened {
  Screened(const MatrixXd &data, Index width)
      : x(data), packed(x, true), weights(VectorXd::Ones(x.rows())),
        own(packed, weights.data(), LarsOptions()), norms(packed, 1),
        space(own, x.cols(), measured(), stabilect::kernels(), width), width(width) {}

  stabilect::LaneNorms measured() {
    Array<PathColumns> columns;
    columns.emplace_back(packed, weights.data(), LarsOptions());
    norms.compute(columns, LarsOptions(), stabilect::kernels());
    return norms.lane(0);
  }
  void take(const AlignedBuffer<double> &r, const AlignedBuffer<double> &earlier) {
    REQUIRE(space.propose(r, earlier));
    AlignedBuffer<float> v(packed.ld());
    Array<float> products(packed.p());
    for (Index k = 0; k < space.n_new(); ++k) {
      space.fill_direction(k, v.data(), 1);
      STABILECT_AT_WIDTH(0, float_products)
      (packed.floats(), packed.ld(), nullptr, packed.p(), v.data(), products.data());
      space.receive(k, products.data(), 1);
    }
    space.end_snapshot();
  }
  // In double.
  Array<double> products(const AlignedBuffer<double> &r) {
    Array<double> out(packed.p(), 0.0);
    for (Index j = 0; j < packed.p(); ++j) {
      const double *column = own.column(own.slot(j));
      for (Index a = 0; a < width; ++a)
        out[j] += std::pow(stabilect::kernels().dot(column, r.data() + a * own.ld(), own.ld()), 2);
      out[j] = std::sqrt(out[j]);
    }
    return out;
  }

  MatrixXd x;
  PackedMatrix packed;
  VectorXd weights;
  PathColumns own;
  NormTable norms;
  ResidualSpace space;
  Index width;
};

// Nothing above the bound is left out; at a residual that was `seen`, the rest is.
void check(Screened &screened, const AlignedBuffer<double> &r, bool seen) {
  const Array<double> products = screened.products(r);
  const double most = *std::max_element(products.begin(), products.end()), bound = 0.7 * most;
  const double largest = screened.space.largest(r);
  REQUIRE(largest <= most);
  const auto found = screened.space.unproved(r, bound);
  const Array<int> named(found.feature, found.feature + found.n);
  Index above = 0;
  for (Index j = 0; j < products.size(); ++j) {
    const bool is_named = std::find(named.begin(), named.end(), j) != named.end();
    REQUIRE((is_named || products[j] <= bound));
    above += products[j] > bound;
  }
  if (!seen)
    return;
  REQUIRE_FALSE(found.far);
  REQUIRE(found.n <= above + 1); // one may be nearer than rounding can tell
  REQUIRE(largest > 0.999 * most);
}

} // namespace

TEST_CASE("no feature above the bound is left out, and directions that were seen prove most") {
  const Index n = 43, p = 117;
  for (Index width : {1, 3}) {
    Rng rng(33, 90 + static_cast<std::uint64_t>(width));
    Screened screened(normal_matrix(rng, n, p), width);
    const Index ld = screened.own.ld();
    AlignedBuffer<double> earlier, last = draw_residual(rng, n, ld, width);
    for (int snapshot = 0; snapshot < 8; ++snapshot) {
      screened.take(last, earlier);
      const AlignedBuffer<double> next = draw_residual(rng, n, ld, width);
      for (double share : {0.0, 1e-3, 0.1, 1.0})
        check(screened, between(last, next, share), share == 0.0);
      AlignedBuffer<double> on = between(last, next, 0.4);
      earlier.swap(last);
      last.swap(on);
    }
  }
}

#ifdef STABILECT_HAS_AVX2
TEST_CASE("float products have the same bits at every vector width") {
  if (!stabilect::cpu_has_avx2())
    return;
  Rng rng(33, 95);
  const Index ld = 48, p = 18;
  AlignedBuffer<float> x(ld * p), v(ld * stabilect::kLanes);
  for (Index i = 0; i < x.size(); ++i)
    x[i] = static_cast<float>(rng.uniform() - 0.5);
  for (Index i = 0; i < v.size(); ++i)
    v[i] = static_cast<float>(rng.uniform() - 0.5);
  AlignedBuffer<float> one(p * stabilect::kLanes), other(p * stabilect::kLanes);
  const auto same = [&] {
    for (Index i = 0; i < one.size(); ++i)
      REQUIRE(one[i] == other[i]);
  };
  stabilect::kernels_16::lane_products(x.data(), ld, ld, p, v.data(), one.data());
  stabilect::kernels_32::lane_products(x.data(), ld, ld, p, v.data(), other.data());
  same();
  const Array<int> columns = {3, 1, 17, 5, 4, 9, 2};
  const Index m = columns.size();
  stabilect::kernels_16::pair_products(x.data(), ld, columns.data(), m, v.data(), v.data() + ld,
                                       one.data(), one.data() + p);
  stabilect::kernels_32::pair_products(x.data(), ld, columns.data(), m, v.data(), v.data() + ld,
                                       other.data(), other.data() + p);
  same();
  stabilect::kernels_32::float_products(x.data(), ld, columns.data(), m, v.data(), other.data());
  same();
  stabilect::kernels_16::column_moments(x.data(), ld, p, v.data(), one.data(), one.data() + p);
  stabilect::kernels_32::column_moments(x.data(), ld, p, v.data(), other.data(), other.data() + p);
  same();
}
#endif
