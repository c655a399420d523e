// The body of null_maxima.h, compiled once per vector width; see simd.h.

constexpr Index kVecF = sizeof(VecF) / sizeof(float);

STABILECT_INLINE STABILECT_TARGET VecF absolute(VecF x) { return x < 0.0f ? -x : x; }
STABILECT_INLINE STABILECT_TARGET VecF larger(VecF a, VecF b) { return a > b ? a : b; }

struct PanelProduct {
  VecF s[kPanelFeatures][2];
};

// Products of four features with two vectors of draws. Lanes are draws and rows come in order: a
// product has the same bits at any place and vector width, in float, but never fused.
STABILECT_INLINE STABILECT_TARGET void multiply_panel(const float *panel, const float *draws,
                                                      Index m, PanelProduct &out) {
  VecF s00{}, s01{}, s10{}, s11{}, s20{}, s21{}, s30{}, s31{};
  for (Index i = 0; i < m; ++i) {
    const VecFMem *g = reinterpret_cast<const VecFMem *>(draws + i * kTileDraws);
    const VecF g0 = g[0], g1 = g[1];
    const float *x = panel + i * kPanelFeatures;
    s00 += x[0] * g0, s01 += x[0] * g1, s10 += x[1] * g0, s11 += x[1] * g1;
    s20 += x[2] * g0, s21 += x[2] * g1, s30 += x[3] * g0, s31 += x[3] * g1;
  }
  out.s[0][0] = s00, out.s[0][1] = s01, out.s[1][0] = s10, out.s[1][1] = s11;
  out.s[2][0] = s20, out.s[2][1] = s21, out.s[3][0] = s30, out.s[3][1] = s31;
}

// What is compared: products with their sign, absolute ones, or, of several columns, the sums of
// their squares.
STABILECT_INLINE STABILECT_TARGET void measure_panel(const float *panel, const float *draws,
                                                     Index m, Index columns, bool has_sign,
                                                     PanelProduct &out) {
  multiply_panel(panel, draws, m, out);
  if (has_sign)
    return;
  for (Index c = 0; c < kPanelFeatures; ++c)
    for (Index v = 0; v < 2; ++v)
      out.s[c][v] = columns == 1 ? absolute(out.s[c][v]) : out.s[c][v] * out.s[c][v];
  for (Index k = 1; k < columns; ++k) {
    PanelProduct one;
    multiply_panel(panel, draws + k * m * kTileDraws, m, one);
    for (Index c = 0; c < kPanelFeatures; ++c)
      for (Index v = 0; v < 2; ++v)
        out.s[c][v] += one.s[c][v] * one.s[c][v];
  }
}

// Successive maxima over features in order; reached[c] grows by the number of draws whose maximum
// up to feature c is at least level[c].
STABILECT_TARGET inline void count_maxima(const float *panel, const float *draws, Index m,
                                          Index columns, bool has_sign, const float *level,
                                          float *best, int *reached) {
  for (Index at = 0; at < kTileDraws; at += 2 * kVecF) {
    PanelProduct product;
    measure_panel(panel, draws + at, m, columns, has_sign, product);
    VecFMem *b = reinterpret_cast<VecFMem *>(best + at);
    VecF top0 = b[0], top1 = b[1];
    for (Index c = 0; c < kPanelFeatures; ++c) {
      top0 = larger(product.s[c][0], top0);
      top1 = larger(product.s[c][1], top1);
      const VecF least = VecF{} + level[c];
      const VecI hits = (top0 >= least) + (top1 >= least); // -1 where true
      for (Index lane = 0; lane < kVecF; ++lane)
        reached[c] -= hits[lane];
    }
    b[0] = top0, b[1] = top1;
  }
}
