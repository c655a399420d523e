#ifndef STABILECT_PASSES_H
#define STABILECT_PASSES_H

#include <algorithm>

#include "stabilect/base/runtime.h"

namespace stabilect {

// The same services without reports.
inline Runtime quiet(Runtime runtime) {
  runtime.tell = [](double, double) {};
  return runtime;
}

// Passes over the data, reported as parts of one piece of work. Their number is not known in
// advance; if there are more than expected, the report waits.
class Passes {
public:
  explicit Passes(const Runtime &runtime, double parts = 12.0) : runtime_(runtime), parts_(parts) {}

  // For the next pass.
  Runtime next() {
    const double parts = parts_, part = std::min(part_, parts - 1.0);
    part_ += 1.0;
    const auto tell = runtime_.tell;
    Runtime out = runtime_;
    // Only finish() reports that all is done.
    out.tell = [tell, part, parts](double done, double total) {
      tell(part + std::min(0.999, done / std::max(total, 1.0)), parts);
    };
    return out;
  }

  // For work beside the passes.
  Runtime silent() const { return quiet(runtime_); }

  void finish() { runtime_.tell(parts_, parts_); }

private:
  const Runtime &runtime_;
  double parts_, part_ = 0.0;
};

} // namespace stabilect

#endif
