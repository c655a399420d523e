#ifndef STABILECT_NULL_MAXIMA_H
#define STABILECT_NULL_MAXIMA_H

// The largest statistic of all features in every null draw: p x R products, made in tiles of four
// features by sixteen draws in float and never stored.

#include <algorithm>

#include "stabilect/base/runtime.h"
#include "stabilect/base/simd.h"
#include "stabilect/base/types.h"

namespace stabilect {

constexpr Index kPanelFeatures = 4;
constexpr Index kTileDraws = 16;

} // namespace stabilect

#define STABILECT_BODY "stabilect/signal/null_maxima_body.h"
#include "stabilect/base/simd_widths.h"

namespace stabilect {

// Bound of the error of a float product of a column and a draw of length one; equal statistics
// count as reached. |fl(x'g) - x'g| <= (m + 2) u |x|'|g| with u = 2^-24 (Higham 2002, section 3.1;
// two more for rounding the factors).
inline double float_slack(Index m) { return (m + 4.0) / 16777216.0; }

namespace signal_detail {

constexpr Index kTilesPerTask = 4;

inline Index ceiling(Index n, Index size) { return (n + size - 1) / size; }

// Rows (fastest) of `width` columns at a time side by side, padded with zeros.
template <typename Value>
AlignedBuffer<float> pack(const Value &value, Index rows, Index columns, Index width) {
  AlignedBuffer<float> out(ceiling(columns, width) * width * rows);
  for (Index c = 0; c < columns; ++c) {
    float *at = out.data() + (c / width) * width * rows + c % width;
    for (Index i = 0; i < rows; ++i)
      at[i * width] = static_cast<float>(value(i, c));
  }
  return out;
}

} // namespace signal_detail

// Columns in panels of four, in the order given.
class ColumnPanels {
public:
  ColumnPanels(const ConstMatrix &x, const Array<int> &order)
      : m_(x.rows()), p_(order.size()),
        values_(signal_detail::pack([&](Index i, Index c) { return x(i, order[c]); }, m_, p_,
                                    kPanelFeatures)) {}

  Index m() const { return m_; }
  Index p() const { return p_; }
  Index n_panels() const { return signal_detail::ceiling(p_, kPanelFeatures); }
  const float *panel(Index k) const { return values_.data() + k * kPanelFeatures * m_; }

private:
  Index m_, p_;
  AlignedBuffer<float> values_;
};

namespace signal_detail {

// Runs task(first tile, end) on all tiles of draws; a task ends early when the user interrupts.
template <typename Task> void run_tiles(Index n_draws, const Runtime &runtime, const Task &task) {
  const Index tiles = ceiling(n_draws, kTileDraws);
  run_tasks(ceiling(tiles, kTilesPerTask), runtime,
            [&](Index t) { task(t * kTilesPerTask, std::min(tiles, (t + 1) * kTilesPerTask)); });
}

inline bool stopped(Index panel, const Runtime &runtime) {
  return panel % 1024 == 0 && runtime.stop_requested();
}

} // namespace signal_detail

struct StepDown {
  Array<int> reached;     // per feature: draws whose successive maximum is at least its level
  Eigen::VectorXd maxima; // per draw: over all features
};

// Westfall and Young (1993, algorithm 4.1; as in Ge, Dudoit and Speed 2003, box 2): the maximum of
// a draw over the features whose statistic is no larger. `x` has the features in ascending order of
// `level`; draws of length one.
inline StepDown step_down(const ColumnPanels &x, const ConstMatrix &draws,
                          const Array<double> &level, const Runtime &runtime, int width = 0) {
  using namespace signal_detail;
  const Index m = x.m(), n_draws = draws.cols();
  const AlignedBuffer<float> g =
      pack([&](Index i, Index r) { return draws(i, r); }, m, n_draws, kTileDraws);
  AlignedBuffer<float> least(x.n_panels() * kPanelFeatures);
  for (Index j = 0; j < x.p(); ++j)
    least[j] = static_cast<float>(level[j]);
  const Index tiles = ceiling(n_draws, kTileDraws);
  AlignedBuffer<float> best(tiles * kTileDraws);
  // One row of counts per task: tasks share nothing, and their sum has no rounding.
  Array<Array<int>> reached(ceiling(tiles, kTilesPerTask));
  run_tiles(n_draws, runtime, [&](Index from, Index end) {
    Array<int> &mine = reached[from / kTilesPerTask];
    mine.assign(x.n_panels() * kPanelFeatures, 0);
    for (Index k = 0; k < x.n_panels() && !stopped(k, runtime); ++k)
      for (Index tile = from; tile < end; ++tile)
        STABILECT_AT_WIDTH(width, count_maxima)
    (x.panel(k), g.data() + tile * kTileDraws * m, m, least.data() + k * kPanelFeatures,
     best.data() + tile * kTileDraws, mine.data() + k * kPanelFeatures);
  });
  StepDown out;
  out.reached.assign(x.p(), 0);
  for (const auto &counts : reached)
    for (Index j = 0; j < x.p(); ++j)
      out.reached[j] += counts[j];
  // If a level is not positive, the zeros that pad the last tile have also reached it.
  for (int &count : out.reached)
    count = std::min(count, static_cast<int>(n_draws));
  out.maxima.resize(draws.cols());
  for (Index r = 0; r < n_draws; ++r)
    out.maxima[r] = best[r];
  return out;
}

} // namespace stabilect

#endif
