// The body of products.h, compiled once per vector width; see simd.h.

// gram += sign * sum over features of z z', in the lower triangle, for padded columns of length ld.
// Tiles of 8 x 4 stay in registers; features are added in order.
STABILECT_TARGET inline void add_products(const double *z, Index ld, const int *features, Index n,
                                          double sign, double *gram) {
  for (Index row = 0; row < ld; row += 8)
    for (Index column = 0; column < row + 8; column += 4) {
      Double8 s0, s1, s2, s3, x;
      zero(s0), zero(s1), zero(s2), zero(s3);
      for (Index k = 0; k < n; ++k) {
        const double *at = z + ld * features[k], *f = at + column;
        load(x, at + row);
        add_scaled(s0, x, f[0]), add_scaled(s1, x, f[1]);
        add_scaled(s2, x, f[2]), add_scaled(s3, x, f[3]);
      }
      double *out = gram + column * ld + row;
      load(x, out), add_scaled(x, s0, sign), store(out, x), out += ld;
      load(x, out), add_scaled(x, s1, sign), store(out, x), out += ld;
      load(x, out), add_scaled(x, s2, sign), store(out, x), out += ld;
      load(x, out), add_scaled(x, s3, sign), store(out, x);
    }
}
