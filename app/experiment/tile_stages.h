// The stages of a kernel's k-tiles on a timeline: when the block loads tile k from global memory, stores it
// to shared memory, waits at barriers and barrier objects, loads it from there and multiplies with it.
//
// The tile of an instruction comes from the elements that it moves (metrics/dataflow.h): the position along k
// of what it loads or multiplies, over the depth of a pass. An instruction of the loop is so many tiles ahead
// of its pass; that is found in the first passes of the traced block and holds in all.
#pragma once

#include <atomic>
#include <vector>

#include "experiment/results.h"
#include "sm/launch_trace.h"
#include "sm/timeline.h"

namespace gemmscope::experiment {

// `object_wait` is a wait at a barrier object at which no copies arrive; the others belong to their
// CopyGroup.
enum class TileStage : uint8_t {
  math,
  global_load,
  store_shared,
  barrier,
  object_wait,
  load_shared,
  epilogue
};
inline constexpr int kTileStages = 7;
inline constexpr std::array<const char*, kTileStages> kTileStageNames = {
    "math", "global load", "store to shared", "barrier", "barrier object", "load from shared", "epilogue"};

// What the machine code does for which tile.
struct CodeStages {
  struct Of {
    TileStage stage = TileStage::math;
    bool counts = false;  // it belongs to a stage
    bool known = false;   // `ahead` was seen, not assumed
    int16_t ahead = 0;    // tiles that it is ahead of its pass
  };
  std::vector<Of> instructions;
  int pass_depth = 0;                     // elements along k in one pass; 0: unknown
  int slots = 0;                          // buffers in shared memory that the tiles take in turn; 0: none
  bool async_copies = false;              // cp.async fills them
  bool bulk_copies = false;               // … or bulk copies, tensor copies among them (TMA)
  uint32_t loop_begin = 0, loop_end = 0;  // instructions [begin, end) of the main loop; empty: there is none
};
CodeStages find_code_stages(const BlockResult& block, const sm::LaunchTrace& launch,
                            const std::atomic<bool>* cancelled = nullptr);

// All warps of a block together.
struct StageBar {
  TileStage stage = TileStage::math;
  int tile = 0;                 // of barriers and barrier objects: the pass that they are in
  uint32_t begin = 0, end = 0;  // cycles: from the first issue to the last result
  uint32_t steps = 0;           // instructions of warps
  int lane = 0;                 // bars of a stage that overlap lie in different lanes
};
// From the first store into a buffer of shared memory to the last load from it.
struct SlotBar {
  int slot = 0, tile = 0;
  uint32_t begin = 0, filled = 0, end = 0;  // cycles
};
// The copies of all warps between two commits (cp.async.commit_group, LDGDEPBAR); a warp waits for its own
// groups alone, and the figures are those of the whole block. Or the bulk copies that arrive in one phase of
// a barrier object.
struct CopyGroup {
  int group = 0;                // in the order of the commits, from 0, or the phase
  bool bulk = false;            // of bulk copies
  int tile = 0;                 // of its copies
  uint32_t begin = 0, end = 0;  // cycles: from the first copy's issue until the last one is complete
  uint32_t waited = 0;  // when the last warp passed the wait for it (DEPBAR, PHASECHK); no wait: `end`
  uint32_t stall_begin = 0, stall_end = 0;  // cycles in which a warp stalls at that wait; equal: none does
  int lane = 0;                             // groups that overlap until `waited` lie in different lanes
};
struct BlockStages {
  std::vector<StageBar> bars;  // by stage, then by time
  std::vector<SlotBar> slots;
  std::vector<CopyGroup> groups;  // by number; those without a copy are left out
  std::array<int, kTileStages> lanes{};
  int group_lanes = 0;                // as many as are outstanding at once
  std::vector<uint32_t> pass_begins;  // the cycle of each pass' first issue, and the end of the last one
};
std::vector<BlockStages> find_stages(const sm::Timeline& timeline, const sm::LaunchTrace& launch,
                                     const CodeStages& code);

}  // namespace gemmscope::experiment
