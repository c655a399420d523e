// A runtime of two threads, the tasks of even and of odd number, that the tests compare with the
// serial one.

#ifndef STABILECT_TESTS_TWO_THREADS_H
#define STABILECT_TESTS_TWO_THREADS_H

#include <stabilect/base/runtime.h>

#include <thread>

inline stabilect::Runtime two_threads() {
  stabilect::Runtime runtime;
  runtime.n_threads = 2;
  runtime.parallel_for = [](stabilect::Index n_tasks, const stabilect::Runtime::Task &task) {
    std::thread odd([&] {
      for (stabilect::Index t = 1; t < n_tasks; t += 2)
        task(t);
    });
    for (stabilect::Index t = 0; t < n_tasks; t += 2)
      task(t);
    odd.join();
  };
  return runtime;
}

#endif
