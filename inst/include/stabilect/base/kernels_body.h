// The body of kernels.h, compiled once per vector width; see simd.h.

// Features at once: as many as fit into 16 registers.
constexpr int kStep = sizeof(VecF) == 16 ? 3 : 6;

STABILECT_TARGET inline double dot(const double *a, const double *b, Index ld) {
  Double8 s, x, y;
  zero(s);
  for (Index i = 0; i < ld; i += 8) {
    load(x, a + i);
    load(y, b + i);
    add_product(s, x, y);
  }
  return total(s);
}

// Four columns at a time share the loads of v.
STABILECT_TARGET inline void dot_one(const double *base, Index ld, const int *slots, Index m,
                                     const double *v, double *out) {
  for (Index k = 0; k < m; k += 4) {
    const Index last = m - 1, k1 = std::min(k + 1, last), k2 = std::min(k + 2, last),
                k3 = std::min(k + 3, last);
    const double *c0 = base + ld * slots[k], *c1 = base + ld * slots[k1];
    const double *c2 = base + ld * slots[k2], *c3 = base + ld * slots[k3];
    Double8 s0, s1, s2, s3, x, a;
    zero(s0), zero(s1), zero(s2), zero(s3);
    for (Index i = 0; i < ld; i += 8) {
      load(a, v + i);
      load(x, c0 + i), add_product(s0, x, a);
      load(x, c1 + i), add_product(s1, x, a);
      load(x, c2 + i), add_product(s2, x, a);
      load(x, c3 + i), add_product(s3, x, a);
    }
    out[k3] = total(s3), out[k2] = total(s2);
    out[k1] = total(s1), out[k] = total(s0);
  }
}

// Adds the columns in order, element by element: the order of additions does not depend on the
// number of columns per sweep.
STABILECT_TARGET inline void add_columns(const double *base, Index ld, const int *slots, Index m,
                                         const double *coefficient, double *out) {
  Index k = 0;
  for (; k + 4 <= m; k += 4) {
    const double *c[4];
    for (int q = 0; q < 4; ++q)
      c[q] = base + ld * slots[k + q];
    const double f0 = coefficient[k], f1 = coefficient[k + 1], f2 = coefficient[k + 2],
                 f3 = coefficient[k + 3];
    for (Index i = 0; i < ld; i += 8) {
      Double8 s, x;
      load(s, out + i);
      load(x, c[0] + i), add_scaled(s, x, f0);
      load(x, c[1] + i), add_scaled(s, x, f1);
      load(x, c[2] + i), add_scaled(s, x, f2);
      load(x, c[3] + i), add_scaled(s, x, f3);
      store(out + i, s);
    }
  }
  for (; k < m; ++k) {
    const double *c = base + ld * slots[k];
    for (Index i = 0; i < ld; i += 8) {
      Double8 s, x;
      load(s, out + i);
      load(x, c + i), add_scaled(s, x, coefficient[k]);
      store(out + i, s);
    }
  }
}

STABILECT_TARGET inline void triangle_dot(const double *u, Index ld, Index m, const double *v,
                                          double *out) {
  for (Index k = 0; k < m; ++k)
    out[k] = dot(u + ld * k, v, (k + 8) / 8 * 8);
}

STABILECT_TARGET inline void triangle_combine(const double *u, Index ld, Index m, const double *v,
                                              double *out) {
  for (Index i = 0; i < (m + 7) / 8 * 8; ++i)
    out[i] = 0.0;
  for (Index k = 0; k < m; ++k) {
    const double *column = u + ld * k;
    for (Index i = 0; i < (k + 8) / 8 * 8; i += 8) {
      Double8 s, x;
      load(s, out + i);
      load(x, column + i), add_scaled(s, x, v[k]);
      store(out + i, s);
    }
  }
}

// Products of one float vector with chosen columns, four columns at a time; meanwhile the next four
// are loaded from the outer cache.
STABILECT_TARGET_FLOAT inline void screen(const float *base, Index ld, const int *columns, Index m,
                                          const float *v, float *out) {
  constexpr Index width = sizeof(VecF) / sizeof(float);
  for (Index k = 0; k < m; k += 4) {
    // Past the end the last column is taken again.
    const Index last = m - 1;
    const Index k1 = k + 1 < m ? k + 1 : last, k2 = k + 2 < m ? k + 2 : last,
                k3 = k + 3 < m ? k + 3 : last;
    const Index n0 = k + 4 < m ? k + 4 : last, n1 = k + 5 < m ? k + 5 : last,
                n2 = k + 6 < m ? k + 6 : last, n3 = k + 7 < m ? k + 7 : last;
    const float *c0 = base + ld * columns[k];
    const float *c1 = base + ld * columns[k1];
    const float *c2 = base + ld * columns[k2];
    const float *c3 = base + ld * columns[k3];
    const float *d0 = base + ld * columns[n0];
    const float *d1 = base + ld * columns[n1];
    const float *d2 = base + ld * columns[n2];
    const float *d3 = base + ld * columns[n3];
    VecF s0 = {}, s1 = {}, s2 = {}, s3 = {};
    for (Index i = 0; i < ld; i += width) {
      const VecF a = *reinterpret_cast<const VecFMem *>(v + i);
      s0 += *reinterpret_cast<const VecFMem *>(c0 + i) * a;
      s1 += *reinterpret_cast<const VecFMem *>(c1 + i) * a;
      s2 += *reinterpret_cast<const VecFMem *>(c2 + i) * a;
      s3 += *reinterpret_cast<const VecFMem *>(c3 + i) * a;
      __builtin_prefetch(d0 + i);
      __builtin_prefetch(d1 + i);
      __builtin_prefetch(d2 + i);
      __builtin_prefetch(d3 + i);
    }
    out[k3] = total(s3);
    out[k2] = total(s2);
    out[k1] = total(s1);
    out[k] = total(s0);
  }
}

STABILECT_INLINE STABILECT_TARGET_FLOAT VecF spread(float f) { return f - VecF{}; }

STABILECT_TARGET_FLOAT inline float nearest_hit(const HitArgs &args) {
  constexpr Index width = sizeof(VecF) / sizeof(float);
  const VecF norm_a = spread(args.norm_a), lambda = spread(args.lambda), far = lambda;
  VecF nearest = far;
  for (Index k = 0; k < args.m; k += width) {
    const VecF c = *reinterpret_cast<const VecFMem *>(args.c + k);
    const VecF a = norm_a * *reinterpret_cast<const VecFMem *>(args.a + k);
    const VecF s = *reinterpret_cast<const VecFMem *>(args.scale + k);
    const VecF up = s > a ? (lambda * s - c) / (s - a) : far;
    const VecF down = s > -a ? (lambda * s + c) / (s + a) : far;
    nearest = up < nearest ? up : nearest;
    nearest = down < nearest ? down : nearest;
  }
  float out = nearest[0];
  for (Index q = 1; q < width; ++q)
    out = nearest[q] < out ? nearest[q] : out;
  return out;
}

STABILECT_TARGET_FLOAT inline void move_products(float step, const float *a, float *c, Index m) {
  constexpr Index width = sizeof(VecF) / sizeof(float);
  const VecF factor = spread(step);
  for (Index k = 0; k < m; k += width) {
    VecFMem *at = reinterpret_cast<VecFMem *>(c + k);
    *at = *at - factor * *reinterpret_cast<const VecFMem *>(a + k);
  }
}

STABILECT_TARGET_FLOAT inline Index candidates(const HitArgs &args, int *out) {
  constexpr Index width = sizeof(VecF) / sizeof(float);
  const VecF norm_a = spread(args.norm_a), bound = spread(args.lambda),
             factor = spread(args.slack_factor);
  Index count = 0;
  for (Index k = 0; k < args.m; k += width) {
    const VecF c = *reinterpret_cast<const VecFMem *>(args.c + k);
    const VecF a = *reinterpret_cast<const VecFMem *>(args.a + k);
    const VecF scale = *reinterpret_cast<const VecFMem *>(args.scale + k);
    const VecF slack = *reinterpret_cast<const VecFMem *>(args.slack + k);
    const VecF value = c - norm_a * a;
    for (unsigned mask = bits(above(value, factor * slack, bound, scale)); mask != 0;
         mask &= mask - 1) {
      const Index at = k + __builtin_ctz(mask);
      if (at < args.m)
        out[count++] = static_cast<int>(at);
    }
  }
  return count;
}

// Products of `kStep` columns from `x` on with all lanes, kept in registers.
STABILECT_INLINE STABILECT_TARGET_FLOAT void
panel_products(const float *x, Index ld, const float *v, Index n, Float16 (&s)[kStep]) {
  for (int q = 0; q < kStep; ++q)
    zero(s[q]);
  for (Index i = 0; i < n; ++i) {
    Float16 w;
    load(w, v + i * kLanes);
#pragma GCC unroll 6
    for (int q = 0; q < kStep; ++q)
      add_scaled(s[q], w, x[q * ld + i]);
  }
}

STABILECT_TARGET_FLOAT inline void snapshot(const SnapshotArgs &args, std::uint16_t *mask,
                                            float *values) {
  Float16 t;
  load(t, args.threshold);
  for (Index j = 0; j < args.p; j += kStep) {
    Float16 s[kStep];
    panel_products(args.x + j * args.ld, args.ld, args.v, args.n, s);
    for (Index q = 0; q < kStep; ++q) {
      Float16 scale, slack;
      load(scale, args.scale + (j + q) * kLanes);
      load(slack, args.slack + (j + q) * kLanes);
      mask[j + q] = mask_above(s[q], slack, t, scale);
      if (mask[j + q] != 0)
        store(values + (j + q) * kLanes, s[q]);
    }
  }
}

STABILECT_TARGET_FLOAT inline void snapshot_values(const SnapshotArgs &args, float *values) {
  for (Index j = 0; j < args.p; j += kStep) {
    Float16 s[kStep];
    panel_products(args.x + j * args.ld, args.ld, args.v, args.n, s);
    for (Index q = 0; q < kStep; ++q)
      store(values + (j + q) * kLanes, s[q]);
  }
}

STABILECT_TARGET_FLOAT inline void moments(const SnapshotArgs &args, float *first, float *second) {
  for (Index j = 0; j < args.p; j += 2) {
    const float *x = args.x + j * args.ld;
    Float16 s0, s1, t0, t1, w;
    zero(s0), zero(s1), zero(t0), zero(t1);
    for (Index i = 0; i < args.n; ++i) {
      load(w, args.v + i * kLanes);
      const float x0 = x[i], x1 = x[args.ld + i];
      add_scaled(s0, w, x0);
      add_scaled(s1, w, x1);
      add_scaled(t0, w, x0 * x0);
      add_scaled(t1, w, x1 * x1);
    }
    store(first + j * kLanes, s0), store(first + (j + 1) * kLanes, s1);
    store(second + j * kLanes, t0), store(second + (j + 1) * kLanes, t1);
  }
}

STABILECT_TARGET_FLOAT inline unsigned norms(const float *inverse_total, float gamma, float *first,
                                             float *second) {
  constexpr int width = sizeof(VecF) / sizeof(float);
  const VecF none = {}, half = spread(0.5f), factor = spread(1.001f * gamma),
             mass = spread(1.0f + gamma), least = spread(1e-30f);
  unsigned lost = 0;
  for (int lane = 0; lane < kLanes; lane += width) {
    VecFMem *at_first = reinterpret_cast<VecFMem *>(first + lane);
    VecFMem *at_second = reinterpret_cast<VecFMem *>(second + lane);
    const VecF mean = *at_first, squares = *at_second;
    const VecF inverse = *reinterpret_cast<const VecFMem *>(inverse_total + lane);
    const VecF variance = squares - mean * mean * inverse;
    const VecI kept = (variance > half * squares) & (squares >= least);
    lost |= (~bits(kept) & ((1u << width) - 1u)) << lane;
    *at_first = root(variance > none ? variance : none);
    *at_second = factor * root(squares * mass);
  }
  return lost;
}

constexpr Kernels kernel_table = {sizeof(VecF) == 16 ? "16-byte" : "32-byte",
                                  screen,
                                  nearest_hit,
                                  move_products,
                                  candidates,
                                  dot_one,
                                  dot,
                                  add_columns,
                                  triangle_dot,
                                  triangle_combine,
                                  snapshot,
                                  snapshot_values,
                                  moments,
                                  norms};
