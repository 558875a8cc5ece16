// A kernel launch as the machine needs it: shapes, arguments and the constant banks, which on hardware the
// driver fills.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "base/error.h"
#include "cubin/cubin.h"
#include "machine/state/global_memory.h"
#include "machine/state/observer.h"

namespace gemmscope::machine {

struct LaunchConfig {
  std::array<uint32_t, 3> grid{1, 1, 1}, block{1, 1, 1};  // blocks, threads
  uint32_t dynamic_shared_bytes = 0;
  std::vector<std::vector<std::byte>> arguments;  // by parameter: its bytes, little-endian

  uint32_t threads_per_block() const { return block[0] * block[1] * block[2]; }
  uint64_t block_count() const { return static_cast<uint64_t>(grid[0]) * grid[1] * grid[2]; }
};

// Blocks in the order of the hardware's blockIdx: x fastest.
std::array<uint32_t, 3> block_at(uint64_t number, const std::array<uint32_t, 3>& grid);
uint64_t block_number(const std::array<uint32_t, 3>& block, const std::array<uint32_t, 3>& grid);

template <typename T>
std::vector<std::byte> argument(const T& value) {
  const auto* first = reinterpret_cast<const std::byte*>(&value);
  return {first, first + sizeof(T)};
}

// The windows of shared and local memory among the generic addresses, and the start of a thread's stack. Any
// windows that overlap no buffer would do; in these the low 32 bits are zero, as on the hardware.
inline constexpr uint64_t kSharedWindow = 0x7f03'0000'0000, kLocalWindow = 0x7f02'0000'0000,
                          kWindowBytes = 1 << 24;
// Absolute addresses of the kernel's own code and of the driver's functions, which take 16 bytes each.
inline constexpr uint64_t kCodeWindow = 0x7f01'0000'0000, kExternalWindow = 0x7f00'0000'0000;
// Constant bank 0, through which code on sm_90 passes the addresses of parameters.
inline constexpr uint64_t kConstantWindow = 0x7f04'0000'0000;
inline constexpr uint32_t kStackTop = 0x20000,
                          kLocalBytes = 0x8000;  // local memory covers [top − bytes, top)

// The memory that a generic address lies in.
inline Space space_of(uint64_t generic_address) {
  return generic_address - kSharedWindow < kWindowBytes  ? Space::shared
         : generic_address - kLocalWindow < kWindowBytes ? Space::local
                                                         : Space::global;
}

using ConstantBanks = std::map<int, std::vector<std::byte>>;  // bank number -> bytes

// Maps the addresses that stand for functions of the driver, such as vprintf, to their names.
std::map<uint64_t, std::string> external_functions(const cubin::Cubin& cubin);

// Allocates the kernel's variables in `memory` and fills the banks. Errors: arguments that do not match the
// kernel's parameters, more shared memory than an SM has.
Result<ConstantBanks> constant_banks(const cubin::Cubin& cubin, const cubin::KernelCode& kernel,
                                     const LaunchConfig& launch, GlobalMemory& memory);

// Bytes of the shared window that a block may touch: reserved, static (16-byte aligned) and dynamic.
uint32_t shared_window_bytes(const cubin::KernelCode& kernel, const LaunchConfig& launch);

}  // namespace gemmscope::machine
