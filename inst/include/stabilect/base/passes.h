#ifndef STABILECT_PASSES_H
#define STABILECT_PASSES_H

#include <algorithm>
#include <utility>

#include "stabilect/base/array.h"
#include "stabilect/base/runtime.h"

namespace stabilect {

// The same services without reports.
inline Runtime quiet(Runtime runtime) {
  runtime.report = [](double, double) {};
  return runtime;
}

// Passes over the data, reported as parts of one piece of work. Their number is not known in
// advance; if there are more than expected, the report waits.
class Passes {
public:
  // `parts`: of the work in each of the passes.
  explicit Passes(const Runtime &runtime, Array<double> parts = Array<double>(12, 1.0))
      : runtime_(runtime), parts_(std::move(parts)) {
    for (double part : parts_)
      whole_ += part;
  }

  // For the next pass.
  Runtime next() {
    const Index last = parts_.size() - 1;
    const double whole = whole_, before = before_, part = parts_[std::min(pass_, last)];
    if (pass_ < last)
      before_ += part;
    ++pass_;
    const auto report = runtime_.report;
    Runtime out = runtime_;
    // Only finish() reports that all is done.
    out.report = [report, before, part, whole](double done, double total) {
      report(before + part * std::min(0.999, done / std::max(total, 1.0)), whole);
    };
    return out;
  }

  // For work beside the passes.
  Runtime silent() const { return quiet(runtime_); }

  void finish() { runtime_.report(whole_, whole_); }

private:
  const Runtime &runtime_;
  Array<double> parts_;
  double whole_ = 0.0, before_ = 0.0;
  Index pass_ = 0;
};

} // namespace stabilect

#endif
