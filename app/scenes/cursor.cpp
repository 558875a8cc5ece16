#include "scenes/cursor.h"

#include <fmt/format.h>

#include <algorithm>

#include "metrics/banks.h"
#include "metrics/sectors.h"
#include "scenes/text.h"

namespace gemmscope::scenes {
namespace {

using experiment::BlockResult;
using machine::TraceAccess;
using machine::TraceRecord;

// A search over millions of records would block the UI, so events farther away than this are not found.
constexpr size_t kSearchLimit = 400'000;

// Of lanes: an H200 counts no wavefronts of bulk copies.
const TraceAccess* shared_access_of(const BlockResult& block, size_t record) {
  for (const TraceAccess& access : block.trace.accesses_of(block.trace.records[record]))
    if (access.space == machine::Space::shared && access.path != machine::Path::bulk_copy) return &access;
  return nullptr;
}

bool conflicts(const BlockResult& block, size_t record) {
  const TraceAccess* access = shared_access_of(block, record);
  return access != nullptr && metrics::count_wavefronts(metrics::shared_access(*access)).excess() > 0;
}

bool uncoalesced(const BlockResult& block, size_t record) {
  for (const TraceAccess& access : block.trace.accesses_of(block.trace.records[record]))
    if (access.space == machine::Space::global && metrics::sectors_of(access).excess() > 0) return true;
  return false;
}

bool starts_k_tile(const BlockResult& block, size_t record) {
  const TraceRecord& r = block.trace.records[record];
  const std::vector<uint32_t>& own = block.warp_records[r.warp];
  const auto here = std::lower_bound(own.begin(), own.end(), static_cast<uint32_t>(record));
  return here == own.begin() || block.trace.records[*std::prev(here)].k_tile != r.k_tile;
}

std::optional<size_t> search(const BlockResult& block, int warp, size_t record, Event event, bool forward) {
  const size_t count = step_count(block, warp);
  size_t position = position_of(block, warp, record);
  for (size_t tried = 0; tried < kSearchLimit; ++tried) {
    if (forward ? position + 1 >= count : position == 0) return std::nullopt;
    position = forward ? position + 1 : position - 1;
    const size_t candidate = record_at(block, warp, position);
    if (is_event(block, candidate, event)) return candidate;
  }
  return std::nullopt;
}

}  // namespace

size_t step_count(const BlockResult& block, int warp) {
  return warp == kAllWarps ? block.trace.records.size()
                           : block.warp_records[static_cast<size_t>(warp)].size();
}

size_t position_of(const BlockResult& block, int warp, size_t record) {
  if (warp == kAllWarps)
    return std::min(record, block.trace.records.empty() ? 0 : block.trace.records.size() - 1);
  const std::vector<uint32_t>& own = block.warp_records[static_cast<size_t>(warp)];
  const auto after = std::upper_bound(own.begin(), own.end(), static_cast<uint32_t>(record));
  return after == own.begin() ? 0 : static_cast<size_t>(after - own.begin()) - 1;
}

size_t record_at(const BlockResult& block, int warp, size_t position) {
  const size_t count = step_count(block, warp);
  if (count == 0) return 0;
  position = std::min(position, count - 1);
  return warp == kAllWarps ? position : block.warp_records[static_cast<size_t>(warp)][position];
}

bool is_event(const BlockResult& block, size_t record, Event event) {
  switch (event) {
    case Event::bank_conflict:
      return conflicts(block, record);
    case Event::uncoalesced:
      return uncoalesced(block, record);
    case Event::barrier:
      return block.compiled->instructions[block.trace.records[record].instruction].opcode == isa::Opcode::bar;
    case Event::shared_access:
      return shared_access_of(block, record) != nullptr;
    case Event::k_tile:
      return starts_k_tile(block, record);
  }
  return false;
}

std::optional<size_t> next_event(const BlockResult& block, int warp, size_t record, Event event) {
  return search(block, warp, record, event, true);
}
std::optional<size_t> previous_event(const BlockResult& block, int warp, size_t record, Event event) {
  return search(block, warp, record, event, false);
}

namespace {

const char* name_of(Event event) {
  switch (event) {
    case Event::bank_conflict:
      return "bank conflict";
    case Event::uncoalesced:
      return "uncoalesced access";
    case Event::barrier:
      return "barrier";
    case Event::shared_access:
      return "shared-memory access";
    case Event::k_tile:
      return "pass of the main loop";
  }
  return "";
}

// Whether the event happens anywhere in the trace, as far as the counters say.
bool happens(const BlockResult& block, Event event) {
  const auto conflicting = [](const metrics::BankRow& row) { return row.excess() > 0; };
  switch (event) {
    case Event::bank_conflict:
      return std::ranges::any_of(block.banks, conflicting);
    case Event::shared_access:
      return !block.banks.empty();
    default:
      return true;
  }
}

}  // namespace

std::string nothing_found_text(const BlockResult& block, int warp, size_t record, Event event, bool forward) {
  if (!happens(block, event)) return fmt::format("This block has no {}.", name_of(event));
  const size_t position = position_of(block, warp, record), steps = step_count(block, warp);
  const size_t left = forward ? steps - 1 - std::min(position, steps - 1) : position;
  const std::string whose = warp == kAllWarps ? "" : fmt::format(" of warp {}", warp);
  if (left > kSearchLimit)
    return fmt::format("No {} within {} steps {} this one{}.", name_of(event), grouped(kSearchLimit),
                       forward ? "after" : "before", whose);
  return fmt::format("No {}{} {} this step{}.", forward ? "further " : "", name_of(event),
                     forward ? "after" : "before", whose);
}

int wavefront_count(const BlockResult& block, size_t record) {
  const TraceAccess* access = shared_access_of(block, record);
  return access == nullptr ? 0 : metrics::count_wavefronts(metrics::shared_access(*access)).wavefronts;
}

std::optional<ShownAccess> shown_shared_access(const BlockResult& block, size_t record) {
  if (record >= block.trace.records.size()) return std::nullopt;
  if (const TraceAccess* own = shared_access_of(block, record)) return ShownAccess{record, own, true};
  if (block.banks.empty()) return std::nullopt;  // no need to search
  const int warp = block.trace.records[record].warp;
  const std::optional<size_t> before = previous_event(block, warp, record, Event::shared_access);
  if (!before) return std::nullopt;
  return ShownAccess{*before, shared_access_of(block, *before), false};
}

namespace {

// The record's access of the wanted kind, or else the last such access of its warp before it.
template <typename Wanted>
std::optional<ShownAccess> shown_access(const BlockResult& block, size_t record, Wanted wanted) {
  if (record >= block.trace.records.size()) return std::nullopt;
  const std::vector<uint32_t>& own = block.warp_records[block.trace.records[record].warp];
  auto after = std::upper_bound(own.begin(), own.end(), static_cast<uint32_t>(record));
  for (size_t tried = 0; after != own.begin() && tried < kSearchLimit; ++tried) {
    const size_t candidate = *--after;
    for (const TraceAccess& access : block.trace.accesses_of(block.trace.records[candidate]))
      if (wanted(access)) return ShownAccess{candidate, &access, candidate == record};
  }
  return std::nullopt;
}

}  // namespace

std::optional<ShownAccess> shown_global_access(const BlockResult& block, size_t record) {
  return shown_access(block, record,
                      [](const TraceAccess& access) { return access.space == machine::Space::global; });
}

std::optional<ShownAccess> shown_atomic_access(const BlockResult& block, size_t record) {
  return shown_access(block, record, [](const TraceAccess& access) {
    return access.direction == machine::Direction::atomic || access.direction == machine::Direction::reduce;
  });
}

}  // namespace gemmscope::scenes
