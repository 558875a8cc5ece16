// Computes an ablation lattice (lattice.h): compiles, executes and models its points on several threads.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <string>

#include "experiment/lattice.h"
#include "sm/config.h"

namespace gemmscope::experiment {

struct LatticeRequest {
  catalog::Kernel kernel;  // a copy: the file may change meanwhile
  Experiment around;       // toggles, inputs and size; its architecture is that of the machine code
  sm::SmConfig device;
  std::vector<std::string> vary;  // toggles; empty: all
  bool with_pairs = true;
};

// What is known of points from earlier runs: another chosen variant shares most of its points with the one
// before. Thread-safe.
class LatticeMemory {
 public:
  // What was used longest ago is forgotten beyond this many bytes.
  static constexpr size_t kMostBytes = size_t{32} << 20;
  explicit LatticeMemory(size_t most_bytes = kMostBytes);
  ~LatticeMemory();
  LatticeMemory(const LatticeMemory&) = delete;
  LatticeMemory& operator=(const LatticeMemory&) = delete;

  // Forgets what belongs to another kernel, size or device.
  void prepare(const LatticeRequest& request);
  // Fills in the result of an earlier run; false if there is none.
  bool recall(LatticeEntry& entry) const;
  // Computes the entry. Points with the same machine code and launch are executed and modelled once. A
  // cancelled entry stays as it is and returns false.
  bool compute(const LatticeRequest& request, LatticeEntry& entry, const std::atomic<bool>& cancelled);
  size_t bytes() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

struct LatticeOptions {
  int threads = 0;           // 0: one per core
  double most_seconds = 60;  // no point is begun later
  const std::atomic<bool>* cancelled = nullptr;
  // Called by one thread at a time, a few times a second and at the end.
  std::function<void(const Lattice&)> progress;
};

// The chosen variant first, then single changes, then pairs by promise. A point without a time has its
// trouble; what was not computed in time is marked so.
Lattice run_lattice(const LatticeRequest& request, LatticeMemory& memory, const LatticeOptions& options = {});

}  // namespace gemmscope::experiment
