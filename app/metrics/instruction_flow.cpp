// Derives what an instruction does with the elements in its registers.
#include "isa/operand_width.h"
#include "metrics/dataflow_parts.h"

namespace gemmscope::metrics {
namespace {

using isa::Instruction;
using isa::Opcode;
using isa::Operand;
using isa::OperandKind;

bool is_move(const Instruction& instruction) {
  return instruction.opcode == Opcode::mov ||
         (instruction.opcode == Opcode::imad && instruction.has(isa::Modifier::mov));
}
// Rounding to TF32 adds half a unit to the bits of a float in place (R4 = R4 + 0x1000), so the register still
// holds the same element.
bool adds_in_place(const Instruction& instruction, const InstructionFlow& flow) {
  const bool adds = instruction.opcode == Opcode::iadd3 || instruction.opcode == Opcode::imad;
  return adds && flow.source_count > 0 && flow.destination == flow.sources[0];
}
bool multiplies(Opcode opcode) { return opcode == Opcode::ffma || opcode == Opcode::fmul; }
bool multiplies_matrices(Opcode opcode) {
  return opcode == Opcode::hmma || opcode == Opcode::imma || opcode == Opcode::dmma;
}

InstructionFlow flow_of(const Instruction& instruction) {
  InstructionFlow flow;
  const isa::FragmentWords fragments =
      multiplies_matrices(instruction.opcode) ? isa::fragment_words(instruction) : isa::FragmentWords{};
  int place = 0;  // among the sources that are registers, RZ included
  for (int i = 0; i < instruction.operand_count; ++i) {
    const Operand& operand = instruction.operands[static_cast<size_t>(i)];
    if (!operand.is(OperandKind::reg)) continue;
    const bool is_destination = i < instruction.destination_count;
    if (!is_destination) ++place;
    if (operand.index == isa::kRegisterZero) continue;
    if (is_destination) {
      flow.destination = operand.index;
    } else if (fragments.any() && place == 3) {
      flow.accumulator = operand.index;
    } else if (flow.source_count < flow.sources.size()) {
      flow.factor_words[flow.source_count] = static_cast<uint8_t>(!fragments.any() ? 1
                                                                  : place == 1     ? fragments.a
                                                                                   : fragments.b);
      flow.sources[flow.source_count++] = operand.index;
    }
  }
  flow.result_words = isa::destination_words(instruction);
  flow.result_step = fragments.step;
  flow.moves = (is_move(instruction) && flow.source_count == 1) || adds_in_place(instruction, flow);
  flow.multiplies_matrices = fragments.any();
  flow.multiplies = multiplies(instruction.opcode) || flow.multiplies_matrices;
  flow.packs = instruction.opcode == Opcode::f2fp && flow.source_count == 2;
  flow.transposes = instruction.has(isa::Modifier::mt88);
  flow.adds = instruction.opcode == Opcode::fadd;
  flow.stores_to_global = instruction.opcode == Opcode::stg;
  flow.copies_async = instruction.opcode == Opcode::ldgsts || instruction.opcode == Opcode::utmaldg ||
                      instruction.opcode == Opcode::ublkcp;
  return flow;
}

}  // namespace

bool multiplies_elements(Opcode opcode) { return multiplies(opcode) || multiplies_matrices(opcode); }

std::vector<InstructionFlow> flows_of(const std::vector<Instruction>& instructions) {
  std::vector<InstructionFlow> flows;
  flows.reserve(instructions.size());
  for (const Instruction& instruction : instructions) flows.push_back(flow_of(instruction));
  return flows;
}

}  // namespace gemmscope::metrics
