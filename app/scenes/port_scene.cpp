#include "scenes/port_scene.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "scenes/text.h"

namespace gemmscope::scenes {
namespace {

using drawing::Rect;
using metrics::InstructionPorts;
using metrics::kOperandSlots;
using metrics::kRegisterBanks;
using metrics::LoopPorts;
using metrics::PortRead;

constexpr int kMostCycles = 3;  // of a bank, that a row shows
constexpr int kMostRows = 15;
constexpr float kSlotCharacters = 10.5f, kCycleCharacters = 4.6f, kSumCharacters = 6.5f;
constexpr float kTextCharacters = 34;
// In characters of code: what "R104.reuse", "R104" and "3 +2" need where nothing else has room.
constexpr float kLeastSlot = 10.15f, kLeastCycle = 4.2f, kLeastSum = 4.6f, kLeastGap = 0.3f;
constexpr float kBeforeCursor = 0.55f;  // the share of the rows above the cursor's

std::string register_text(uint8_t reg) { return fmt::format("R{}", reg); }
bool bit(uint16_t set, int k) { return ((set >> k) & 1) != 0; }

// The columns from the right to the left; the text of the instructions takes what is left.
struct Columns {
  Rect text, sum;
  std::array<Rect, kOperandSlots> slots;
  std::array<Rect, kRegisterBanks> banks;
};
struct Widths {
  float slot = 0, bank = 0, sum = 0, gap = 0;
};
Widths widths_of(float row, const SceneMetrics& metrics) {
  const float cells = kSumCharacters + 4 + kRegisterBanks * (kMostCycles * kCycleCharacters + 1) +
                      kOperandSlots * (kSlotCharacters + 0.5f);
  if (row < cells * metrics.digit_width) {
    // In a narrow row the title alone names the instruction.
    const float least = kOperandSlots * (kLeastSlot + kLeastGap / 2) + kLeastGap + kLeastSum +
                        kRegisterBanks * (kMostCycles * kLeastCycle + kLeastGap);
    const float c = std::min(row / least, 1.1f * metrics.code_width);
    return {kLeastSlot * c, kMostCycles * kLeastCycle * c, kLeastSum * c, kLeastGap * c};
  }
  // The cells grow with the row once the instructions have the room of a long one.
  const float room = row - kTextCharacters * metrics.code_width;
  const float c = metrics.digit_width * std::clamp(room / (cells * metrics.digit_width), 1.0f, 1.8f);
  return {kSlotCharacters * c, kMostCycles * kCycleCharacters * c, kSumCharacters * c, c};
}

Columns columns_of(Rect row, const SceneMetrics& metrics) {
  Columns columns;
  const Widths widths = widths_of(row.width(), metrics);
  const float gap = std::round(widths.gap);
  columns.sum = row.cut_right(std::round(widths.sum));
  for (size_t bank = kRegisterBanks; bank-- > 0;) {
    row.cut_right(gap);
    columns.banks[bank] = row.cut_right(std::round(widths.bank));
  }
  row.cut_right(gap);
  for (size_t slot = kOperandSlots; slot-- > 0;) {
    row.cut_right(std::round(gap / 2));
    columns.slots[slot] = row.cut_right(std::round(widths.slot));
  }
  row.cut_right(gap);
  columns.text = row;
  return columns;
}

Rect part_of(Rect rect, int part, int parts) {
  const float width = rect.width() / static_cast<float>(parts);
  const float left = std::round(rect.left + width * static_cast<float>(part));
  return {left, rect.top, std::round(rect.left + width * static_cast<float>(part + 1)), rect.bottom};
}

void add_heads(PortScene& scene, Rect row, const SceneMetrics& metrics) {
  const Columns columns = columns_of(row, metrics);
  constexpr std::array<const char*, kOperandSlots> kSlots = {"slot A", "slot B", "slot C"};
  constexpr std::array<const char*, kRegisterBanks> kBanks = {"bank 0 reads", "bank 1 reads"};
  for (size_t slot = 0; slot < kOperandSlots; ++slot)
    scene.heads.push_back({columns.slots[slot], kSlots[slot]});
  for (size_t bank = 0; bank < kRegisterBanks; ++bank)
    scene.heads.push_back({columns.banks[bank], kBanks[bank]});
  scene.heads.push_back({columns.sum, "cycles"});
}

void add_cells(PortScene& scene, const Columns& columns, const InstructionPorts& ports) {
  std::array<int, kRegisterBanks> cycle{};
  for (int k = 0; k < ports.operands.count; ++k) {
    const PortRead& read = ports.operands.reads[static_cast<size_t>(k)];
    const int bank = metrics::bank_of(read.reg);
    const bool served = bit(ports.banks.hits | ports.banks.doubles, k);
    const bool first_of_slot = k == 0 || ports.operands.reads[static_cast<size_t>(k) - 1].slot != read.slot;
    const Rect slot = columns.slots[read.slot];
    if (first_of_slot)
      scene.cells.push_back({slot.inset(1), served ? PortCellKind::cached : PortCellKind::read, bank,
                             register_text(read.reg), read.reuse, false});
    if (served || !ports.one_cycle) continue;
    const int at = cycle[static_cast<size_t>(bank)]++;
    if (at >= kMostCycles) continue;
    scene.cells.push_back({part_of(columns.banks[static_cast<size_t>(bank)], at, kMostCycles).inset(1),
                           at == 0 ? PortCellKind::port : PortCellKind::extra, bank, register_text(read.reg),
                           false, false});
  }
}

bool finds(const InstructionPorts& ports, size_t slot, size_t bank) {
  for (int k = 0; k < ports.operands.count; ++k) {
    const PortRead& read = ports.operands.reads[static_cast<size_t>(k)];
    if (read.slot == slot && static_cast<size_t>(metrics::bank_of(read.reg)) == bank &&
        bit(ports.banks.hits, k))
      return true;
  }
  return false;
}

void add_cache(PortScene& scene, const Columns& columns, const InstructionPorts& ports) {
  for (size_t slot = 0; slot < kOperandSlots; ++slot)
    for (size_t bank = 0; bank < kRegisterBanks; ++bank) {
      const metrics::ReuseCache::Entry& entry = ports.before.entries[slot][bank];
      const bool kept = entry.warp != metrics::ReuseCache::kNobody;
      scene.cells.push_back({part_of(columns.slots[slot], static_cast<int>(bank), kRegisterBanks).inset(1),
                             kept ? PortCellKind::kept : PortCellKind::empty, static_cast<int>(bank),
                             kept ? register_text(entry.reg) : "\u2013", false, finds(ports, slot, bank)});
    }
}

void add_row(PortScene& scene, const experiment::CompiledKernel& compiled, uint32_t index, bool current,
             Rect rect, const SceneMetrics& metrics) {
  const InstructionPorts& ports = compiled.ports.instructions[index];
  const Columns columns = columns_of(rect, metrics);
  PortRow row;
  row.rect = rect;
  row.text_rect = columns.text;
  row.cycles_rect = columns.sum;
  row.instruction = index;
  row.current = current;
  row.text = instruction_text(compiled, index);
  row.waits = ports.lost_cycles > 0;
  if (ports.one_cycle)
    row.cycles = row.waits ? fmt::format("{} +{}", ports.port_cycles, ports.lost_cycles)
                           : std::to_string(ports.port_cycles);
  scene.rows.push_back(std::move(row));
  add_cells(scene, columns, ports);
}

void add_cache_row(PortScene& scene, const experiment::CompiledKernel& compiled, uint32_t index, Rect rect,
                   const SceneMetrics& metrics) {
  const Columns columns = columns_of(rect, metrics);
  PortRow row;
  row.rect = rect;
  row.text_rect = columns.text;
  row.instruction = index;
  row.cache = true;
  row.text = "reuse cache";
  scene.rows.push_back(std::move(row));
  add_cache(scene, columns, compiled.ports.instructions[index]);
}

void add_figures(PortScene& scene, const LoopPorts* loop) {
  if (loop == nullptr || loop->port_cycles_per_ffma() == 0) return;
  const double each = loop->port_cycles_per_ffma();
  scene.figures.push_back(
      {fmt::format("{:.2f}", each),
       loop->ffma != 0 ? "port cycles a FFMA in this loop" : "port cycles a math instruction in this loop",
       each > 1.05});
  if (loop->ffma == 0) return;
  scene.figures.push_back(
      {fmt::format("{}", loop->lost_cycles), "cycles lost a pass", loop->lost_cycles > 0});
  if (loop->operands != 0)
    scene.figures.push_back(
        {fmt::format("{:.0f} %", 100.0 * loop->hits / loop->operands), "reuse hits", false});
}

}  // namespace

drawing::Role bank_role(int bank) { return bank == 0 ? drawing::Role::read : drawing::Role::write; }

const LoopPorts* loop_around(const metrics::KernelPorts& ports, uint32_t instruction) {
  const LoopPorts* best = nullptr;
  for (const LoopPorts& loop : ports.loops)
    if (loop.first <= instruction && instruction <= loop.last &&
        (best == nullptr || loop.last - loop.first < best->last - best->first))
      best = &loop;
  return best;
}

std::string port_text(const InstructionPorts& ports) {
  if (ports.operands.count == 0) return "It reads no register.";
  if (!ports.at_issue) return "It reads its registers late, from the queue of its unit.";
  if (!ports.one_cycle) return "It reads registers of several words; what that costs was not measured.";
  std::string text = metrics::port_conflict_text(ports);
  if (text.empty())
    text = ports.banks.hits == 0 ? "No two of its registers come from one bank: one cycle."
                                 : "With what the reuse cache serves, no bank reads twice: one cycle.";
  if (ports.lost_cycles > 0)
    text += fmt::format(" It waits {} for a port that it or those before it have taken.",
                        ports.lost_cycles == 1 ? "a cycle" : fmt::format("{} cycles", ports.lost_cycles));
  else if (ports.port_cycles > 1)
    text += " Its neighbours leave the bank free within three cycles, so none is lost.";
  return text;
}

PortScene layout_ports(const experiment::CompiledKernel& compiled, uint32_t instruction, Rect area,
                       const SceneMetrics& metrics) {
  PortScene scene;
  const std::vector<InstructionPorts>& all = compiled.ports.instructions;
  if (instruction >= all.size()) return scene;
  scene.title = instruction_text(compiled, instruction);
  scene.sentence = port_text(all[instruction]);
  add_figures(scene, loop_around(compiled.ports, instruction));

  add_heads(scene, area.cut_top(metrics.small_height + std::round(3 * metrics.scale)), metrics);
  // In a low place, as of two experiments side by side, the rows are denser.
  const float loose = std::round(metrics.code_height * 1.3f);
  const float dense = std::round(metrics.code_height + metrics.scale);
  const float gap = std::round(4 * metrics.scale), two_lines = 2.4f * metrics.line_height;
  const float least = area.height() < 5 * loose + gap + two_lines ? dense : loose;
  // Two lines, but the instructions around the cursor come first; the tooltip has the whole sentence.
  const float left = area.height() - 5 * least - gap;
  if (left >= metrics.line_height) {
    scene.sentence_rect =
        area.cut_bottom(std::clamp(area.height() * 0.4f, metrics.line_height, std::min(left, two_lines)));
    area.cut_bottom(gap);
  }
  const int rows = std::clamp(static_cast<int>(area.height() / least), 0, kMostRows);
  if (rows == 0) scene.heads.clear();  // they would stand over nothing
  if (rows == 0) return scene;
  const float height = std::floor(std::min(area.height() / static_cast<float>(rows), 2 * least));
  const int instructions = std::max(1, rows - 1);  // one row is the cache's, if there are two
  const auto size = static_cast<int>(all.size());
  const int above = static_cast<int>(static_cast<float>(instructions - 1) * kBeforeCursor);
  const int first = std::clamp(static_cast<int>(instruction) - above, 0, std::max(0, size - instructions));
  for (int i = first; i < std::min(size, first + instructions); ++i) {
    const bool current = static_cast<uint32_t>(i) == instruction;
    if (current && rows > 1) add_cache_row(scene, compiled, instruction, area.cut_top(height), metrics);
    add_row(scene, compiled, static_cast<uint32_t>(i), current, area.cut_top(height), metrics);
  }
  return scene;
}

const PortRow* port_row_at(const PortScene& scene, drawing::Point point) {
  const auto found = std::ranges::find_if(
      scene.rows, [&](const PortRow& row) { return !row.cache && row.rect.contains(point); });
  return found == scene.rows.end() ? nullptr : &*found;
}

}  // namespace gemmscope::scenes
