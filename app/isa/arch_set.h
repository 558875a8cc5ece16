// A set of architectures.
#pragma once

#include <cstdint>

#include "isa/arch.h"

namespace gemmscope::isa {

// Position in kAllArchs: sm_75 is 0, sm_90 is 4.
constexpr int arch_index(Arch arch) {
  for (std::size_t i = 0; i < kAllArchs.size(); ++i)
    if (kAllArchs[i] == arch) return static_cast<int>(i);
  return 0;
}

struct ArchSet {
  uint8_t mask = 0;
  constexpr bool has(Arch arch) const { return (mask >> arch_index(arch)) & 1; }
  constexpr bool has_index(int index) const { return (mask >> index) & 1; }
};

inline constexpr ArchSet kNoSm{0};
inline constexpr ArchSet kAllSm{0b11111};
inline constexpr ArchSet kSm75{0b00001};
inline constexpr ArchSet kSm80{0b00010};
inline constexpr ArchSet kSm89{0b01000};
inline constexpr ArchSet kSm90{0b10000};
inline constexpr ArchSet kFromSm80{0b11110};
inline constexpr ArchSet kFromSm86{0b11100};
inline constexpr ArchSet kFromSm89{0b11000};
inline constexpr ArchSet kBeforeSm89{0b00111};
inline constexpr ArchSet kBeforeSm90{0b01111};
inline constexpr ArchSet kSm80ToSm86{0b00110};
inline constexpr ArchSet kSm80ToSm89{0b01110};
inline constexpr ArchSet kSm80AndSm90{0b10010};

}  // namespace gemmscope::isa
