#include "scenes/timeline_scene.h"

#include <algorithm>

namespace gemmscope::scenes {

const char* work_kind_name(WorkKind kind) {
  switch (kind) {
    case WorkKind::math:
      return "multiply-add";
    case WorkKind::shared:
      return "shared memory";
    case WorkKind::global:
      return "global, local memory";
    case WorkKind::other:
      return "addresses, control";
    case WorkKind::wait:
      return "barriers, waits";
  }
  return "";
}

drawing::Role work_kind_role(WorkKind kind) {
  switch (kind) {
    case WorkKind::math:
      return drawing::Role::math;
    case WorkKind::shared:
      return drawing::Role::memory;
    case WorkKind::global:
      return drawing::Role::write;
    case WorkKind::other:
      return drawing::Role::control_flow;
    case WorkKind::wait:
      return drawing::Role::wait;
  }
  return drawing::Role::idle;
}

WorkKind work_kind(const isa::Instruction& instruction) {
  using isa::Opcode;
  switch (instruction.opcode) {
    case Opcode::ffma:
    case Opcode::fmul:
    case Opcode::fadd:
    case Opcode::dfma:
    case Opcode::dmul:
    case Opcode::dadd:
    case Opcode::hfma2:
    case Opcode::hmul2:
    case Opcode::hadd2:
    case Opcode::hmma:
    case Opcode::hmma_884:
    case Opcode::qmma:
    case Opcode::imma:
    case Opcode::dmma:
    case Opcode::bmma:
    case Opcode::hgmma:
    case Opcode::igmma:
    case Opcode::qgmma:
    case Opcode::bgmma:
      return WorkKind::math;
    case Opcode::lds:
    case Opcode::sts:
    case Opcode::ldsm:
    case Opcode::stsm:
    case Opcode::atoms:
    case Opcode::atoms_cas:
    case Opcode::atoms_arrive:
      return WorkKind::shared;
    // Local memory shares the way of global memory, by L1, L2 and DRAM. A generic access counts as global,
    // as in metrics/counters.h.
    case Opcode::ldg:
    case Opcode::ld:
    case Opcode::stg:
    case Opcode::st:
    case Opcode::ldl:
    case Opcode::stl:
    case Opcode::ldgsts:
    case Opcode::atom:
    case Opcode::atom_cas:
    case Opcode::atomg:
    case Opcode::atomg_cas:
    case Opcode::red:
      return WorkKind::global;
    // Waits for other warps, for copies that were begun and for memory to become visible.
    case Opcode::bar:
    case Opcode::ldgdepbar:
    case Opcode::depbar:
    case Opcode::arrives:
    case Opcode::syncs_phasechk:
    case Opcode::membar:
    case Opcode::errbar:
    case Opcode::fence:
    case Opcode::warpgroup:
      return WorkKind::wait;
    default:
      return WorkKind::other;
  }
}

Timeline make_timeline(const experiment::BlockResult& block, int warp, int buckets) {
  Timeline timeline;
  const size_t steps = step_count(block, warp);
  timeline.buckets = static_cast<int>(
      std::min<size_t>(static_cast<size_t>(std::max(1, buckets)), std::max<size_t>(1, steps)));
  timeline.counts.assign(static_cast<size_t>(timeline.buckets) * kWorkKinds, 0);
  int last_tile = -1;
  for (size_t i = 0; i < steps; ++i) {
    const machine::TraceRecord& record = block.trace.records[record_at(block, warp, i)];
    const size_t bucket = i * static_cast<size_t>(timeline.buckets) / steps;
    ++timeline.counts[bucket * kWorkKinds +
                      static_cast<size_t>(work_kind(block.compiled->instructions[record.instruction]))];
    if (record.k_tile > last_tile) {
      last_tile = record.k_tile;
      timeline.k_tile_starts.push_back(static_cast<float>(i) / static_cast<float>(steps));
    }
  }
  return timeline;
}

}  // namespace gemmscope::scenes
