// A trace: every warp instruction that one block issued, in trace order, with its lanes and addresses. It is
// plain data, on which the scenes and the time cursor work.
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

// The addresses of an access, as Access::addresses. The lanes' distances from the first are the same in every
// pass of a loop, so the trace keeps them once for all passes.
class TraceAddresses {
 public:
  TraceAddresses() = default;
  // `distances` must outlive this object.
  TraceAddresses(uint64_t origin, const LaneDistances& distances) : origin_(origin), distances_(&distances) {}
  uint64_t operator[](size_t lane) const { return origin_ + (*distances_)[lane]; }
  std::array<uint64_t, kWarpLanes> all() const;
  const LaneDistances& distances() const {
    return *distances_;
  }  // one object for all equal distances of a trace

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
  uint16_t k_tile = 0;  // the pass of the main loop that its warp is in, see main_loop_heads
  uint8_t access_count = 0;
};

// What a record does to a barrier object. A wait is for the phase that it found over; phases count from 0.
struct TracedObjectUse {
  uint32_t record = 0;
  uint32_t address = 0;
  uint32_t phase = 0;
  ObjectUse::Kind kind = ObjectUse::Kind::arrive;
};

struct Trace {
  std::array<uint32_t, 3> block{};
  std::array<uint32_t, 3> block_shape{1, 1, 1};  // threads
  uint32_t warp_count = 0;
  std::vector<TraceRecord> records;  // in trace order: warps take turns, one instruction each
  std::vector<TraceAccess> accesses;
  std::shared_ptr<const std::deque<LaneDistances>> distances;  // the accesses point to these
  std::vector<TracedObjectUse> object_uses;                    // by record
  std::vector<Finding> findings;                               // see finding.h
  bool complete = true;  // false: the record limit was reached; the rest was executed but not recorded

  std::span<const TraceAccess> accesses_of(const TraceRecord& record) const {
    return {accesses.data() + record.first_access, record.access_count};
  }
};

struct TraceLimits {
  size_t records = 0;  // how many are kept, from the first on
  BlockLimits block = {};
};

// The program and the memory of a block to trace.
struct Traced {
  const Program& program;
  GlobalMemory& memory;  // the block writes to it
};

// Executes block `index` alone and records it. A fault comes with the findings until then.
tl::expected<Trace, FaultedRun> trace_block(const Program& program, GlobalMemory& memory,
                                            std::array<uint32_t, 3> index, const TraceLimits& limits);

// Does the same for a block that may fail, and returns the fault, or nothing if the block ran to its end.
// `trace` then ends with the instruction that failed. `make` gives the program and the memory as they are
// before the block runs. If the fast way finds a mistake, `make` is called again and the block is traced in
// turns; the first result of `make` is then no longer used.
std::optional<Fault> trace_until_fault(const std::function<Traced()>& make, std::array<uint32_t, 3> index,
                                       const TraceLimits& limits, Trace& trace);

// The slow way, with the same result: warps really take turns, under the exact checks.
std::optional<Fault> trace_in_turns(const Traced& traced, std::array<uint32_t, 3> index,
                                    const TraceLimits& limits, Trace& trace);

// The first instructions of the outermost loops that do arithmetic on the matrices (FFMA, HMMA …). A warp's
// k-tile is the number of times that it has come back to one of them.
std::vector<uint32_t> main_loop_heads(const std::vector<isa::Instruction>& instructions);

}  // namespace gemmscope::machine
