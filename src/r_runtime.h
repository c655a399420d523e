#ifndef STABILECT_R_RUNTIME_H
#define STABILECT_R_RUNTIME_H

// The only file that uses RcppParallel, R's interrupts and the progress bar.

#include <Rcpp.h>
#include <RcppParallel.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <memory>
#include <thread>

#include "stabilect/base/runtime.h"

namespace stabilect {
namespace r {

// R's own check jumps out of C++ without unwinding; at top level it only returns FALSE.
inline bool user_interrupted() {
  return R_ToplevelExec([](void *) { R_CheckUserInterrupt(); }, nullptr) == FALSE;
}

class TaskWorker : public RcppParallel::Worker {
public:
  TaskWorker(const Runtime::Task &task, std::atomic<bool> &failed, std::exception_ptr &error)
      : task_(task), failed_(failed), error_(error) {}

  void operator()(std::size_t begin, std::size_t end) override {
    for (std::size_t t = begin; t < end && !failed_; ++t) {
      try {
        task_(t);
      } catch (...) {
        if (!failed_.exchange(true))
          error_ = std::current_exception();
      }
    }
  }

private:
  const Runtime::Task &task_;
  std::atomic<bool> &failed_;
  std::exception_ptr &error_;
};

// A process forked from R (plan "multicore") has no threads of TBB, although TBB assumes that it
// has.
bool is_forked();

// More threads than processors gain nothing, and TBB complains about them.
inline void parallel_for(std::size_t n_tasks, const Runtime::Task &task, int n_threads) {
  if (is_forked())
    n_threads = 1;
  const unsigned available = std::thread::hardware_concurrency();
  if (available > 0)
    n_threads = std::min(n_threads, static_cast<int>(available));
  if (n_threads <= 1 || n_tasks <= 1) {
    for (std::size_t t = 0; t < n_tasks; ++t)
      task(t);
    return;
  }
  std::atomic<bool> failed(false);
  std::exception_ptr error;
  TaskWorker worker(task, failed, error);
  RcppParallel::parallelFor(0, n_tasks, worker, 1, n_threads);
  if (error)
    std::rethrow_exception(error);
}

// Asks R for an interrupt at most ten times a second, and only on R's own thread; the
// other threads read the flag. `progress` is an R function of (done, total) or NULL.
inline Runtime make_runtime(int n_threads, SEXP progress = R_NilValue) {
  using Clock = std::chrono::steady_clock;
  struct State {
    std::atomic<bool> stop{false};
    std::thread::id main = std::this_thread::get_id();
    Clock::time_point last = Clock::now();
  };
  auto state = std::make_shared<State>();
  Runtime runtime;
  runtime.n_threads = n_threads;
  runtime.parallel_for = [n_threads](std::size_t n, const Runtime::Task &task) {
    parallel_for(n, task, n_threads);
  };
  runtime.stop_requested = [state] {
    if (std::this_thread::get_id() == state->main) {
      const Clock::time_point now = Clock::now();
      if (now - state->last > std::chrono::milliseconds(100)) {
        state->last = now;
        if (user_interrupted())
          state->stop = true;
      }
    }
    return state->stop.load();
  };
  runtime.keep_going = [state, progress](std::size_t done, std::size_t total) {
    if (state->stop || user_interrupted())
      return false;
    if (!Rf_isNull(progress)) {
      const Rcpp::Function report(progress);
      report(static_cast<double>(done), static_cast<double>(total));
    }
    return true;
  };
  return runtime;
}

} // namespace r

using r::make_runtime;

} // namespace stabilect

#endif
