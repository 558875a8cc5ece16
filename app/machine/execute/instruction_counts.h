// How often each instruction of a kernel was executed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace gemmscope::machine {

// By index of the instruction in the kernel's code.
struct InstructionCounts {
  std::vector<uint64_t> warps;    // times a warp issued it
  std::vector<uint64_t> threads;  // lanes that executed it, guard true

  explicit InstructionCounts(size_t instructions = 0) : warps(instructions), threads(instructions) {}
  void add(const InstructionCounts& other);
  uint64_t total_warps() const;
};

}  // namespace gemmscope::machine
