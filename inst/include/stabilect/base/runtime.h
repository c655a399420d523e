#ifndef STABILECT_RUNTIME_H
#define STABILECT_RUNTIME_H

#include <cstddef>
#include <functional>
#include <stdexcept>

namespace stabilect {

// Services of the program that calls the core: threads, and the decision whether to continue. A
// default constructed runtime runs serially and never stops, so that the core works on its own.
struct Runtime {
  using Task = std::function<void(std::size_t)>;

  int n_threads = 1;

  // Runs task(0) .. task(n_tasks - 1), in any order, on any thread; returns when
  // all are done. A task writes only what belongs to its own index.
  std::function<void(std::size_t, const Task &)> parallel_for = [](std::size_t n_tasks,
                                                                   const Task &task) {
    for (std::size_t t = 0; t < n_tasks; ++t)
      task(t);
  };

  // Called between chunks on the calling thread: reports progress, and returns
  // false when the user wants to stop.
  std::function<bool(std::size_t, std::size_t)> keep_going = [](std::size_t, std::size_t) {
    return true;
  };

  // Polled inside long tasks, from any thread: true once the user wants to stop.
  std::function<bool()> stop_requested = [] { return false; };
};

// Thrown when the user asked to stop, so that an incomplete result is never returned.
struct Interrupted : std::runtime_error {
  Interrupted() : std::runtime_error("interrupted by the user") {}
};

// Runs all tasks in chunks, asking keep_going() after each. Chunks only set how
// often the user is asked; results do not depend on them.
inline void run_in_chunks(std::size_t n_tasks, std::size_t chunk, const Runtime &runtime,
                          const Runtime::Task &task) {
  if (chunk == 0)
    chunk = 1;
  for (std::size_t done = 0; done < n_tasks;) {
    const std::size_t size = n_tasks - done < chunk ? n_tasks - done : chunk;
    runtime.parallel_for(size, [&](std::size_t t) {
      if (!runtime.stop_requested())
        task(done + t);
    });
    done += size;
    if (!runtime.keep_going(done, n_tasks) || runtime.stop_requested())
      throw Interrupted();
  }
}

} // namespace stabilect

#endif
