#ifndef STABILECT_NULL_MAXIMA_H
#define STABILECT_NULL_MAXIMA_H

// The largest statistic of all features in every null draw: p x R products, made in tiles of four
// features by sixteen draws in float and never stored.

#include <algorithm>
#include <cmath>
#include <numeric>

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
// two more for rounding the factors). Lengths of k products: the root of k times as much, and the
// rounding of k squares.
inline double float_slack(Index m, Index k = 1) {
  const double one = (m + 4.0) / 16777216.0;
  return k == 1 ? one : std::sqrt(static_cast<double>(k)) * one + (k + 4.0) / 16777216.0;
}

// The same of many samples, where the bound exceeds what statistics without signal are: at n =
// 100,000 it is twice their standard deviation, and p would have no power. Rounding errors that are
// independent grow with the root of m (Higham and Mary 2019, theorem 2.4, at eight deviations).
inline double likely_slack(Index m, Index k = 1) {
  const double root = 8.0 * std::sqrt(static_cast<double>(m));
  return float_slack(std::min(m, static_cast<Index>(root)), k);
}

// The same for a statistic of this size, and for draws that may equal it. An addition errs by u
// times the sum so far, which is little more than the statistic where the terms are as small as
// those of many pairs of samples: bounds for sums of size one would exceed all statistics without
// signal.
inline double slack_of(double statistic, Index m) {
  constexpr Index kFew = 2048;
  if (m <= kFew)
    return float_slack(m);
  const double walk = 8.0 / std::sqrt(static_cast<double>(m)); // of the sum on its way
  return likely_slack(m) * std::min(1.0, std::fabs(statistic) + walk);
}

namespace signal_detail {

// Products are made of this many panels, and rows, at a time, so that draws are read from memory
// once for all of them.
constexpr Index kGroupPanels = 4;
constexpr Index kBlockRows = 512;

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
  // function(k, count): panels from k on, one after the other. One reader for each task.
  auto reader() const {
    return [this](Index k, Index) { return values_.data() + k * kPanelFeatures * m_; };
  }

private:
  Index m_, p_;
  AlignedBuffer<float> values_;
};

// Draws in tiles of sixteen, each of `columns` columns of a matrix side by side. The statistic of a
// feature is the length of its products with the columns of a draw.
class DrawTiles {
public:
  explicit DrawTiles(const ConstMatrix &draws, Index columns = 1)
      : m_(draws.rows()), columns_(columns), size_(draws.cols() / columns),
        values_(signal_detail::pack(
            [&](Index i, Index c) {
              const Index tile = kTileDraws * columns;
              const Index draw = c / tile * kTileDraws + c % kTileDraws;
              return draw < size_ ? draws(i, draw * columns + c % tile / kTileDraws) : 0.0;
            },
            m_, signal_detail::ceiling(size_, kTileDraws) * kTileDraws * columns, kTileDraws)) {}

  Index size() const { return size_; }
  Index columns() const { return columns_; }
  static constexpr bool has_sign() { return false; }
  Index tiles_per_task(const Runtime &) const { return 4; }
  // function(tile), for tiles in [from, end).
  auto reader(Index, Index) const {
    return [this](Index tile) { return values_.data() + tile * columns_ * kTileDraws * m_; };
  }

private:
  Index m_, columns_, size_;
  AlignedBuffer<float> values_;
};

namespace signal_detail {

inline double square(double value) { return value * value; }

// Asked after so many groups of panels that the user does not wait for the answer.
inline bool stopped(Index group, Index m, const Runtime &runtime) {
  const Index every = std::min<Index>(256, 1 + 16384 / (m + 1));
  return group % every == 0 && runtime.stop_requested();
}

// Products of a group of panels with tiles of draws, in memory for one task.
class GroupProducts {
public:
  // `columns` of a draw, for up to kGroupPanels panels and `tiles`.
  GroupProducts(Index m, Index columns, Index tiles, int width)
      : m_(m), columns_(columns), width_(width),
        sums_(tiles * kGroupPanels * columns * kPanelFeatures * kTileDraws) {}

  // Of the panels and a function(tile) of draws, tiles from `from` on.
  template <typename DrawsOf>
  void make(const float *panels, Index n_panels, const DrawsOf &draws_of, Index from, Index end) {
    std::fill(sums_.data(), sums_.data() + sums_.size(), 0.0f);
    for (Index row = 0; row < m_; row += kBlockRows) {
      const Index rows = std::min(kBlockRows, m_ - row);
      for (Index tile = from; tile < end; ++tile) {
        for (Index k = 0; k < columns_; ++k)
          for (Index g = 0; g < n_panels; ++g)
            STABILECT_AT_WIDTH(width_, add_panel_products)
        (panels + (g * m_ + row) * kPanelFeatures, draws_of(tile) + (k * m_ + row) * kTileDraws,
         rows, at(tile - from, g) + k * kPanelFeatures * kTileDraws);
      }
    }
  }
  float *at(Index tile, Index panel) {
    return sums_.data() + (tile * kGroupPanels + panel) * columns_ * kPanelFeatures * kTileDraws;
  }

private:
  Index m_, columns_;
  int width_;
  AlignedBuffer<float> sums_;
};

} // namespace signal_detail

struct StepDown {
  Array<int> reached;     // per feature: draws whose successive maximum is at least its level
  Eigen::VectorXd maxima; // per draw: over all features; of statistics that have no sign
  Index n_draws = 0;
};

// Westfall and Young (1993, algorithm 4.1; as in Ge, Dudoit and Speed 2003, box 2): the maximum of
// a draw over the features whose statistic is no larger. `x` has the features in ascending order of
// `level`; features and columns of draws of length one.
template <typename Panels, typename Draws>
StepDown step_down(const Panels &x, const Draws &draws, const Array<double> &level,
                   const Runtime &runtime, int width = 0) {
  using namespace signal_detail;
  const Index m = x.m(), n_draws = draws.size();
  const bool several = draws.columns() > 1; // then in squares
  AlignedBuffer<float> least(x.n_panels() * kPanelFeatures);
  for (Index j = 0; j < x.p(); ++j)
    least[j] = static_cast<float>(several ? square(std::max(level[j], 0.0)) : level[j]);
  const Index tiles = ceiling(n_draws, kTileDraws);
  AlignedBuffer<float> best(tiles * kTileDraws);
  if (draws.has_sign())
    std::fill(best.data(), best.data() + tiles * kTileDraws, -2.0f); // below any correlation
  const Index per_task = draws.tiles_per_task(runtime);
  // One row of counts per task: tasks share nothing, and their sum has no rounding.
  Array<Array<int>> reached(ceiling(tiles, per_task));
  run_tasks(reached.size(), runtime, [&](Index t) {
    const Index from = t * per_task, end = std::min(tiles, from + per_task);
    auto panels_from = x.reader();
    const auto draws_of = draws.reader(from, end);
    GroupProducts products(m, draws.columns(), end - from, width);
    Array<int> &mine = reached[t];
    mine.assign(x.n_panels() * kPanelFeatures, 0);
    const Index groups = ceiling(x.n_panels(), kGroupPanels);
    for (Index group = 0; group < groups && !stopped(group, m, runtime); ++group) {
      const Index k = group * kGroupPanels, count = std::min(kGroupPanels, x.n_panels() - k);
      products.make(panels_from(k, count), count, draws_of, from, end);
      for (Index tile = from; tile < end; ++tile)
        for (Index g = 0; g < count; ++g)
          STABILECT_AT_WIDTH(width, count_maxima)
      (products.at(tile - from, g), draws.columns(), draws.has_sign(),
       least.data() + (k + g) * kPanelFeatures, best.data() + tile * kTileDraws,
       mine.data() + (k + g) * kPanelFeatures);
    }
  });
  StepDown out;
  out.reached.assign(x.p(), 0);
  for (const auto &counts : reached)
    for (Index j = 0; j < x.p(); ++j)
      out.reached[j] += counts[j];
  // The zeros that pad the last tile have reached what is not positive.
  for (Index j = 0; j < x.p(); ++j)
    if (least[j] <= 0.0f)
      out.reached[j] -= static_cast<int>(tiles * kTileDraws - n_draws);
  out.n_draws = n_draws;
  if (draws.has_sign())
    return out;
  out.maxima.resize(n_draws);
  for (Index r = 0; r < n_draws; ++r)
    out.maxima[r] = several ? std::sqrt(best[r]) : best[r];
  return out;
}

// Family-wise p of all features. `order`: as the columns of step_down().
inline Array<double> step_down_p(const StepDown &down, const Array<int> &order) {
  Array<double> out(order.size());
  double largest = 0.0;
  for (Index k = order.size(); k-- > 0;) {
    largest = std::max(largest, (1.0 + down.reached[k]) / (1.0 + down.n_draws));
    out[order[k]] = largest;
  }
  return out;
}

// Features from the smallest statistic to the largest.
inline Array<int> ascending(const Eigen::VectorXd &statistic) {
  Array<int> order(statistic.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](int a, int b) { return statistic[a] < statistic[b]; });
  return order;
}

} // namespace stabilect

#endif
