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

// target += f[0] x0 + f[1] x1 + f[2] x2 + f[3] x3, for four columns from `base` on.
STABILECT_TARGET inline void add_four(double *target, const double *base, Index ld, const double *f,
                                      Index n) {
  for (Index i = 0; i < n; i += 8) {
    Double8 s, t, x;
    load(s, target + i), zero(t);
    load(x, base + i), add_scaled(s, x, f[0]);
    load(x, base + ld + i), add_scaled(t, x, f[1]);
    load(x, base + 2 * ld + i), add_scaled(s, x, f[2]);
    load(x, base + 3 * ld + i), add_scaled(t, x, f[3]);
    add_scaled(s, t, 1.0);
    store(target + i, s);
  }
}

// out[q] = <x, column q>, for four columns from `base` on.
STABILECT_TARGET inline void four_products(const double *base, Index ld, const double *x, Index n,
                                           double *out) {
  Double8 s1, s2, s3, s4, v, y;
  zero(s1), zero(s2), zero(s3), zero(s4);
  for (Index i = 0; i < n; i += 8) {
    load(v, x + i);
    load(y, base + i), add_product(s1, v, y);
    load(y, base + ld + i), add_product(s2, v, y);
    load(y, base + 2 * ld + i), add_product(s3, v, y);
    load(y, base + 3 * ld + i), add_product(s4, v, y);
  }
  out[0] = total(s1), out[1] = total(s2), out[2] = total(s3), out[3] = total(s4);
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

// Rows `from` to `to` of n rotations, one after the other, of a column of a factor with the vectors
// that change it, which lie `ld` apart: column = c column + t w, then w = c w - s column, with c, s
// and t in f[3 q], f[3 q + 1] and f[3 q + 2].
STABILECT_TARGET inline void change_column(double *column, double *w, Index ld, Index n,
                                           const double *f, Index from, Index to) {
  for (Index i = from; i < to; i += 8) {
    Double8 own, x, t;
    load(own, column + i);
    for (Index q = 0; q < n; ++q) {
      load(x, w + ld * q + i);
      zero(t), add_scaled(t, x, f[3 * q]), add_scaled(t, own, -f[3 * q + 1]);
      store(w + ld * q + i, t);
      zero(t), add_scaled(t, own, f[3 * q]), add_scaled(t, x, f[3 * q + 2]);
      own = t;
    }
    store(column + i, own);
  }
}
