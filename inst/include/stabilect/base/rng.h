#ifndef STABILECT_RNG_H
#define STABILECT_RNG_H

#include <sitmo.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <numeric>
#include <stdexcept>
#include <utility>

#include "stabilect/base/array.h"
#include "stabilect/base/error.h"

namespace stabilect {

// 64-bit FNV-1a hash of a name, the third key word of `Rng`: two purposes that share a seed
// (drawing rows and simulating data) never share random numbers.
constexpr std::uint64_t domain_tag(const char *name) {
  std::uint64_t hash = 0xcbf29ce484222325ULL;
  for (; *name != '\0'; ++name) {
    hash ^= static_cast<unsigned char>(*name);
    hash *= 0x100000001b3ULL;
  }
  return hash;
}

namespace rng_detail {

// 64 x 64 -> 128 bit product from 32-bit halves: `unsigned __int128` is not standard C++.
inline void multiply_wide(std::uint64_t a, std::uint64_t b, std::uint64_t &high,
                          std::uint64_t &low) {
  const std::uint64_t mask = 0xffffffffULL;
  const std::uint64_t low_low = (a & mask) * (b & mask);
  const std::uint64_t high_low = (a >> 32) * (b & mask);
  const std::uint64_t low_high = (a & mask) * (b >> 32);
  const std::uint64_t middle = (low_low >> 32) + (high_low & mask) + low_high;
  high = (a >> 32) * (b >> 32) + (high_low >> 32) + (middle >> 32);
  low = (middle << 32) | (low_low & mask);
}

inline double horner(const double (&coefficients)[8], double x) {
  double value = coefficients[7];
  for (int i = 6; i >= 0; --i)
    value = value * x + coefficients[i];
  return value;
}

// Standard normal quantile, Wichura (1988), Applied Statistics 37, 477-484, algorithm
// AS 241 (PPND16), relative accuracy about 1e-16 for 0 < p < 1.
inline double normal_quantile(double p) {
  static const double a[8] = {3.3871328727963666080e0, 1.3314166789178437745e2,
                              1.9715909503065514427e3, 1.3731693765509461125e4,
                              4.5921953931549871457e4, 6.7265770927008700853e4,
                              3.3430575583588128105e4, 2.5090809287301226727e3};
  static const double b[8] = {1.0,
                              4.2313330701600911252e1,
                              6.8718700749205790830e2,
                              5.3941960214247511077e3,
                              2.1213794301586595867e4,
                              3.9307895800092710610e4,
                              2.8729085735721942674e4,
                              5.2264952788528545610e3};
  static const double c[8] = {1.42343711074968357734e0,  4.63033784615654529590e0,
                              5.76949722146069140550e0,  3.64784832476320460504e0,
                              1.27045825245236838258e0,  2.41780725177450611770e-1,
                              2.27238449892691845833e-2, 7.74545014278341407640e-4};
  static const double d[8] = {1.0,
                              2.05319162663775882187e0,
                              1.67638483018380384940e0,
                              6.89767334985100004550e-1,
                              1.48103976427480074590e-1,
                              1.51986665636164571966e-2,
                              5.47593808499534494600e-4,
                              1.05075007164441684324e-9};
  static const double e[8] = {6.65790464350110377720e0,  5.46378491116411436990e0,
                              1.78482653991729133580e0,  2.96560571828504891230e-1,
                              2.65321895265761230930e-2, 1.24266094738807843860e-3,
                              2.71155556874348757815e-5, 2.01033439929228813265e-7};
  static const double f[8] = {1.0,
                              5.99832206555887937690e-1,
                              1.36929880922735805310e-1,
                              1.48753612908506148525e-2,
                              7.86869131145613259100e-4,
                              1.84631831751005468180e-5,
                              1.42151175831644588870e-7,
                              2.04426310338993978564e-15};
  const double q = p - 0.5;
  if (std::fabs(q) <= 0.425) {
    const double r = 0.180625 - q * q;
    return q * horner(a, r) / horner(b, r);
  }
  const double r = std::sqrt(-std::log(q < 0.0 ? p : 1.0 - p));
  const double tail =
      r <= 5.0 ? horner(c, r - 1.6) / horner(d, r - 1.6) : horner(e, r - 5.0) / horner(f, r - 5.0);
  return q < 0.0 ? -tail : tail;
}

} // namespace rng_detail

// Counter-based random numbers: Threefry-4x64 with 20 rounds (Salmon, Moraes, Dror and Shaw
// 2011, "Parallel random numbers: as easy as 1, 2, 3").
//
// The cipher's key is (seed, stream, domain, 0) and its counter runs from zero: every (seed,
// stream, domain) has its own sequence of 2^258 words. Streams never overlap, whatever the
// arithmetic on seeds. Run b of a seed always uses stream b.
//
// Everything but `normal()` is integer arithmetic or exact in double precision and thus the
// same on every platform. `normal()` calls only std::log and std::sqrt, and only in the tails
// (|z| > 1.44); there, and with compilers that contract a * b + c, the last bits may differ.
class Rng {
public:
  Rng(std::uint64_t seed, std::int64_t stream, std::uint64_t domain = 0) {
    engine_.set_key(seed, std::uint64_t(stream), domain, 0);
  }

  // The cipher's output words in order. sitmo's other header, threefry.h, has 64-bit words but
  // its set_key() leaves the fifth key word of the old key in place; sitmo.h derives it again.
  std::uint64_t next() {
    const std::uint64_t low = engine_();
    const std::uint64_t high = engine_();
    return (high << 32) | low;
  }

  // Uniform on {0, ..., n - 1}, unbiased: Lemire (2019), "Fast random integer generation in
  // an interval", ACM TOMACS 29(1), algorithm 5.
  std::int64_t below(std::int64_t bound) {
    if (bound < 1)
      throw Error("`n` must be at least 1");
    const auto n = static_cast<std::uint64_t>(bound);
    std::uint64_t high, low;
    rng_detail::multiply_wide(next(), n, high, low);
    if (low < n) {
      const std::uint64_t threshold = (0 - n) % n;
      while (low < threshold)
        rng_detail::multiply_wide(next(), n, high, low);
    }
    return std::int64_t(high);
  }

  // Uniform on the multiples of 2^-53 in [0, 1).
  double uniform() { return (next() >> 11) * (1.0 / 9007199254740992.0); }

  // Standard normal: the quantile of (k + 1/2) 2^-52. With 53 bits the largest k would round
  // to probability 1. One word per number, so nothing is carried over between calls.
  double normal() {
    const double k = next() >> 12;
    return rng_detail::normal_quantile((k + 0.5) * (1.0 / 4503599627370496.0));
  }

  // Fisher-Yates from the front, stopped after k steps: the first k elements are then a simple
  // random sample in random order. A larger k extends the sample of a smaller one.
  template <class Iterator> void partial_shuffle(Iterator first, Iterator last, Index k) {
    const Index n = std::distance(first, last);
    if (k > n)
      throw Error("`k` must not exceed the number of elements");
    for (Index i = 0; i < k && i + 1 < n; ++i) {
      const Index j = i + below(n - i);
      std::swap(*(first + i), *(first + j));
    }
  }

  template <class Iterator> void shuffle(Iterator first, Iterator last) {
    partial_shuffle(first, last, std::distance(first, last));
  }

  // k of {0, ..., n - 1} without replacement, in the order drawn (not sorted).
  Array<int> sample_without_replacement(int n, int k) {
    if (k < 0 || n < k)
      throw Error("`k` must be between 0 and `n`");
    Array<int> rows(n);
    std::iota(rows.begin(), rows.end(), 0);
    partial_shuffle(rows.begin(), rows.end(), k);
    rows.resize(k);
    return rows;
  }

private:
  sitmo::prng_engine engine_;
};

} // namespace stabilect

#endif
