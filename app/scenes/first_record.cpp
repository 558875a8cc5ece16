#include "scenes/first_record.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "metrics/banks.h"
#include "metrics/counters.h"
#include "scenes/broadcast.h"
#include "scenes/cursor.h"

namespace gemmscope::scenes {

using experiment::BlockResult;

namespace {

// The shared-memory instruction with the worst bank conflict; among equals a load.
std::optional<uint32_t> worst_shared_instruction(const BlockResult& block) {
  const auto rank = [](const metrics::BankRow& row) {
    return std::pair(row.worst_degree, row.direction == machine::Direction::load);
  };
  const auto worst = std::max_element(block.banks.begin(), block.banks.end(),
                                      [&](const auto& a, const auto& b) { return rank(a) < rank(b); });
  if (worst == block.banks.end()) return std::nullopt;
  return worst->instruction;
}

// The global load that shows most: the one that reads the most words, which a broadcast does not; among
// equals the one with the most excess sectors.
std::optional<uint32_t> telling_global_load(const BlockResult& block, int warp) {
  std::optional<uint32_t> best;
  std::pair<int, int> best_rank;
  for (size_t i = 0; i < step_count(block, warp); ++i) {
    const machine::TraceRecord& r = block.trace.records[record_at(block, warp, i)];
    for (const machine::TraceAccess& access : block.trace.accesses_of(r)) {
      if (access.space != machine::Space::global || access.direction != machine::Direction::load) continue;
      const metrics::SectorCount sectors = metrics::sectors_of(access);
      const std::pair rank(broadcast_of(access).words, sectors.excess());
      if (best && rank <= best_rank) continue;
      best = r.instruction;
      best_rank = rank;
    }
    if (r.k_tile > 1) break;  // later passes repeat the first
  }
  return best;
}

// The kinds of record at which pictures open (catalog/pictures.def).
enum class OpensAt : uint8_t { first_math, worst_shared_access, global_access, atomic_access };

OpensAt opens_at(catalog::Picture picture) {
  switch (picture) {
    case catalog::Picture::none:
      return OpensAt::first_math;
#define PICTURE(name, tab, note, offered, opens_at) \
  case catalog::Picture::name:                      \
    return OpensAt::opens_at;
#include "catalog/pictures.def"
#undef PICTURE
  }
  return OpensAt::first_math;
}

// Whether the picture that the kernel's description names has something to show at the record.
bool suits_picture(const BlockResult& block, size_t record, std::optional<uint32_t> worst_shared) {
  const machine::TraceRecord& r = block.trace.records[record];
  for (const machine::TraceAccess& access : block.trace.accesses_of(r)) {
    const bool plain =
        access.direction == machine::Direction::load || access.direction == machine::Direction::store;
    switch (opens_at(block.compiled->kernel.picture)) {
      case OpensAt::worst_shared_access:
        return r.instruction == worst_shared;
      case OpensAt::global_access:
        return access.space == machine::Space::global;
      case OpensAt::atomic_access:
        return !plain;
      case OpensAt::first_math:
        return false;
    }
  }
  return false;
}

}  // namespace

size_t first_record_to_show(const BlockResult& block, int warp) {
  const std::optional<uint32_t> worst_shared = worst_shared_instruction(block);
  for (size_t i = 0; i < step_count(block, warp); ++i)
    if (const size_t record = record_at(block, warp, i); suits_picture(block, record, worst_shared))
      return record;
  const size_t steps = step_count(block, warp);
  // A product without shared memory is told by its loads.
  if (block.banks.empty() && opens_at(block.compiled->kernel.picture) == OpensAt::first_math)
    if (const std::optional<uint32_t> load = telling_global_load(block, warp))
      for (size_t i = 0; i < steps; ++i)
        if (const size_t record = record_at(block, warp, i);
            block.trace.records[record].instruction == *load && block.trace.records[record].executed != 0)
          return record;
  for (size_t i = 0; i < steps; ++i) {
    const size_t record = record_at(block, warp, i);
    const machine::TraceRecord& r = block.trace.records[record];
    const isa::Opcode opcode = block.compiled->instructions[r.instruction].opcode;
    if ((opcode == isa::Opcode::ffma || opcode == isa::Opcode::hmma) && r.executed != 0) return record;
  }
  return record_at(block, warp, 0);
}

}  // namespace gemmscope::scenes
