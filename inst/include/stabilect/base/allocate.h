#ifndef STABILECT_ALLOCATE_H
#define STABILECT_ALLOCATE_H

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <stdexcept>

#include "stabilect/base/array.h"
#include "stabilect/base/error.h"

namespace stabilect {

// Splits `total` over strata in proportion to their sizes: the integer parts of
// total * size / sum(sizes), then one more for the largest remainders, ties to the earlier
// stratum. Exact integer arithmetic; never gives a stratum more than its size.
inline Array<int> allocate(int total, const Array<int> &sizes) {
  const std::int64_t sum = std::accumulate(sizes.begin(), sizes.end(), std::int64_t{0});
  if (total < 0 || total > sum)
    throw Error("`total` must not exceed the sizes");
  Array<int> parts(sizes.size(), 0);
  if (sum == 0)
    return parts;
  Array<std::int64_t> remainders(sizes.size());
  int left = total;
  for (Index c = 0; c < sizes.size(); ++c) {
    const std::int64_t product = static_cast<std::int64_t>(total) * sizes[c];
    parts[c] = static_cast<int>(product / sum);
    remainders[c] = product % sum;
    left -= parts[c];
  }
  Array<Index> order(sizes.size());
  std::iota(order.begin(), order.end(), Index{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](Index a, Index b) { return remainders[a] > remainders[b]; });
  for (int i = 0; i < left; ++i)
    ++parts[order[i]];
  return parts;
}

} // namespace stabilect

#endif
