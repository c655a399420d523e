#ifndef STABILECT_PASSES_H
#define STABILECT_PASSES_H

#include <algorithm>

#include "stabilect/base/runtime.h"

namespace stabilect {

// Passes over the data, reported as parts of one piece of work. How many there will be is not known
// before; where there are more than expected, the report waits.
class Passes {
public:
  explicit Passes(const Runtime &runtime) : runtime_(runtime) {}

  // For the next pass.
  Runtime next() {
    const double part = std::min(part_, kParts - 1.0);
    part_ += 1.0;
    const auto tell = runtime_.tell;
    Runtime out = runtime_;
    // Only finish() tells that all is done.
    out.tell = [tell, part](double done, double total) {
      tell(part + std::min(0.999, done / std::max(total, 1.0)), kParts);
    };
    return out;
  }

  void finish() { runtime_.tell(kParts, kParts); }

private:
  static constexpr double kParts = 12.0;
  const Runtime &runtime_;
  double part_ = 0.0;
};

} // namespace stabilect

#endif
