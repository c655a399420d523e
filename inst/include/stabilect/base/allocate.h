#ifndef STABILECT_ALLOCATE_H
#define STABILECT_ALLOCATE_H

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <stdexcept>
#include <vector>

namespace stabilect {

/// Splits `total` over strata in proportion to their sizes: the integer parts of
/// total * size / sum(sizes), then one more for the largest remainders, ties to the earlier
/// stratum. Exact integer arithmetic; never gives a stratum more than its size.
inline std::vector<int> allocate(int total, const std::vector<int> &sizes) {
  const std::int64_t sum = std::accumulate(sizes.begin(), sizes.end(), std::int64_t{0});
  if (total < 0 || total > sum)
    throw std::invalid_argument("`total` must not exceed the sizes");
  std::vector<int> parts(sizes.size(), 0);
  if (sum == 0)
    return parts;
  std::vector<std::int64_t> remainders(sizes.size());
  int left = total;
  for (std::size_t c = 0; c < sizes.size(); ++c) {
    const std::int64_t product = static_cast<std::int64_t>(total) * sizes[c];
    parts[c] = static_cast<int>(product / sum);
    remainders[c] = product % sum;
    left -= parts[c];
  }
  std::vector<std::size_t> order(sizes.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return remainders[a] > remainders[b]; });
  for (int i = 0; i < left; ++i)
    ++parts[order[static_cast<std::size_t>(i)]];
  return parts;
}

} // namespace stabilect

#endif
