#include "scenes/access_anchor.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <optional>

#include "isa/disassemble.h"
#include "scenes/source_lines.h"
#include "scenes/text.h"

namespace gemmscope::scenes {
namespace {

using experiment::BlockResult;
using experiment::CompiledKernel;
using machine::TraceRecord;
using Places = std::vector<CompiledKernel::Place>;
using Group = std::vector<char>;  // by instruction: whether it belongs
using LineGroups = std::array<Group, kAnchorLevels>;

// Where the instruction was written and the calls around it, as places in the files of `after`. A file that
// `after` does not include has index −1.
Places places_in(const CompiledKernel& before, uint32_t instruction, const CompiledKernel& after) {
  Places places{before.places[instruction]};
  places.insert(places.end(), before.calls[instruction].begin(), before.calls[instruction].end());
  if (&before == &after) return places;
  for (CompiledKernel::Place& place : places) {
    if (place.file < 0) continue;
    const experiment::SourceFile& file = before.files[static_cast<size_t>(place.file)];
    const auto same = std::ranges::find(after.files, file.path, &experiment::SourceFile::path);
    place.file = same == after.files.end() ? -1 : static_cast<int>(same - after.files.begin());
    if (place.file >= 0) place.line = moved_line(file.lines, same->lines, place.line);
  }
  return places;
}

bool equal(const Places& a, const Places& b) {
  return std::ranges::equal(
      a, b, [](const auto& x, const auto& y) { return x.file == y.file && x.line == y.line; });
}

// The place in the kernel's own file: where the instruction was written, else the innermost call there.
int own_line_of(const Places& places) {
  const auto own = std::ranges::find(places, 0, &CompiledKernel::Place::file);
  return own == places.end() ? 0 : own->line;
}

template <typename Belongs>
Group group_where(const CompiledKernel& compiled, isa::Opcode kind, Belongs belongs) {
  Group group(compiled.instructions.size());
  for (uint32_t i = 0; i < group.size(); ++i)
    group[i] = same_kind(compiled.instructions[i].opcode, kind) && belongs(i);
  return group;
}

// The instructions of the same kind on the same line, the closest kinship first: of the same role with the
// same calls around it, of the same role on the line in the kernel's own file, and of any role on that line.
// A line may load A and B, so the kind alone would mix them.
LineGroups line_groups(const CompiledKernel& before, uint32_t instruction, AccessRole role,
                       const BlockResult& block) {
  const CompiledKernel& after = *block.compiled;
  const Places wanted = places_in(before, instruction, after);
  const int line = own_line_of(wanted);
  const isa::Opcode kind = before.instructions[instruction].opcode;
  const auto on_line = [&](uint32_t i) { return line != 0 && line == own_line(after, i); };
  const auto of_role = [&](uint32_t i) { return role_of(block, i) == role; };
  return {group_where(after, kind,
                      [&](uint32_t i) { return equal(wanted, places_in(after, i, after)) && of_role(i); }),
          group_where(after, kind, [&](uint32_t i) { return on_line(i) && of_role(i); }),
          group_where(after, kind, on_line)};
}

Group role_group(const BlockResult& block, AccessRole role) {
  Group group(block.compiled->instructions.size());
  for (uint32_t i = 0; i < group.size(); ++i) group[i] = role.known() && role_of(block, i) == role;
  return group;
}

// The warp's records of the group, in order. Without `executed` also those in which no lane was active.
std::vector<uint32_t> executions(const BlockResult& block, const Group& group, int warp, bool executed) {
  std::vector<uint32_t> found;
  for (const uint32_t record : block.warp_records[static_cast<size_t>(warp)]) {
    const TraceRecord& r = block.trace.records[record];
    if (group[r.instruction] && (r.executed != 0 || !executed)) found.push_back(record);
  }
  return found;
}

size_t count_before(const std::vector<uint32_t>& records, size_t record) {
  return static_cast<size_t>(std::ranges::lower_bound(records, static_cast<uint32_t>(record)) -
                             records.begin());
}

// The executions in the pass that is nearest to `pass`.
std::vector<uint32_t> in_pass(const BlockResult& block, const std::vector<uint32_t>& records, uint32_t pass) {
  const auto distance = [&](uint32_t record) {
    return std::abs(static_cast<int64_t>(block.trace.records[record].k_tile) - static_cast<int64_t>(pass));
  };
  if (records.empty()) return {};
  const int64_t least = distance(*std::ranges::min_element(records, {}, distance));
  std::vector<uint32_t> found;
  std::ranges::copy_if(records, std::back_inserter(found), [&](uint32_t r) { return distance(r) == least; });
  return found;
}

// The warp's own executions, or those of the nearest warp that has any.
std::vector<uint32_t> nearest_executions(const BlockResult& block, const Group& group, int warp,
                                         bool executed) {
  const auto warps = static_cast<int>(block.warp_records.size());
  warp = std::clamp(warp, 0, warps - 1);
  for (int away = 0; away < warps; ++away)
    for (const int candidate : {warp - away, warp + away}) {
      if (candidate < 0 || candidate >= warps) continue;
      if (std::vector<uint32_t> found = executions(block, group, candidate, executed); !found.empty())
        return found;
    }
  return {};
}

// Roles that stand for one another between kernels: what one loads and stores, another copies past registers.
std::vector<AccessRole> roles_like(AccessRole role) {
  switch (role.family) {
    case OpcodeFamily::global_load:
    case OpcodeFamily::shared_store:
      return {role, {OpcodeFamily::async_copy, role.matrix}};
    case OpcodeFamily::async_copy:
      return {role, {OpcodeFamily::shared_store, role.matrix}, {OpcodeFamily::global_load, role.matrix}};
    default:
      return {role};
  }
}

std::optional<size_t> record_of_line(const AccessAnchor& anchor, const BlockResult& block) {
  if (anchor.compiled->kernel.id != block.compiled->kernel.id) return std::nullopt;
  const LineGroups groups = line_groups(*anchor.compiled, anchor.instruction, anchor.role, block);
  for (size_t level = 0; level < groups.size(); ++level) {
    const auto found = nearest_executions(block, groups[level], anchor.warp, anchor.executed);
    if (!found.empty()) return found[std::min(anchor.earlier[level], found.size() - 1)];
  }
  return std::nullopt;
}

// A lab's buffers are no matrices: its load from shared memory stands for that of any tile.
Group family_group(const BlockResult& block, AccessRole role) {
  Group group(block.compiled->instructions.size());
  for (uint32_t i = 0; i < group.size(); ++i)
    group[i] = role.known() && role.matrix == metrics::kNoMatrix && role_of(block, i).family == role.family;
  return group;
}

std::optional<size_t> record_of_role(const AccessAnchor& anchor, const BlockResult& block) {
  std::vector<Group> groups;
  for (const AccessRole& role : roles_like(anchor.role)) groups.push_back(role_group(block, role));
  groups.push_back(family_group(block, anchor.role));
  for (const Group& group : groups) {
    const auto all = nearest_executions(block, group, anchor.warp, anchor.executed);
    const std::vector<uint32_t> found = in_pass(block, all, anchor.pass);
    if (!found.empty()) return found[std::min(anchor.earlier_in_pass, found.size() - 1)];
  }
  return std::nullopt;
}

// Follows the warp that was followed. A warp that the block does not have gives way to the first one.
int followed_in(const BlockResult& block, int followed) {
  return followed < static_cast<int>(block.trace.warp_count) ? followed : 0;
}

Anchored placed(const AccessAnchor& anchor, const BlockResult& block, size_t record, AnchorMatch match) {
  Anchored result{{record, kAllWavefronts}, followed_in(block, anchor.followed), match};
  if (result.followed != kAllWarps) result.followed = block.trace.records[record].warp;
  if (const auto shown = shown_shared_access(block, record))
    result.cursor.wavefront = std::min(anchor.wavefront, wavefront_count(block, shown->record) - 1);
  return result;
}

std::string name_of(const BlockResult& block, uint32_t instruction, AccessRole role) {
  if (std::string named = role_text(block, role); !named.empty()) return named;
  const std::string text = isa::mnemonic_text(block.compiled->instructions[instruction]);
  const std::string place = place_text(*block.compiled, instruction);
  return place.empty() ? text : fmt::format("{} at {}", text, place);
}

}  // namespace

int moved_line(const std::vector<std::string>& before, const std::vector<std::string>& after, int line) {
  const size_t shorter = std::min(before.size(), after.size());
  size_t same_start = 0, same_end = 0;
  while (same_start < shorter && before[same_start] == after[same_start]) ++same_start;
  if (line <= static_cast<int>(same_start)) return line;
  while (same_end < shorter - same_start &&
         before[before.size() - 1 - same_end] == after[after.size() - 1 - same_end])
    ++same_end;
  const auto shift = static_cast<int>(after.size()) - static_cast<int>(before.size());
  if (line > static_cast<int>(before.size() - same_end)) return line + shift;
  // Within the edited part the line itself is looked for first.
  const std::string& text = before[static_cast<size_t>(line) - 1];
  const auto first = after.begin() + static_cast<std::ptrdiff_t>(same_start);
  const auto last = after.end() - static_cast<std::ptrdiff_t>(same_end);
  if (const auto found = std::find(first, last, text); found != last)
    return static_cast<int>(found - after.begin()) + 1;
  return std::clamp(line, 1, std::max(1, static_cast<int>(after.size() - same_end)));
}

AccessAnchor anchor_of(const BlockResult& block, Cursor cursor, int followed) {
  const TraceRecord& r = block.trace.records[cursor.record];
  AccessAnchor anchor{.compiled = block.compiled,
                      .instruction = r.instruction,
                      .executed = r.executed != 0,
                      .warp = r.warp,
                      .followed = followed,
                      .wavefront = cursor.wavefront,
                      .earlier = {},
                      .role = role_of(block, r.instruction),
                      .pass = r.k_tile,
                      .earlier_in_pass = 0,
                      .fraction = 0,
                      .name = {}};
  const LineGroups groups = line_groups(*block.compiled, r.instruction, anchor.role, block);
  for (size_t level = 0; level < groups.size(); ++level)
    anchor.earlier[level] =
        count_before(executions(block, groups[level], r.warp, anchor.executed), cursor.record);
  const auto all = executions(block, role_group(block, anchor.role), r.warp, anchor.executed);
  anchor.earlier_in_pass = count_before(in_pass(block, all, r.k_tile), cursor.record);
  const size_t steps = step_count(block, followed);
  if (steps > 1)
    anchor.fraction =
        static_cast<double>(position_of(block, followed, cursor.record)) / static_cast<double>(steps - 1);
  anchor.name = name_of(block, r.instruction, anchor.role);
  return anchor;
}

Anchored find_anchor(const AccessAnchor& anchor, const BlockResult& block) {
  if (const auto record = record_of_line(anchor, block))
    return placed(anchor, block, *record, AnchorMatch::same_line);
  if (const auto record = record_of_role(anchor, block))
    return placed(anchor, block, *record, AnchorMatch::same_role);
  const int followed = followed_in(block, anchor.followed);
  const size_t steps = step_count(block, followed);
  const double last = steps == 0 ? 0 : static_cast<double>(steps - 1);
  const auto position = static_cast<size_t>(std::lround(anchor.fraction * last));
  return {{record_at(block, followed, position), kAllWavefronts}, followed, AnchorMatch::gone};
}

Anchored find_in_pass(const AccessAnchor& anchor, const BlockResult& block) {
  if (const auto record = record_of_role(anchor, block))
    return placed(anchor, block, *record, AnchorMatch::same_role);
  return find_anchor(anchor, block);
}

}  // namespace gemmscope::scenes
