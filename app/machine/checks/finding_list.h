// The findings of an execution, and the text of a finding or a fault.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "cubin/cubin.h"
#include "isa/instruction.h"
#include "machine/state/fault.h"
#include "machine/state/finding.h"

namespace gemmscope::machine {

// A race between two instructions is the same mistake, whichever of them came second.
bool same_mistake(const Finding& a, const Finding& b);

// One entry per mistake: a finding of the same kind at the same instructions only raises that entry's count.
class Findings {
 public:
  static constexpr size_t kLimit = 100;  // further mistakes are dropped

  void add(Finding finding);
  void add(const std::vector<Finding>& findings);
  const std::vector<Finding>& list() const { return list_; }
  std::vector<Finding> take() { return std::move(list_); }
  void clear() { list_.clear(); }

 private:
  std::vector<Finding> list_;
};

// The fault that stopped an execution, and what the checks had found before.
struct FaultedRun : Fault {
  std::vector<Finding> findings;
};

// A fault as text, in the form of describe_finding. `instructions` are those of `kernel`, by address / 16.
std::string describe_fault(const Fault& fault, std::span<const isa::Instruction> instructions,
                           const cubin::Cubin& cubin, const cubin::KernelCode& kernel);

// "07_register_tile.cu:108: LDS.128 R4, [R2] at 0xa30: reads … (block (0, 1, 0), warp 3, lane 7; 12 times)".
std::string describe_finding(const Finding& finding, std::span<const isa::Instruction> instructions,
                             const cubin::Cubin& cubin, const cubin::KernelCode& kernel);

}  // namespace gemmscope::machine
