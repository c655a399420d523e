// The body of exponential.h, compiled once per vector width; see simd.h.

// out = exp(x) for n numbers, a multiple of eight: 2^k exp(r) with |r| at most log(2) / 2 and the
// series of exp(r) up to r^13, whose next term is 4e-18. Zero below -708; x may be out.
STABILECT_TARGET inline void exponentials(const double *x, Index n, double *out) {
  constexpr Index width = sizeof(VecD) / sizeof(double);
  typedef std::int64_t VecL __attribute__((vector_size(sizeof(VecD))));
  const VecD none = {};
  // Adding it rounds to a whole number, in the last bits.
  const VecD shift = none + 6755399441055744.0;
  // 1 / 13!, 1 / 12! and so on.
  constexpr double series[] = {1.0 / 6227020800,
                               1.0 / 479001600,
                               1.0 / 39916800,
                               1.0 / 3628800,
                               1.0 / 362880,
                               1.0 / 40320,
                               1.0 / 5040,
                               1.0 / 720,
                               1.0 / 120,
                               1.0 / 24,
                               1.0 / 6,
                               0.5,
                               1.0,
                               1.0};
  for (Index i = 0; i < n; i += width) {
    const VecD at = *reinterpret_cast<const VecDMem *>(x + i);
    const VecD rounded = at * 1.4426950408889634 + shift, k = rounded - shift;
    const VecD r = (at - k * 0.693147180369123816490) - k * 1.90821492927058770002e-10;
    VecD sum = none + series[0];
#pragma GCC unroll 16
    for (int q = 1; q < 14; ++q)
      sum = sum * r + series[q];
    // Twice half of the exponent: 2^1024 is no number, though 2^1024 exp(r) may be.
    const VecL whole = (VecL)rounded - (VecL)shift, half = whole >> 1;
    const VecD first = (VecD)((half + 1023) << 52), second = (VecD)((whole - half + 1023) << 52);
    const VecD value = sum * first * second;
    const VecD bounded = at > 709.79 ? none + HUGE_VAL : value;
    *reinterpret_cast<VecDMem *>(out + i) = at < -708.0 ? none : bounded;
  }
}
