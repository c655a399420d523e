#ifndef STABILECT_KERNELS_H
#define STABILECT_KERNELS_H

// The inner loops of the path engine, compiled once per vector width from one
// source (kernels_body.h) and chosen when the package is loaded.
//
// Arithmetic in double keeps ONE summation order (eight running sums, then a fixed
// tree) and is never contracted into fused operations, so a path has the same bits on
// every x86 processor. Arithmetic in float (snapshots and screening) may use fused
// operations: it only decides which columns are looked at, never what is computed.

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace stabilect {

constexpr int kLanes = 16;      // replicates that share one pass over the data
constexpr int kPanel = 6;       // features that a pass takes at once
constexpr int kRowMultiple = 8; // rows are padded with zeros to a multiple of this

inline std::size_t pad_rows(std::size_t n) {
  return (n + kRowMultiple - 1) / kRowMultiple * kRowMultiple;
}

// A float pass over a matrix for kLanes replicates. All arrays of p rows have them padded
// to a multiple of kPanel.
struct SnapshotArgs {
  const float *x;         // columns of length ld
  const float *v;         // n rows x kLanes: weighted residuals of norm one
  const float *scale;     // p x kLanes: norm of the column
  const float *slack;     // p x kLanes: bound on the rounding error of the product
  const float *threshold; // kLanes
  std::size_t n, ld, p;
};

// Features of a working set, padded with zeros (scale: ones) to a multiple of eight:
// c are products with the residual, a those with the direction at norm one.
struct HitArgs {
  const float *c, *a, *scale, *slack;
  std::size_t m;
  float norm_a; // for candidates(): times the step
  float lambda; // for candidates(): the bound
  float slack_factor;
};

struct Kernels {
  const char *name;
  // out[k] = <column columns[k], v>
  void (*screen)(const float *base, std::size_t ld, const int *columns, std::size_t m,
                 const float *v, float *out);
  // The smallest step at which, as far as floats can tell, a feature reaches lambda.
  float (*nearest_hit)(const HitArgs &args);
  // Positions k with |c - step a| + slack above the bound, at most m; returns how many.
  std::size_t (*candidates)(const HitArgs &args, int *out);
  void (*dot_one)(const double *base, std::size_t ld, const int *slots, std::size_t m,
                  const double *v, double *out);
  double (*dot)(const double *a, const double *b, std::size_t ld);
  // out += sum_k coefficient[k] * column slots[k]
  void (*add_columns)(const double *base, std::size_t ld, const int *slots, std::size_t m,
                      const double *coefficient, double *out);
  // For an upper triangular U (columns of length ld, zero below the diagonal):
  // out = U'v and out = U v over the leading m columns.
  void (*triangle_dot)(const double *u, std::size_t ld, std::size_t m, const double *v,
                       double *out);
  void (*triangle_combine)(const double *u, std::size_t ld, std::size_t m, const double *v,
                           double *out);
  // mask bit b of feature j: |<x_j, v_b>| + slack > threshold_b * scale
  void (*snapshot_mask)(const SnapshotArgs &args, std::uint16_t *mask);
  // the products themselves, p x kLanes
  void (*snapshot_values)(const SnapshotArgs &args, float *values);
  // first = sum_i v x, second = sum_i v x^2, p x kLanes each
  void (*moments)(const SnapshotArgs &args, float *first, float *second);
};

#define STABILECT_INLINE static inline __attribute__((always_inline))

// ---- 16-byte vectors: every processor --------------------------------------------
namespace kernels_16 {
#define STABILECT_TARGET
#define STABILECT_TARGET_FLOAT
typedef double VecD __attribute__((vector_size(16)));
typedef double VecDMem __attribute__((vector_size(16), aligned(8), may_alias));
typedef float VecF __attribute__((vector_size(16)));
typedef float VecFMem __attribute__((vector_size(16), aligned(4), may_alias));
typedef std::int32_t VecI __attribute__((vector_size(16)));
struct Double8 {
  VecD a, b, c, d;
};
struct Float16 {
  VecF a, b, c, d;
};
STABILECT_INLINE void zero(Double8 &x) { x.a = x.b = x.c = x.d = VecD{0.0, 0.0}; }
STABILECT_INLINE void load(Double8 &x, const double *p) {
  const VecDMem *q = reinterpret_cast<const VecDMem *>(p);
  x.a = q[0], x.b = q[1], x.c = q[2], x.d = q[3];
}
STABILECT_INLINE void store(double *p, const Double8 &x) {
  VecDMem *q = reinterpret_cast<VecDMem *>(p);
  q[0] = x.a, q[1] = x.b, q[2] = x.c, q[3] = x.d;
}
STABILECT_INLINE void add_product(Double8 &s, const Double8 &x, const Double8 &y) {
  s.a += x.a * y.a, s.b += x.b * y.b, s.c += x.c * y.c, s.d += x.d * y.d;
}
STABILECT_INLINE void add_scaled(Double8 &s, const Double8 &x, double f) {
  const VecD y = {f, f};
  s.a += x.a * y, s.b += x.b * y, s.c += x.c * y, s.d += x.d * y;
}
STABILECT_INLINE double total(const Double8 &x) {
  const VecD t = (x.a + x.c) + (x.b + x.d);
  return t[0] + t[1];
}
STABILECT_INLINE float total(VecF x) { return (x[0] + x[1]) + (x[2] + x[3]); }
constexpr int kStep = 3; // features at once: what fits into 16 registers
STABILECT_INLINE void zero(Float16 &x) { x.a = x.b = x.c = x.d = VecF{0, 0, 0, 0}; }
STABILECT_INLINE void load(Float16 &x, const float *p) {
  const VecFMem *q = reinterpret_cast<const VecFMem *>(p);
  x.a = q[0], x.b = q[1], x.c = q[2], x.d = q[3];
}
STABILECT_INLINE void store(float *p, const Float16 &x) {
  VecFMem *q = reinterpret_cast<VecFMem *>(p);
  q[0] = x.a, q[1] = x.b, q[2] = x.c, q[3] = x.d;
}
STABILECT_INLINE void add_scaled(Float16 &s, const Float16 &x, float f) {
  const VecF y = {f, f, f, f};
  s.a += x.a * y, s.b += x.b * y, s.c += x.c * y, s.d += x.d * y;
}
STABILECT_INLINE unsigned bits(VecI m) {
  return (m[0] & 1u) | (m[1] & 2u) | (m[2] & 4u) | (m[3] & 8u);
}
STABILECT_INLINE VecI above(VecF s, VecF slack, VecF t, VecF scale) {
  const VecF bound = t * scale - slack;
  return (s > bound) | (-s > bound);
}
STABILECT_INLINE std::uint16_t mask_above(const Float16 &s, const Float16 &slack, const Float16 &t,
                                          const Float16 &scale) {
  return static_cast<std::uint16_t>(
      bits(above(s.a, slack.a, t.a, scale.a)) | bits(above(s.b, slack.b, t.b, scale.b)) << 4 |
      bits(above(s.c, slack.c, t.c, scale.c)) << 8 | bits(above(s.d, slack.d, t.d, scale.d)) << 12);
}
#include "stabilect/base/kernels_body.h"
constexpr Kernels table = STABILECT_KERNEL_TABLE("16-byte");
#undef STABILECT_TARGET
#undef STABILECT_TARGET_FLOAT
} // namespace kernels_16

// ---- 32-byte vectors: x86 processors with AVX2 and FMA -----------------------------
#if defined(__x86_64__) || defined(__i386__)
#define STABILECT_HAS_AVX2 1
namespace kernels_32 {
#define STABILECT_TARGET __attribute__((target("avx2")))
#define STABILECT_TARGET_FLOAT __attribute__((target("avx2,fma")))
typedef double VecD __attribute__((vector_size(32)));
typedef double VecDMem __attribute__((vector_size(32), aligned(8), may_alias));
typedef float VecF __attribute__((vector_size(32)));
typedef float VecFMem __attribute__((vector_size(32), aligned(4), may_alias));
typedef std::int32_t VecI __attribute__((vector_size(32)));
struct Double8 {
  VecD a, b;
};
struct Float16 {
  VecF a, b;
};
STABILECT_INLINE STABILECT_TARGET void zero(Double8 &x) { x.a = x.b = VecD{0.0, 0.0, 0.0, 0.0}; }
STABILECT_INLINE STABILECT_TARGET void load(Double8 &x, const double *p) {
  const VecDMem *q = reinterpret_cast<const VecDMem *>(p);
  x.a = q[0], x.b = q[1];
}
STABILECT_INLINE STABILECT_TARGET void store(double *p, const Double8 &x) {
  VecDMem *q = reinterpret_cast<VecDMem *>(p);
  q[0] = x.a, q[1] = x.b;
}
STABILECT_INLINE STABILECT_TARGET void add_product(Double8 &s, const Double8 &x, const Double8 &y) {
  s.a += x.a * y.a, s.b += x.b * y.b;
}
STABILECT_INLINE STABILECT_TARGET void add_scaled(Double8 &s, const Double8 &x, double f) {
  const VecD y = {f, f, f, f};
  s.a += x.a * y, s.b += x.b * y;
}
STABILECT_INLINE STABILECT_TARGET double total(const Double8 &x) {
  const VecD t = x.a + x.b; // the tree of the 16-byte version, lane by lane
  return (t[0] + t[2]) + (t[1] + t[3]);
}
STABILECT_INLINE STABILECT_TARGET_FLOAT float total(VecF x) {
  typedef float Half __attribute__((vector_size(16)));
  Half low, high;
  std::memcpy(&low, &x, sizeof low);
  std::memcpy(&high, reinterpret_cast<const char *>(&x) + sizeof low, sizeof high);
  const Half t = low + high;
  return (t[0] + t[1]) + (t[2] + t[3]);
}
constexpr int kStep = 6;
STABILECT_INLINE STABILECT_TARGET_FLOAT void zero(Float16 &x) {
  x.a = x.b = VecF{0, 0, 0, 0, 0, 0, 0, 0};
}
STABILECT_INLINE STABILECT_TARGET_FLOAT void load(Float16 &x, const float *p) {
  const VecFMem *q = reinterpret_cast<const VecFMem *>(p);
  x.a = q[0], x.b = q[1];
}
STABILECT_INLINE STABILECT_TARGET_FLOAT void store(float *p, const Float16 &x) {
  VecFMem *q = reinterpret_cast<VecFMem *>(p);
  q[0] = x.a, q[1] = x.b;
}
STABILECT_INLINE STABILECT_TARGET_FLOAT void add_scaled(Float16 &s, const Float16 &x, float f) {
  const VecF y = {f, f, f, f, f, f, f, f};
  s.a += x.a * y, s.b += x.b * y;
}
STABILECT_INLINE STABILECT_TARGET_FLOAT unsigned bits(VecI m) {
  return static_cast<unsigned>(__builtin_ia32_movmskps256((VecF)m));
}
STABILECT_INLINE STABILECT_TARGET_FLOAT VecI above(VecF s, VecF slack, VecF t, VecF scale) {
  const VecF bound = t * scale - slack;
  return (s > bound) | (-s > bound);
}
STABILECT_INLINE STABILECT_TARGET_FLOAT std::uint16_t
mask_above(const Float16 &s, const Float16 &slack, const Float16 &t, const Float16 &scale) {
  return static_cast<std::uint16_t>(bits(above(s.a, slack.a, t.a, scale.a)) |
                                    bits(above(s.b, slack.b, t.b, scale.b)) << 8);
}
#include "stabilect/base/kernels_body.h"
constexpr Kernels table = STABILECT_KERNEL_TABLE("32-byte");
#undef STABILECT_TARGET
#undef STABILECT_TARGET_FLOAT
} // namespace kernels_32
#endif

#undef STABILECT_KERNEL_TABLE

inline bool cpu_has_avx2() {
#ifdef STABILECT_HAS_AVX2
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
#else
  return false;
#endif
}

// The widest version this processor runs; `width` = 16 asks for the plain one (tests).
inline const Kernels &kernels(int width = 0) {
#ifdef STABILECT_HAS_AVX2
  static const bool wide = cpu_has_avx2();
  if (wide && width != 16)
    return kernels_32::table;
#endif
  (void)width;
  return kernels_16::table;
}

} // namespace stabilect

#endif
