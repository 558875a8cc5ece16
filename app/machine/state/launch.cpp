#include "machine/state/launch.h"

#include <algorithm>
#include <cstring>

namespace gemmscope::machine {
namespace {

// Offsets in constant bank 0 (machine/README.md, Constant banks).
constexpr size_t kBlockDim = 0x00, kGridDim = 0x0c, kSharedWindowBase = 0x18, kLocalWindowBase = 0x20,
                 kStackPointer = 0x28, kDynamicShared = 0x2c, kReservedShared = 0x114, kSmCount = 0x10c,
                 kConstantBase75 = 0x50, kConstantBase90 = 0xd0, kDescriptorSm80 = 0x118,
                 kDescriptorSm90 = 0x208, kParametersSm90 = 0x210, kParameterAddress = 0x198;
constexpr size_t kBankBytes = 64 * 1024;
// The most that a block has on any architecture, sm_90's reserved KiB included (CUDA C++ Programming Guide,
// "Technical Specifications per Compute Capability").
constexpr uint64_t kMostSharedBytes = 228 * 1024;

template <typename T>
void put(std::vector<std::byte>& bank, size_t offset, T value) {
  std::memcpy(bank.data() + offset, &value, sizeof value);
}

std::vector<std::byte> padded(std::vector<std::byte> bytes) {
  if (bytes.size() < kBankBytes) bytes.resize(kBankBytes);
  return bytes;
}

constexpr std::string_view kGlobals = "__device__ variables", kConstants = "__constant__ variables";

// The addresses of the cubin's variables.
struct Places {
  uint64_t globals = 0, constants = 0;
};

uint64_t address_of(const cubin::AddressRelocation& relocation, size_t number, const Places& places) {
  using Target = cubin::AddressRelocation::Target;
  switch (relocation.target) {
    case Target::global_image:
      return places.globals + relocation.target_offset;
    case Target::constant3:
      return places.constants + relocation.target_offset;
    case Target::code:
      return kCodeWindow + relocation.target_offset;
    case Target::external:
      return kExternalWindow + 16 * number;
  }
  return 0;
}

// Allocates one buffer for __device__ and one for __constant__ variables: a pointer may lead to the latter,
// although they are in their constant bank too. Then fills the relocations with addresses.
Places place_variables(const cubin::Cubin& cubin, GlobalMemory& memory, ConstantBanks& banks) {
  Places places;
  const auto place = [&memory](std::string_view name, const std::vector<std::byte>& image) {
    return image.empty() ? 0 : memory.allocate(std::string(name), image.size());
  };
  places.globals = place(kGlobals, cubin.global_image);
  places.constants = place(kConstants, cubin.constant3);
  const std::span<std::byte> globals = memory.bytes(kGlobals), constants = memory.bytes(kConstants);
  std::copy(cubin.global_image.begin(), cubin.global_image.end(), globals.begin());
  for (size_t i = 0; i < cubin.relocations.size(); ++i) {
    using Place = cubin::AddressRelocation::Place;
    const cubin::AddressRelocation& relocation = cubin.relocations[i];
    const uint64_t address = address_of(relocation, i, places);
    const std::span<std::byte> image = relocation.place == Place::constant4   ? std::span(banks[4])
                                       : relocation.place == Place::constant3 ? std::span(banks[3])
                                                                              : globals;
    if (relocation.offset + sizeof address <= image.size())
      std::memcpy(image.data() + relocation.offset, &address, sizeof address);
  }
  std::copy_n(banks[3].begin(), constants.size(), constants.begin());
  return places;
}

}  // namespace

std::array<uint32_t, 3> block_at(uint64_t number, const std::array<uint32_t, 3>& grid) {
  return {static_cast<uint32_t>(number % grid[0]), static_cast<uint32_t>(number / grid[0] % grid[1]),
          static_cast<uint32_t>(number / (static_cast<uint64_t>(grid[0]) * grid[1]))};
}

uint64_t block_number(const std::array<uint32_t, 3>& block, const std::array<uint32_t, 3>& grid) {
  return block[0] + grid[0] * (block[1] + static_cast<uint64_t>(grid[1]) * block[2]);
}

uint32_t shared_window_bytes(const cubin::KernelCode& kernel, const LaunchConfig& launch) {
  const uint32_t fixed = (kernel.static_shared_bytes + 15) / 16 * 16;
  const uint32_t own =
      launch.dynamic_shared_bytes > 0 ? fixed + launch.dynamic_shared_bytes : kernel.static_shared_bytes;
  return kernel.reserved_shared_bytes + own;
}

std::map<uint64_t, std::string> external_functions(const cubin::Cubin& cubin) {
  std::map<uint64_t, std::string> functions;
  for (size_t i = 0; i < cubin.relocations.size(); ++i)
    if (cubin.relocations[i].target == cubin::AddressRelocation::Target::external)
      functions[address_of(cubin.relocations[i], i, {})] = cubin.relocations[i].target_name;
  return functions;
}

Result<ConstantBanks> constant_banks(const cubin::Cubin& cubin, const cubin::KernelCode& kernel,
                                     const LaunchConfig& launch, GlobalMemory& memory) {
  if (launch.arguments.size() != kernel.parameters.size())
    return fail("{}: the kernel has {} parameters, but the launch gives {}", kernel.name,
                kernel.parameters.size(), launch.arguments.size());
  const uint64_t shared = uint64_t{kernel.reserved_shared_bytes} + kernel.static_shared_bytes;
  if (shared + launch.dynamic_shared_bytes > kMostSharedBytes)
    return fail("{}: it takes {} bytes of shared memory and the launch gives {} more, but an SM has {}",
                kernel.name, shared, launch.dynamic_shared_bytes, kMostSharedBytes);
  std::vector<std::byte> bank0(kBankBytes);
  for (size_t i = 0; i < 3; ++i)
    put(bank0, kBlockDim + 4 * i, launch.block[i]), put(bank0, kGridDim + 4 * i, launch.grid[i]);
  put(bank0, kLocalWindowBase, kLocalWindow);
  put(bank0, kStackPointer, kStackTop);
  put(bank0, kDynamicShared, launch.dynamic_shared_bytes);
  put(bank0, kReservedShared, uint32_t{1024});
  put(bank0, kSmCount, uint32_t{1});  // all blocks run on SM 0
  if (cubin.arch == isa::Arch::sm_90) {
    put(bank0, kDescriptorSm90, uint64_t{1});
    put(bank0, kParameterAddress, kConstantWindow + kParametersSm90);
  } else {
    put(bank0, kSharedWindowBase, kSharedWindow);
    put(bank0, kDescriptorSm80, uint64_t{1});
  }
  for (const cubin::Parameter& parameter : kernel.parameters) {
    const std::vector<std::byte>& value = launch.arguments[parameter.ordinal];
    if (value.size() != parameter.size)
      return fail("{}: parameter {} has {} bytes, but the launch gives {}", kernel.name, parameter.ordinal,
                  parameter.size, value.size());
    const size_t at = kernel.parameter_base + parameter.offset;
    if (at + value.size() > bank0.size())
      return fail("{}: parameter {} lies outside constant bank 0", kernel.name, parameter.ordinal);
    std::copy(value.begin(), value.end(), bank0.begin() + static_cast<ptrdiff_t>(at));
  }
  ConstantBanks banks;
  banks[2] = padded(kernel.constant2);
  banks[3] = padded(cubin.constant3);
  banks[4] = padded(cubin.constant4);
  const Places places = place_variables(cubin, memory, banks);
  put(bank0, cubin.arch == isa::Arch::sm_90 ? kConstantBase90 : kConstantBase75, places.constants);
  banks[0] = std::move(bank0);
  return banks;
}

}  // namespace gemmscope::machine
