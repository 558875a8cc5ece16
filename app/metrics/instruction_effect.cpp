#include "metrics/instruction_effect.h"

#include "isa/opcode_table.h"

namespace gemmscope::metrics {

using isa::Instruction;
using isa::Opcode;

EffectKind kind_of(const Instruction& instruction) {
  switch (instruction.opcode) {
    // A wait for a phase ends with the phase: what it finds is known. Without a wait it depends on the time.
    case Opcode::syncs_phasechk:
      return instruction.has(isa::Modifier::trywait) ? EffectKind::store : EffectKind::refused;
    case Opcode::syncs_arrive:
    case Opcode::syncs_exch:
      return EffectKind::load;
    case Opcode::utmaldg:
    case Opcode::ublkcp:
    case Opcode::syncs_cctl:
      return EffectKind::store;
    case Opcode::fence:
      return EffectKind::plain;
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

}  // namespace gemmscope::metrics
