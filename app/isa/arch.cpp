#include "isa/arch.h"

namespace gemmscope::isa {

std::string arch_name(Arch arch) { return "sm_" + std::to_string(sm_number(arch)); }

std::optional<Arch> arch_from_number(int sm) {
  for (const Arch arch : kAllArchs)
    if (sm_number(arch) == sm) return arch;
  return std::nullopt;
}

std::optional<Arch> arch_from_name(std::string_view name) {
  if (name.starts_with("sm_")) name.remove_prefix(3);
  for (const Arch arch : kAllArchs)
    if (std::to_string(sm_number(arch)) == name) return arch;
  return std::nullopt;
}

}  // namespace gemmscope::isa
