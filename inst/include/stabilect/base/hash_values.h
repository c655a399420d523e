#ifndef STABILECT_HASH_VALUES_H
#define STABILECT_HASH_VALUES_H

// The hash that rlang::hash() gives of plain values: 128 bits of XXH3 (Collet, xxHash 0.8) over R's
// serialisation, which is not made of many values. Bytes are in the order of x86 on all machines.

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include "stabilect/base/types.h"

namespace stabilect {

namespace xxh3 {

constexpr std::uint64_t kPrimes32[3] = {0x9E3779B1U, 0x85EBCA77U, 0xC2B2AE3DU};
constexpr std::uint64_t kPrimes64[5] = {0x9E3779B185EBCA87U, 0xC2B2AE3D27D4EB4FU,
                                        0x165667B19E3779F9U, 0x85EBCA77C2B2AE63U,
                                        0x27D4EB2F165667C5U};

constexpr int kLanes = 8, kStripes = 16, kBlock = kLanes * kStripes, kSecretSize = 192;

constexpr unsigned char kSecret[kSecretSize] = {
    0xb8, 0xfe, 0x6c, 0x39, 0x23, 0xa4, 0x4b, 0xbe, 0x7c, 0x01, 0x81, 0x2c, 0xf7, 0x21, 0xad, 0x1c,
    0xde, 0xd4, 0x6d, 0xe9, 0x83, 0x90, 0x97, 0xdb, 0x72, 0x40, 0xa4, 0xa4, 0xb7, 0xb3, 0x67, 0x1f,
    0xcb, 0x79, 0xe6, 0x4e, 0xcc, 0xc0, 0xe5, 0x78, 0x82, 0x5a, 0xd0, 0x7d, 0xcc, 0xff, 0x72, 0x21,
    0xb8, 0x08, 0x46, 0x74, 0xf7, 0x43, 0x24, 0x8e, 0xe0, 0x35, 0x90, 0xe6, 0x81, 0x3a, 0x26, 0x4c,
    0x3c, 0x28, 0x52, 0xbb, 0x91, 0xc3, 0x00, 0xcb, 0x88, 0xd0, 0x65, 0x8b, 0x1b, 0x53, 0x2e, 0xa3,
    0x71, 0x64, 0x48, 0x97, 0xa2, 0x0d, 0xf9, 0x4e, 0x38, 0x19, 0xef, 0x46, 0xa9, 0xde, 0xac, 0xd8,
    0xa8, 0xfa, 0x76, 0x3f, 0xe3, 0x9c, 0x34, 0x3f, 0xf9, 0xdc, 0xbb, 0xc7, 0xc7, 0x0b, 0x4f, 0x1d,
    0x8a, 0x51, 0xe0, 0x4b, 0xcd, 0xb4, 0x59, 0x31, 0xc8, 0x9f, 0x7e, 0xc9, 0xd9, 0x78, 0x73, 0x64,
    0xea, 0xc5, 0xac, 0x83, 0x34, 0xd3, 0xeb, 0xc3, 0xc5, 0x81, 0xa0, 0xff, 0xfa, 0x13, 0x63, 0xeb,
    0x17, 0x0d, 0xdd, 0x51, 0xb7, 0xf0, 0xda, 0x49, 0xd3, 0x16, 0x55, 0x26, 0x29, 0xd4, 0x68, 0x9e,
    0x2b, 0x16, 0xbe, 0x58, 0x7d, 0x47, 0xa1, 0xfc, 0x8f, 0xf8, 0xb8, 0xd1, 0x7a, 0xd0, 0x31, 0xce,
    0x45, 0xcb, 0x3a, 0x8f, 0x95, 0x16, 0x04, 0x28, 0xaf, 0xd7, 0xfb, 0xca, 0xbb, 0x4b, 0x40, 0x7e};

// Eight bytes, the first of which is the lowest.
inline std::uint64_t read_word(const unsigned char *from) {
  std::uint64_t word = 0;
  for (int k = 7; k >= 0; --k)
    word = word << 8 | from[k];
  return word;
}
inline std::uint64_t secret(int from) { return read_word(kSecret + from); }

// The upper and the lower half of the product, xor.
inline std::uint64_t fold(std::uint64_t a, std::uint64_t b) {
  const std::uint64_t half = 0xFFFFFFFFU;
  const std::uint64_t low = (a & half) * (b & half), left = (a >> 32) * (b & half);
  const std::uint64_t right = (a & half) * (b >> 32);
  const std::uint64_t middle = (low >> 32) + (left & half) + right;
  return a * b ^ ((a >> 32) * (b >> 32) + (left >> 32) + (middle >> 32));
}

inline std::uint64_t avalanche(std::uint64_t sum) {
  sum = (sum ^ sum >> 37) * 0x165667919E3779F9U;
  return sum ^ sum >> 32;
}

inline std::string as_text(std::uint64_t low, std::uint64_t high) {
  char text[33];
  std::snprintf(text, sizeof text, "%016llx%016llx", static_cast<unsigned long long>(high),
                static_cast<unsigned long long>(low));
  return text;
}

// The accumulators, and the secret as words for every position that is read.
struct State {
  std::uint64_t acc[kLanes] = {kPrimes32[2], kPrimes64[0], kPrimes64[1], kPrimes64[2],
                               kPrimes64[3], kPrimes32[1], kPrimes64[4], kPrimes32[0]};
  std::uint64_t key[kStripes + kLanes];

  State() {
    for (int k = 0; k < kStripes + kLanes; ++k)
      key[k] = secret(8 * k);
  }

  void add_stripe(const std::uint64_t *data, const std::uint64_t *keys) {
    for (int k = 0; k < kLanes; ++k) {
      const std::uint64_t mixed = data[k] ^ keys[k];
      acc[k] += data[k ^ 1] + (mixed & 0xFFFFFFFFU) * (mixed >> 32);
    }
  }
  void scramble() {
    for (int k = 0; k < kLanes; ++k)
      acc[k] = (acc[k] ^ acc[k] >> 47 ^ key[kStripes + k]) * kPrimes32[0];
  }
  std::uint64_t merge(int from, std::uint64_t sum) const {
    for (int k = 0; k < kLanes; k += 2) {
      sum += fold(acc[k] ^ secret(from + 8 * k), acc[k + 1] ^ secret(from + 8 * k + 8));
    }
    return avalanche(sum);
  }
};

// @param bytes more than kShortText.
// @param word function(k): bytes 8 k to 8 k + 7.
// @param last the last 64 bytes.
template <typename Word>
std::string hash_text(std::uint64_t bytes, const Word &word, const std::uint64_t (&last)[kLanes]) {
  State state;
  std::uint64_t block[kBlock], last_keys[kLanes];
  const std::uint64_t whole = (bytes - 1) / (8 * kBlock);
  for (std::uint64_t b = 0; b <= whole; ++b) {
    const int stripes =
        b < whole ? kStripes : static_cast<int>((bytes - 1 - 8 * kBlock * whole) / (8 * kLanes));
    for (int k = 0; k < kLanes * stripes; ++k)
      block[k] = word(static_cast<Index>(kBlock * b) + k);
    for (int k = 0; k < stripes; ++k)
      state.add_stripe(block + kLanes * k, state.key + k);
    if (b < whole)
      state.scramble();
  }
  for (int k = 0; k < kLanes; ++k)
    last_keys[k] = secret(kSecretSize - 8 * kLanes - 7 + 8 * k);
  state.add_stripe(last, last_keys);
  return as_text(state.merge(11, bytes * kPrimes64[0]),
                 state.merge(kSecretSize - 8 * kLanes - 11, ~(bytes * kPrimes64[1])));
}

// Texts of up to this number of bytes have a hash of their own.
constexpr std::uint64_t kShortText = 240;

struct Pair {
  std::uint64_t low, high;

  void mix(const unsigned char *one, const unsigned char *two, int key) {
    low = (low + mixed(one, key)) ^ (read_word(two) + read_word(two + 8));
    high = (high + mixed(two, key + 16)) ^ (read_word(one) + read_word(one + 8));
  }

private:
  static std::uint64_t mixed(const unsigned char *from, int key) {
    return fold(read_word(from) ^ secret(key), read_word(from + 8) ^ secret(key + 8));
  }
};

// @param n from 17 to kShortText bytes.
inline std::string hash_short(const unsigned char *text, int n) {
  const std::uint64_t bytes = static_cast<std::uint64_t>(n);
  Pair acc = {bytes * kPrimes64[0], 0};
  if (n <= 128) {
    // From the middle to both ends.
    for (int k = (n - 1) / 32; k >= 0; --k)
      acc.mix(text + 16 * k, text + n - 16 * (k + 1), 32 * k);
  } else {
    for (int k = 0; k + 32 <= n; k += 32) {
      acc.mix(text + k, text + k + 16, k < 128 ? k : k - 128 + 3);
      if (k == 96)
        acc = {avalanche(acc.low), avalanche(acc.high)};
    }
    acc.mix(text + n - 16, text + n - 32, 136 - 17 - 16);
  }
  const std::uint64_t high =
      acc.low * kPrimes64[0] + acc.high * kPrimes64[3] + bytes * kPrimes64[1];
  return as_text(avalanche(acc.low + acc.high), 0 - avalanche(high));
}

} // namespace xxh3

// A serialisation that is short enough to be made.
class SerialText {
public:
  void clear() { bytes_.clear(); }
  void add(std::uint32_t value) { put(value, 4); }
  void add(double value) {
    std::uint64_t bits;
    value += 0.0; // -0 counts as 0
    std::memcpy(&bits, &value, sizeof bits);
    put(bits, 8);
  }
  // A string in UTF-8.
  void add(const char *text) {
    const std::string value = text;
    const bool ascii = std::none_of(value.begin(), value.end(),
                                    [](char c) { return static_cast<unsigned char>(c) > 127; });
    add(std::uint32_t(ascii ? 0x40009 : 0x8009));
    add(static_cast<std::uint32_t>(value.size()));
    bytes_.insert(bytes_.end(), value.begin(), value.end());
  }
  // For at least 17 bytes.
  std::string hash() const {
    const std::size_t n = bytes_.size();
    const unsigned char *text = bytes_.data();
    if (n <= xxh3::kShortText)
      return xxh3::hash_short(text, static_cast<int>(n));
    std::uint64_t last[xxh3::kLanes];
    for (int k = 0; k < xxh3::kLanes; ++k)
      last[k] = xxh3::read_word(text + n - 64 + 8 * k);
    return xxh3::hash_text(
        n, [text](Index k) { return xxh3::read_word(text + 8 * k); }, last);
  }

private:
  void put(std::uint64_t bits, int size) {
    const std::size_t from = bytes_.size();
    bytes_.resize(from + static_cast<std::size_t>(size));
    for (int k = 0; k < size; ++k)
      bytes_[from + static_cast<std::size_t>(k)] = static_cast<unsigned char>(bits >> 8 * k & 0xFF);
  }

  std::vector<unsigned char> bytes_;
};

// R's serialisation has the type and the length before the values.
constexpr std::uint32_t kIntegers = 13, kNumbers = 14, kStrings = 16, kList = 19;

// @param n from 2, below 2^31.
inline std::string hash_numbers(const double *x, Index n) {
  if (8 * static_cast<std::uint64_t>(n + 1) <= xxh3::kShortText) {
    SerialText text;
    text.add(kNumbers);
    text.add(static_cast<std::uint32_t>(n));
    for (Index i = 0; i < n; ++i)
      text.add(x[i]);
    return text.hash();
  }
  const auto word = [x, n](Index k) {
    std::uint64_t bits = static_cast<std::uint64_t>(n) << 32 | kNumbers;
    if (k > 0) {
      const double value = x[k - 1] + 0.0;
      std::memcpy(&bits, &value, sizeof bits);
    }
    return bits;
  };
  std::uint64_t last[xxh3::kLanes];
  for (int k = 0; k < xxh3::kLanes; ++k)
    last[k] = word(n + 1 - xxh3::kLanes + k);
  return xxh3::hash_text(8 * static_cast<std::uint64_t>(n + 1), word, last);
}

// @param n from 3.
inline std::string hash_counts(const int *x, Index n) {
  SerialText text;
  text.add(kIntegers);
  text.add(static_cast<std::uint32_t>(n));
  for (Index i = 0; i < n; ++i)
    text.add(static_cast<std::uint32_t>(x[i]));
  return text.hash();
}

// A list of a string and the numbers of a row of both matrices.
// @param text to be used again.
inline std::string hash_row(const char *key, const ConstMatrix &beside, const ConstMatrix &x,
                            Index row, SerialText &text) {
  text.clear();
  for (std::uint32_t value : {kList, std::uint32_t(2), kStrings, std::uint32_t(1)})
    text.add(value);
  text.add(key);
  text.add(kNumbers);
  text.add(static_cast<std::uint32_t>(beside.cols() + x.cols()));
  for (Index j = 0; j < beside.cols(); ++j)
    text.add(beside(row, j));
  for (Index j = 0; j < x.cols(); ++j)
    text.add(x(row, j));
  return text.hash();
}

} // namespace stabilect

#endif
