#include "metrics/dataflow.h"

#include <algorithm>
#include <bit>

#include "metrics/fragments.h"

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

constexpr int kMatrixShift = 60, kIndexBits = 30;
constexpr Tag kIndexMask = (Tag{1} << kIndexBits) - 1;
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
// Rounding to TF32 adds half a unit to the bits of a float where they are (R4 = R4 + 0x1000): the element
// stays.
bool adds_in_place(const Instruction& instruction, const InstructionFlow& flow) {
  const bool adds = instruction.opcode == Opcode::iadd3 || instruction.opcode == Opcode::imad;
  return adds && flow.source_count > 0 && flow.destination == flow.sources[0];
}
bool multiplies(Opcode opcode) { return opcode == Opcode::ffma || opcode == Opcode::fmul; }
bool multiplies_matrices(Opcode opcode) {
  return opcode == Opcode::hmma || opcode == Opcode::imma || opcode == Opcode::dmma;
}

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
    default:
      return std::max(1u, fragment_words(instruction).c);
  }
}

uint32_t words_of(const TraceAccess& access) {
  return access.width_bytes >= 4 ? access.width_bytes / 4u : 1u;
}

// The tag of a word whose halves hold these elements.
Tag pair_of(Tag low, Tag high) {
  low = first_of(low);
  high = first_of(high);
  if (low == kNoTag || high == kNoTag || low >> kMatrixShift != high >> kMatrixShift) return low;
  return low | ((high & kIndexMask) + 1) << kIndexBits;
}
// Of the half word at `address`, given the tag of its word.
Tag half_of(Tag word, uint64_t address) {
  if (second_of(word) == kNoTag) return word;
  return address % 4 == 0 ? first_of(word) : second_of(word);
}
// The w-th word of what a lane accesses.
Tag accessed_tag(const MatrixLayout& layout, const TraceAccess& access, uint64_t address) {
  return access.width_bytes < 4 ? tag_at(layout, address) : word_tag_at(layout, address);
}

InstructionFlow flow_of(const Instruction& instruction) {
  InstructionFlow flow;
  const FragmentWords fragments = fragment_words(instruction);
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
  flow.result_words = result_words(instruction);
  flow.result_step = fragments.step;
  flow.moves = (is_move(instruction) && flow.source_count == 1) || adds_in_place(instruction, flow);
  flow.multiplies_matrices = fragments.any();
  flow.multiplies = multiplies(instruction.opcode) || flow.multiplies_matrices;
  flow.packs = instruction.opcode == Opcode::f2fp && flow.source_count == 2;
  flow.transposes = instruction.has(isa::Modifier::mt88);
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
  if (index >= kIndexMask) return kNoTag;
  return static_cast<Tag>(element->matrix + 1) << kMatrixShift | index;
}

Tag word_tag_at(const MatrixLayout& layout, uint64_t address) {
  const Tag low = tag_at(layout, address);
  if (low == kNoTag || layout.buffers[(low >> kMatrixShift) - 1].element_bytes != 2) return low;
  return pair_of(low, tag_at(layout, address + 2));
}

Tag first_of(Tag tag) { return tag & ~(kIndexMask << kIndexBits); }
Tag second_of(Tag tag) {
  const Tag index = tag >> kIndexBits & kIndexMask;
  return index == 0 ? kNoTag : (tag >> kMatrixShift << kMatrixShift) | (index - 1);
}

Element element_of(const MatrixLayout& layout, Tag tag) {
  Element element;
  element.matrix = static_cast<uint8_t>((tag >> kMatrixShift) - 1);
  const auto index = static_cast<int64_t>(tag & kIndexMask);
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
          for_lanes(access.mask, [&](uint32_t l) {
            rows[row][l] = accessed_tag(layout, access, access.addresses[l] + 4 * w);
          });
          tagged[row] = 1;
        }
      continue;
    }
    if (flow.destination < 0) continue;
    const size_t row = base + static_cast<size_t>(flow.destination);
    const auto give = [&](uint32_t reg, const TagRow& result) {
      for_lanes(record->executed, [&](uint32_t l) { rows[base + reg][l] = result[l]; });
      tagged[base + reg] = 1;
    };
    const bool computes = accesses.empty();
    const uint32_t words = computes ? flow.result_words : words_of(accesses[0]);
    for (uint32_t w = 0; w < words && static_cast<uint32_t>(flow.destination) + w < kRegisters; ++w) {
      if (tagged[row + w] == 0) continue;
      const TagRow result = rows[row + w];
      for_lanes(record->executed, [&](uint32_t l) { rows[row + w][l] = kNoTag; });
      if (!computes || (w > 0 && !flow.multiplies_matrices)) continue;
      learn(*record, w, result);
      if (flow.multiplies_matrices) {
        if (flow.accumulator >= 0) give(static_cast<uint32_t>(flow.accumulator) + w, result);
        continue;
      }
      for (uint32_t i = 0; i < flow.source_count; ++i) {
        TagRow part = result;
        // The first source goes into the upper half.
        if (flow.packs)
          for (Tag& tag : part) tag = i == 1 || second_of(tag) == kNoTag ? first_of(tag) : second_of(tag);
        give(flow.sources[i], part);
      }
    }
  }
}

void Accumulators::learn(const TraceRecord& record, uint32_t word, const TagRow& result) {
  TagRow& known = rows_.try_emplace({record.instruction, record.warp, word}, TagRow{}).first->second;
  for_lanes(record.executed, [&](uint32_t l) {
    if (known[l] == kNoTag) known[l] = result[l];
  });
}

const TagRow* Accumulators::find(uint32_t instruction, uint16_t warp, uint32_t word) const {
  const auto found = rows_.find({instruction, warp, word});
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
      state_.shared[to->addresses[l] / 4 + w] =
          copied ? word_tag_at(layout_, from->addresses[l] + 4 * w) : kNoTag;
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
    const Opcode opcode = instructions[record.instruction].opcode;
    const bool arithmetic = multiplies(opcode) || multiplies_matrices(opcode);
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
          const Tag word = accessed_tag(layout, access, access.addresses[l] + 4 * w);
          for (const Tag tag : {first_of(word), second_of(word)})
            if (tag != kNoTag) owners[tag] = record.warp * machine::kWarpLanes + l;
        }
      });
    }
  return owners;
}

}  // namespace gemmscope::metrics
