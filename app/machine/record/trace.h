// A trace: every warp instruction that one block issued, in order, with its lanes and addresses. The scenes
// and the time cursor work on it; it is plain data.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <tl/expected.hpp>
#include <vector>

#include "machine/checks/finding_list.h"
#include "machine/execute/block_limits.h"
#include "machine/state/global_memory.h"
#include "machine/state/observer.h"
#include "machine/state/program.h"

namespace gemmscope::machine {

using LaneDistances = std::array<uint64_t, kWarpLanes>;  // bytes from one address

// The addresses of an access, as Access::addresses. How far the lanes lie from the first is the same in every
// pass of a loop, so that is kept once for all of them, by the trace.
class TraceAddresses {
 public:
  TraceAddresses() = default;
  // `distances` must outlive it.
  TraceAddresses(uint64_t origin, const LaneDistances& distances) : origin_(origin), distances_(&distances) {}
  uint64_t operator[](size_t lane) const { return origin_ + (*distances_)[lane]; }
  std::array<uint64_t, kWarpLanes> all() const;

 private:
  static constexpr LaneDistances kNone{};
  uint64_t origin_ = 0;
  const LaneDistances* distances_ = &kNone;
};

struct TraceAccess {
  Space space = Space::global;
  Direction direction = Direction::load;
  uint8_t width_bytes = 4;
  Path path = Path::lanes;
  uint32_t mask = 0;
  TraceAddresses addresses;
};

struct TraceRecord {
  uint32_t instruction = 0;   // index into the kernel's code
  uint32_t mask = 0;          // lanes at this instruction
  uint32_t executed = 0;      // lanes whose guard holds
  uint32_t first_access = 0;  // into Trace::accesses
  uint16_t warp = 0;
  uint16_t k_tile = 0;  // which pass of the main loop its warp is in, see main_loop_heads
  uint8_t access_count = 0;
};

struct Trace {
  std::array<uint32_t, 3> block{};
  std::array<uint32_t, 3> block_shape{1, 1, 1};  // threads
  uint32_t warp_count = 0;
  std::vector<TraceRecord> records;  // warps take turns, one instruction each
  std::vector<TraceAccess> accesses;
  std::shared_ptr<const std::deque<LaneDistances>> distances;  // that the accesses point to
  std::vector<Finding> findings;                               // of the checks, see finding.h
  bool complete = true;  // false: the record limit was reached and the rest was executed but not recorded

  std::span<const TraceAccess> accesses_of(const TraceRecord& record) const {
    return {accesses.data() + record.first_access, record.access_count};
  }
};

struct TraceLimits {
  size_t records = 0;  // the first ones are kept
  BlockLimits block = {};
};

// What a block is executed with.
struct Traced {
  const Program& program;
  GlobalMemory& memory;  // changed as the block changes it
};

// Executes block `index` alone and records it.
tl::expected<Trace, FaultedRun> trace_block(const Program& program, GlobalMemory& memory,
                                            std::array<uint32_t, 3> index, const TraceLimits& limits);

// The same for a block that may fail: `trace` holds what was issued until then, the instruction that failed
// last. Nothing when the block ran to its end. `make` gives program and memory as they are before the block
// runs. It is called again where the fast way finds a mistake, which is then traced in turns; what it gave
// before is no longer used then.
std::optional<Fault> trace_until_fault(const std::function<Traced()>& make, std::array<uint32_t, 3> index,
                                       const TraceLimits& limits, Trace& trace);

// The slow way, which gives the same: warps really take turns, and the exact checks judge.
std::optional<Fault> trace_in_turns(const Traced& traced, std::array<uint32_t, 3> index,
                                    const TraceLimits& limits, Trace& trace);

// First instructions of the outermost loops that do arithmetic on the matrices (FFMA, HMMA …): a warp's
// k-tile is the number of times that it has come back to one of them.
std::vector<uint32_t> main_loop_heads(const std::vector<isa::Instruction>& instructions);

}  // namespace gemmscope::machine
