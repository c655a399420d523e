// The body of null_maxima.h, compiled once per vector width; see simd.h.

constexpr Index kVecF = sizeof(VecF) / sizeof(float);

STABILECT_INLINE STABILECT_TARGET VecF absolute(VecF x) { return x < 0.0f ? -x : x; }
STABILECT_INLINE STABILECT_TARGET VecF larger(VecF a, VecF b) { return a > b ? a : b; }

// Adds the products of some rows of four features and of a tile of draws to `sums` (features x
// draws). Lanes are draws and rows come in order: a product has the same bits at any place and
// vector width, in float, but never fused.
STABILECT_TARGET inline void add_panel_products(const float *panel, const float *draws, Index rows,
                                                float *sums) {
  for (Index at = 0; at < kTileDraws; at += 2 * kVecF) {
    const auto sum = [&](Index c, Index v) {
      return reinterpret_cast<VecFMem *>(sums + c * kTileDraws + at) + v;
    };
    VecF s00 = *sum(0, 0), s01 = *sum(0, 1), s10 = *sum(1, 0), s11 = *sum(1, 1);
    VecF s20 = *sum(2, 0), s21 = *sum(2, 1), s30 = *sum(3, 0), s31 = *sum(3, 1);
    for (Index i = 0; i < rows; ++i) {
      const VecFMem *g = reinterpret_cast<const VecFMem *>(draws + i * kTileDraws + at);
      const VecF g0 = g[0], g1 = g[1];
      const float *x = panel + i * kPanelFeatures;
      s00 += x[0] * g0, s01 += x[0] * g1, s10 += x[1] * g0, s11 += x[1] * g1;
      s20 += x[2] * g0, s21 += x[2] * g1, s30 += x[3] * g0, s31 += x[3] * g1;
    }
    *sum(0, 0) = s00, *sum(0, 1) = s01, *sum(1, 0) = s10, *sum(1, 1) = s11;
    *sum(2, 0) = s20, *sum(2, 1) = s21, *sum(3, 0) = s30, *sum(3, 1) = s31;
  }
}

// What is compared: products with their sign, absolute ones, or, of several columns, the sums of
// their squares.
STABILECT_INLINE STABILECT_TARGET VecF measured(const float *sums, Index columns, bool has_sign) {
  const VecF first = *reinterpret_cast<const VecFMem *>(sums);
  if (columns == 1)
    return has_sign ? first : absolute(first);
  VecF total = first * first;
  for (Index k = 1; k < columns; ++k) {
    const VecF next = *reinterpret_cast<const VecFMem *>(sums + k * kPanelFeatures * kTileDraws);
    total += next * next;
  }
  return total;
}

// Successive maxima over features in order; reached[c] grows by the number of draws whose maximum
// up to feature c is at least level[c].
STABILECT_TARGET inline void count_maxima(const float *sums, Index columns, bool has_sign,
                                          const float *level, float *best, int *reached) {
  for (Index at = 0; at < kTileDraws; at += kVecF) {
    VecFMem *b = reinterpret_cast<VecFMem *>(best + at);
    VecF top = *b;
    for (Index c = 0; c < kPanelFeatures; ++c) {
      top = larger(measured(sums + c * kTileDraws + at, columns, has_sign), top);
      const VecI hits = top >= VecF{} + level[c]; // -1 where true
      for (Index lane = 0; lane < kVecF; ++lane)
        reached[c] -= hits[lane];
    }
    *b = top;
  }
}
