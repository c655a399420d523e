// The body of filter_runs.h, compiled once per vector width; see simd.h.

// out[c * kTile + b] = sum_i panel[i * kColumns + c] * weights[i * kTile + b]. Lanes are runs and
// rows come in order: a sum has the same bits at any place and vector width.
STABILECT_TARGET inline void panel_sums(const double *panel, const double *weights, Index n,
                                        double *out) {
  constexpr Index width = sizeof(VecD) / sizeof(double), tile = filter_detail::kTile,
                  next = tile / width;
  for (Index at = 0; at < tile; at += 2 * width) {
    VecD s00{}, s01{}, s10{}, s11{}, s20{}, s21{}, s30{}, s31{};
    for (Index i = 0; i < n; ++i) {
      const VecDMem *w = reinterpret_cast<const VecDMem *>(weights + i * tile + at);
      const VecD w0 = w[0], w1 = w[1];
      const double *x = panel + i * filter_detail::kColumns;
      s00 += x[0] * w0, s01 += x[0] * w1, s10 += x[1] * w0, s11 += x[1] * w1;
      s20 += x[2] * w0, s21 += x[2] * w1, s30 += x[3] * w0, s31 += x[3] * w1;
    }
    VecDMem *o = reinterpret_cast<VecDMem *>(out + at);
    o[0] = s00, o[1] = s01, o[next] = s10, o[next + 1] = s11;
    o[2 * next] = s20, o[2 * next + 1] = s21, o[3 * next] = s30, o[3 * next + 1] = s31;
  }
}
