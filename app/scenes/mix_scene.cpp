#include "scenes/mix_scene.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "scenes/text.h"

namespace gemmscope::scenes {
namespace {

using drawing::Rect;
using metrics::InstructionKind;

constexpr float kTallestRow = 96;   // of a bar, its name and the gap below it, at scale 1
constexpr float kLeastRow = 1.8f;   // of the same, in lines
constexpr float kKeyLetter = 0.9f;  // of a key's name, in digits

void count(CountedMix& counted, const isa::Instruction& instruction) {
  ++counted.mix[static_cast<size_t>(metrics::instruction_kind(instruction.opcode))];
  if (instruction.opcode == isa::Opcode::ffma) ++counted.ffma;
}

template <typename Keep>
CountedMix count_records(const experiment::BlockResult& block, int warp, Keep keep) {
  CountedMix counted;
  for (const uint32_t index : block.warp_records[static_cast<size_t>(warp)]) {
    const machine::TraceRecord& record = block.trace.records[index];
    if (keep(record)) count(counted, block.compiled->instructions[record.instruction]);
  }
  return counted;
}

std::string text_of(const CountedMix& counted) {
  const uint64_t all = metrics::total(counted.mix);
  if (counted.ffma == 0) return fmt::format("{} instructions", grouped(all));
  return fmt::format("{} instructions, {:.1f} for each FFMA", grouped(all),
                     static_cast<double>(all) / static_cast<double>(counted.ffma));
}

void add_parts(MixBar& bar, const CountedMix& counted, Rect row, const SceneMetrics& metrics) {
  const auto all = static_cast<double>(metrics::total(counted.mix));
  double before = 0;
  for (int i = 0; i < metrics::kInstructionKinds; ++i) {
    const uint64_t here = counted.mix[static_cast<size_t>(i)];
    if (here == 0) continue;
    const auto x = [&](double value) { return row.left + row.width() * static_cast<float>(value / all); };
    MixPart part{{x(before), row.top, x(before + static_cast<double>(here)), row.bottom},
                 static_cast<InstructionKind>(i),
                 here,
                 {}};
    before += static_cast<double>(here);
    part.text = fmt::format("{:.0f} %", 100 * static_cast<double>(here) / all);
    if (part.rect.width() < metrics.digit_width * (static_cast<float>(part.text.size()) + 1) ||
        row.height() < metrics.small_height)
      part.text.clear();
    bar.parts.push_back(std::move(part));
  }
}

// The colours' meanings on lines that are cut from the bottom: on a second one, where the first has no room.
// What does not fit them is left out; the tooltips have the names, too.
void add_keys(MixScene& scene, const CountedMix& all, Rect& area, const SceneMetrics& metrics) {
  const float height = std::min(metrics.line_height, area.height() * 0.15f), side = height * 0.7f;
  const auto width_of = [&](int kind) {
    const std::string_view name = metrics::kInstructionKindNames[static_cast<size_t>(kind)].name;
    return side * 1.5f + kKeyLetter * metrics.digit_width * static_cast<float>(name.size());
  };
  const float gap = metrics.digit_width;
  float all_widths = -gap;
  for (int i = 0; i < metrics::kInstructionKinds; ++i)
    if (all.mix[static_cast<size_t>(i)] != 0) all_widths += width_of(i) + gap;
  Rect lines = area.cut_bottom(all_widths > area.width() ? 2 * height : height);
  Rect line = lines.cut_top(height);
  float left = line.left;
  for (int i = 0; i < metrics::kInstructionKinds; ++i) {
    if (all.mix[static_cast<size_t>(i)] == 0) continue;
    const float width = width_of(i);
    if (left + width > line.right) {
      if (lines.height() < 0.99f * height || line.left + width > line.right) return;
      line = lines.cut_top(height);
      left = line.left;
    }
    const float top = line.top + (line.height() - side) / 2;
    scene.keys.push_back({{left, top, left + side, top + side},
                          {left + side * 1.5f, line.top, left + width, line.bottom},
                          static_cast<InstructionKind>(i)});
    left += width + gap;
  }
}

}  // namespace

CountedMix mix_of_loop(const experiment::BlockResult& block, int warp, size_t record) {
  const std::vector<uint32_t>& records = block.warp_records[static_cast<size_t>(warp)];
  if (records.empty()) return {};
  const int last = block.trace.records[records.back()].k_tile, here = block.trace.records[record].k_tile;
  if (last < 2) return {};
  const int pass = here > 0 && here < last ? here : std::max(1, last / 2);
  return count_records(block, warp, [&](const machine::TraceRecord& r) { return r.k_tile == pass; });
}
CountedMix mix_of_warp(const experiment::BlockResult& block, int warp) {
  return count_records(block, warp, [](const machine::TraceRecord&) { return true; });
}
CountedMix mix_of(const metrics::CounterSummary& summary) {
  const auto ffma = summary.by_opcode.find("FFMA");
  return {summary.mix, ffma == summary.by_opcode.end() ? 0 : ffma->second};
}

drawing::Role kind_role(InstructionKind kind) {
  using drawing::Role;
  switch (kind) {
    case InstructionKind::floating_point:
      return Role::math;
    case InstructionKind::integer:
      return Role::control_flow;
    case InstructionKind::load_store:
      return Role::memory;
    case InstructionKind::control:
      return Role::write;
    case InstructionKind::barrier:
      return Role::wait;
    case InstructionKind::other:
      return Role::idle;
  }
  return Role::idle;
}

MixScene layout_mix(const experiment::BlockResult& block, const metrics::CounterSummary* grid, Cursor cursor,
                    Rect area, const SceneMetrics& metrics) {
  MixScene scene;
  if (cursor.record >= block.trace.records.size()) return scene;
  const int warp = block.trace.records[cursor.record].warp;
  const CountedMix loop = mix_of_loop(block, warp, cursor.record);
  const CountedMix all =
      mix_of(grid != nullptr ? *grid : metrics::summarize(block.counters, block.compiled->instructions));
  struct Named {
    std::string name;
    CountedMix counted;
  };
  std::vector<Named> rows;
  if (metrics::total(loop.mix) > 0) rows.push_back({"one pass of the loop", loop});
  rows.push_back({fmt::format("warp {}", warp), mix_of_warp(block, warp)});
  rows.push_back({grid != nullptr ? "whole grid" : "this block", all});

  // A tall picture has taller bars, and the keys stay near them.
  const auto count = static_cast<float>(rows.size());
  area.bottom =
      std::min(area.bottom, area.top + count * kTallestRow * metrics.scale + 2 * metrics.line_height);
  add_keys(scene, all, area, metrics);
  // Where names and bars would be on each other, the warp's row is left out: a loop's pass says nearly the
  // same.
  if (rows.size() == 3 && area.height() / count < kLeastRow * metrics.small_height)
    rows.erase(rows.begin() + 1);
  const float row = area.height() / static_cast<float>(rows.size());
  for (const Named& named : rows) {
    Rect part = area.cut_top(row);
    MixBar bar;
    Rect head = part.cut_top(std::min(1.25f * metrics.small_height, part.height() * 0.45f));
    bar.name_rect = head.cut_left(std::round(head.width() * 0.4f));
    bar.text_rect = head;
    bar.name = named.name;
    bar.text = text_of(named.counted);
    part.bottom -= part.height() * 0.2f;
    add_parts(bar, named.counted, part, metrics);
    scene.bars.push_back(std::move(bar));
  }
  return scene;
}

}  // namespace gemmscope::scenes
