// Writes a cubin again with other machine code in one of its kernels.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace gemmscope::cubin {

struct CodeChange {
  std::string kernel;
  std::vector<uint64_t> words;  // low and high word of each instruction; as many as the kernel has
  int registers = 0;            // per thread; 0: as many as before
};

// Returns the bytes of the file with the change in place: every other byte stays, so without a change the
// bytes are the same. The line table keeps its addresses, so an instruction that was moved shows the line of
// the place where it stands now.
//
// Errors: those of read_cubin, an unknown kernel, code of another length, more registers than exist, and an
// instruction whose address the file names (EXIT, warp-wide operations, barriers in shared memory) moved
// away.
Result<std::vector<std::byte>> write_cubin(std::span<const std::byte> bytes, const CodeChange& change,
                                           std::string_view origin);

// Addresses of instructions that the file names, sorted: they must stay where they are.
Result<std::vector<uint32_t>> named_addresses(std::span<const std::byte> bytes, std::string_view kernel,
                                              std::string_view origin);

}  // namespace gemmscope::cubin
