// The body of active_factor.h, compiled once per vector width; see simd.h. All lengths are
// multiples of eight.

// out[l * stride + k] = <columns[k], u + ld l> for k < m and l < q. Tiles of three columns and two
// vectors stay in registers; the order of additions is the same for every tile.
STABILECT_TARGET inline void cross_products(const double *const *columns, Index m, const double *u,
                                            Index ld, Index q, double *out, Index stride) {
  for (Index k = 0; k < m; k += 3) {
    const Index k2 = k + 1 < m ? k + 1 : k, k3 = k + 2 < m ? k + 2 : k2;
    const double *c1 = columns[k], *c2 = columns[k2], *c3 = columns[k3];
    for (Index l = 0; l < q; l += 2) {
      const Index l2 = l + 1 < q ? l + 1 : l;
      const double *u1 = u + ld * l, *u2 = u + ld * l2;
      Double8 a1, a2, a3, b1, b2, b3, x, y;
      zero(a1), zero(a2), zero(a3), zero(b1), zero(b2), zero(b3);
      for (Index i = 0; i < ld; i += 8) {
        load(x, u1 + i), load(y, c1 + i), add_product(a1, x, y);
        load(y, c2 + i), add_product(a2, x, y);
        load(y, c3 + i), add_product(a3, x, y);
        load(x, u2 + i), add_product(b3, x, y);
        load(y, c2 + i), add_product(b2, x, y);
        load(y, c1 + i), add_product(b1, x, y);
      }
      out[l * stride + k] = total(a1), out[l2 * stride + k] = total(b1);
      out[l * stride + k2] = total(a2), out[l2 * stride + k2] = total(b2);
      out[l * stride + k3] = total(a3), out[l2 * stride + k3] = total(b3);
    }
  }
}

// target += f x
STABILECT_TARGET inline void add_multiple(double *target, const double *x, double f, Index n) {
  for (Index i = 0; i < n; i += 8) {
    Double8 s, y;
    load(s, target + i), load(y, x + i);
    add_scaled(s, y, f);
    store(target + i, s);
  }
}

// Adds multiples of the m columns from `base` on to four columns from `target` on: column k times
// f[4 k + q] to target q, in rows `from` to `to`.
STABILECT_TARGET inline void add_to_panel(const double *base, Index ld, Index m, const double *f,
                                          double *target, Index from, Index to) {
  for (Index i = from; i < to; i += 8) {
    Double8 t1, t2, t3, t4, x;
    load(t1, target + i), load(t2, target + ld + i);
    load(t3, target + 2 * ld + i), load(t4, target + 3 * ld + i);
    for (Index k = 0; k < m; ++k) {
      load(x, base + ld * k + i);
      add_scaled(t1, x, f[4 * k]), add_scaled(t2, x, f[4 * k + 1]);
      add_scaled(t3, x, f[4 * k + 2]), add_scaled(t4, x, f[4 * k + 3]);
    }
    store(target + i, t1), store(target + ld + i, t2);
    store(target + 2 * ld + i, t3), store(target + 3 * ld + i, t4);
  }
}

// A plane rotation: out = c x + s y, and x becomes c y - s x.
STABILECT_TARGET inline void rotate_columns(double *x, const double *y, double c, double s,
                                            double *out, Index n) {
  for (Index i = 0; i < n; i += 8) {
    Double8 a, b, t;
    load(a, x + i), load(b, y + i);
    zero(t), add_scaled(t, a, c), add_scaled(t, b, s);
    store(out + i, t);
    zero(t), add_scaled(t, b, c), add_scaled(t, a, -s);
    store(x + i, t);
  }
}
