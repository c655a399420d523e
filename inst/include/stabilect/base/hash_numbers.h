#ifndef STABILECT_HASH_NUMBERS_H
#define STABILECT_HASH_NUMBERS_H

// The hash that rlang::hash() gives of numbers: 128 bits of XXH3 (Collet, xxHash 0.8) over R's
// serialisation, which is not made. Bytes are in the order of x86 on all machines.

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>

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

inline std::uint64_t secret(int from) {
  std::uint64_t word = 0;
  for (int k = 7; k >= 0; --k)
    word = word << 8 | kSecret[from + k];
  return word;
}

// The upper and the lower half of the product, xor.
inline std::uint64_t fold(std::uint64_t a, std::uint64_t b) {
  const std::uint64_t half = 0xFFFFFFFFU;
  const std::uint64_t low = (a & half) * (b & half), left = (a >> 32) * (b & half);
  const std::uint64_t right = (a & half) * (b >> 32);
  const std::uint64_t middle = (low >> 32) + (left & half) + right;
  return a * b ^ ((a >> 32) * (b >> 32) + (left >> 32) + (middle >> 32));
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
    sum = (sum ^ sum >> 37) * 0x165667919E3779F9U;
    return sum ^ sum >> 32;
  }
};

// @param bytes more than kShortText. @param word function(k): bytes 8 k to 8 k + 7.
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
  const unsigned long long low = state.merge(11, bytes * kPrimes64[0]);
  const unsigned long long high =
      state.merge(kSecretSize - 8 * kLanes - 11, ~(bytes * kPrimes64[1]));
  char text[33];
  std::snprintf(text, sizeof text, "%016llx%016llx", high, low);
  return text;
}

} // namespace xxh3

// Texts of up to this number of bytes have another hash in XXH3; `n` must be larger.
constexpr Index kShortText = 240;
constexpr Index kFewestNumbers = (kShortText - 8) / 8 + 1, kFewestCounts = (kShortText - 8) / 4 + 1;

// R's serialisation has the type and the length, 32 bits each, before the values.
inline std::uint64_t first_word(int type, Index n) {
  return static_cast<std::uint64_t>(n) << 32 | static_cast<std::uint64_t>(type);
}

// @param n from kFewestNumbers, below 2^31. -0 counts as 0.
inline std::string hash_numbers(const double *x, Index n) {
  const auto word = [x, n](Index k) {
    std::uint64_t bits = first_word(14, n);
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

// @param n from kFewestCounts.
inline std::string hash_counts(const int *x, Index n) {
  // Two values; `k` counts values.
  const auto two = [x](Index k) {
    return std::uint64_t(static_cast<std::uint32_t>(x[k])) |
           std::uint64_t(static_cast<std::uint32_t>(x[k + 1])) << 32;
  };
  const auto word = [n, &two](Index k) { return k > 0 ? two(2 * k - 2) : first_word(13, n); };
  std::uint64_t last[xxh3::kLanes];
  for (int k = 0; k < xxh3::kLanes; ++k)
    last[k] = two(n + 2 * (k - xxh3::kLanes));
  return xxh3::hash_text(8 + 4 * static_cast<std::uint64_t>(n), word, last);
}

} // namespace stabilect

#endif
