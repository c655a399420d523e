#ifndef STABILECT_SCALE_H
#define STABILECT_SCALE_H

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace stabilect {

// The power of two that scales numbers of at most this absolute value: their squares are then
// neither 0 nor infinite, in double and in float. It is 1 except for very small and very large
// numbers, and rounds nothing.
inline double unit_for(double largest) {
  int exponent = 0;
  std::frexp(largest, &exponent);
  if (!(largest > 0.0) || std::abs(exponent) <= 30)
    return 1.0;
  return std::ldexp(1.0, -std::max(exponent, -1000));
}

// The length of (a, b). std::hypot() has other last bits in every C library; IEEE 754 rounds what
// is used here the same way everywhere.
inline double length_of(double a, double b) {
  const double unit = unit_for(std::max(std::fabs(a), std::fabs(b)));
  a *= unit;
  b *= unit;
  return std::sqrt(a * a + b * b) / unit;
}

} // namespace stabilect

#endif
