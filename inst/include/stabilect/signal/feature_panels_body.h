// The body of feature_panels.h, compiled once per vector width; see simd.h.
// Lanes are features and rows come in order: a number has the same bits at any vector width, in
// float, but never fused.

constexpr Index kLaneVec = sizeof(VecF) / sizeof(float);

STABILECT_INLINE STABILECT_TARGET VecF higher(VecF a, VecF b) { return a > b ? a : b; }

// Natural logarithm for x > 0 and exponential for -87 < x <= 0, by the polynomials of Moshier's
// Cephes library (logf, expf); relative errors of about 1e-7. 12582912 = 1.5 * 2^23 rounds to whole
// numbers, which then stand in the last bits.
STABILECT_INLINE STABILECT_TARGET VecF log_of(VecF x) {
  const VecI whole = (reinterpret_cast<VecI>(x) - 0x3f3504f3) >> 23;
  const VecF f = reinterpret_cast<VecF>(reinterpret_cast<VecI>(x) - (whole << 23)) - 1.0f;
  const VecF e = reinterpret_cast<VecF>(whole + 0x4b400000) - 12582912.0f;
  VecF y = f * 7.0376836292e-2f - 1.1514610310e-1f;
  y = y * f + 1.1676998740e-1f;
  y = y * f - 1.2420140846e-1f;
  y = y * f + 1.4249322787e-1f;
  y = y * f - 1.6668057665e-1f;
  y = y * f + 2.0000714765e-1f;
  y = y * f - 2.4999993993e-1f;
  y = y * f + 3.3333331174e-1f;
  y = y * f * (f * f) - e * 2.12194440e-4f - 0.5f * (f * f);
  return f + y + e * 0.693359375f;
}

STABILECT_INLINE STABILECT_TARGET VecF exp_of(VecF x) {
  const VecF shifted = higher(x, VecF{} - 87.0f) * 1.44269504f + 12582912.0f;
  const VecF whole = shifted - 12582912.0f;
  const VecF r = higher(x, VecF{} - 87.0f) - whole * 0.693359375f + whole * 2.12194440e-4f;
  VecF y = r * 1.9875691500e-4f + 1.3981999507e-3f;
  y = y * r + 8.3334519073e-3f;
  y = y * r + 4.1665795894e-2f;
  y = y * r + 1.6666665459e-1f;
  y = y * r + 5.0000001201e-1f;
  y = y * (r * r) + r + 1.0f;
  return y * reinterpret_cast<VecF>((reinterpret_cast<VecI>(shifted) - 0x4b400000 + 127) << 23);
}

// Four vectors of lanes at once: -O2 keeps sums in registers only if each has a name.
struct FourVecs {
  VecF a, b, c, d;
};

STABILECT_INLINE STABILECT_TARGET void store_four(const FourVecs &sum, float *out) {
  VecFMem *to = reinterpret_cast<VecFMem *>(out);
  to[0] = sum.a, to[1] = sum.b, to[2] = sum.c, to[3] = sum.d;
}

// Products of a panel with one vector.
STABILECT_TARGET inline void panel_product(const float *panel, Index n, const float *v,
                                           float *out) {
  for (Index at = 0; at < kWidePanel; at += 4 * kLaneVec) {
    VecF a{}, b{}, c{}, d{};
    for (Index i = 0; i < n; ++i) {
      const VecFMem *x = reinterpret_cast<const VecFMem *>(panel + i * kWidePanel + at);
      const float w = v[i];
      a += x[0] * w, b += x[1] * w, c += x[2] * w, d += x[3] * w;
    }
    store_four({a, b, c, d}, out + at);
  }
}

// sum_i weight_i x_i^2.
STABILECT_INLINE STABILECT_TARGET void weigh_squares(const float *panel, Index n,
                                                     const float *weight, FourVecs &sum) {
  VecF a{}, b{}, c{}, d{};
  for (Index i = 0; i < n; ++i) {
    const VecFMem *x = reinterpret_cast<const VecFMem *>(panel + i * kWidePanel);
    const float w = weight[i];
    a += x[0] * x[0] * w, b += x[1] * x[1] * w, c += x[2] * x[2] * w, d += x[3] * x[3] * w;
  }
  sum = {a, b, c, d};
}

// Takes away (factor'x)^2.
STABILECT_INLINE STABILECT_TARGET void take_square(const float *panel, Index n, const float *factor,
                                                   FourVecs &sum) {
  VecF a{}, b{}, c{}, d{};
  for (Index i = 0; i < n; ++i) {
    const VecFMem *x = reinterpret_cast<const VecFMem *>(panel + i * kWidePanel);
    const float f = factor[i];
    a += x[0] * f, b += x[1] * f, c += x[2] * f, d += x[3] * f;
  }
  sum.a -= a * a, sum.b -= b * b, sum.c -= c * c, sum.d -= d * d;
}

// sum_i weight_i x_i^2 - sum_k (factor_k'x)^2 for the columns of a panel; factor: n x rank.
STABILECT_TARGET inline void panel_squares(const float *panel, Index n, const float *weight,
                                           const float *factor, Index rank, float *out) {
  for (Index at = 0; at < kWidePanel; at += 4 * kLaneVec) {
    FourVecs sum;
    weigh_squares(panel + at, n, weight, sum);
    for (Index k = 0; k < rank; ++k)
      take_square(panel + at, n, factor + k * n, sum);
    store_four(sum, out + at);
  }
}

// What each feature of a panel adds to the logarithm of the likelihood. Returns the largest.
STABILECT_TARGET inline float panel_gains(const GainArgs &args, Index at, float *gain) {
  VecF top = VecF{} - 3e38f;
  for (Index c = at; c < at + kWidePanel; c += kLaneVec) {
    VecF v = *reinterpret_cast<const VecFMem *>(args.squares + c) + args.inverse_slab;
    VecF w = *reinterpret_cast<const VecFMem *>(args.products + c);
    for (Index i = 0; i < args.n_columns; ++i) {
      VecF along{};
      for (Index j = 0; j <= i; ++j)
        along += args.triangle[i * kMostColumns + j] *
                 *reinterpret_cast<const VecFMem *>(args.columns[j] + c);
      v -= along * along;
      w -= along * args.heights[i];
    }
    v = higher(v, VecF{} + args.least);
    VecF l = w * w / v;
    if (args.normal)
      l *= 0.5f;
    else
      l = -args.power * log_of(higher(1.0f - l * args.inverse_sum, VecF{} + args.least_left));
    l -= 0.5f * log_of(v);
    top = higher(l, top);
    *reinterpret_cast<VecFMem *>(gain + c) = l;
  }
  float largest = top[0];
  for (Index lane = 1; lane < kLaneVec; ++lane)
    largest = top[lane] > largest ? top[lane] : largest;
  return largest;
}

// Weights exp(gain - top) in place of the gains, zero far below the top; their sum.
STABILECT_TARGET inline double panel_weights(float top, float *gain) {
  for (Index c = 0; c < kWidePanel; c += kLaneVec) {
    const VecF l = *reinterpret_cast<const VecFMem *>(gain + c) - top;
    *reinterpret_cast<VecFMem *>(gain + c) = l > -86.0f ? exp_of(l) : VecF{};
  }
  double sum = 0.0;
  for (Index lane = 0; lane < kWidePanel; lane += 4)
    sum += (gain[lane] + gain[lane + 1]) + (gain[lane + 2] + gain[lane + 3]);
  return sum;
}

STABILECT_TARGET inline void add_panel(const float *weight, float factor, float *total) {
  for (Index c = 0; c < kWidePanel; c += kLaneVec)
    *reinterpret_cast<VecFMem *>(total + c) +=
        *reinterpret_cast<const VecFMem *>(weight + c) * factor;
}
