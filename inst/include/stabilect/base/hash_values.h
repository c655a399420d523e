#ifndef STABILECT_HASH_VALUES_H
#define STABILECT_HASH_VALUES_H

// A hash of values that lasts: it is kept on disk, so that it depends on nothing but these lines.
// Values are words of 64 bits, which four sums take in turn by the round of XXH64 (Collet, xxHash
// 0.8). It tells values apart that differ by chance; whoever wants two with one hash can find them.

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>

#include "stabilect/base/types.h"

namespace stabilect {

class ValueHash {
public:
  // -0 counts as 0. Of NaN only the lower half counts, by which R knows NA: processors differ in
  // its sign.
  void add(const double *x, Index n) {
    add_words(n, [x](Index i) {
      const double value = x[i] + 0.0;
      const std::uint64_t bits = bits_of(value);
      return value == value ? bits : (bits & 0xFFFFFFFFU) | std::uint64_t(0x7FF8) << 48;
    });
  }
  void add(const int *x, Index n) {
    add_words(n, [x](Index i) { return std::uint64_t(static_cast<std::uint32_t>(x[i])); });
  }
  // Eight bytes are a word, the first of which is the lowest.
  void add(const unsigned char *x, Index n) {
    add_words(n / 8, [x](Index i) {
      std::uint64_t word = 0;
      for (int k = 7; k >= 0; --k)
        word = word << 8 | x[8 * i + k];
      return word;
    });
    add_words(n % 8, [x, n](Index i) { return std::uint64_t(x[n - n % 8 + i]); });
  }
  // A string in UTF-8.
  void add(const std::string &text) {
    add(reinterpret_cast<const unsigned char *>(text.data()), static_cast<Index>(text.size()));
  }

  // 128 bits as 32 digits.
  std::string text() const {
    char digits[33];
    std::snprintf(digits, sizeof digits, "%016llx%016llx", merged(1), merged(0));
    return digits;
  }

private:
  static constexpr std::uint64_t kOne = 0x9E3779B185EBCA87U, kTwo = 0xC2B2AE3D27D4EB4FU,
                                 kThree = 0x165667B19E3779F9U, kFour = 0x85EBCA77C2B2AE63U;

  static std::uint64_t bits_of(double value) {
    std::uint64_t bits;
    std::memcpy(&bits, &value, sizeof bits);
    return bits;
  }
  static std::uint64_t round(std::uint64_t sum, std::uint64_t word) {
    sum += word * kTwo;
    return (sum << 31 | sum >> 33) * kOne;
  }
  // The number of words comes first, so that no two sequences of values have the same words.
  template <typename Word> void add_words(Index n, const Word &word) {
    sum_[0] = round(sum_[0], static_cast<std::uint64_t>(n));
    Index i = 0;
    for (; i + 4 <= n; i += 4) {
      for (Index k = 0; k < 4; ++k)
        sum_[k] = round(sum_[k], word(i + k));
    }
    for (; i < n; ++i)
      sum_[i % 4] = round(sum_[i % 4], word(i));
  }
  unsigned long long merged(std::uint64_t half) const {
    std::uint64_t all = half;
    for (std::uint64_t sum : sum_)
      all = (all ^ round(half, sum)) * kOne + kFour;
    all = (all ^ all >> 33) * kTwo;
    all = (all ^ all >> 29) * kThree;
    return all ^ all >> 32;
  }

  std::uint64_t sum_[4] = {kOne + kTwo, kTwo, 0, 0 - kOne};
};

} // namespace stabilect

#endif
