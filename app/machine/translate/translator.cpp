#include "machine/translate/translator.h"

#include <algorithm>

#include "isa/disassemble.h"
#include "machine/translate/instruction_runs.h"
#include "machine/translate/result_rows.h"
#include "machine/translate/translate.h"
#include "machine/translate/unsupported_text.h"

namespace gemmscope::machine {

using isa::Instruction;
using isa::Opcode;
using isa::Operand;
using isa::OperandKind;

namespace {

// Counts the registers up to the highest one of any operand, and those that the widest result takes after it.
size_t rows_of_registers(const std::vector<MicroOp>& ops) {
  size_t rows = 0;
  const auto see = [&](Row row) {
    if (row < kRegisterRows) rows = std::max<size_t>(rows, row + kMostResultRows);
  };
  for (const MicroOp& op : ops) {
    see(op.destination);
    for (const Row row : op.source) see(row);
  }
  return std::min<size_t>(rows, kRegisterRows);
}

std::vector<uint32_t> number_lines(const cubin::KernelCode& kernel) {
  std::map<std::pair<uint32_t, uint32_t>, uint32_t> numbers;
  std::vector<uint32_t> lines;
  for (uint32_t i = 0; i < kernel.instruction_count(); ++i) {
    const cubin::LineEntry* line = cubin::line_at(kernel, i * isa::kInstructionBytes);
    lines.push_back(line == nullptr
                        ? 0
                        : numbers.try_emplace({line->file, line->line}, numbers.size() + 1).first->second);
  }
  return lines;
}

}  // namespace

Result<Program> translate(const cubin::Cubin& cubin, const cubin::KernelCode& kernel,
                          const LaunchConfig& launch, GlobalMemory& memory) {
  Result<ConstantBanks> banks = constant_banks(cubin, kernel, launch, memory);
  if (!banks) return tl::unexpected(banks.error());
  Program program;
  program.kernel = kernel.name;
  program.arch = cubin.arch;
  program.banks = std::move(*banks);
  program.external_functions = external_functions(cubin);
  program.launch = launch;
  program.registers = kernel.registers;
  program.shared_bytes = shared_window_bytes(kernel, launch);
  program.shared_reserved_bytes = kernel.reserved_shared_bytes;
  Translator translator(program);
  for (uint32_t i = 0; i < kernel.instruction_count(); ++i)
    translator.translate(
        isa::decode(kernel.words[2 * i], kernel.words[2 * i + 1], i * isa::kInstructionBytes, cubin.arch));
  find_instruction_runs(program.ops);
  program.source_lines = number_lines(kernel);
  program.register_rows = rows_of_registers(program.ops);
  return program;
}

void Translator::translate(const Instruction& instruction) {
  instruction_ = &instruction;
  op_ = MicroOp{};
  why_.clear();
  op_.guard =
      static_cast<uint8_t>(instruction.guard.index + (instruction.guard.uniform ? kUniformPredicate : 0));
  op_.guard_negate = instruction.guard.negate;
  op_.uniform = instruction.guard.uniform;
  use(LaneOp::nothing);
  collect_operands();
  dispatch();
  if (why_.empty()) why_ = too_wide_text(op_);
  if (!why_.empty()) op_.action = Action::unsupported;
  program_.ops.push_back(op_);
  program_.instructions.push_back(instruction);
  program_.unsupported.push_back(why_);
}

namespace {
// True for operations whose first register operand is a source.
bool writes_no_register(Opcode opcode) {
  switch (opcode) {
    case Opcode::isetp:
    case Opcode::uisetp:
    case Opcode::fsetp:
    case Opcode::dsetp:
    case Opcode::hsetp2:
    case Opcode::fchk:
    case Opcode::plop3_sign:
    case Opcode::r2p:
    case Opcode::ur2up:
    case Opcode::syncs_phasechk:
      return true;
    default:
      return false;
  }
}
}  // namespace

void Translator::collect_operands() {
  sources_.clear();
  bool first = !writes_no_register(instruction_->opcode);
  for (int i = 0; i < instruction_->operand_count; ++i) {
    const Operand& operand = instruction_->operands[static_cast<size_t>(i)];
    const bool value = operand.is(OperandKind::reg) || operand.is(OperandKind::uniform_reg) ||
                       operand.is(OperandKind::integer) || operand.is(OperandKind::real) ||
                       operand.is(OperandKind::constant) || operand.is(OperandKind::special_reg);
    if (!value) continue;
    if (first && (operand.is(OperandKind::reg) || operand.is(OperandKind::uniform_reg))) {
      op_.destination = register_row(operand);
      if (op_.destination == kZeroRow) op_.destination = kTrashRow;
    } else {
      sources_.push_back(&operand);
    }
    first = false;
  }
}

void Translator::dispatch() {
  if (!instruction_->known()) return unsupported(unknown_opcode_text());
  const bool done = translate_integer_packed(*this) || translate_integer(*this) || translate_float(*this) ||
                    translate_double(*this) || translate_convert(*this) || translate_half(*this) ||
                    translate_predicate(*this) || translate_matrix(*this) || translate_memory(*this) ||
                    translate_async(*this) || translate_atomic(*this) || translate_warp(*this) ||
                    translate_control(*this);
  if (!done) unsupported(unsupported_text(instruction_->opcode));
}

}  // namespace gemmscope::machine
