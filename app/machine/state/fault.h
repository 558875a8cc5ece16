// What stops an execution: a mistake of the kernel, or an instruction that the machine cannot execute.
#pragma once

#include <array>
#include <cstdint>
#include <string>

namespace gemmscope::machine {

enum class FaultKind : uint8_t {
  none,
  out_of_bounds,
  misaligned,
  unsupported_instruction,
  deadlock,
  trap,
  budget_exhausted,
  cancelled,
  bad_jump,
  barrier_object,  // not initialised, or more arrivals than its phase waits for
};

struct Fault {
  FaultKind kind = FaultKind::none;
  uint32_t instruction = 0;         // index into the kernel's code
  std::array<uint32_t, 3> block{};  // blockIdx
  int warp = -1, lane = -1;         // −1 where it does not apply
  uint64_t address = 0;             // memory faults
  std::string what;  // "a store of 4 bytes at the global address 0x…: 12 bytes past the end of C"
};

}  // namespace gemmscope::machine
