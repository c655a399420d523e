// The body of filters_cox.h, compiled once per vector width; see simd.h.

// Two features in kTile runs: `x` has their values in turn, sample by sample from the longest time
// down; `tables` the tables of a sample, each kTile numbers. out: score, second moment and the part
// of the means, each kTile numbers, of the first feature and then of the second. Lanes are runs and
// rows come in order: a sum has the same bits at any place and vector width.
STABILECT_TARGET inline void cox_sums(const double *x, const double *tables, Index n, double *out) {
  constexpr Index width = sizeof(VecD) / sizeof(double), tile = cox_detail::kTile;
  for (Index at = 0; at < tile; at += width) {
    VecD risk0{}, risk1{}, score0{}, score1{}, square0{}, square1{}, means0{}, means1{};
    for (Index i = 0; i < n; ++i) {
      const double *row = tables + i * cox_detail::kTables * tile + at;
      const VecD weight = *reinterpret_cast<const VecDMem *>(row);
      const VecD residual = *reinterpret_cast<const VecDMem *>(row + tile);
      const VecD hazard = *reinterpret_cast<const VecDMem *>(row + 2 * tile);
      const VecD share = *reinterpret_cast<const VecDMem *>(row + 3 * tile);
      const double x0 = x[2 * i], x1 = x[2 * i + 1];
      risk0 += x0 * weight, risk1 += x1 * weight;
      score0 += x0 * residual, score1 += x1 * residual;
      square0 += (x0 * x0) * hazard, square1 += (x1 * x1) * hazard;
      means0 += share * (risk0 * risk0), means1 += share * (risk1 * risk1);
    }
    const VecD sums[] = {score0, square0, means0, score1, square1, means1};
    for (Index k = 0; k < 6; ++k)
      *reinterpret_cast<VecDMem *>(out + k * tile + at) = sums[k];
  }
}
