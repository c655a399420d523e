#ifndef STABILECT_KERNELS_H
#define STABILECT_KERNELS_H

// The inner loops of the path engine, compiled once per vector width (simd.h) from one source
// (kernels_body.h) and chosen when the package runs.
//
// Arithmetic in double keeps ONE summation order (eight running sums, then a fixed
// tree) and is never contracted into fused operations, so a path has the same bits on
// every x86 processor. Arithmetic in float (snapshots and screening) may use fused
// operations: it only decides which columns are looked at, and never enters a result.

#include <algorithm>
#include <cstdint>

#include "stabilect/base/array.h"
#include "stabilect/base/simd.h"

namespace stabilect {

constexpr Index kLanes = 16;    // replicates that share one pass over the data
constexpr int kPanel = 6;       // features that a pass takes at once
constexpr int kRowMultiple = 8; // rows are padded with zeros to a multiple of this

inline Index pad_rows(Index n) { return (n + kRowMultiple - 1) / kRowMultiple * kRowMultiple; }

// A float pass over a matrix for kLanes replicates. All arrays of p rows have them padded
// to a multiple of kPanel.
struct SnapshotArgs {
  const float *x;         // columns of length ld
  const float *v;         // n rows x kLanes: weighted residuals of norm one
  const float *scale;     // p x kLanes: norm of the column
  const float *slack;     // p x kLanes: bound on the rounding error of the product
  const float *threshold; // kLanes
  Index n, ld, p;
};

// Features of a working set, padded with zeros (scale: ones) to a multiple of eight:
// c are products with the residual, a those with the direction at norm one.
struct HitArgs {
  const float *c, *a, *scale, *slack;
  Index m;
  float norm_a; // for candidates(): times the step
  float lambda; // for candidates(): the bound
  float slack_factor;
};

struct Kernels {
  const char *name;
  // out[k] = <column columns[k], v>
  void (*screen)(const float *base, Index ld, const int *columns, Index m, const float *v,
                 float *out);
  // The smallest step at which a feature reaches lambda, as computed in float.
  float (*nearest_hit)(const HitArgs &args);
  // c -= step * a, both padded as in HitArgs
  void (*move_products)(float step, const float *a, float *c, Index m);
  // Positions k with |c - step a| + slack above the bound, at most m; returns how many.
  Index (*candidates)(const HitArgs &args, int *out);
  void (*dot_one)(const double *base, Index ld, const int *slots, Index m, const double *v,
                  double *out);
  double (*dot)(const double *a, const double *b, Index ld);
  // out += sum_k coefficient[k] * column slots[k]
  void (*add_columns)(const double *base, Index ld, const int *slots, Index m,
                      const double *coefficient, double *out);
  // For an upper triangular U (columns of length ld, zero below the diagonal):
  // out = U'v and out = U v over the leading m columns.
  void (*triangle_dot)(const double *u, Index ld, Index m, const double *v, double *out);
  void (*triangle_combine)(const double *u, Index ld, Index m, const double *v, double *out);
  // mask bit b of feature j: |<x_j, v_b>| + slack > threshold_b * scale; the products (p x kLanes)
  // of features with a bit are stored.
  void (*snapshot)(const SnapshotArgs &args, std::uint16_t *mask, float *values);
  // the products themselves, p x kLanes
  void (*snapshot_values)(const SnapshotArgs &args, float *values);
  // first = sum_i v x, second = sum_i v x^2, p x kLanes each
  void (*moments)(const SnapshotArgs &args, float *first, float *second);
  // Turns the moments of a feature in all lanes (times the weights; inverse_total: one over their
  // sum, or 0) into its norm about the mean, in place of `first`, and a bound of the rounding error
  // of a product, 1.001 gamma sqrt(second (1 + gamma)), in place of `second`. Returns bits of the
  // lanes whose norm has lost too many digits: the moments err by at most 4 gamma `second`, and up
  // to half of `second` lost is harmless.
  unsigned (*norms)(const float *inverse_total, float gamma, float *first, float *second);
};

} // namespace stabilect

#define STABILECT_BODY "stabilect/base/kernels_body.h"
#include "stabilect/base/simd_widths.h"

namespace stabilect {

// The widest version that this processor can run; `width` = 16 asks for the plain one (tests).
inline const Kernels &kernels(int width = 0) { return STABILECT_AT_WIDTH(width, kernel_table); }

} // namespace stabilect

#endif
