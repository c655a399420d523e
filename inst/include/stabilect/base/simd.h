#ifndef STABILECT_SIMD_H
#define STABILECT_SIMD_H

// The only file that depends on vector instructions: their widths, the attribute that lets the
// compiler use them in a function, and which of them this processor has.
//
// A room that needs vectors writes its loops once, in a body file without an include guard, on the
// types below and with STABILECT_TARGET before each function (STABILECT_TARGET_FLOAT where fused
// operations are allowed, never in double). The room then writes
//
//   #define STABILECT_BODY "stabilect/<room>/<name>_body.h"
//   #include "stabilect/base/simd_widths.h"
//
// outside of any namespace, which compiles the body once per width, as kernels_16::f and
// kernels_32::f, and calls STABILECT_AT_WIDTH(0, f)(...): the widest f that this processor runs.

#include <cfloat>
#include <cmath>
#include <cstdint>
#include <cstring>

// With STABILECT_NO_AVX2 an x86 processor acts like one without AVX2.
#if (defined(__x86_64__) || defined(__i386__)) && !defined(STABILECT_NO_AVX2)
#define STABILECT_HAS_AVX2 1
#define STABILECT_TARGET_32 __attribute__((target("avx2")))
#define STABILECT_TARGET_FLOAT_32 __attribute__((target("avx2,fma")))
#endif

// A lasso path does not end where sums keep more digits in registers than in memory.
static_assert(FLT_EVAL_METHOD != 2, "x87 arithmetic: compile with -msse2 -mfpmath=sse");

#define STABILECT_INLINE static inline __attribute__((always_inline))

namespace stabilect {

inline bool cpu_has_avx2() {
#ifdef STABILECT_HAS_AVX2
  static const bool has = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  return has;
#else
  return false;
#endif
}

// A function, or constant, in the version for the widest vectors of this processor; `width` = 16
// takes the plain version.
#ifdef STABILECT_HAS_AVX2
#define STABILECT_AT_WIDTH(width, name)                                                            \
  (stabilect::cpu_has_avx2() && (width) != 16 ? stabilect::kernels_32::name                        \
                                              : stabilect::kernels_16::name)
#else
#define STABILECT_AT_WIDTH(width, name) ((void)(width), stabilect::kernels_16::name)
#endif

// Every width has: VecD, VecF, VecI (vectors), VecDMem, VecFMem (the same in memory, at any
// address), Double8 and Float16 (as many vectors as this many numbers need) with zero(), load(),
// store(), add_scaled() and, for Double8, add_product() and total().

// The vectors of a width in bytes.
#define STABILECT_VECTORS(bytes)                                                                   \
  typedef double VecD __attribute__((vector_size(bytes)));                                         \
  typedef double VecDMem __attribute__((vector_size(bytes), aligned(8), may_alias));               \
  typedef float VecF __attribute__((vector_size(bytes)));                                          \
  typedef float VecFMem __attribute__((vector_size(bytes), aligned(4), may_alias));                \
  typedef std::int32_t VecI __attribute__((vector_size(bytes)));

// ---- 16-byte vectors: every processor --------------------------------------------
namespace kernels_16 {
STABILECT_VECTORS(16)
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
STABILECT_INLINE VecF root(VecF x) {
  return VecF{std::sqrt(x[0]), std::sqrt(x[1]), std::sqrt(x[2]), std::sqrt(x[3])};
}
STABILECT_INLINE unsigned bits(VecI m) {
  return static_cast<unsigned>((m[0] & 1) | (m[1] & 2) | (m[2] & 4) | (m[3] & 8));
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
} // namespace kernels_16

// ---- 32-byte vectors: x86 processors with AVX2 and FMA -----------------------------
#ifdef STABILECT_HAS_AVX2
namespace kernels_32 {
STABILECT_VECTORS(32)
struct Double8 {
  VecD a, b;
};
struct Float16 {
  VecF a, b;
};
STABILECT_INLINE STABILECT_TARGET_32 void zero(Double8 &x) { x.a = x.b = VecD{0.0, 0.0, 0.0, 0.0}; }
STABILECT_INLINE STABILECT_TARGET_32 void load(Double8 &x, const double *p) {
  const VecDMem *q = reinterpret_cast<const VecDMem *>(p);
  x.a = q[0], x.b = q[1];
}
STABILECT_INLINE STABILECT_TARGET_32 void store(double *p, const Double8 &x) {
  VecDMem *q = reinterpret_cast<VecDMem *>(p);
  q[0] = x.a, q[1] = x.b;
}
STABILECT_INLINE STABILECT_TARGET_32 void add_product(Double8 &s, const Double8 &x,
                                                      const Double8 &y) {
  s.a += x.a * y.a, s.b += x.b * y.b;
}
STABILECT_INLINE STABILECT_TARGET_32 void add_scaled(Double8 &s, const Double8 &x, double f) {
  const VecD y = {f, f, f, f};
  s.a += x.a * y, s.b += x.b * y;
}
STABILECT_INLINE STABILECT_TARGET_32 double total(const Double8 &x) {
  const VecD t = x.a + x.b; // the tree of the 16-byte version, lane by lane
  return (t[0] + t[2]) + (t[1] + t[3]);
}
STABILECT_INLINE STABILECT_TARGET_FLOAT_32 float total(VecF x) {
  typedef float Half __attribute__((vector_size(16)));
  Half low, high;
  std::memcpy(&low, &x, sizeof low);
  std::memcpy(&high, reinterpret_cast<const char *>(&x) + sizeof low, sizeof high);
  const Half t = low + high;
  return (t[0] + t[1]) + (t[2] + t[3]);
}
STABILECT_INLINE STABILECT_TARGET_FLOAT_32 void zero(Float16 &x) {
  x.a = x.b = VecF{0, 0, 0, 0, 0, 0, 0, 0};
}
STABILECT_INLINE STABILECT_TARGET_FLOAT_32 void load(Float16 &x, const float *p) {
  const VecFMem *q = reinterpret_cast<const VecFMem *>(p);
  x.a = q[0], x.b = q[1];
}
STABILECT_INLINE STABILECT_TARGET_FLOAT_32 void store(float *p, const Float16 &x) {
  VecFMem *q = reinterpret_cast<VecFMem *>(p);
  q[0] = x.a, q[1] = x.b;
}
STABILECT_INLINE STABILECT_TARGET_FLOAT_32 void add_scaled(Float16 &s, const Float16 &x, float f) {
  const VecF y = {f, f, f, f, f, f, f, f};
  s.a += x.a * y, s.b += x.b * y;
}
STABILECT_INLINE STABILECT_TARGET_FLOAT_32 VecF root(VecF x) { return __builtin_ia32_sqrtps256(x); }
STABILECT_INLINE STABILECT_TARGET_FLOAT_32 unsigned bits(VecI m) {
  return static_cast<unsigned>(__builtin_ia32_movmskps256((VecF)m));
}
STABILECT_INLINE STABILECT_TARGET_FLOAT_32 VecI above(VecF s, VecF slack, VecF t, VecF scale) {
  const VecF bound = t * scale - slack;
  return (s > bound) | (-s > bound);
}
STABILECT_INLINE STABILECT_TARGET_FLOAT_32 std::uint16_t
mask_above(const Float16 &s, const Float16 &slack, const Float16 &t, const Float16 &scale) {
  return static_cast<std::uint16_t>(bits(above(s.a, slack.a, t.a, scale.a)) |
                                    bits(above(s.b, slack.b, t.b, scale.b)) << 8);
}
} // namespace kernels_32
#endif

} // namespace stabilect

#endif
