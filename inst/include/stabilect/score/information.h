#ifndef STABILECT_INFORMATION_H
#define STABILECT_INFORMATION_H

// Mutual information of discretised features with the response, and mRMR. Bins are made in every
// run from its in-bag samples; counts are whole numbers, so sums are exact.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <stdexcept>

#include "stabilect/base/error.h"
#include "stabilect/base/runtime.h"
#include "stabilect/base/scale.h"
#include "stabilect/base/types.h"

namespace stabilect {

enum class BinRule { equal_width, equal_frequency, sd };
enum class Redundancy { difference, quotient };

struct InformationOptions {
  BinRule rule = BinRule::equal_width;
  int n_bins = 0; // 0: the cube root of the samples in the bag, rounded down, at least 2
  bool miller_madow = false;
};

struct MrmrOptions {
  InformationOptions information;
  Redundancy redundancy = Redundancy::difference;
  int n_features = 1;
};

namespace information_detail {

using Code = std::uint8_t;

// The samples of one run that are in the bag.
struct Bag {
  Array<Index> row;
  Array<int> count;
  Array<Code> y;
  Array<Index> position; // of each row of x in `row`, or -1
  int total = 0, n_bins = 0, n_classes = 0;
};

// sum over cells of n log n, from a table, in whole numbers of a small unit: the sum is exact, so
// that it does not depend on the order of cells, and features with the same cells are equal.
class Entropies {
public:
  explicit Entropies(int largest) : value_(largest + 1, 0) {
    // At most 2^55 units: four sums, of which none is larger than the last value, fit.
    const double top = largest > 1 ? largest * std::log(largest) : 1.0;
    units_ = std::ldexp(1.0, 54 - std::ilogb(top));
    for (int n = 2; n <= largest; ++n)
      value_[n] = std::llround(units_ * (n * std::log(n)));
  }
  std::int64_t sum(const int *cells, Index n) const {
    std::int64_t out = 0;
    for (Index k = 0; k < n; ++k)
      out += value_[cells[k]];
    return out;
  }
  std::int64_t operator()(int n) const { return value_[n]; }
  double units() const { return units_; } // of 1

private:
  Array<std::int64_t> value_;
  double units_ = 1.0;
};

inline Array<Index> sorted_rows(const double *x, Index n) {
  Array<Index> order(n);
  std::iota(order.begin(), order.end(), Index(0));
  std::sort(order.begin(), order.end(),
            [x](Index a, Index b) { return x[a] < x[b] || (x[a] == x[b] && a < b); });
  return order;
}

inline void bin_by_width(const double *x, const Bag &bag, Code *out) {
  double low = x[bag.row[0]], high = low;
  for (Index i : bag.row)
    low = std::min(low, x[i]), high = std::max(high, x[i]);
  const double scale = high > low ? bag.n_bins / (high - low) : 0.0;
  for (Index k = 0; k < bag.row.size(); ++k)
    out[k] = static_cast<Code>(
        std::min<int>(bag.n_bins - 1, static_cast<int>((x[bag.row[k]] - low) * scale)));
}

// Equal values share the bin of the middle of their positions.
inline void bin_by_frequency(const double *x, const Bag &bag, const Array<Index> &order,
                             Code *out) {
  const Index n = order.size();
  std::int64_t below = 0;
  for (Index from = 0, to = 0; from < n; from = to) {
    std::int64_t size = 0;
    for (to = from; to < n && x[order[to]] == x[order[from]]; ++to)
      if (bag.position[order[to]] >= 0)
        size += bag.count[bag.position[order[to]]];
    const std::int64_t bin = (2 * below + size) * bag.n_bins / (2 * bag.total);
    for (Index i = from; i < to; ++i)
      if (bag.position[order[i]] >= 0)
        out[bag.position[order[i]]] =
            static_cast<Code>(std::min<std::int64_t>(bin, bag.n_bins - 1));
    below += size;
  }
}

// Below, within and above mean -+ sd / 2.
inline void bin_by_sd(const double *x, const Bag &bag, Code *out) {
  double largest = 0.0;
  for (const Index row : bag.row)
    largest = std::max(largest, std::abs(x[row]));
  const double unit = unit_for(largest), first = unit * x[bag.row[0]];
  double mean = 0.0, square = 0.0;
  for (Index k = 0; k < bag.row.size(); ++k)
    mean += bag.count[k] * (unit * x[bag.row[k]] - first);
  mean /= bag.total;
  for (Index k = 0; k < bag.row.size(); ++k) {
    const double d = (unit * x[bag.row[k]] - first) - mean;
    square += bag.count[k] * d * d;
  }
  const double half = 0.5 * std::sqrt(square / std::max(1, bag.total - 1));
  for (Index k = 0; k < bag.row.size(); ++k) {
    const double d = (unit * x[bag.row[k]] - first) - mean;
    out[k] = static_cast<Code>(d < -half ? 0 : (d > half ? 2 : 1));
  }
}

inline void discretise(const double *x, const Bag &bag, const Array<Index> &order, BinRule rule,
                       Code *out) {
  if (rule == BinRule::equal_width)
    bin_by_width(x, bag, out);
  else if (rule == BinRule::sd)
    bin_by_sd(x, bag, out);
  else
    bin_by_frequency(x, bag, order, out);
}

inline int bins_for(int total, const InformationOptions &options) {
  if (options.rule == BinRule::sd)
    return 3;
  if (options.n_bins > 0)
    return options.n_bins;
  int k = 2;
  while ((k + 1) * (k + 1) * (k + 1) <= total)
    ++k;
  return k;
}

// A response of numbers (no codes) is discretised like the features.
inline Bag make_bag(const Array<int> &codes, int n_classes, const ConstVector &y, const int *counts,
                    const InformationOptions &options) {
  Bag bag;
  bag.position.assign(y.size(), -1);
  for (Index i = 0; i < y.size(); ++i) {
    if (counts[i] == 0)
      continue;
    bag.position[i] = bag.row.size();
    bag.row.push_back(i);
    bag.count.push_back(counts[i]);
    bag.total += counts[i];
  }
  bag.n_bins = bins_for(bag.total, options);
  bag.n_classes = codes.empty() ? bag.n_bins : n_classes;
  bag.y.resize(bag.row.size());
  if (!codes.empty())
    for (Index k = 0; k < bag.row.size(); ++k)
      bag.y[k] = static_cast<Code>(codes[bag.row[k]]);
  else if (!bag.row.empty())
    discretise(y.data(), bag, sorted_rows(y.data(), y.size()), options.rule, bag.y.data());
  return bag;
}

// In nats: (sum n_ab log n_ab - sum n_a log n_a - sum n_b log n_b + N log N) / N.
class PairInformation {
public:
  PairInformation(const Bag &bag, const Entropies &entropies, bool miller_madow)
      : bag_(&bag), entropies_(&entropies), corrected_(miller_madow) {}

  double operator()(const Code *a, Index n_a, const Code *b, Index n_b) {
    joint_.assign(n_a * n_b, 0);
    first_.assign(n_a, 0);
    second_.assign(n_b, 0);
    for (Index k = 0; k < bag_->count.size(); ++k)
      joint_[a[k] * n_b + b[k]] += bag_->count[k];
    for (int i = 0; i < n_a; ++i)
      for (int j = 0; j < n_b; ++j) {
        first_[i] += joint_[i * n_b + j];
        second_[j] += joint_[i * n_b + j];
      }
    const Entropies &h = *entropies_;
    std::int64_t exact = h.sum(joint_.data(), joint_.size()) + h(bag_->total);
    exact -= h.sum(first_.data(), n_a) + h.sum(second_.data(), n_b);
    double sum = exact / h.units();
    if (corrected_)
      sum += 0.5 * (used(first_) + used(second_) - used(joint_) - 1);
    // Values below zero, by rounding or by the correction, count as no information.
    return sum > 1e-13 * (h(bag_->total) / h.units()) ? sum / bag_->total : 0.0;
  }

private:
  static int used(const Array<int> &cells) {
    return static_cast<int>(cells.size() - std::count(cells.begin(), cells.end(), 0));
  }

  const Bag *bag_;
  const Entropies *entropies_;
  bool corrected_;
  Array<int> joint_, first_, second_;
};

inline int largest_total(const Eigen::Ref<const Eigen::MatrixXi> &counts) {
  return counts.cols() > 0 ? counts.colwise().sum().maxCoeff() : 0;
}

inline Array<Bag> make_bags(const Array<int> &codes, int n_classes, const ConstVector &y,
                            const Eigen::Ref<const Eigen::MatrixXi> &counts,
                            const InformationOptions &options) {
  if (y.size() != counts.rows())
    throw Error("counts must have one row per value of y");
  if (options.n_bins > 255 || n_classes > 255)
    throw Error("at most 255 bins or classes");
  Array<Bag> bags;
  for (Index b = 0; b < counts.cols(); ++b)
    bags.push_back(make_bag(codes, n_classes, y, counts.col(b).data(), options));
  return bags;
}

} // namespace information_detail

// p x B; 0 in runs without samples and for features in one bin. `codes`: class from 0, or empty
// for a response of numbers.
inline Eigen::MatrixXd score_information(const ConstMatrix &x, const Array<int> &codes,
                                         int n_classes, const ConstVector &y,
                                         const Eigen::Ref<const Eigen::MatrixXi> &counts,
                                         const InformationOptions &options,
                                         const Runtime &runtime = Runtime()) {
  namespace impl = information_detail;
  const Array<impl::Bag> bags = impl::make_bags(codes, n_classes, y, counts, options);
  const impl::Entropies entropies(impl::largest_total(counts));
  Eigen::MatrixXd out(x.cols(), counts.cols());
  constexpr Index kBlock = 32;
  const Index p = x.cols();
  run_tasks((p + kBlock - 1) / kBlock, runtime, [&](Index task) {
    Array<impl::Code> codes_of_x(x.rows());
    const Index from = task * kBlock;
    for (Index j = from; j < std::min(p, from + kBlock); ++j) {
      const double *column = x.col(j).data();
      Array<Index> order;
      if (options.rule == BinRule::equal_frequency)
        order = impl::sorted_rows(column, x.rows());
      for (Index b = 0; b < bags.size(); ++b) {
        const impl::Bag &bag = bags[b];
        double score = 0.0;
        if (!bag.row.empty()) {
          impl::discretise(column, bag, order, options.rule, codes_of_x.data());
          score = impl::PairInformation(bag, entropies, options.miller_madow)(
              codes_of_x.data(), bag.n_bins, bag.y.data(), bag.n_classes);
        }
        out(j, b) = score;
      }
    }
  });
  return out;
}

} // namespace stabilect

#endif
