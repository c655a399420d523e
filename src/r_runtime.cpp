// The only file that uses RcppParallel, R's interrupts and the progress bar.

#include "r_runtime.h"

#include <RcppParallel.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>

#ifndef _WIN32
#include <unistd.h>
#endif
#ifdef __linux__
#include <sched.h>
#endif

namespace stabilect {
namespace {

// R's own check jumps out of C++ without unwinding; at top level it only returns FALSE.
bool user_interrupted() {
  return R_ToplevelExec([](void *) { R_CheckUserInterrupt(); }, nullptr) == FALSE;
}

class TaskWorker : public RcppParallel::Worker {
public:
  TaskWorker(const Runtime::Task &task, std::atomic<bool> &failed, std::exception_ptr &error)
      : task_(task), failed_(failed), error_(error) {}

  void operator()(std::size_t begin, std::size_t end) override {
    for (Index t = Index(begin); t < Index(end) && !failed_; ++t) {
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

// A process forked from R (plan "multicore") has no TBB threads, although TBB assumes that it has.
#ifdef _WIN32
bool is_forked() { return false; }
#else
const pid_t loaded_by = getpid();
bool is_forked() { return getpid() != loaded_by; }
#endif

// What the threads of a call share. Only R's own thread, which makes it, calls R.
class Host {
public:
  explicit Host(SEXP progress) : progress_(progress) {}

  void report(double done, double total) {
    done_ = done;
    total_ = total;
    if (!is_main())
      return;
    // Also polls: work between a poll and a progress report would leave no turn for polling. Not at
    // the end, when nobody polls any more.
    const bool whole = done >= total;
    if (!whole && !due())
      return;
    if (!whole)
      ask();
    if (!stop_)
      show();
  }

  bool stop_requested() {
    if (is_main() && due()) {
      ask();
      // A poll takes the turn of a progress report.
      if (!stop_ && done_ < total_)
        show();
    }
    return stop_;
  }

  // Works on other threads; this thread shows the progress and asks R whether to stop.
  void wait_for(const std::function<void()> &work) {
    bool finished = false;
    std::mutex mutex;
    std::condition_variable changed;
    std::thread worker([&] {
      work();
      const std::lock_guard<std::mutex> lock(mutex);
      finished = true;
      changed.notify_one();
    });
    std::exception_ptr error;
    std::unique_lock<std::mutex> lock(mutex);
    while (!changed.wait_for(lock, std::chrono::milliseconds(100), [&] { return finished; })) {
      lock.unlock();
      try {
        ask();
        if (!stop_)
          show();
      } catch (...) {
        error = std::current_exception();
        stop_ = true;
      }
      lock.lock();
    }
    lock.unlock();
    worker.join();
    if (error)
      std::rethrow_exception(error);
  }

private:
  using Clock = std::chrono::steady_clock;

  bool is_main() const { return std::this_thread::get_id() == main_; }

  // At most ten times a second.
  bool due() {
    const Clock::time_point now = Clock::now();
    if (now - last_ < std::chrono::milliseconds(100))
      return false;
    last_ = now;
    return true;
  }

  void ask() {
    if (user_interrupted())
      stop_ = true;
  }

  void show() {
    if (Rf_isNull(progress_) || !(total_ > 0.0))
      return;
    const Rcpp::Function report(progress_);
    report(std::min<double>(done_, total_), total_.load());
  }

  SEXP progress_;
  std::thread::id main_ = std::this_thread::get_id();
  std::atomic<bool> stop_{false};
  std::atomic<double> done_{0.0}, total_{0.0};
  Clock::time_point last_ = Clock::now();
};

// Under taskset and in containers fewer than the machine has.
int allowed_processors() {
#ifdef __linux__
  cpu_set_t allowed;
  if (sched_getaffinity(0, sizeof allowed, &allowed) == 0)
    return CPU_COUNT(&allowed);
#endif
  return static_cast<int>(std::thread::hardware_concurrency());
}

// More threads than processors gain nothing, and TBB complains about them.
void parallel_for(Index n_tasks, const Runtime::Task &task, int n_threads, Host &host) {
  if (is_forked())
    n_threads = 1;
  const int available = allowed_processors();
  if (available > 0)
    n_threads = std::min(n_threads, available);
  if (n_threads <= 1 || n_tasks <= 1) {
    for (Index t = 0; t < n_tasks; ++t)
      task(t);
    return;
  }
  std::atomic<bool> failed(false);
  std::exception_ptr error;
  TaskWorker worker(task, failed, error);
  host.wait_for([&] { RcppParallel::parallelFor(0, std::size_t(n_tasks), worker, 1, n_threads); });
  if (error)
    std::rethrow_exception(error);
}

} // namespace

Runtime make_runtime(int n_threads, SEXP progress) {
  auto host = std::make_shared<Host>(progress);
  Runtime runtime;
  runtime.n_threads = n_threads;
  runtime.parallel_for = [n_threads, host](Index n, const Runtime::Task &task) {
    parallel_for(n, task, n_threads, *host);
  };
  runtime.stop_requested = [host] { return host->stop_requested(); };
  runtime.report = [host](double done, double total) { host->report(done, total); };
  return runtime;
}

} // namespace stabilect
