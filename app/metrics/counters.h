// Counters of an execution, as Nsight Compute names and counts them, for a whole grid or for one traced
// block.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "machine/block.h"
#include "machine/observer.h"
#include "machine/trace.h"
#include "metrics/banks.h"
#include "metrics/sectors.h"

namespace gemmscope::metrics {

// Memory traffic of one instruction of the kernel, summed over all its executions.
struct Traffic {
  uint64_t requests = 0;                            // warp instructions with an active lane
  uint64_t sectors = 0, minimum_sectors = 0;        // global
  uint64_t wavefronts = 0, minimum_wavefronts = 0;  // shared
  uint64_t excess_sectors() const { return sectors - minimum_sectors; }
  uint64_t excess_wavefronts() const { return wavefronts - minimum_wavefronts; }
  void add(const Traffic& other);
};

// LDGSTS loads from global and stores to shared memory: both are counted on its own instruction.
struct InstructionTraffic {
  Traffic global_load, global_store, shared_load, shared_store;
  Traffic total() const;
};

struct Counters {
  machine::InstructionCounts executed;
  std::vector<InstructionTraffic> traffic;  // by instruction

  explicit Counters(size_t instructions = 0) : executed(instructions), traffic(instructions) {}
  void add(const Counters& other);
};

// Sums over the kernel; the name behind each is the Nsight Compute metric that counts the same.
struct CounterSummary {
  uint64_t warp_instructions = 0;             // smsp__inst_executed.sum
  uint64_t thread_instructions = 0;           // smsp__thread_inst_executed_pred_on.sum
  std::map<std::string, uint64_t> by_opcode;  // warp instructions, by mnemonic without modifiers
  uint64_t ffma = 0, fadd = 0, fmul = 0;      // smsp__sass_thread_inst_executed_op_ffma_pred_on.sum …
  uint64_t flops() const { return 2 * ffma + fadd + fmul; }
  InstructionTraffic traffic;
};
CounterSummary summarize(const Counters& counters, const std::vector<isa::Instruction>& instructions);

// Collects traffic while blocks run; one a worker thread. Repeated patterns are recognised, since loops
// repeat them.
class TrafficCollector final : public machine::Observer {
 public:
  explicit TrafficCollector(size_t instructions);
  void on_access(const machine::Access& access) override;
  const std::vector<InstructionTraffic>& traffic() const { return traffic_; }

 private:
  // The last access of an instruction, relative to its first active lane. As long as the lanes keep their
  // distances, wavefronts depend on where in a word the access starts, and sectors on where in a sector.
  struct Remembered {
    uint32_t mask = 0;
    uint8_t width_bytes = 0;
    std::array<uint64_t, 32> relative{};
    struct Count {
      uint8_t total = 0, minimum = 0;  // wavefronts or sectors; total 0: not counted yet
    };
    std::array<Count, kSectorBytes> by_start{};

    bool is_pattern_of(const machine::Access& access, uint64_t first_address) const;
    void become(const machine::Access& access, uint64_t first_address);
  };

  std::vector<InstructionTraffic> traffic_;
  std::vector<std::array<std::unique_ptr<Remembered>, 2>> remembered_;  // [global, shared]
};

// The shared access behind an access to shared memory, and likewise for global memory.
SharedAccess shared_access(const machine::TraceAccess& access);
GlobalAccess global_access(const machine::TraceAccess& access);

// Counters of a traced block.
Counters count_trace(const machine::Trace& trace, size_t instructions);

}  // namespace gemmscope::metrics
