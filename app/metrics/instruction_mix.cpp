#include "metrics/instruction_mix.h"

#include <numeric>

namespace gemmscope::metrics {
namespace {

using isa::Opcode;

// Whether the opcode stands between these two in isa/opcode.h, which lists them by family.
bool within(Opcode opcode, Opcode first, Opcode last) { return first <= opcode && opcode <= last; }

bool is_barrier(Opcode opcode) {
  switch (opcode) {
    case Opcode::bar:
    case Opcode::depbar:
    case Opcode::ldgdepbar:
    case Opcode::membar:
    case Opcode::errbar:
    case Opcode::cgaerrbar:
    case Opcode::warpsync:
    case Opcode::syncs_arrive:
    case Opcode::syncs_phasechk:
    case Opcode::syncs_exch:
    case Opcode::syncs_cctl:
    case Opcode::arrives:
    case Opcode::fence:
    case Opcode::ucgabar_wait:
    case Opcode::ucgabar_arv:
      return true;
    default:
      return false;
  }
}

// In the families of integers and of the uniform datapath.
bool is_move(Opcode opcode) {
  switch (opcode) {
    case Opcode::mov:
    case Opcode::umov:
    case Opcode::up2ur:
    case Opcode::ur2up:
    case Opcode::s2ur:
    case Opcode::r2ur:
    case Opcode::voteu:
      return true;
    default:
      return false;
  }
}

bool is_load_store(Opcode opcode) {
  return opcode == Opcode::ldsm || opcode == Opcode::stsm || opcode == Opcode::uldc ||
         within(opcode, Opcode::ldg, Opcode::sured) || within(opcode, Opcode::utmaldg, Opcode::redas);
}

}  // namespace

InstructionKind instruction_kind(Opcode opcode) {
  using Kind = InstructionKind;
  if (is_barrier(opcode)) return Kind::barrier;
  if (is_load_store(opcode)) return Kind::load_store;
  if (is_move(opcode)) return Kind::other;
  if (within(opcode, Opcode::sel, Opcode::plop3_sign) || within(opcode, Opcode::usel, Opcode::ubrev))
    return Kind::integer;
  if (within(opcode, Opcode::fadd, Opcode::hmnmx2) || within(opcode, Opcode::hmma, Opcode::bgmma))
    return Kind::floating_point;
  if (opcode != Opcode::nop && within(opcode, Opcode::bra, Opcode::pmtrig)) return Kind::control;
  return Kind::other;
}

uint64_t total(const InstructionMix& mix) { return std::accumulate(mix.begin(), mix.end(), uint64_t{0}); }

double share(const InstructionMix& mix, InstructionKind kind) {
  const uint64_t all = total(mix);
  return all == 0 ? 0 : static_cast<double>(mix[static_cast<size_t>(kind)]) / static_cast<double>(all);
}

}  // namespace gemmscope::metrics
