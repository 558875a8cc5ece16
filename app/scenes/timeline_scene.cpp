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
      return "global memory";
    case WorkKind::other:
      return "addresses, control";
    case WorkKind::wait:
      return "barrier";
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
    case Opcode::hmma:
    case Opcode::dfma:
      return WorkKind::math;
    case Opcode::lds:
    case Opcode::sts:
    case Opcode::ldsm:
      return WorkKind::shared;
    case Opcode::ldg:
    case Opcode::stg:
    case Opcode::ldgsts:
      return WorkKind::global;
    case Opcode::bar:
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
