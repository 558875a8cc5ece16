#include "metrics/instruction_effect.h"

#include <algorithm>

#include "isa/opcode_table.h"

namespace gemmscope::metrics {
namespace {

using isa::Instruction;
using isa::Modifier;
using isa::Opcode;

bool converts_64_bits(const Instruction& instruction) {
  return instruction.has(Modifier::f64) || instruction.has(Modifier::s64) || instruction.has(Modifier::u64);
}

}  // namespace

EffectKind kind_of(const Instruction& instruction) {
  switch (instruction.opcode) {
    case Opcode::ldg:
    case Opcode::ld:
    case Opcode::lds:
    case Opcode::ldsm:
    case Opcode::atom:
    case Opcode::atom_cas:
    case Opcode::atomg:
    case Opcode::atomg_cas:
    case Opcode::atoms:
    case Opcode::atoms_cas:
    case Opcode::atoms_arrive:
    case Opcode::b2r:
      return EffectKind::load;
    case Opcode::ldl:
      return EffectKind::local_load;
    case Opcode::stg:
    case Opcode::st:
    case Opcode::sts:
    case Opcode::stsm:
    case Opcode::stl:
    case Opcode::ldgsts:
    case Opcode::red:
    case Opcode::cctl:
      return EffectKind::store;
    case Opcode::bar:
      return EffectKind::control;
    case Opcode::brx:
    case Opcode::call_abs:
    case Opcode::hgmma:
      return EffectKind::refused;
    default:
      break;
  }
  if (!instruction.known() || instruction.row == nullptr || instruction.row->pipe == isa::Pipe::async)
    return EffectKind::refused;
  return instruction.row->pipe == isa::Pipe::control ? EffectKind::control : EffectKind::plain;
}

uint32_t access_words(const Instruction& instruction) {
  for (Modifier m : {Modifier::b128, Modifier::x4, Modifier::f32x4_rn, Modifier::f16x8_rn})
    if (instruction.has(m)) return 4;
  for (Modifier m : {Modifier::b64, Modifier::x2, Modifier::u64, Modifier::s64, Modifier::f64_rn})
    if (instruction.has(m)) return 2;
  return 1;
}

Width destination_width(const Instruction& instruction) {
  switch (instruction.opcode) {
    case Opcode::cs2r:
      return instruction.has(Modifier::b32) ? Width{1, 1} : Width{2, 2};
    case Opcode::imad_wide:
    case Opcode::uimad_wide:
    case Opcode::dadd:
    case Opcode::dmul:
    case Opcode::dfma:
    case Opcode::lepc:
      return {2, 2};
    case Opcode::hmma:
    case Opcode::imma:
      return {2, 4};
    case Opcode::dmma:
      return {4, 8};
    case Opcode::f2f:
    case Opcode::f2i:
    case Opcode::i2f:
    case Opcode::frnd:
      return {1, converts_64_bits(instruction) ? 2u : 1u};
    case Opcode::ldg:
    case Opcode::ld:
    case Opcode::lds:
    case Opcode::ldl:
    case Opcode::ldc:
    case Opcode::uldc:
    case Opcode::ldsm:
      return {access_words(instruction), access_words(instruction)};
    default:
      return {1, std::max(1u, kind_of(instruction) == EffectKind::load ? access_words(instruction) : 1u)};
  }
}

uint32_t source_width(const Instruction& instruction, int k) {
  switch (instruction.opcode) {
    case Opcode::dadd:
    case Opcode::dmul:
    case Opcode::dfma:
    case Opcode::dsetp:
    case Opcode::ret:
    case Opcode::call_rel:
      return 2;
    case Opcode::imad_wide:
    case Opcode::imad_hi:
    case Opcode::uimad_wide:
      return k == 2 ? 2 : 1;
    case Opcode::hmma:
    case Opcode::imma:
      return 4;
    case Opcode::dmma:
      return 8;
    case Opcode::f2f:
    case Opcode::f2i:
    case Opcode::i2f:
    case Opcode::frnd:
      return converts_64_bits(instruction) ? 2 : 1;
    case Opcode::stl:
      return access_words(instruction);
    default:
      return 1;
  }
}

}  // namespace gemmscope::metrics
