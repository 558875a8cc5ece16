// Walks backwards through a trace to find where results end up.
#include <utility>

#include "metrics/dataflow_parts.h"

namespace gemmscope::metrics {

using isa::Instruction;
using machine::TraceAccess;
using machine::TraceRecord;

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
    if (!accesses.empty() && accesses[0].space == machine::Space::local) {
      follow_spill(*record, flow, accesses[0], {&rows[base], kRegisters}, {&tagged[base], kRegisters});
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
  spilled_.clear();  // needed on the walk alone
}

// A register that is read back from local memory has its result from there, and what was stored there from
// the register that was spilled.
void Accumulators::follow_spill(const TraceRecord& record, const InstructionFlow& flow,
                                const TraceAccess& access, std::span<TagRow> rows, std::span<char> tagged) {
  const bool loads = access.direction == machine::Direction::load;
  if (loads ? flow.destination < 0 : flow.source_count == 0) return;
  // The data of a store is its last register; the address may come before it.
  const auto first = static_cast<size_t>(loads ? flow.destination : flow.sources[flow.source_count - 1]);
  for (uint32_t w = 0; w < words_of(access) && first + w < rows.size(); ++w)
    for_lanes(access.mask, [&](uint32_t l) {
      Tag& in_register = rows[first + w][l];
      Tag& in_memory = spilled_[{record.warp, l, access.addresses[l] + 4 * w}];
      if (loads) {
        in_memory = std::exchange(in_register, kNoTag);
      } else if (in_memory != kNoTag) {
        in_register = std::exchange(in_memory, kNoTag);
        tagged[first + w] = 1;
      }
    });
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

std::map<Tag, uint32_t> owners_of_c(const machine::Trace& trace, const MatrixLayout& layout) {
  std::map<Tag, uint32_t> owners;
  for (const TraceRecord& record : trace.records)
    for (const TraceAccess& access : trace.accesses_of(record)) {
      if (access.space != machine::Space::global || access.direction != machine::Direction::store) continue;
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
