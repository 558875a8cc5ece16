#include "machine/launch.h"

#include <algorithm>
#include <cstring>

namespace gemmscope::machine {
namespace {

// Offsets in constant bank 0: the facts' "Constant bank 0 (launch state)".
constexpr size_t kBlockDim = 0x00, kGridDim = 0x0c, kSharedWindowBase = 0x18, kLocalWindowBase = 0x20,
                 kStackPointer = 0x28, kDynamicShared = 0x2c, kReservedShared = 0x114,
                 kDescriptorSm80 = 0x118, kDescriptorSm90 = 0x208;
constexpr size_t kBankBytes = 64 * 1024;

template <typename T>
void put(std::vector<std::byte>& bank, size_t offset, T value) {
  std::memcpy(bank.data() + offset, &value, sizeof value);
}

std::vector<std::byte> padded(std::vector<std::byte> bytes) {
  if (bytes.size() < kBankBytes) bytes.resize(kBankBytes);
  return bytes;
}

// __device__ variables live in one buffer; bank 4 and pointers inside the image are relocated to it.
void place_globals(const cubin::Cubin& cubin, GlobalMemory& memory, std::vector<std::byte>& bank4) {
  if (cubin.global_image.empty()) return;
  const uint64_t base = memory.allocate("__device__ variables", cubin.global_image.size());
  std::span<std::byte> image = memory.bytes("__device__ variables");
  std::copy(cubin.global_image.begin(), cubin.global_image.end(), image.begin());
  for (const cubin::AddressRelocation& relocation : cubin.relocations) {
    const uint64_t address = base + relocation.target_offset;
    if (relocation.target != cubin::AddressRelocation::Target::global_image) continue;
    const bool in_bank = relocation.place == cubin::AddressRelocation::Place::constant4;
    const std::span<std::byte> place = in_bank ? std::span(bank4) : image;
    if (relocation.offset + sizeof address <= place.size())
      std::memcpy(place.data() + relocation.offset, &address, sizeof address);
  }
}

}  // namespace

uint32_t shared_window_bytes(const cubin::KernelCode& kernel, const LaunchConfig& launch) {
  const uint32_t fixed = (kernel.static_shared_bytes + 15) / 16 * 16;
  const uint32_t own =
      launch.dynamic_shared_bytes > 0 ? fixed + launch.dynamic_shared_bytes : kernel.static_shared_bytes;
  return kernel.reserved_shared_bytes + own;
}

Result<ConstantBanks> constant_banks(const cubin::Cubin& cubin, const cubin::KernelCode& kernel,
                                     const LaunchConfig& launch, GlobalMemory& memory) {
  if (launch.arguments.size() != kernel.parameters.size())
    return fail("{}: the kernel has {} parameters, the launch gives {}", kernel.name,
                kernel.parameters.size(), launch.arguments.size());
  std::vector<std::byte> bank0(kBankBytes);
  for (size_t i = 0; i < 3; ++i)
    put(bank0, kBlockDim + 4 * i, launch.block[i]), put(bank0, kGridDim + 4 * i, launch.grid[i]);
  put(bank0, kLocalWindowBase, kLocalWindow);
  put(bank0, kStackPointer, kStackTop);
  put(bank0, kDynamicShared, launch.dynamic_shared_bytes);
  put(bank0, kReservedShared, uint32_t{1024});
  if (cubin.arch == isa::Arch::sm_90) {
    put(bank0, kDescriptorSm90, uint64_t{1});
  } else {
    put(bank0, kSharedWindowBase, kSharedWindow);
    put(bank0, kDescriptorSm80, uint64_t{1});
  }
  for (const cubin::Parameter& parameter : kernel.parameters) {
    const std::vector<std::byte>& value = launch.arguments[parameter.ordinal];
    if (value.size() != parameter.size)
      return fail("{}: parameter {} has {} bytes, the launch gives {}", kernel.name, parameter.ordinal,
                  parameter.size, value.size());
    const size_t at = kernel.parameter_base + parameter.offset;
    if (at + value.size() > bank0.size())
      return fail("{}: parameter {} lies outside constant bank 0", kernel.name, parameter.ordinal);
    std::copy(value.begin(), value.end(), bank0.begin() + static_cast<ptrdiff_t>(at));
  }
  ConstantBanks banks;
  banks[0] = std::move(bank0);
  banks[2] = padded(kernel.constant2);
  banks[3] = padded(cubin.constant3);
  std::vector<std::byte> bank4 = padded(cubin.constant4);
  place_globals(cubin, memory, bank4);
  banks[4] = std::move(bank4);
  return banks;
}

}  // namespace gemmscope::machine
