// Register ports over a kernel's code: for each instruction the banks that it reads, what the reuse cache
// serves and the cycles that it costs; for each loop the port cycles of an FFMA. From the machine code alone.
//
// An instruction in a loop is looked at in the steady state of its innermost loop, whose instructions are
// taken in the order of their addresses, each once; what stands outside of loops is taken in that order too.
// Left out: other warps, which take the reuse cache when they issue; branches inside a loop; instructions
// whose operands are wider than a register (matrix instructions, FP64), whose cost was not measured.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "isa/instruction.h"
#include "metrics/register_ports.h"

namespace gemmscope::metrics {

struct InstructionPorts {
  PortReads operands;        // all of them, with those that are read late
  bool at_issue = false;     // it reads registers through the ports when it issues
  bool one_cycle = false;    // and is arithmetic with one register a slot: the rule covers what it takes
  BankReads banks;           // bits as in `operands`; this and what follows is 0 unless one_cycle
  uint8_t port_cycles = 0;   // of the busier bank, at least 1
  uint16_t lost_cycles = 0;  // in which it waited for a port (PortStream)
  ReuseCache before;         // what the instructions before left
  uint16_t missed = 0;  // bit k: the last read of that slot and bank was the same register, without the flag
};

struct LoopPorts {
  uint32_t first = 0, last = 0;  // instructions, the branch back included
  bool innermost = false;
  uint32_t instructions = 0, ffma = 0;
  uint32_t ffma_port_cycles = 0;               // sum of port_cycles over the FFMAs
  uint32_t math = 0, math_port_cycles = 0;     // the same over all with one_cycle
  uint32_t lost_cycles = 0;                    // sum over all
  uint32_t operands = 0, hits = 0, reads = 0;  // registers that FFMAs name; from the cache; from the banks
  // 1 is ideal. That of all one-cycle instructions where there is no FFMA; 0 where there is nothing.
  double port_cycles_per_ffma() const;
  double lost_cycles_per_ffma() const { return ffma == 0 ? 0 : static_cast<double>(lost_cycles) / ffma; }
  // Issue slots and port cycles of one pass: what the loop takes at least.
  uint32_t pass_cycles() const { return instructions - ffma + ffma_port_cycles; }
};

struct KernelPorts {
  std::vector<InstructionPorts> instructions;
  std::vector<LoopPorts> loops;  // those with arithmetic, by their first instruction, the outer one first
  std::optional<size_t> main;    // with the most matrix products or FFMAs that are in no loop inside it
  const LoopPorts* main_loop() const { return main ? &loops[*main] : nullptr; }
};
KernelPorts count_ports(const std::vector<isa::Instruction>& instructions);

// "Bank 0 has to give R4 (A), R6 (C), one a cycle: 2 cycles.": why the instruction takes more than one cycle,
// and which reuse flag would have saved it. Empty where it takes one.
std::string port_conflict_text(const InstructionPorts& ports);

}  // namespace gemmscope::metrics
