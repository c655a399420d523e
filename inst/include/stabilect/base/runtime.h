#ifndef STABILECT_RUNTIME_H
#define STABILECT_RUNTIME_H

#include <atomic>
#include <functional>
#include <stdexcept>

#include "stabilect/base/array.h"
#include "stabilect/base/error.h"

namespace stabilect {

// Services of the program that calls the core: threads, and the decision whether to continue. The
// default runtime is serial and never stops: the core works on its own.
struct Runtime {
  using Task = std::function<void(Index)>;

  int n_threads = 1;

  // Runs task(0) .. task(n_tasks - 1), in any order, on any thread; returns when
  // all are done. A task writes only what belongs to its own index.
  std::function<void(Index, const Task &)> parallel_for = [](Index n_tasks, const Task &task) {
    for (Index t = 0; t < n_tasks; ++t)
      task(t);
  };

  // Gets the progress, from any thread and at any rate; shows it now and then.
  std::function<void(double done, double total)> report = [](double, double) {};

  // Polled inside long tasks, from any thread: true once the user wants to stop.
  std::function<bool()> stop_requested = [] { return false; };
};

// Thrown when the user asked to stop: an incomplete result is never returned.
struct Interrupted : Error {
  Interrupted() : Error("interrupted by the user") {}
};

// Runs all tasks and reports how many are done. A long task reports its own progress: task(t, part)
// calls part(share) with shares that grow from 0 to 1.
using LongTask = std::function<void(Index, const std::function<void(double)> &part)>;

inline void run_long_tasks(Index n_tasks, const Runtime &runtime, const LongTask &task) {
  constexpr double whole = 1000.0;
  const double total = n_tasks;
  std::atomic<long long> done(0);
  runtime.parallel_for(n_tasks, [&](Index t) {
    if (runtime.stop_requested())
      return;
    int told = 0;
    const auto part = [&](double share) {
      const int now = static_cast<int>(share * whole);
      if (now <= told)
        return;
      done += now - told;
      told = now;
      runtime.report(done / whole, total);
    };
    task(t, part);
    part(1.0);
  });
  if (runtime.stop_requested())
    throw Interrupted();
  runtime.report(total, total);
}

inline void run_tasks(Index n_tasks, const Runtime &runtime, const Runtime::Task &task) {
  run_long_tasks(n_tasks, runtime, [&](Index t, const std::function<void(double)> &) { task(t); });
}

} // namespace stabilect

#endif
