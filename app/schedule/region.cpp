#include "schedule/region.h"

#include <algorithm>

#include "isa/control_flow.h"
#include "isa/opcode_table.h"

namespace gemmscope::schedule {
namespace {

using isa::Instruction;
using isa::Opcode;

// With fewer there is nothing to order.
constexpr uint32_t kFewestProducts = 4;
constexpr uint32_t kFewestProductsOfRegion = 4;

// Lanes part, meet or leave here, so nothing moves across. DEPBAR, of the same unit, only waits.
bool divides(const Instruction& instruction) {
  return instruction.row == nullptr ||
         (instruction.row->pipe == isa::Pipe::control && instruction.opcode != Opcode::depbar);
}

bool jumps_anywhere(const Instruction& instruction) {
  return instruction.opcode == Opcode::brx || instruction.opcode == Opcode::brxu ||
         instruction.opcode == Opcode::call_abs;
}

uint32_t products_in(const std::vector<Instruction>& instructions, Range range) {
  return static_cast<uint32_t>(
      std::count_if(instructions.begin() + range.first, instructions.begin() + range.end, is_free_product));
}

std::vector<Range> loops_of(const std::vector<Instruction>& instructions, const isa::ControlFlow& flow) {
  std::vector<Range> loops;
  for (uint32_t i = 0; i < instructions.size(); ++i) {
    if (instructions[i].opcode != Opcode::bra) continue;
    for (const uint32_t next : flow.successors(i))
      if (next <= i) loops.push_back({next, i + 1});
  }
  return loops;
}

// Where control may arrive other than from the instruction before.
std::vector<char> entries_of(const std::vector<Instruction>& instructions, const isa::ControlFlow& flow) {
  std::vector<char> entries(instructions.size() + 1);
  entries[0] = 1;
  for (uint32_t i = 0; i < instructions.size(); ++i)
    for (const uint32_t next : flow.successors(i))
      if (next != i + 1) entries[next] = 1;
  for (const uint32_t site : flow.return_sites()) entries[site] = 1;
  // BSSY names the place where lanes meet again.
  for (const Instruction& instruction : instructions)
    for (int k = 0; k < instruction.operand_count; ++k) {
      const isa::Operand& operand = instruction.operands[static_cast<size_t>(k)];
      const auto index = static_cast<uint64_t>(operand.value) / isa::kInstructionBytes;
      if (operand.is(isa::OperandKind::target) && index < instructions.size()) entries[index] = 1;
    }
  return entries;
}

std::vector<Range> runs_in(const std::vector<Instruction>& instructions, const isa::ControlFlow& flow,
                           Range body) {
  const std::vector<char> entries = entries_of(instructions, flow);
  std::vector<Range> runs;
  uint32_t first = body.first;
  const auto close = [&](uint32_t end) {
    if (end > first) runs.push_back({first, end});
  };
  for (uint32_t i = body.first; i < body.end; ++i) {
    if (entries[i] != 0) close(i), first = i;
    if (divides(instructions[i])) close(i), first = i + 1;
  }
  close(body.end);
  return runs;
}

std::vector<Range> regions_of(const std::vector<Instruction>& instructions, const isa::ControlFlow& flow,
                              Range body) {
  std::vector<Range> regions = runs_in(instructions, flow, body);
  std::erase_if(regions,
                [&](const Range& run) { return products_in(instructions, run) < kFewestProductsOfRegion; });
  return regions;
}

}  // namespace

bool is_free_product(const Instruction& instruction) {
  if (instruction.opcode != Opcode::ffma || !instruction.guard.always() || instruction.operand_count != 4 ||
      instruction.operands[0].index == isa::kRegisterZero)
    return false;
  return std::all_of(instruction.operands.begin() + 1, instruction.operands.begin() + 4,
                     [](const isa::Operand& operand) {
                       return operand.is(isa::OperandKind::reg) || operand.is(isa::OperandKind::real) ||
                              (operand.is(isa::OperandKind::constant) && !operand.bindless);
                     });
}

std::vector<Range> straight_runs(const std::vector<Instruction>& instructions) {
  return runs_in(instructions, isa::ControlFlow(instructions),
                 {0, static_cast<uint32_t>(instructions.size())});
}

Result<MainLoop> find_main_loop(const std::vector<Instruction>& instructions) {
  for (const Instruction& instruction : instructions) {
    if (instruction.row == nullptr)
      return fail("The instruction at {:#06x} is unknown, so nothing about the code around it can be proved.",
                  instruction.address);
    if (jumps_anywhere(instruction))
      return fail("The jump at {:#06x} takes its target from a register, so it may enter any loop.",
                  instruction.address);
  }
  const isa::ControlFlow flow(instructions);
  const std::vector<Range> loops = loops_of(instructions, flow);
  const Range* best = nullptr;
  uint32_t most = 0;
  for (const Range& loop : loops) most = std::max(most, products_in(instructions, loop));
  for (const Range& loop : loops)
    if (2 * products_in(instructions, loop) >= most && (best == nullptr || loop.size() < best->size()))
      best = &loop;
  if (best == nullptr || most < kFewestProducts)
    return fail("No loop has {} or more multiply-adds of float32 (FFMA); the largest has {}.",
                kFewestProducts, most);
  MainLoop loop{*best, regions_of(instructions, flow, *best), products_in(instructions, *best)};
  if (loop.regions.empty())
    return fail("The loop from {:#06x} to {:#06x} has no {} multiply-adds between two branches.",
                instructions[best->first].address, instructions[best->end - 1].address,
                kFewestProductsOfRegion);
  return loop;
}

}  // namespace gemmscope::schedule
