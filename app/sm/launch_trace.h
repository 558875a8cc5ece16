// What the model replays: the instructions that the warps of some blocks issued, with the cache lines and
// wavefronts of their accesses, as an exact execution recorded them.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <span>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "machine/record/trace.h"
#include "sm/line_counter.h"
#include "sm/timed_code.h"

namespace gemmscope::sm {

// The sectors that an access touches in one 128-byte line.
struct LineTouch {
  int32_t line = 0;      // from the line of the access's first active lane
  uint8_t sectors = 0;   // a bit each
  bool in_part = false;  // a sector has bytes that the access does not touch
};

inline constexpr uint32_t kNoPhase = 0xffff'ffff;

// Accesses whose lanes have the same distances share a shape.
struct AccessShape {
  uint16_t shared_wavefronts = 0;  // of the access to shared memory
  uint16_t shared_excess = 0;      // of these, beyond the fewest possible: bank conflicts
  uint16_t data_wavefronts = 0;    // the same of one through L1, by the same rule
  bool past_l1 = false;     // an asynchronous copy: a touch for each pair of a line read and one written
  uint32_t first_line = 0;  // into LaunchTrace::lines
  uint16_t lines = 0;
  uint32_t phase = kNoPhase;  // of the barrier object at which a bulk copy arrives
};

struct IssuedInstruction {
  uint32_t instruction = 0;  // index into the code
  uint32_t shape = 0;        // into LaunchTrace::shapes; 0: no access
  // Of the first active lane, in 128-byte lines from LaunchTrace::base_line. Of an arrival or a wait at a
  // barrier object: the phase, an index into BlockTrace::phase_parts, or kNoPhase.
  uint32_t line = 0;
  uint16_t pass = 0;   // of the main loop
  uint16_t lanes = 0;  // whose guard holds
};

struct BlockTrace {
  std::array<uint32_t, 3> block{};
  std::vector<std::vector<IssuedInstruction>> warps;
  // How many instructions arrive in each phase of a barrier object, bulk copies too; then it is over.
  std::vector<uint16_t> phase_parts;
};

// What the launch does with a buffer in global memory.
struct BufferUse {
  uint32_t first_line = 0, end_line = 0;  // from LaunchTrace::base_line
  double bytes = 0;                       // at the depth of the launch that is asked for
  double readers = 0;                     // blocks that load a line, on average
  double readers_at_once = 0;             // of these, those that run at the same time
  bool stored = false;
  bool holds(uint32_t line) const { return line >= first_line && line < end_line; }
};

// Lines of local memory start here, so that they are never those of a buffer.
inline constexpr uint32_t kLocalLine = 0x8000'0000;

struct LaunchTrace {
  std::vector<TimedInstruction> code;
  std::array<uint32_t, 3> grid{1, 1, 1};
  int warps_per_block = 1;
  int blocks_per_sm = 1;          // that are resident at once
  uint32_t shared_per_block = 0;  // bytes, as allocated
  std::vector<BufferUse> buffers;
  double hot_word_lanes = 0;       // lanes of the whole grid whose atomics go to the busiest word
  double local_lines = 0;          // distinct 128-byte lines of local memory that a block touches, on average
  std::vector<BlockTrace> blocks;  // of one SM, in the order in which it gets them
  std::vector<AccessShape> shapes{1};
  std::vector<LineTouch> lines;
  uint64_t base_line = 0;

  double footprint_bytes() const;  // of all buffers
  uint64_t block_count() const { return uint64_t{grid[0]} * grid[1] * grid[2]; }
  bool uses_tensor_cores() const;
  uint64_t instructions() const;  // of all blocks here
  double shared_excess() const;   // excess wavefronts of shared memory of a block, on average
};

// Adds the traces of blocks to a launch.
class LaunchTraceBuilder {
 public:
  explicit LaunchTraceBuilder(LaunchTrace& launch) : launch_(launch) {}
  void add(const machine::Trace& trace);
  // Notes the readers of each of the launch's buffers, after the last block.
  void finish();

 private:
  struct ShapeKey {
    const machine::LaneDistances* distances = nullptr;  // the two halves of LDGSTS
    const machine::LaneDistances* shared_distances = nullptr;
    uint32_t mask = 0, shared_mask = 0;
    uint16_t offset = 0;         // of the first lane in its line
    uint16_t shared_offset = 0;  // and in the banks
    uint32_t instruction = 0;
    auto operator<=>(const ShapeKey&) const = default;
  };
  uint32_t shape_of(const ShapeKey& key, std::span<const machine::TraceAccess> accesses);
  void add_global(const machine::TraceAccess& access, AccessShape& shape);
  void add_local(const machine::TraceAccess& access, AccessShape& shape);
  void add_accesses(std::span<const machine::TraceAccess> accesses, uint32_t warp, IssuedInstruction& issued);
  void add_bulk_copy(std::span<const machine::TraceAccess> accesses, uint32_t phase,
                     IssuedInstruction& issued);
  void add_copy(const machine::TraceAccess& from, const machine::TraceAccess& to, AccessShape& shape);
  void count_lines(const IssuedInstruction& issued);

  LaunchTrace& launch_;
  std::vector<LineCounter> loaded_lines_;     // by buffer
  std::unordered_set<uint32_t> local_lines_;  // of all blocks
  std::map<ShapeKey, uint32_t> shapes_;       // of one trace: the keys point into it
  // The last one of each instruction, which is tried first.
  std::vector<std::pair<ShapeKey, uint32_t>> last_;
};

}  // namespace gemmscope::sm
