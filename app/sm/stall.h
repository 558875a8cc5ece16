// Why a warp does not issue, in the words of Nsight Compute (warp scheduler states of its kernel profiling
// guide).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace gemmscope::sm {

enum class Stall : uint8_t {
  selected,            // it issues
  not_selected,        // it could, but another warp of the sub-core issues
  wait,                // the stall count of its last instruction
  long_scoreboard,     // a result of L1TEX: global and local memory, asynchronous copies
  short_scoreboard,    // a result of MIO: shared memory, MUFU, special registers
  lg_throttle,         // the queue of local and global accesses is full
  mio_throttle,        // the queue of MIO is full
  math_pipe_throttle,  // the pipe is busy
  barrier,             // other warps of the block have not arrived
  branch_resolving,    // a branch was taken
  no_instruction,      // the next instruction is not in the instruction cache
  dispatch_stall,      // the registers' banks are busy
};
inline constexpr int kStalls = 12;
inline constexpr std::array<const char*, kStalls> kStallNames = {
    "selected",         "not_selected",     "wait",           "long_scoreboard",
    "short_scoreboard", "lg_throttle",      "mio_throttle",   "math_pipe_throttle",
    "barrier",          "branch_resolving", "no_instruction", "dispatch_stall"};
inline const char* stall_name(Stall stall) { return kStallNames[static_cast<size_t>(stall)]; }

// Warp cycles by reason.
using StallCycles = std::array<double, kStalls>;

}  // namespace gemmscope::sm
