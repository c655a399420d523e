#ifndef STABILECT_TIES_H
#define STABILECT_TIES_H

// Features with equal scores are ordered at random, but repeatably: by a number that follows from
// the name of the feature and a seed. Column order would favour the same features in every run.

#include <cmath>
#include <cstdint>
#include <cstring>

#include "stabilect/base/array.h"
#include "stabilect/base/error.h"
#include "stabilect/base/rng.h"

namespace stabilect {

// The last step of SplitMix64 (Steele, Lea & Flood 2014): every bit depends on all bits of z.
inline std::uint64_t mix_bits(std::uint64_t z) {
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
  return z ^ (z >> 31);
}

// The names of all features, each as a number.
inline std::uint64_t name_number(const char *name) { return mix_bits(domain_tag(name)); }

// The smaller one comes first.
inline std::uint64_t tie_key(std::uint64_t name, std::uint64_t seed) {
  return mix_bits(name ^ mix_bits(seed + 0x9e3779b97f4a7c15ULL));
}

// Values agree to 1e-10 if their bits differ by no more. Such values count as equal: in exact
// arithmetic they often are, and rounding differs between orders of samples or classes, and units.
constexpr std::uint64_t kRounding = std::uint64_t(1) << 19;

inline double to_ten_digits(double value) {
  std::uint64_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  bits = (bits + kRounding / 2) & ~(kRounding - 1);
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

// Which of two columns with equal values comes first in a run; without names the first one.
class TieOrder {
public:
  TieOrder() = default;
  TieOrder(const Array<std::uint64_t> &names, std::uint64_t seed) : names_(&names), seed_(seed) {}

  bool operator()(Index a, Index b) const {
    if (names_ == nullptr)
      return a < b;
    const std::uint64_t of_a = tie_key((*names_)[a], seed_), of_b = tie_key((*names_)[b], seed_);
    return of_a != of_b ? of_a < of_b : a < b;
  }

private:
  const Array<std::uint64_t> *names_ = nullptr;
  std::uint64_t seed_ = 0;
};

// The same for all runs: a number for each feature, and a seed for each run.
struct Ties {
  Array<std::uint64_t> names, seeds;

  TieOrder in_run(Index b) const { return seeds.empty() ? TieOrder() : TieOrder(names, seeds[b]); }
};

inline void check_ties(const Ties &ties, Index n_features, Index n_runs) {
  if (!ties.seeds.empty() && (ties.names.size() != n_features || ties.seeds.size() != n_runs))
    throw Error("ties need a name for each feature and a seed for each run");
}

// A seed out of the values themselves, the same for any order of the features: other data order
// equal features in another way. Values lose their last digits, since rounding may differ between
// two orders of the columns; the factor keeps round numbers away from where rounding goes up.
inline std::uint64_t value_number(double value) {
  const float coarse = std::isnan(value) ? -1.0f : static_cast<float>(value * 1.6180339887498949);
  std::uint32_t bits = 0;
  std::memcpy(&bits, &coarse, sizeof bits);
  return mix_bits(bits);
}

// @param values several numbers for each feature, one after the other for all features.
inline Array<std::uint64_t> tie_keys(const Array<std::uint64_t> &names, const double *values,
                                     Index n_values, std::uint64_t seed) {
  const Index p = names.size();
  for (Index k = 0; k < n_values; ++k)
    seed += mix_bits(names[k % p] ^ value_number(values[k] + 0.0));
  Array<std::uint64_t> keys(p);
  for (Index j = 0; j < p; ++j)
    keys[j] = tie_key(names[j], seed);
  return keys;
}

} // namespace stabilect

#endif
