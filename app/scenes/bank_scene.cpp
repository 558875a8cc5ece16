#include "scenes/bank_scene.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "scenes/text.h"

namespace gemmscope::scenes {
namespace {

using drawing::Rect;

struct Columns {
  float left = 0, width = 0;
  Rect at(int column, float top, float bottom) const {
    return {std::round(left + width * static_cast<float>(column)), top,
            std::round(left + width * static_cast<float>(column + 1)), bottom};
  }
};

std::string verdict_of(const metrics::SharedAccess& access, const metrics::BankCount& count) {
  if (count.excess() == 0) return "no bank conflict";
  return fmt::format("{}-way bank conflict", metrics::conflict_degree(access));
}

// Labels a cell with its lane's number or, for a broadcast, with the number of lanes if there is room for it.
void label_cell(BankCell& cell, bool wide) {
  const int lanes = std::popcount(cell.lanes);
  if (lanes == 1) cell.label = std::to_string(cell.first_lane);
  if (lanes > 1 && wide) cell.label = fmt::format("{}\u00d7", lanes);
}

bool lane_highlighted(const Selection& selection, uint32_t lanes) {
  return selection.lane && (lanes >> *selection.lane & 1u) != 0;
}

}  // namespace

BankScene layout_banks(const experiment::BlockResult& block, Cursor cursor, const Selection& selection,
                       Rect area, const SceneMetrics& metrics) {
  BankScene scene;
  const std::optional<ShownAccess> shown = shown_shared_access(block, cursor.record);
  if (!shown) {
    const bool never = block.banks.empty();
    scene.empty_text =
        never ? "No shared memory in this kernel: every operand comes straight from global memory."
              : "No shared-memory access yet. Step forward to the first one.";
    return scene;
  }
  const machine::TraceRecord& record = block.trace.records[shown->record];
  const metrics::SharedAccess access = metrics::shared_access(*shown->access);
  const std::vector<metrics::Wavefront> passes = metrics::wavefronts(access);
  scene.empty = false;
  scene.record = shown->record;
  scene.title = instruction_text(*block.compiled, record.instruction);
  scene.place = place_text(*block.compiled, record.instruction);
  if (!shown->current) {
    const size_t ago =
        position_of(block, record.warp, cursor.record) - position_of(block, record.warp, shown->record);
    scene.remark = fmt::format("warp {}'s last access, {} step{} ago", record.warp, ago, ago == 1 ? "" : "s");
  }
  scene.count = metrics::count_wavefronts(access);
  scene.verdict = verdict_of(access, scene.count);
  scene.wavefront = std::clamp(cursor.wavefront, 0, static_cast<int>(passes.size()) - 1);

  // In a very small panel all parts shrink by the same factor, so none is outside.
  const auto pass_count = static_cast<float>(passes.size());
  const float shrink = std::min(1.0f, area.height() / (54 * metrics.scale + 2 * pass_count));
  const float unit = metrics.scale, chip = std::floor(20 * unit * shrink),
              header = std::floor(16 * unit * shrink);
  Rect rest = area;
  const Rect label_column = rest.cut_left(std::round(std::min(80 * unit, area.width() * 0.16f)));
  const Columns columns{rest.left, rest.width() / metrics::kBanks};
  const float wires = std::clamp(rest.height() * 0.22f, 18 * unit * shrink, 96 * unit);
  const float lanes_top = rest.top, lanes_bottom = lanes_top + chip;
  const float numbers_top = lanes_bottom + wires, numbers_bottom = numbers_top + header;
  const float row_share = std::max(0.0f, area.bottom - numbers_bottom) / pass_count;
  const float row_height = row_share < 2 ? row_share : std::min(std::floor(row_share), std::round(40 * unit));
  scene.lanes_label = {label_column.left, lanes_top, label_column.right, lanes_bottom};
  scene.banks_label = {label_column.left, numbers_top, label_column.right, numbers_bottom};

  const metrics::Wavefront& now = passes[static_cast<size_t>(scene.wavefront)];
  for (int lane = 0; lane < metrics::kLanes; ++lane) {
    LaneChip c;
    c.rect = columns.at(lane, lanes_top, lanes_bottom)
                 .inset(columns.width > 4 * unit ? std::max(1.0f, unit) : 0, 0);
    c.lane = lane;
    c.active = (access.mask >> lane & 1u) != 0;
    c.served = (now.lanes >> lane & 1u) != 0;
    c.highlighted = lane_highlighted(selection, 1u << lane);
    scene.lanes.push_back(c);
  }
  // Bank numbers need a gap, or they read as one number. Labels in coloured cells may be closer.
  scene.number_every = columns.width >= 2 * metrics.digit_width + unit ? 1
                       : columns.width >= 1.2f * metrics.digit_width   ? 2
                                                                       : 4;
  scene.cell_labels = columns.width >= 1.75f * metrics.digit_width;
  for (int bank = 0; bank < metrics::kBanks; ++bank)
    if (bank % scene.number_every == 0)
      scene.bank_numbers.push_back({columns.at(bank, numbers_top, numbers_bottom), std::to_string(bank),
                                    false, selection.bank == bank});

  int group = -1, pass_of_group = 0;
  for (size_t p = 0; p < passes.size(); ++p) {
    const metrics::Wavefront& pass = passes[p];
    pass_of_group = pass.group == group ? pass_of_group + 1 : 0;
    group = pass.group;
    const float top = numbers_bottom + row_height * static_cast<float>(p),
                bottom = numbers_bottom + row_height * static_cast<float>(p + 1);
    const bool excess = pass_of_group > 0;
    scene.rows.push_back({{label_column.left, top, label_column.right, bottom},
                          fmt::format("wavefront {}", p + 1),
                          excess,
                          cursor.wavefront != kAllWavefronts && static_cast<int>(p) == scene.wavefront});
    for (int bank = 0; bank < metrics::kBanks; ++bank) {
      const auto b = static_cast<size_t>(bank);
      BankCell cell;
      cell.rect = columns.at(bank, top, bottom);
      cell.bank = bank;
      cell.wavefront = static_cast<int>(p);
      cell.word = pass.word[b];
      cell.lanes = pass.served[b];
      cell.first_lane = cell.lanes == 0 ? 0 : std::countr_zero(cell.lanes);
      cell.broadcast = std::popcount(cell.lanes) > 1;
      cell.excess = excess;
      cell.shown = cursor.wavefront == kAllWavefronts || static_cast<int>(p) <= scene.wavefront;
      cell.highlighted = lane_highlighted(selection, cell.lanes);
      label_cell(cell, columns.width >= 3 * metrics.digit_width);
      if (static_cast<int>(p) == scene.wavefront)
        for (uint32_t lanes = cell.lanes; lanes != 0; lanes &= lanes - 1) {
          const int lane = std::countr_zero(lanes);
          const Rect from = scene.lanes[static_cast<size_t>(lane)].rect,
                     to = columns.at(bank, numbers_top, numbers_bottom);
          scene.wires.push_back({{from.center().x, from.bottom},
                                 {to.center().x, to.top},
                                 lane,
                                 bank,
                                 lane_highlighted(selection, 1u << lane)});
        }
      scene.cells.push_back(std::move(cell));
    }
  }
  scene.grid = {rest.left, numbers_bottom, rest.right,
                numbers_bottom + row_height * static_cast<float>(passes.size())};
  return scene;
}

const BankCell* bank_cell_at(const BankScene& scene, drawing::Point point) {
  for (const BankCell& cell : scene.cells)
    if (cell.rect.contains(point)) return &cell;
  return nullptr;
}
const LaneChip* lane_chip_at(const BankScene& scene, drawing::Point point) {
  for (const LaneChip& chip : scene.lanes)
    if (chip.rect.contains(point)) return &chip;
  return nullptr;
}

std::string describe(const BankCell& cell) {
  if (cell.lanes == 0) return fmt::format("bank {}: idle in wavefront {}", cell.bank, cell.wavefront + 1);
  const bool one = std::has_single_bit(cell.lanes);
  return fmt::format("bank {}, word {:#x} of shared memory: {} {}{}", cell.bank, cell.word,
                     one ? "lane" : "lanes", lane_list(cell.lanes), one ? "" : " read it together");
}

}  // namespace gemmscope::scenes
