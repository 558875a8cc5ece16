// An experiment holds everything that the user can choose and is small enough to copy. Undo is a stack of
// experiments; a job owns one.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>

#include "catalog/catalog.h"
#include "experiment/code_changes.h"
#include "isa/arch.h"

namespace gemmscope::experiment {

struct Experiment {
  std::string kernel = "07_register_tile";  // id in the catalogue
  catalog::Problem problem;
  std::map<std::string, int64_t> toggles;     // those that differ from the kernel's defaults
  std::map<std::string, std::string> inputs;  // typed expressions that differ from the defaults
  isa::Arch arch = isa::Arch::sm_86;
  uint32_t launch = 0;  // index of the launch that is traced; an index beyond the last means the last
  std::array<uint32_t, 3> block{0, 0, 0};  // blockIdx of the block that is traced
  CodeChanges changes;                     // of the machine code, after the compiler
};
bool operator==(const Experiment& a, const Experiment& b);

// Keeps the problem and the architecture for another kernel. Toggles, typed inputs, launch, block and
// changes of the machine code belong to one kernel and return to their defaults. For the same kernel nothing
// changes.
Experiment with_kernel(Experiment experiment, const std::string& kernel);

// The architecture, or the earliest one that the kernel is written for if that is later.
isa::Arch arch_for(const catalog::Kernel& kernel, isa::Arch arch);

}  // namespace gemmscope::experiment
