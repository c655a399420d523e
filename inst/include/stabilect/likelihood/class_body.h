// The body of class_likelihood.h, compiled once per vector width; see simd.h. Numbers of a class,
// or of a contrast, lie side by side, `ld` of them, a multiple of eight.

// Linear predictors of the K classes, C theta minus their largest, from m = K - 1 contrasts; row k
// of C is at [m k].
STABILECT_TARGET inline void class_predictors(const double *theta, Index ld, Index m,
                                              const double *c, double *eta) {
  constexpr Index width = sizeof(VecD) / sizeof(double);
  const VecD none = {};
  for (Index i = 0; i < ld; i += width) {
    VecD largest = none - HUGE_VAL;
    for (Index k = 0; k <= m; ++k) {
      VecD sum = none;
      for (Index a = k > 0 ? k - 1 : 0; a < m; ++a)
        sum += c[m * k + a] * *reinterpret_cast<const VecDMem *>(theta + ld * a + i);
      *reinterpret_cast<VecDMem *>(eta + ld * k + i) = sum;
      largest = sum > largest ? sum : largest;
    }
    for (Index k = 0; k <= m; ++k)
      *reinterpret_cast<VecDMem *>(eta + ld * k + i) -= largest;
  }
}

// From exponentials of the predictors (K of them) to chances, their sums, and the residual of every
// contrast, root (own - C'chance).
STABILECT_TARGET inline void class_residuals(double *chance, Index ld, Index m, const double *c,
                                             const double *root, const double *own, double *sums,
                                             double *residual) {
  constexpr Index width = sizeof(VecD) / sizeof(double);
  const VecD none = {};
  for (Index i = 0; i < ld; i += width) {
    VecD sum = none;
    for (Index k = 0; k <= m; ++k)
      sum += *reinterpret_cast<const VecDMem *>(chance + ld * k + i);
    *reinterpret_cast<VecDMem *>(sums + i) = sum;
    for (Index k = 0; k <= m; ++k)
      *reinterpret_cast<VecDMem *>(chance + ld * k + i) /= sum;
    const VecD weight = *reinterpret_cast<const VecDMem *>(root + i);
    for (Index a = 0; a < m; ++a) {
      VecD left = *reinterpret_cast<const VecDMem *>(own + ld * a + i);
      for (Index k = 0; k <= a + 1; ++k)
        left -= c[m * k + a] * *reinterpret_cast<const VecDMem *>(chance + ld * k + i);
      *reinterpret_cast<VecDMem *>(residual + ld * a + i) = weight * left;
    }
  }
}

// The second derivative C'(diag(chance) - chance chance')C, contrasts a <= b at pair
// b (b + 1) / 2 + a.
STABILECT_TARGET inline void class_curvatures(const double *chance, Index ld, Index m,
                                              const double *c, double *out) {
  constexpr Index width = sizeof(VecD) / sizeof(double);
  const VecD none = {};
  for (Index i = 0; i < ld; i += width) {
    double *pair = out + i;
    for (Index b = 0; b < m; ++b)
      for (Index a = 0; a <= b; ++a, pair += ld) {
        VecD mean_a = none, mean_b = none, both = none;
        for (Index k = 0; k <= b + 1; ++k) {
          const VecD part = c[m * k + b] * *reinterpret_cast<const VecDMem *>(chance + ld * k + i);
          mean_b += part;
          if (k > a + 1)
            continue;
          mean_a += c[m * k + a] * *reinterpret_cast<const VecDMem *>(chance + ld * k + i);
          both += c[m * k + a] * part;
        }
        *reinterpret_cast<VecDMem *>(pair) = both - mean_a * mean_b;
      }
  }
}
