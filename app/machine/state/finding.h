// What the checks find while a kernel runs: a mistake that does not stop the machine, but makes the result
// depend on luck on the hardware.
#pragma once

#include <array>
#include <cstdint>
#include <string>

namespace gemmscope::machine {

enum class FindingKind : uint8_t {
  uninitialised_shared,
  uninitialised_global,
  shared_race,         // two warps access an address with no barrier between, and one writes
  global_race,         // blocks store different values to the same place, and nothing orders them
  barrier_divergence,  // __syncthreads() that not all threads of the block reach together
};

struct Finding {
  FindingKind kind = FindingKind::shared_race;
  uint32_t instruction = 0;         // index into the kernel's code
  std::array<uint32_t, 3> block{};  // blockIdx
  int warp = -1, lane = -1;         // −1 where it does not apply
  uint64_t address = 0;             // of the first byte; a shared address counts from the window's start
  // The other side of a race or of a divergence.
  int other_instruction = -1, other_warp = -1, other_lane = -1;
  uint64_t times = 1;  // how often this instruction made this mistake in the execution
  std::string what;    // "reads the shared address 0x1080, which a thread of another warp wrote, with …"
};

}  // namespace gemmscope::machine
