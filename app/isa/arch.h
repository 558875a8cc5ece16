// The GPU architectures whose machine code the program knows.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace gemmscope::isa {

// The value is the number in "sm_NN".
enum class Arch : unsigned char { sm_75 = 75, sm_80 = 80, sm_86 = 86, sm_89 = 89, sm_90 = 90 };

inline constexpr std::array kAllArchs = {Arch::sm_75, Arch::sm_80, Arch::sm_86, Arch::sm_89, Arch::sm_90};

constexpr int sm_number(Arch arch) { return static_cast<int>(arch); }
// Most shared memory of one block, in bytes (CUDA C++ Programming Guide, "Technical Specifications per
// Compute Capability").
constexpr uint32_t most_shared_bytes(Arch arch) {
  switch (arch) {
    case Arch::sm_75:
      return 64 * 1024;
    case Arch::sm_80:
      return 163 * 1024;
    case Arch::sm_86:
    case Arch::sm_89:
      return 99 * 1024;
    case Arch::sm_90:
      return 227 * 1024;
  }
  return 0;
}
std::string arch_name(Arch arch);                           // "sm_86"
std::optional<Arch> arch_from_number(int sm);               // 86 -> sm_86
std::optional<Arch> arch_from_name(std::string_view name);  // "sm_86" or "86"

}  // namespace gemmscope::isa
