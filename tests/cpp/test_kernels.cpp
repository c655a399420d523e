#include "catch.h"

#include <stabilect/base/kernels.h>
#include <stabilect/base/rng.h>
#include <stabilect/base/types.h>

#include <Eigen/Dense>

#include <cmath>
#include <limits>
#include <string>

using Eigen::MatrixXd;
using Eigen::VectorXd;
using stabilect::AlignedBuffer;
using stabilect::Array;
using stabilect::Index;
using stabilect::kLanes;
using stabilect::pad_rows;
using stabilect::Rng;

namespace {

const int widths[] = {16, 0};
const double unit = std::ldexp(1.0, -24); // rounding of floats

Array<double> normal_padded(Rng &rng, Index n) {
  Array<double> out(pad_rows(n), 0.0);
  for (Index i = 0; i < n; ++i)
    out[i] = rng.normal();
  return out;
}

VectorXd as_vector(const Array<double> &v, Index n) {
  return Eigen::Map<const VectorXd>(v.data(), n);
}

// Padded columns in one block, and the same as an Eigen matrix.
struct Columns {
  Index n, p, ld;
  Array<double> block;

  Columns(Rng &rng, Index rows, Index columns)
      : n(rows), p(columns), ld(pad_rows(rows)), block(ld * columns, 0.0) {
    for (Index j = 0; j < p; ++j)
      for (Index i = 0; i < n; ++i)
        block[j * ld + i] = rng.normal();
  }

  MatrixXd matrix() const { return Eigen::Map<const MatrixXd>(block.data(), ld, p).topRows(n); }
};

// What a snapshot reads: columns of at most 1, sixteen vectors of norm one, in float; and
// the doubles that they were rounded from.
struct FloatData {
  Index n, p, ld;
  MatrixXd x, v;
  AlignedBuffer<float> x_float, v_float, scale, slack;

  FloatData(Rng &rng, Index rows, Index columns)
      : n(rows), p(columns), ld(pad_rows(rows)), x(rows, columns), v(rows, kLanes),
        x_float(ld * columns), v_float(rows * kLanes), scale(columns * kLanes),
        slack(columns * kLanes) {
    for (Index j = 0; j < p; ++j)
      for (Index i = 0; i < n; ++i) {
        const double value = 2.0 * rng.uniform() - 1.0;
        x(i, j) = value;
        x_float[j * ld + i] = static_cast<float>(value);
      }
    for (Index lane = 0; lane < kLanes; ++lane) {
      for (Index i = 0; i < n; ++i)
        v(i, lane) = rng.normal();
      v.col(lane).normalize();
      for (Index i = 0; i < n; ++i)
        v_float[i * kLanes + lane] = static_cast<float>(v(i, lane));
    }
    for (Index at = 0; at < p * kLanes; ++at) {
      scale[at] = static_cast<float>(0.5 + rng.uniform());
      slack[at] = static_cast<float>(1e-3 * rng.uniform());
    }
  }

  stabilect::SnapshotArgs args(const float *threshold) const {
    return {x_float.data(), v_float.data(), scale.data(), slack.data(), threshold, n, ld, p};
  }
};

// The bound that lane_norms.h derives.
double gamma_bound(Index n) {
  const double nu = (static_cast<double>(n) + 4.0) * unit;
  return nu / (1.0 - nu);
}

} // namespace

TEST_CASE("the plain kernels can be asked for", "[kernels]") {
  REQUIRE(std::string(stabilect::kernels(16).name) == "16-byte");
  const std::string widest = stabilect::cpu_has_avx2() ? "32-byte" : "16-byte";
  REQUIRE(std::string(stabilect::kernels().name) == widest);
  REQUIRE(pad_rows(0) == 0u);
  REQUIRE(pad_rows(1) == 8u);
  REQUIRE(pad_rows(8) == 8u);
  REQUIRE(pad_rows(9) == 16u);
}

#ifdef STABILECT_HAS_AVX2
TEST_CASE("sums of doubles have one order: eight running sums, then a fixed tree", "[kernels]") {
  Rng rng(41, 0);
  for (Index n : {1u, 7u, 8u, 9u, 62u, 203u, 1000u}) {
    const Array<double> a = normal_padded(rng, n), b = normal_padded(rng, n);
    double s[8] = {};
    for (Index i = 0; i < a.size(); ++i) {
      const volatile double product = a[i] * b[i]; // not to be fused with the addition
      s[i % 8] += product;
    }
    const double total = ((s[0] + s[4]) + (s[2] + s[6])) + ((s[1] + s[5]) + (s[3] + s[7]));
    for (int width : widths)
      REQUIRE(stabilect::kernels(width).dot(a.data(), b.data(), a.size()) == total);
  }
}
#endif

TEST_CASE("double kernels agree with Eigen, and with each other to the bit", "[kernels]") {
  Rng rng(42, 0);
  for (Index n : {1u, 8u, 13u, 62u, 203u}) {
    for (Index m : {1u, 2u, 3u, 4u, 5u, 8u, 11u}) {
      INFO("n " << n << ", m " << m);
      const Columns columns(rng, n, 20);
      const Array<double> v = normal_padded(rng, n), f = normal_padded(rng, m);
      Array<int> slots(m);
      for (int &slot : slots)
        slot = static_cast<int>(rng.below(20));
      MatrixXd chosen(n, m);
      for (Index k = 0; k < m; ++k)
        chosen.col(k) = columns.matrix().col(slots[k]);
      Array<Array<double>> products, sums;
      for (int width : widths) {
        const stabilect::Kernels &kernels = stabilect::kernels(width);
        Array<double> out(m + 1, -7.0), sum = v;
        kernels.dot_one(columns.block.data(), columns.ld, slots.data(), m, v.data(), out.data());
        REQUIRE(out[m] == -7.0);
        for (Index k = 0; k < m; ++k)
          REQUIRE(out[k] ==
                  kernels.dot(columns.block.data() + columns.ld * slots[k], v.data(), columns.ld));
        kernels.add_columns(columns.block.data(), columns.ld, slots.data(), m, f.data(),
                            sum.data());
        products.push_back(out), sums.push_back(sum);
      }
      REQUIRE(products[0] == products[1]);
      REQUIRE(sums[0] == sums[1]);
      const VectorXd product = chosen.transpose() * as_vector(v, n);
      const VectorXd sum = as_vector(v, n) + chosen * as_vector(f, m);
      REQUIRE((as_vector(products[0], m) - product).norm() < 1e-13 * (1.0 + product.norm()));
      REQUIRE((as_vector(sums[0], n) - sum).norm() < 1e-13 * sum.norm());
    }
  }
}

TEST_CASE("products with a triangle agree with Eigen, and to the bit", "[kernels]") {
  Rng rng(43, 0);
  for (Index m : {1u, 2u, 7u, 8u, 9u, 16u, 17u, 40u}) {
    INFO("size " << m);
    const Index ld = pad_rows(m + 3);
    Array<double> u(ld * ld, 0.0);
    for (Index k = 0; k < m; ++k)
      for (Index i = 0; i <= k; ++i)
        u[k * ld + i] = rng.normal();
    const MatrixXd full = Eigen::Map<const MatrixXd>(u.data(), ld, ld).topLeftCorner(m, m);
    const Array<double> v = normal_padded(rng, m);
    Array<Array<double>> dots, combined;
    for (int width : widths) {
      Array<double> dot(pad_rows(m), 5.0), combine(pad_rows(m), 5.0);
      stabilect::kernels(width).triangle_dot(u.data(), ld, m, v.data(), dot.data());
      stabilect::kernels(width).triangle_combine(u.data(), ld, m, v.data(), combine.data());
      for (Index k = m; k < dot.size(); ++k)
        REQUIRE(dot[k] == 5.0); // is not its to write
      dots.push_back(dot), combined.push_back(combine);
    }
    REQUIRE(dots[0] == dots[1]);
    REQUIRE(combined[0] == combined[1]);
    const VectorXd x = as_vector(v, m);
    REQUIRE((as_vector(dots[0], m) - full.transpose() * x).norm() < 1e-13 * (1.0 + x.norm() * m));
    REQUIRE((as_vector(combined[0], m) - full * x).norm() < 1e-13 * (1.0 + x.norm() * m));
  }
}

TEST_CASE("snapshot products and moments stay within the derived bound", "[kernels]") {
  Rng rng(44, 0);
  for (Index n : {3u, 62u, 301u}) {
    const FloatData data(rng, n, 18);
    const double gamma = gamma_bound(n);
    for (int width : widths) {
      const stabilect::Kernels &kernels = stabilect::kernels(width);
      AlignedBuffer<float> values(18 * kLanes), first(18 * kLanes), second(18 * kLanes);
      kernels.snapshot_values(data.args(nullptr), values.data());
      kernels.moments(data.args(nullptr), first.data(), second.data());
      for (Index at = 0; at < 18 * kLanes; ++at) {
        const VectorXd x = data.x.col(at / kLanes);
        const VectorXd v = data.v.col(at % kLanes);
        const VectorXd squares = x.cwiseAbs2();
        // |v| has norm one: by Cauchy-Schwarz the bound on the rounding is gamma ||x||.
        REQUIRE(std::abs(values[at] - x.dot(v)) <= gamma * x.norm());
        REQUIRE(std::abs(first[at] - x.dot(v)) <= gamma * x.norm());
        REQUIRE(std::abs(second[at] - squares.dot(v)) <= gamma * squares.norm());
      }
    }
  }
}

TEST_CASE("the mask marks products whose bound exceeds the threshold", "[kernels]") {
  Rng rng(45, 0);
  for (Index n : {5u, 62u}) {
    const FloatData data(rng, n, 60);
    AlignedBuffer<float> threshold(kLanes);
    for (Index lane = 0; lane < kLanes; ++lane)
      threshold[lane] = static_cast<float>(0.6 * rng.uniform());
    threshold[3] = std::numeric_limits<float>::max(); // a lane that wants nothing
    for (int width : widths) {
      const stabilect::Kernels &kernels = stabilect::kernels(width);
      Array<std::uint16_t> mask(60, 0);
      AlignedBuffer<float> values(60 * kLanes);
      kernels.snapshot(data.args(threshold.data()), mask.data(), values.data());
      int marked = 0, judged = 0;
      for (Index at = 0; at < 60 * kLanes; ++at) {
        const Index j = at / kLanes, lane = at % kLanes;
        const double product = data.x.col(j).dot(data.v.col(lane));
        const double excess = std::abs(product) + data.slack[at] -
                              static_cast<double>(threshold[lane]) * data.scale[at];
        const bool bit = (mask[j] >> lane) & 1;
        marked += bit;
        if (bit)
          REQUIRE(std::abs(values[at] - product) <= gamma_bound(n));
        if (std::abs(excess) < 1e-5 && lane != 3)
          continue; // within rounding of the threshold
        ++judged;
        REQUIRE(bit == (excess > 0.0));
      }
      REQUIRE(marked > 100);
      REQUIRE(judged > 900);
    }
  }
}

TEST_CASE("moments become norms, and lost digits are noticed", "[kernels]") {
  const float gamma = 1e-5f, inverse = 1.0f / 40.0f;
  alignas(64) float inverse_total[kLanes];
  for (float &value : inverse_total)
    value = inverse;
  for (int width : widths) {
    alignas(64) float first[kLanes], second[kLanes];
    Rng rng(48, 0);
    Array<double> norm(kLanes), mass(kLanes);
    unsigned expected = 0;
    for (Index lane = 0; lane < kLanes; ++lane) {
      // Every third column is far from zero, the last is zero.
      const double mean = lane % 3 == 0 ? 4.0 : 0.1, variance = 0.5 + rng.uniform();
      const double square = lane == 15 ? 0.0 : 40.0 * (variance + mean * mean);
      first[lane] = static_cast<float>(lane == 15 ? 0.0 : 40.0 * mean);
      second[lane] = static_cast<float>(square);
      norm[lane] = std::sqrt(40.0 * variance);
      mass[lane] = std::sqrt(square);
      if (lane % 3 == 0 || lane == 15)
        expected |= 1u << lane;
    }
    CHECK(stabilect::kernels(width).norms(inverse_total, gamma, first, second) == expected);
    for (Index lane = 0; lane < 15; ++lane) {
      if (lane % 3 != 0)
        CHECK(first[lane] == Approx(norm[lane]).epsilon(1e-6));
      CHECK(second[lane] >= gamma * mass[lane]);
      CHECK(second[lane] <= 1.01 * gamma * mass[lane]);
    }
  }
}

TEST_CASE("screening multiplies the chosen columns with a vector", "[kernels]") {
  Rng rng(46, 0);
  const Index n = 62, ld = pad_rows(n);
  const FloatData data(rng, n, 30);
  AlignedBuffer<float> v(ld);
  for (Index i = 0; i < n; ++i)
    v[i] = data.v_float[i * kLanes];
  for (Index m : {1u, 2u, 3u, 4u, 5u, 6u, 7u, 8u, 23u}) {
    Array<int> columns(m);
    for (int &column : columns)
      column = static_cast<int>(rng.below(30));
    for (int width : widths) {
      Array<float> out(m + 1, -7.0f);
      stabilect::kernels(width).screen(data.x_float.data(), ld, columns.data(), m, v.data(),
                                       out.data());
      REQUIRE(out[m] == -7.0f);
      for (Index k = 0; k < m; ++k) {
        const VectorXd x = data.x.col(columns[k]);
        REQUIRE(std::abs(out[k] - x.dot(data.v.col(0))) <= gamma_bound(n) * x.norm());
      }
    }
  }
}
