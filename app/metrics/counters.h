// Counters of an execution, named and counted as in Nsight Compute, for a whole grid or for one traced block.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "machine/execute/instruction_counts.h"
#include "machine/record/trace.h"
#include "machine/state/observer.h"
#include "metrics/banks.h"
#include "metrics/bypass_sectors.h"
#include "metrics/instruction_mix.h"
#include "metrics/sectors.h"

namespace gemmscope::metrics {

// Memory traffic of one instruction of the kernel, summed over all its executions.
struct Traffic {
  // Warp instructions with an active lane. Local memory has one request for each 32-bit word that a lane
  // accesses (64 bits take two on an H200, 128 bits four: local_words in
  // tests/calibration/ncu_h200_classes.csv).
  uint64_t requests = 0;
  uint64_t sectors = 0, minimum_sectors = 0;        // global and local
  uint64_t wavefronts = 0, minimum_wavefronts = 0;  // shared
  uint64_t excess_sectors() const { return sectors - minimum_sectors; }
  uint64_t excess_wavefronts() const { return wavefronts - minimum_wavefronts; }
  void add(const Traffic& other, uint64_t times = 1);
  bool operator==(const Traffic&) const = default;
};

// Traffic by memory and direction, divided as in Nsight Compute. LDGSTS loads from global and stores to
// shared memory: both halves are counted under async_global and async_shared, not among the loads and stores.
//
// Leaves out: the wavefronts of atomics on shared memory (requests only), and which memory a generic LD, ST
// or ATOM accesses (it counts as global). The wavefronts of LDGSTS are the least that a GPU counts: those of
// the lanes that bring bytes of their own (metrics/copied_lanes.h). How many more depends on when the bytes
// arrive. The sectors of copies past L1 (LDGSTS.BYPASS) have a rule of their own (metrics/bypass_sectors.h).
struct InstructionTraffic {
  Traffic global_load, global_store, shared_load, shared_store;  // LDG, STG, LDS, STS
  Traffic async_global, async_shared;                            // the two halves of LDGSTS
  Traffic matrix_load, matrix_store;                             // LDSM, STSM
  Traffic global_atomic, global_reduce, shared_atomic;           // ATOMG, RED, ATOMS
  Traffic local_load, local_store;                               // LDL, STL
  // Bytes that lanes ask for with LDG, LD and LDGSTS; zeros that a copy fills in are not loaded.
  uint64_t global_loaded_bytes = 0;

  void add(const InstructionTraffic& other, uint64_t times = 1);
  Traffic total() const;
  bool operator==(const InstructionTraffic&) const = default;
};
struct TrafficKind {
  Traffic InstructionTraffic::*member;
  const char* name;
  bool shared;  // true: counted in wavefronts; false: in sectors
};
inline constexpr std::array kTrafficKinds = {
    TrafficKind{&InstructionTraffic::global_load, "global load", false},
    TrafficKind{&InstructionTraffic::global_store, "global store", false},
    TrafficKind{&InstructionTraffic::shared_load, "shared load", true},
    TrafficKind{&InstructionTraffic::shared_store, "shared store", true},
    TrafficKind{&InstructionTraffic::async_global, "async copy from global", false},
    TrafficKind{&InstructionTraffic::async_shared, "async copy to shared", true},
    TrafficKind{&InstructionTraffic::matrix_load, "matrix load", true},
    TrafficKind{&InstructionTraffic::matrix_store, "matrix store", true},
    TrafficKind{&InstructionTraffic::global_atomic, "global atomic", false},
    TrafficKind{&InstructionTraffic::global_reduce, "global reduction", false},
    TrafficKind{&InstructionTraffic::shared_atomic, "shared atomic", true},
    TrafficKind{&InstructionTraffic::local_load, "local load", false},
    TrafficKind{&InstructionTraffic::local_store, "local store", false}};

struct Counters {
  machine::InstructionCounts executed;
  std::vector<InstructionTraffic> traffic;  // by instruction

  explicit Counters(size_t instructions = 0) : executed(instructions), traffic(instructions) {}
  void add(const Counters& other, uint64_t times = 1);
};

// Sums over the kernel. metrics/ncu_metrics.h names the Nsight Compute metrics that count the same.
struct CounterSummary {
  uint64_t warp_instructions = 0, thread_instructions = 0;
  std::map<std::string, uint64_t> by_opcode;  // warp instructions, by mnemonic without modifiers
  // Warp instructions, counted as the hardware does, whether or not a lane's guard held.
  struct Executed {
    uint64_t global_reduce = 0, shared_atomic = 0, local_store = 0;
    uint64_t local_load = 0;               // only those with an active lane
    uint64_t tensor = 0, tensor_hmma = 0;  // including HFMA2.MMA, which an H200 counts in this pipe
  } executed;
  uint64_t ffma = 0, fadd = 0, fmul = 0;  // thread instructions whose guard held, here and below
  uint64_t dfma = 0, dadd = 0, dmul = 0;
  uint64_t hfma = 0, hadd = 0, hmul = 0;  // one for a pair of halves
  uint64_t tensor_flops = 0;  // of HMMA: 2 m n k for each warp instruction; sparse ones not counted
  // Operations of float32 arithmetic and of tensor cores with floating-point factors.
  uint64_t flops() const { return 2 * ffma + fadd + fmul + tensor_flops; }
  InstructionMix mix{};  // warp instructions by kind
  // Floating-point operations for each float (4 bytes) that a lane loads from global memory; 0 without loads.
  double flop_per_float() const {
    const uint64_t bytes = traffic.global_loaded_bytes;
    return bytes == 0 ? 0 : 4 * static_cast<double>(flops()) / static_cast<double>(bytes);
  }
  InstructionTraffic traffic;
  Traffic async_bypass;  // of traffic.async_global: copies past L1 (LDGSTS.BYPASS)

  void add(const CounterSummary& other);  // adds the counts of another launch
};
CounterSummary summarize(const Counters& counters, const std::vector<isa::Instruction>& instructions);

// Collects traffic while blocks run; each worker thread has its own. Repeated access patterns, which loops
// produce, are recognised and not counted anew.
class TrafficCollector final : public machine::Observer {
 public:
  explicit TrafficCollector(size_t instructions);
  void on_access(const machine::Access& access) override;
  void on_copies_awaited() override { bypass_.awaited(); }
  bool takes_distances() const override { return true; }
  const std::vector<InstructionTraffic>& traffic() const { return traffic_; }
  void clear();  // clears the traffic; recognised patterns are kept

 private:
  // The last access of an instruction, relative to its first active lane. As long as the lanes keep their
  // distances, wavefronts depend only on the offset in a word at which the access starts, and sectors only on
  // the offset in a sector.
  struct Remembered {
    uint32_t mask = 0;
    uint8_t width_bytes = 0;
    uint32_t own = 0;  // lanes_with_own_bytes of the pattern, if it is the global half of a copy
    std::array<int32_t, machine::kWarpLanes> relative{};  // what does not fit is never recognised
    struct Count {
      uint8_t total = 0, minimum = 0;  // wavefronts or sectors; total 0: not counted yet
    };
    std::array<Count, kSectorBytes> by_start{};

    bool is_pattern_of(const machine::Access& access, uint64_t first_address) const;
    void become(const machine::Access& access, const std::array<uint64_t, machine::kWarpLanes>& addresses,
                uint64_t first_address);
  };
  static void count(const machine::Access& access, Remembered::Count& count);
  void count_bypass(const machine::Access& access);
  Remembered& remembered(const machine::Access& access, uint64_t first_address);
  machine::Access sure_half(const machine::Access& access);

  std::vector<InstructionTraffic> traffic_;
  std::vector<std::array<std::unique_ptr<Remembered>, 2>> remembered_;  // [global or local, shared]
  std::vector<uint32_t> touched_;                                       // instructions with traffic
  BypassSectors bypass_;
  uint32_t own_lanes_ = 0;  // of the copy whose global half was the last access
};

// All counters of a block as one row of numbers, for comparison: equal rows mean equal counters.
std::vector<uint64_t> flatten(const machine::InstructionCounts& executed,
                              const std::vector<InstructionTraffic>& traffic);

// The sectors of an access to global or local memory.
SectorCount sectors_of(const machine::TraceAccess& access);

// Converts a traced access to the input of the bank rule or of the sector rule.
SharedAccess shared_access(const machine::TraceAccess& access);
GlobalAccess global_access(const machine::TraceAccess& access);

// Counters of a traced block, per instruction of its kernel.
Counters count_trace(const machine::Trace& trace, const std::vector<isa::Instruction>& instructions);

}  // namespace gemmscope::metrics
