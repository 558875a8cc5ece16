// Runs a workspace frame by frame without a window, as the program's loop does.
#pragma once

#include <gtest/gtest.h>
#include <time.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <thread>

#include "session/workspace.h"

namespace gemmscope::session {

// Records how long the UI thread was busy: the longest frame in this thread's CPU time, which other load on
// the computer does not change.
struct FrameCost {
  double longest_cpu_ms = 0;
  int frames = 0;
};

inline double cpu_ms(clockid_t clock) {
  timespec now{};
  clock_gettime(clock, &now);
  return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) * 1e-6;
}
inline double thread_cpu_ms() { return cpu_ms(CLOCK_THREAD_CPUTIME_ID); }
inline double process_cpu_ms() { return cpu_ms(CLOCK_PROCESS_CPUTIME_ID); }

class WorkspaceDriver {
 public:
  explicit WorkspaceDriver(experiment::Experiment first) : workspace_([] {}, std::move(first)) {}

  Workspace& workspace() { return workspace_; }
  ViewState& state() { return workspace_.state(); }
  Requests& requests() { return workspace_.requests(); }

  // Times work of the UI thread: a frame or a command.
  void timed(const std::function<void()>& work) {
    const double start = thread_cpu_ms();
    work();
    cost_.longest_cpu_ms = std::max(cost_.longest_cpu_ms, thread_cpu_ms() - start);
  }
  void frame(double seconds = 0) {
    ++cost_.frames;
    timed([&] {
      workspace_.begin_frame(seconds);
      workspace_.end_frame();
    });
  }
  // Runs frames until `done`, and calls `each` after each; false after a minute.
  bool until(const std::function<bool()>& done, double seconds = 0, const std::function<void()>& each = {}) {
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    for (;;) {
      frame(seconds);
      if (each) each();
      if (done()) return true;
      if (std::chrono::steady_clock::now() > deadline) return false;
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  }
  // Waits for all results of the current experiment, or for its failure.
  bool settle() {
    return until([&] { return !workspace_.waiting() && !state().progress; }) && (frame(), true);
  }

  const FrameCost& cost() const { return cost_; }
  void clear_cost() { cost_ = {}; }

 private:
  Workspace workspace_;
  FrameCost cost_;
};

inline experiment::Experiment small_experiment(const std::string& kernel = "07_register_tile",
                                               int64_t size = 64) {
  experiment::Experiment e;
  e.kernel = kernel;
  e.problem.m = e.problem.n = e.problem.k = size;
  return e;
}

}  // namespace gemmscope::session
