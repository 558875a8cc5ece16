// Walks forwards through a trace and follows what registers and shared memory hold.
#include "metrics/dataflow.h"

#include <algorithm>
#include <bit>

#include "metrics/dataflow_parts.h"
#include "metrics/fragments.h"

namespace gemmscope::metrics {
namespace {

using isa::Instruction;
using machine::Direction;
using machine::Space;
using machine::TraceAccess;
using machine::TraceRecord;

constexpr size_t kSnapshotInterval = 1 << 16;  // records; a step backward replays fewer than this

}  // namespace

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
  if (access.path == machine::Path::matrix) return load_matrices(record, flow, access);
  for (uint32_t w = 0; w < words_of(access) && static_cast<uint32_t>(d) + w < kRegisters; ++w) {
    const size_t row = row_index(record.warp, static_cast<uint32_t>(d) + w);
    for_lanes(access.mask, [&](uint32_t l) {
      const uint64_t address = access.addresses[l] + 4 * w;
      const Tag shared =
          access.width_bytes < 4 ? half_of(shared_tag(address / 4), address) : shared_tag(address / 4);
      state_.registers[row][l] = access.space == Space::global   ? accessed_tag(layout_, access, address)
                                 : access.space == Space::shared ? shared
                                                                 : kNoTag;
    });
    state_.tagged[row] = 1;
  }
}

void DataflowReplay::store(const TraceRecord& record, const InstructionFlow& flow,
                           const TraceAccess& access) {
  if (access.space != Space::shared) return;
  if (access.path == machine::Path::matrix) return store_matrices(record, flow, access);
  for (uint32_t w = 0; w < words_of(access); ++w)
    for_lanes(access.mask, [&](uint32_t l) {
      const Tag stored = stored_tag(record.warp, flow, w, l);
      Tag& word = state_.shared[access.addresses[l] / 4 + w];
      const bool is_half = access.width_bytes == 2 && stored != kNoTag &&
                           layout_.buffers[element_of(layout_, stored).matrix].element_bytes == 2;
      word = !is_half                       ? stored
             : access.addresses[l] % 4 == 0 ? pair_of(stored, second_of(word))
                                            : pair_of(word, stored);
    });
}

void DataflowReplay::load_matrices(const TraceRecord& record, const InstructionFlow& flow,
                                   const TraceAccess& access) {
  const auto first = static_cast<uint32_t>(flow.destination);
  for_matrix_words(access, flow.transposes, [&](const MatrixWord& m) {
    if (first + m.word >= kRegisters || (record.executed >> m.lane & 1u) == 0) return;
    const size_t row = row_index(record.warp, first + m.word);
    state_.registers[row][m.lane] = matrix_tag(flow, m);
    state_.tagged[row] = 1;
  });
}

// A transposed word takes its halves from two rows; 4-byte elements cannot be transposed.
Tag DataflowReplay::matrix_tag(const InstructionFlow& flow, const MatrixWord& m) const {
  const Tag low = shared_tag(m.low / 4), high = shared_tag(m.high / 4);
  if (!flow.transposes) return low;
  if (second_of(low) == kNoTag || second_of(high) == kNoTag) return kNoTag;
  return pair_of(half_of(low, m.low), half_of(high, m.high));
}

void DataflowReplay::store_matrices(const TraceRecord& record, const InstructionFlow& flow,
                                    const TraceAccess& access) {
  for_matrix_words(access, flow.transposes, [&](const MatrixWord& m) {
    state_.shared[m.low / 4] = flow.transposes ? kNoTag : stored_tag(record.warp, flow, m.word, m.lane);
    if (flow.transposes) state_.shared[m.high / 4] = kNoTag;
  });
}

// A shared store gets what the global load before it reads; without one, zeroes.
void DataflowReplay::async_copy(const TraceRecord& record) {
  const TraceAccess* from = nullptr;
  for (const TraceAccess& access : trace_.accesses_of(record)) {
    if (access.space != Space::shared) {
      from = &access;
      continue;
    }
    for_lanes(access.mask, [&](uint32_t l) {
      const bool copied = from != nullptr && (from->mask >> l & 1u) != 0;
      for (uint32_t w = 0; w < words_of(access); ++w)
        state_.shared[access.addresses[l] / 4 + w] =
            copied ? word_tag_at(layout_, from->addresses[l] + 4 * w) : kNoTag;
    });
    from = nullptr;
  }
}

// A store's address is a memory operand, so its only register operand is the data. A store without one
// writes RZ.
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
    for (const Tag one : {first_of(tag), second_of(tag)})
      if (one != kNoTag) result.push_back({kind, static_cast<uint8_t>(lane), element_of(layout_, one)});
  };
  for (const TraceAccess& access : trace_.accesses_of(record)) {
    const bool is_load = access.direction == Direction::load;
    if (access.path == machine::Path::matrix) {
      for_matrix_words(access, flow.transposes, [&](const MatrixWord& m) {
        if (is_load) {
          add(TouchKind::read_shared, m.lane, matrix_tag(flow, m));
        } else {
          add(TouchKind::write_shared, m.lane, stored_tag(record.warp, flow, m.word, m.lane));
        }
      });
      continue;
    }
    for_lanes(access.mask, [&](uint32_t l) {
      for (uint32_t w = 0; w < words_of(access); ++w) {
        const uint64_t address = access.addresses[l] + 4 * w;
        if (access.space == Space::global) {
          add(is_load ? TouchKind::read_global : TouchKind::write_global, l,
              accessed_tag(layout_, access, address));
        } else if (access.space == Space::shared && is_load) {
          const Tag tag = shared_tag(address / 4);
          add(TouchKind::read_shared, l, access.width_bytes < 4 ? half_of(tag, address) : tag);
        } else if (access.space == Space::shared && !flow.copies_async) {
          add(TouchKind::write_shared, l, stored_tag(record.warp, flow, w, l));
        }
      }
    });
  }
  if (record.access_count > 0) return result;
  if (flow.multiplies)
    for (uint32_t i = 0; i < flow.source_count; ++i)
      for (uint32_t w = 0; w < flow.factor_words[i]; w += flow.result_step)
        for_lanes(record.executed, [&](uint32_t l) {
          add(TouchKind::multiply, l, state_.registers[row_index(record.warp, flow.sources[i] + w)][l]);
        });
  if (!flow.multiplies && !flow.adds) return result;
  const uint32_t words = flow.multiplies_matrices ? flow.result_words : 1;
  for (uint32_t w = 0; w < words; w += flow.result_step)
    if (const TagRow* row = accumulators.find(record.instruction, record.warp, w))
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

namespace {

// An access of a ragged tile may move zeros in place of elements, so more than one execution is tried.
constexpr uint8_t kExecutionsTried = 8;

}  // namespace

WorkedElements worked_elements(const machine::Trace& trace, const std::vector<Instruction>& instructions,
                               const MatrixLayout& layout) {
  DataflowReplay replay(trace, instructions, layout);
  const Accumulators none;
  struct PerWarp {
    int32_t depth = -1;
    bool computes = false;
  };
  std::vector<PerWarp> warps(trace.warp_count);
  std::vector<uint8_t> tried(instructions.size());
  WorkedElements result;
  result.depths.assign(trace.records.size(), -1);
  result.matrices.assign(instructions.size(), kNoMatrix);
  for (size_t i = 0; i < trace.records.size(); ++i) {
    const TraceRecord& record = trace.records[i];
    PerWarp& warp = warps[record.warp];
    replay.seek(i);
    const bool arithmetic = multiplies_elements(instructions[record.instruction].opcode);
    if (arithmetic || (!warp.computes && record.access_count > 0)) {
      const int32_t depth = replay.depth_at_position();
      if (depth >= 0) {
        warp.depth = depth;
        warp.computes |= arithmetic;
      }
    }
    result.depths[i] = warp.depth;
    uint8_t& matrix = result.matrices[record.instruction];
    if (record.access_count == 0 || matrix != kNoMatrix || tried[record.instruction] == kExecutionsTried)
      continue;
    ++tried[record.instruction];
    if (const std::vector<Touch> touches = replay.touches(none); !touches.empty())
      matrix = touches.front().element.matrix;
  }
  return result;
}

}  // namespace gemmscope::metrics
