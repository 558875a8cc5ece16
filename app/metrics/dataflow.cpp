#include "metrics/dataflow.h"

#include <algorithm>
#include <bit>

namespace gemmscope::metrics {
namespace {

using isa::Instruction;
using isa::Opcode;
using isa::Operand;
using isa::OperandKind;
using machine::Direction;
using machine::Space;
using machine::TraceAccess;
using machine::TraceRecord;

constexpr int kMatrixShift = 60;
constexpr size_t kSnapshotInterval = 1 << 16;  // records; a step backward replays fewer than this
constexpr uint32_t kRegisters = 256;

template <typename F>
void for_lanes(uint32_t mask, F f) {
  for (; mask != 0; mask &= mask - 1) f(static_cast<uint32_t>(std::countr_zero(mask)));
}

bool is_move(const Instruction& instruction) {
  return instruction.opcode == Opcode::mov ||
         (instruction.opcode == Opcode::imad && instruction.has(isa::Modifier::mov));
}
bool multiplies(Opcode opcode) { return opcode == Opcode::ffma || opcode == Opcode::fmul; }

// Registers that an operation other than a load writes.
uint32_t result_words(const Instruction& instruction) {
  switch (instruction.opcode) {
    case Opcode::cs2r:
      return instruction.has(isa::Modifier::b32) ? 1 : 2;
    case Opcode::imad_wide:
    case Opcode::dadd:
    case Opcode::dmul:
    case Opcode::dfma:
      return 2;
    case Opcode::hmma:
    case Opcode::imma:
    case Opcode::dmma:
      return 4;
    default:
      return 1;
  }
}

uint32_t words_of(const TraceAccess& access) {
  return access.width_bytes >= 4 ? access.width_bytes / 4u : 1u;
}

InstructionFlow flow_of(const Instruction& instruction) {
  InstructionFlow flow;
  for (int i = 0; i < instruction.operand_count; ++i) {
    const Operand& operand = instruction.operands[static_cast<size_t>(i)];
    if (!operand.is(OperandKind::reg) || operand.index == isa::kRegisterZero) continue;
    if (i < instruction.destination_count) {
      flow.destination = operand.index;
    } else if (flow.source_count < flow.sources.size()) {
      flow.sources[flow.source_count++] = operand.index;
    }
  }
  flow.result_words = result_words(instruction);
  flow.moves = is_move(instruction) && flow.source_count == 1;
  flow.multiplies = multiplies(instruction.opcode);
  flow.adds = instruction.opcode == Opcode::fadd;
  flow.stores_to_global = instruction.opcode == Opcode::stg;
  flow.copies_async = instruction.opcode == Opcode::ldgsts;
  return flow;
}

std::vector<InstructionFlow> flows_of(const std::vector<Instruction>& instructions) {
  std::vector<InstructionFlow> flows;
  flows.reserve(instructions.size());
  for (const Instruction& instruction : instructions) flows.push_back(flow_of(instruction));
  return flows;
}

}  // namespace

Tag tag_at(const MatrixLayout& layout, uint64_t address) {
  const std::optional<Element> element = layout.element_at(address);
  if (!element) return kNoTag;
  const auto index =
      static_cast<Tag>(element->row * layout.buffers[element->matrix].columns + element->column);
  return static_cast<Tag>(element->matrix + 1) << kMatrixShift | index;
}

Element element_of(const MatrixLayout& layout, Tag tag) {
  Element element;
  element.matrix = static_cast<uint8_t>((tag >> kMatrixShift) - 1);
  const auto index = static_cast<int64_t>(tag & ((Tag{1} << kMatrixShift) - 1));
  element.row = index / layout.buffers[element.matrix].columns;
  element.column = index % layout.buffers[element.matrix].columns;
  return element;
}

// ---- backwards: where results end up

Accumulators::Accumulators(const machine::Trace& trace, const std::vector<Instruction>& instructions,
                           const MatrixLayout& layout) {
  const std::vector<InstructionFlow> flows = flows_of(instructions);
  std::vector<TagRow> rows(static_cast<size_t>(trace.warp_count) * kRegisters, TagRow{});
  std::vector<char> tagged(rows.size());
  for (auto record = trace.records.rbegin(); record != trace.records.rend(); ++record) {
    const InstructionFlow& flow = flows[record->instruction];
    const size_t base = static_cast<size_t>(record->warp) * kRegisters;
    const std::span<const TraceAccess> accesses = trace.accesses_of(*record);
    if (flow.stores_to_global && flow.source_count > 0) {
      for (const TraceAccess& access : accesses)
        for (uint32_t w = 0; w < words_of(access); ++w) {
          const size_t row = base + flow.sources[0] + w;
          for_lanes(access.mask,
                    [&](uint32_t l) { rows[row][l] = tag_at(layout, access.addresses[l] + 4 * w); });
          tagged[row] = 1;
        }
      continue;
    }
    if (flow.destination < 0) continue;
    const size_t row = base + static_cast<size_t>(flow.destination);
    const bool computes_part = accesses.empty() && tagged[row] != 0;
    const TagRow result = rows[row];
    const uint32_t words = accesses.empty() ? flow.result_words : words_of(accesses[0]);
    for (uint32_t w = 0; w < words && static_cast<uint32_t>(flow.destination) + w < kRegisters; ++w)
      if (tagged[row + w] != 0) for_lanes(record->executed, [&](uint32_t l) { rows[row + w][l] = kNoTag; });
    if (!computes_part) continue;
    TagRow& known = rows_.try_emplace({record->instruction, record->warp}, TagRow{}).first->second;
    for_lanes(record->executed, [&](uint32_t l) {
      if (known[l] == kNoTag) known[l] = result[l];
    });
    for (uint32_t i = 0; i < flow.source_count; ++i) {
      for_lanes(record->executed, [&](uint32_t l) { rows[base + flow.sources[i]][l] = result[l]; });
      tagged[base + flow.sources[i]] = 1;
    }
  }
}

const TagRow* Accumulators::find(uint32_t instruction, uint16_t warp) const {
  const auto found = rows_.find({instruction, warp});
  return found == rows_.end() ? nullptr : &found->second;
}

// ---- forwards: what registers and shared memory hold

DataflowReplay::DataflowReplay(const machine::Trace& trace, const std::vector<Instruction>& instructions,
                               const MatrixLayout& layout)
    : trace_(trace), flows_(flows_of(instructions)), layout_(layout) {
  state_.registers.assign(static_cast<size_t>(trace.warp_count) * kRegisters, TagRow{});
  state_.tagged.assign(state_.registers.size(), 0);
  uint64_t shared_end = 0;
  for (const TraceAccess& access : trace.accesses)
    if (access.space == Space::shared)
      for_lanes(access.mask, [&](uint32_t l) {
        shared_end = std::max(shared_end, access.addresses[l] + access.width_bytes);
      });
  state_.shared.assign((shared_end + 3) / 4, kNoTag);
  snapshots_.push_back(state_);
}

void DataflowReplay::seek(size_t record) {
  record = std::min(record, trace_.records.size());
  if (record < state_.position)
    state_ = snapshots_[std::min(record / kSnapshotInterval, snapshots_.size() - 1)];
  while (state_.position < record) {
    apply(trace_.records[state_.position]);
    ++state_.position;
    if (state_.position == snapshots_.size() * kSnapshotInterval) snapshots_.push_back(state_);
  }
}

void DataflowReplay::apply(const TraceRecord& record) {
  const InstructionFlow& flow = flows_[record.instruction];
  if (flow.copies_async) return async_copy(record);
  for (const TraceAccess& access : trace_.accesses_of(record)) {
    if (access.direction == Direction::load) {
      load(record, flow, access);
    } else {
      store(record, flow, access);
    }
  }
  if (record.access_count == 0) compute(record, flow);
}

void DataflowReplay::load(const TraceRecord& record, const InstructionFlow& flow, const TraceAccess& access) {
  const int d = flow.destination;
  if (d < 0) return;
  for (uint32_t w = 0; w < words_of(access) && static_cast<uint32_t>(d) + w < kRegisters; ++w) {
    const size_t row = row_index(record.warp, static_cast<uint32_t>(d) + w);
    for_lanes(access.mask, [&](uint32_t l) {
      const uint64_t address = access.addresses[l] + 4 * w;
      state_.registers[row][l] = access.space == Space::global   ? tag_at(layout_, address)
                                 : access.space == Space::shared ? shared_tag(address / 4)
                                                                 : kNoTag;
    });
    state_.tagged[row] = 1;
  }
}

void DataflowReplay::store(const TraceRecord& record, const InstructionFlow& flow,
                           const TraceAccess& access) {
  if (access.space != Space::shared) return;
  for (uint32_t w = 0; w < words_of(access); ++w)
    for_lanes(access.mask, [&](uint32_t l) {
      state_.shared[access.addresses[l] / 4 + w] = stored_tag(record.warp, flow, w, l);
    });
}

void DataflowReplay::async_copy(const TraceRecord& record) {
  const std::span<const TraceAccess> accesses = trace_.accesses_of(record);
  const auto find = [&](Space space) {
    return std::find_if(accesses.begin(), accesses.end(),
                        [space](const TraceAccess& a) { return a.space == space; });
  };
  const auto from = find(Space::global), to = find(Space::shared);
  if (to == accesses.end()) return;
  for_lanes(to->mask, [&](uint32_t l) {
    const bool copied = from != accesses.end() && (from->mask >> l & 1u) != 0;
    for (uint32_t w = 0; w < words_of(*to); ++w)
      state_.shared[to->addresses[l] / 4 + w] = copied ? tag_at(layout_, from->addresses[l] + 4 * w) : kNoTag;
  });
}

// A store's address is a memory operand, so its only register operand is the data; without one it stores RZ.
Tag DataflowReplay::stored_tag(uint16_t warp, const InstructionFlow& flow, uint32_t word,
                               uint32_t lane) const {
  return flow.source_count == 0 ? kNoTag : state_.registers[row_index(warp, flow.sources[0] + word)][lane];
}

void DataflowReplay::compute(const TraceRecord& record, const InstructionFlow& flow) {
  if (flow.destination < 0) return;
  const size_t row = row_index(record.warp, static_cast<uint32_t>(flow.destination));
  if (flow.moves) {
    const size_t from = row_index(record.warp, flow.sources[0]);
    for_lanes(record.executed, [&](uint32_t l) { state_.registers[row][l] = state_.registers[from][l]; });
    state_.tagged[row] = state_.tagged[row] | state_.tagged[from];
    return;
  }
  for (uint32_t w = 0; w < flow.result_words && static_cast<uint32_t>(flow.destination) + w < kRegisters;
       ++w) {
    if (state_.tagged[row + w] == 0) continue;
    for_lanes(record.executed, [&](uint32_t l) { state_.registers[row + w][l] = kNoTag; });
    if (record.executed == machine::kAllLanes) state_.tagged[row + w] = 0;
  }
}

std::vector<Touch> DataflowReplay::touches(const Accumulators& accumulators) const {
  std::vector<Touch> result;
  if (state_.position >= trace_.records.size()) return result;
  const TraceRecord& record = trace_.records[state_.position];
  const InstructionFlow& flow = flows_[record.instruction];
  const auto add = [&](TouchKind kind, uint32_t lane, Tag tag) {
    if (tag != kNoTag) result.push_back({kind, static_cast<uint8_t>(lane), element_of(layout_, tag)});
  };
  for (const TraceAccess& access : trace_.accesses_of(record)) {
    const bool is_load = access.direction == Direction::load;
    for_lanes(access.mask, [&](uint32_t l) {
      for (uint32_t w = 0; w < words_of(access); ++w) {
        const uint64_t address = access.addresses[l] + 4 * w;
        if (access.space == Space::global) {
          add(is_load ? TouchKind::read_global : TouchKind::write_global, l, tag_at(layout_, address));
        } else if (access.space == Space::shared && is_load) {
          add(TouchKind::read_shared, l, shared_tag(address / 4));
        } else if (access.space == Space::shared && !flow.copies_async) {
          add(TouchKind::write_shared, l, stored_tag(record.warp, flow, w, l));
        }
      }
    });
  }
  if (record.access_count > 0) return result;
  if (flow.multiplies)
    for (uint32_t i = 0; i < flow.source_count; ++i)
      for_lanes(record.executed, [&](uint32_t l) {
        add(TouchKind::multiply, l, state_.registers[row_index(record.warp, flow.sources[i])][l]);
      });
  if (const TagRow* row = accumulators.find(record.instruction, record.warp))
    if (flow.multiplies || flow.adds)
      for_lanes(record.executed, [&](uint32_t l) { add(TouchKind::accumulate, l, (*row)[l]); });
  return result;
}

int32_t DataflowReplay::depth_at_position() const {
  const TraceRecord& record = trace_.records[state_.position];
  const InstructionFlow& flow = flows_[record.instruction];
  const auto depth_of = [&](Tag tag) -> int32_t {
    if (tag == kNoTag) return -1;
    const Element element = element_of(layout_, tag);
    return element.matrix == kMatrixA   ? static_cast<int32_t>(element.column)
           : element.matrix == kMatrixB ? static_cast<int32_t>(element.row)
                                        : -1;
  };
  for (const TraceAccess& access : trace_.accesses_of(record)) {
    const uint64_t address = access.addresses[static_cast<size_t>(std::countr_zero(access.mask))];
    const Tag tag = access.space == Space::global   ? tag_at(layout_, address)
                    : access.space == Space::shared ? shared_tag(address / 4)
                                                    : kNoTag;
    if (const int32_t depth = depth_of(tag); depth >= 0) return depth;
  }
  if (record.access_count > 0 || record.executed == 0) return -1;
  const auto lane = static_cast<size_t>(std::countr_zero(record.executed));
  for (uint32_t i = 0; i < flow.source_count; ++i)
    if (const int32_t depth = depth_of(state_.registers[row_index(record.warp, flow.sources[i])][lane]);
        depth >= 0)
      return depth;
  return -1;
}

// ---- summaries of a trace

std::vector<int32_t> depth_of_records(const machine::Trace& trace,
                                      const std::vector<Instruction>& instructions,
                                      const MatrixLayout& layout) {
  DataflowReplay replay(trace, instructions, layout);
  const Accumulators none;
  struct PerWarp {
    int32_t depth = -1;
    bool computes = false;
  };
  std::vector<PerWarp> warps(trace.warp_count);
  std::vector<int32_t> depths(trace.records.size(), -1);
  for (size_t i = 0; i < trace.records.size(); ++i) {
    const TraceRecord& record = trace.records[i];
    PerWarp& warp = warps[record.warp];
    replay.seek(i);
    const bool arithmetic = multiplies(instructions[record.instruction].opcode);
    if (arithmetic || (!warp.computes && record.access_count > 0)) {
      const int32_t depth = replay.depth_at_position();
      if (depth >= 0) {
        warp.depth = depth;
        warp.computes |= arithmetic;
      }
    }
    depths[i] = warp.depth;
  }
  return depths;
}

std::map<Tag, uint32_t> owners_of_c(const machine::Trace& trace, const MatrixLayout& layout) {
  std::map<Tag, uint32_t> owners;
  for (const TraceRecord& record : trace.records)
    for (const TraceAccess& access : trace.accesses_of(record)) {
      if (access.space != Space::global || access.direction != Direction::store) continue;
      for_lanes(access.mask, [&](uint32_t l) {
        for (uint32_t w = 0; w < words_of(access); ++w) {
          const Tag tag = tag_at(layout, access.addresses[l] + 4 * w);
          if (tag != kNoTag) owners[tag] = record.warp * machine::kWarpLanes + l;
        }
      });
    }
  return owners;
}

}  // namespace gemmscope::metrics
