// GoogleTest prints the name of a test's architecture.
#pragma once

#include <ostream>

#include "isa/arch.h"

namespace gemmscope::isa {

// Called by GoogleTest.
inline void PrintTo(Arch arch, std::ostream* out) { *out << arch_name(arch); }

}  // namespace gemmscope::isa
