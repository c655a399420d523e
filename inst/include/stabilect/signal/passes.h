#ifndef STABILECT_PASSES_H
#define STABILECT_PASSES_H

#include <algorithm>
#include <cstddef>

#include "stabilect/base/runtime.h"

namespace stabilect {

// Passes over the data, reported as parts of one piece of work. How many there will be is not known
// before; where there are more than expected, the report waits.
class Passes {
public:
  explicit Passes(const Runtime &runtime) : runtime_(runtime) {}

  // For the next pass.
  Runtime next() {
    const std::size_t part = std::min(part_++, kParts - 1);
    const auto keep_going = runtime_.keep_going;
    Runtime out = runtime_;
    out.keep_going = [keep_going, part](std::size_t done, std::size_t total) {
      return keep_going(part * kFine + (kFine - 1) * done / std::max<std::size_t>(total, 1),
                        kParts * kFine);
    };
    return out;
  }

  void finish() { runtime_.keep_going(kParts * kFine, kParts * kFine); }

private:
  static constexpr std::size_t kParts = 12, kFine = 1000;
  const Runtime &runtime_;
  std::size_t part_ = 0;
};

} // namespace stabilect

#endif
