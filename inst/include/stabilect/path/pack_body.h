// The body of packed_matrix.h, compiled once per vector width; see simd.h.

// The largest distance of n numbers from a centre.
STABILECT_TARGET inline double largest_distance(const double *x, Index n, double center) {
  constexpr Index width = sizeof(VecD) / sizeof(double);
  const VecD none = {}, middle = none + center;
  VecD most = none;
  Index i = 0;
  for (; i + width <= n; i += width) {
    const VecD d = *reinterpret_cast<const VecDMem *>(x + i) - middle, size = d < none ? -d : d;
    most = size > most ? size : most;
  }
  double out = 0.0;
  for (Index q = 0; q < width; ++q)
    out = std::max(out, most[q]);
  for (; i < n; ++i)
    out = std::max(out, std::abs(x[i] - center));
  return out;
}

// out = (x - center) factor, in float.
STABILECT_TARGET inline void pack(const double *x, Index n, double center, double factor,
                                  float *out) {
  constexpr Index width = sizeof(VecD) / sizeof(double);
  const VecD none = {}, middle = none + center, times = none + factor;
  Index i = 0;
  for (; i + width <= n; i += width) {
    const VecD value = (*reinterpret_cast<const VecDMem *>(x + i) - middle) * times;
#pragma GCC unroll 4
    for (Index q = 0; q < width; ++q)
      out[i + q] = static_cast<float>(value[q]);
  }
  for (; i < n; ++i)
    out[i] = static_cast<float>((x[i] - center) * factor);
}
