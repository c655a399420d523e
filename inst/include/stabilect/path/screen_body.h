// The body of screen.h, compiled once per vector width; see simd.h. Sums have one order and are
// never fused, also in float: what a path looks at, and when, is the same on every processor.

// Eight floats.
struct Float8 {
  VecF part[32 / sizeof(VecF)];
};
constexpr int kParts = 32 / sizeof(VecF), kFloats = sizeof(VecF) / sizeof(float);

STABILECT_INLINE STABILECT_TARGET void zero(Float8 &x) {
  for (VecF &part : x.part)
    part = VecF{};
}
STABILECT_INLINE STABILECT_TARGET void load(Float8 &x, const float *p) {
#pragma GCC unroll 2
  for (int q = 0; q < kParts; ++q)
    x.part[q] = *reinterpret_cast<const VecFMem *>(p + q * kFloats);
}
STABILECT_INLINE STABILECT_TARGET void store(float *p, const Float8 &x) {
#pragma GCC unroll 2
  for (int q = 0; q < kParts; ++q)
    *reinterpret_cast<VecFMem *>(p + q * kFloats) = x.part[q];
}
STABILECT_INLINE STABILECT_TARGET void add_product(Float8 &s, const Float8 &x, const Float8 &y) {
#pragma GCC unroll 2
  for (int q = 0; q < kParts; ++q)
    s.part[q] += x.part[q] * y.part[q];
}
STABILECT_INLINE STABILECT_TARGET void add_scaled(Float8 &s, const Float8 &x, float f) {
#pragma GCC unroll 2
  for (int q = 0; q < kParts; ++q)
    s.part[q] += x.part[q] * f;
}
STABILECT_INLINE STABILECT_TARGET float total(const Float8 &x) {
  float t[8];
  store(t, x);
  return ((t[0] + t[4]) + (t[1] + t[5])) + ((t[2] + t[6]) + (t[3] + t[7]));
}

// Products of m columns with two vectors: of those that `columns` names, or if it is null the
// first ones.
STABILECT_TARGET inline void pair_products(const float *base, Index ld, const int *columns, Index m,
                                           const float *v, const float *w, float *out_v,
                                           float *out_w) {
  for (Index k = 0; k < m; k += 4) {
    const float *c[4];
    for (Index q = 0; q < 4; ++q) {
      const Index at = k + q < m ? k + q : m - 1;
      c[q] = base + ld * (columns ? columns[at] : at);
    }
    Float8 a0, a1, a2, a3, b0, b1, b2, b3, x, y, z;
    zero(a0), zero(a1), zero(a2), zero(a3), zero(b0), zero(b1), zero(b2), zero(b3);
    for (Index i = 0; i < ld; i += 8) {
      load(y, v + i), load(z, w + i);
      load(x, c[0] + i), add_product(a0, x, y), add_product(b0, x, z);
      load(x, c[1] + i), add_product(a1, x, y), add_product(b1, x, z);
      load(x, c[2] + i), add_product(a2, x, y), add_product(b2, x, z);
      load(x, c[3] + i), add_product(a3, x, y), add_product(b3, x, z);
    }
    const float own[8] = {total(a0), total(a1), total(a2), total(a3),
                          total(b0), total(b1), total(b2), total(b3)};
    for (Index q = 0; q < 4 && k + q < m; ++q) {
      out_v[k + q] = own[q];
      out_w[k + q] = own[4 + q];
    }
  }
}

// The same with one vector.
STABILECT_TARGET inline void float_products(const float *base, Index ld, const int *columns,
                                            Index m, const float *v, float *out) {
  for (Index k = 0; k < m; k += 4) {
    const float *c[4];
    for (Index q = 0; q < 4; ++q) {
      const Index at = k + q < m ? k + q : m - 1;
      c[q] = base + ld * (columns ? columns[at] : at);
    }
    Float8 a0, a1, a2, a3, x, y;
    zero(a0), zero(a1), zero(a2), zero(a3);
    for (Index i = 0; i < ld; i += 8) {
      load(y, v + i);
      load(x, c[0] + i), add_product(a0, x, y);
      load(x, c[1] + i), add_product(a1, x, y);
      load(x, c[2] + i), add_product(a2, x, y);
      load(x, c[3] + i), add_product(a3, x, y);
    }
    const float own[4] = {total(a0), total(a1), total(a2), total(a3)};
    for (Index q = 0; q < 4 && k + q < m; ++q)
      out[k + q] = own[q];
  }
}

// Sums of w x and of w x^2 of the first m columns.
STABILECT_TARGET inline void column_moments(const float *base, Index ld, Index m, const float *w,
                                            float *first, float *second) {
  for (Index k = 0; k < m; ++k) {
    const float *column = base + ld * k;
    Float8 s, t, x, y, z;
    zero(s), zero(t);
    for (Index i = 0; i < ld; i += 8) {
      load(x, column + i), load(y, w + i);
      zero(z), add_product(z, x, y);
      add_product(s, x, y), add_product(t, x, z);
    }
    first[k] = total(s);
    second[k] = total(t);
  }
}

// Of 8 `blocks` features from j on: the squares of the norms of `width` sums, see above_limit().
template <Index blocks>
STABILECT_INLINE STABILECT_TARGET void squared_sums(const float *const *c, Index n, const float *f,
                                                    Index width, Index j, Float8 *squares) {
#pragma GCC unroll 4
  for (Index k = 0; k < blocks; ++k)
    zero(squares[k]);
  for (Index a = 0; a < width; ++a) {
    Float8 sum[blocks], x;
#pragma GCC unroll 4
    for (Index k = 0; k < blocks; ++k)
      zero(sum[k]);
    for (Index q = 0; q < n; ++q) {
      const float *from = c[q] + j;
      const float factor = f[q * width + a];
#pragma GCC unroll 4
      for (Index k = 0; k < blocks; ++k)
        load(x, from + 8 * k), add_scaled(sum[k], x, factor);
    }
#pragma GCC unroll 4
    for (Index k = 0; k < blocks; ++k)
      add_product(squares[k], sum[k], sum[k]);
  }
}

// Adds those of eight features from j on that are above the limit to `out`, which has `count`.
STABILECT_INLINE STABILECT_TARGET Index add_above(const Float8 &squares, const float *slack,
                                                  float slack_factor, float limit, Index j,
                                                  int *out, Index count) {
  float found[8];
  Float8 t, x;
  load(x, slack + j);
#pragma GCC unroll 2
  for (int q = 0; q < kParts; ++q) {
    const VecF left = limit - x.part[q] * slack_factor, none = {};
    t.part[q] = ((left > none) & (squares.part[q] <= left * left)) ? none : none + 1.0f;
  }
  store(found, t);
  std::int64_t any[4];
  std::memcpy(any, found, sizeof any);
  if ((any[0] | any[1] | any[2] | any[3]) == 0)
    return count;
  for (Index q = 0; q < 8; ++q)
    if (found[q] > 0.0f)
      out[count++] = static_cast<int>(j + q);
  return count;
}

// The features of p (a multiple of eight) for which
//   |sum_q f_q c_q[j]| + slack_factor slack[j] > limit,
// with the Euclidean norm over `width` sums, each with n factors: number a of direction q is
// f[q * width + a]. Returns how many there are.
STABILECT_TARGET inline Index above_limit(const float *const *c, Index n, const float *f,
                                          Index width, Index p, const float *slack,
                                          float slack_factor, float limit, int *out) {
  constexpr Index most = 4;
  Index count = 0, j = 0;
  Float8 squares[most];
  for (; j + 8 * most <= p; j += 8 * most) {
    squared_sums<most>(c, n, f, width, j, squares);
#pragma GCC unroll 4
    for (Index k = 0; k < most; ++k)
      count = add_above(squares[k], slack, slack_factor, limit, j + 8 * k, out, count);
  }
  for (; j < p; j += 8) {
    squared_sums<1>(c, n, f, width, j, squares);
    count = add_above(squares[0], slack, slack_factor, limit, j, out, count);
  }
  return count;
}

// Products of p columns with all lanes: out[j * kLanes + lane]; p is padded to whole panels.
STABILECT_TARGET inline void lane_products(const float *base, Index ld, Index n, Index p,
                                           const float *v, float *out) {
  for (Index j = 0; j < p; j += kStep) {
    const float *x = base + j * ld;
    Float8 low[kStep], high[kStep], y, z;
    for (int q = 0; q < kStep; ++q)
      zero(low[q]), zero(high[q]);
    for (Index i = 0; i < n; ++i) {
      load(y, v + i * kLanes), load(z, v + i * kLanes + 8);
#pragma GCC unroll 6
      for (int q = 0; q < kStep; ++q) {
        const float factor = x[q * ld + i];
        add_scaled(low[q], y, factor);
        add_scaled(high[q], z, factor);
      }
    }
    for (int q = 0; q < kStep; ++q) {
      store(out + (j + q) * kLanes, low[q]);
      store(out + (j + q) * kLanes + 8, high[q]);
    }
  }
}
