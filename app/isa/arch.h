// The GPU architectures whose machine code the program knows.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

namespace gemmscope::isa {

// The value is the number in "sm_NN".
enum class Arch : unsigned char { sm_75 = 75, sm_80 = 80, sm_86 = 86, sm_89 = 89, sm_90 = 90 };

inline constexpr std::array kAllArchs = {Arch::sm_75, Arch::sm_80, Arch::sm_86, Arch::sm_89, Arch::sm_90};

constexpr int sm_number(Arch arch) { return static_cast<int>(arch); }
std::string arch_name(Arch arch);                           // "sm_86"
std::optional<Arch> arch_from_number(int sm);               // 86 -> sm_86
std::optional<Arch> arch_from_name(std::string_view name);  // "sm_86" or "86"

}  // namespace gemmscope::isa
