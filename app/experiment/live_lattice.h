// Computes an ablation lattice on threads of its own, so that the window stays responsive. What was computed
// of earlier requests is kept, as long as kernel, size and device are the same.
#pragma once

#include <condition_variable>
#include <mutex>
#include <optional>
#include <thread>

#include "experiment/lattice_run.h"

namespace gemmscope::experiment {

class LiveLattice {
 public:
  // `wake` is called from a thread when there is something to take.
  explicit LiveLattice(std::function<void()> wake);
  ~LiveLattice();  // cancels the running request, so it returns soon
  LiveLattice(const LiveLattice&) = delete;
  LiveLattice& operator=(const LiveLattice&) = delete;

  // Computes this and drops earlier requests. Returns at once, as do the others.
  void want(LatticeRequest request);
  void cancel();
  // Returns the newest state of the lattice; null if there is none since the last call. Never of an older
  // request.
  std::shared_ptr<const Lattice> take();
  bool busy() const;

 private:
  void loop();
  void replace(std::optional<LatticeRequest> next);

  std::function<void()> wake_;
  mutable std::mutex mutex_;  // guards the five below
  std::condition_variable ready_;
  std::optional<LatticeRequest> next_;
  std::shared_ptr<const Lattice> newest_;
  uint64_t generation_ = 0;
  bool stopping_ = false, working_ = false;
  std::atomic<bool> cancelled_{false};
  std::thread thread_;
};

}  // namespace gemmscope::experiment
