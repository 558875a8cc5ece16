#include "sm/timed_code.h"

#include "isa/disassemble.h"
#include "isa/opcode_table.h"
#include "isa/operand_width.h"
#include "isa/register_use.h"

namespace gemmscope::sm {
namespace {

using isa::Instruction;
using isa::Modifier;
using isa::Opcode;
using isa::OperandKind;

MemoryOp memory_of(Opcode opcode) {
  switch (opcode) {
    case Opcode::ldg:
    case Opcode::ld:
      return MemoryOp::load_global;
    case Opcode::stg:
    case Opcode::st:
      return MemoryOp::store_global;
    case Opcode::lds:
    case Opcode::ldsm:
      return MemoryOp::load_shared;
    case Opcode::sts:
    case Opcode::stsm:
      return MemoryOp::store_shared;
    case Opcode::ldgsts:
      return MemoryOp::async_copy;
    case Opcode::atom:
    case Opcode::atom_cas:
    case Opcode::atomg:
    case Opcode::atomg_cas:
      return MemoryOp::atomic_global;
    case Opcode::red:
      return MemoryOp::reduce_global;
    case Opcode::atoms:
    case Opcode::atoms_cas:
      return MemoryOp::atomic_shared;
    case Opcode::ldl:
      return MemoryOp::load_local;
    case Opcode::stl:
      return MemoryOp::store_local;
    case Opcode::shfl:
    case Opcode::s2r:
    case Opcode::s2ur:
    case Opcode::b2r:
    case Opcode::movm:
      return MemoryOp::register_only;
    default:
      return MemoryOp::none;
  }
}

Special special_of(const Instruction& i) {
  switch (i.opcode) {
    case Opcode::depbar:
      return Special::depbar;
    case Opcode::ldgdepbar:
      return Special::copy_group;
    case Opcode::bar:
      return i.has(Modifier::arv) ? Special::barrier_arrive : Special::barrier;
    case Opcode::syncs_arrive:
      return Special::object_arrive;
    case Opcode::syncs_phasechk:
      return Special::object_wait;
    case Opcode::utmaldg:
    case Opcode::ublkcp:
      return Special::bulk_copy;
    default:
      return Special::none;
  }
}

Unit unit_of(const Instruction& i, MemoryOp memory) {
  if (memory != MemoryOp::none) return Unit::memory;
  switch (i.row->pipe) {
    case isa::Pipe::alu:
      return Unit::alu;
    case isa::Pipe::fma:
      return Unit::fma;
    case isa::Pipe::fma_heavy:
    case isa::Pipe::fp16:
      return Unit::fma_heavy;
    case isa::Pipe::fp64:
      return Unit::fp64;
    case isa::Pipe::xu:
      return Unit::xu;
    case isa::Pipe::tensor:
      return Unit::tensor;
    case isa::Pipe::uniform:
      return Unit::uniform;
    case isa::Pipe::constant:
      return Unit::constant;
    default:
      return Unit::none;
  }
}

bool time_is_known(const Instruction& i) {
  if (i.row == nullptr) return false;
  switch (i.opcode) {
    case Opcode::hmma:
      return i.has(Modifier::mma_1684) || i.has(Modifier::mma_1688) || i.has(Modifier::mma_16816);
    case Opcode::cs2r:
    case Opcode::syncs_exch:
    case Opcode::syncs_cctl:
    case Opcode::syncs_arrive:
    case Opcode::syncs_phasechk:
    case Opcode::utmaldg:
    case Opcode::ublkcp:
    case Opcode::fence:
      return true;
    default:
      return i.row->pipe != isa::Pipe::tensor && i.row->pipe != isa::Pipe::async;
  }
}

TimedInstruction timed(const Instruction& i) {
  TimedInstruction result;
  result.memory = memory_of(i.opcode);
  result.unit = unit_of(i, result.memory);
  result.special = special_of(i);
  result.control = i.control;
  result.words = static_cast<uint8_t>(std::max<uint32_t>(1, isa::access_words(i)));
  result.wide_imad = i.opcode == Opcode::imad_wide || i.opcode == Opcode::imad_hi;
  result.deferred = i.has(Modifier::defer_blocking);
  result.small_mma = i.has(Modifier::mma_1684) || (i.has(Modifier::mma_1688) && !i.has(Modifier::tf32));
  for (int k = 0; result.special == Special::depbar && k < i.operand_count; ++k) {
    if (i.operands[k].is(OperandKind::scoreboard)) result.scoreboard = i.operands[k].index;
    if (i.operands[k].is(OperandKind::integer))
      result.scoreboard_count = static_cast<uint8_t>(i.operands[k].value);
  }
  for (const isa::RegisterRange& written : isa::register_use(i).writes) {
    if (result.written_banks == 0) result.first_written = written.reg;
    for (int w = 0; w < written.words; ++w)
      result.written_banks |=
          static_cast<uint8_t>(1 << metrics::bank_of(static_cast<uint8_t>(written.reg + w)));
  }
  const metrics::PortReads operands = metrics::operand_reads(i);
  result.read = operands.reads;
  result.reads = operands.count;
  return result;
}

}  // namespace

const char* unit_name(Unit unit) {
  constexpr std::array<const char*, kUnits> kNames = {"none", "FMA",    "FMA heavy", "ALU",      "FP64",
                                                      "XU",   "Tensor", "Uniform",   "Constant", "LSU"};
  return kNames[static_cast<size_t>(unit)];
}

Result<std::vector<TimedInstruction>> timed_code(const std::vector<isa::Instruction>& instructions) {
  std::vector<TimedInstruction> code;
  code.reserve(instructions.size());
  for (const Instruction& i : instructions) {
    if (!time_is_known(i))
      return fail("The model knows no time for {} at {:#06x}, so this kernel has no modelled time.",
                  i.row == nullptr ? "the unknown instruction" : isa::disassemble(i), i.address);
    code.push_back(timed(i));
  }
  return code;
}

}  // namespace gemmscope::sm
