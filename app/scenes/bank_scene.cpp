#include "scenes/bank_scene.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "metrics/copied_lanes.h"
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

class Layout {
 public:
  Layout(const metrics::SharedAccess& access, const experiment::SharedArrays& arrays, Cursor cursor,
         const Selection& selection, const SceneMetrics& metrics, BankScene& scene, bool by_shape = false)
      : by_shape_(by_shape),
        access_(access),
        arrays_(arrays),
        passes_(metrics::wavefronts(access)),
        cursor_(cursor),
        selection_(selection),
        metrics_(metrics),
        scene_(scene) {}

  void run(Rect area) {
    scene_.wavefront = std::clamp(cursor_.wavefront, 0, static_cast<int>(passes_.size()) - 1);
    place_tile(area);
    place_parts(area);
    place_lanes();
    place_bank_numbers();
    int group = -1, pass_of_group = 0;
    for (size_t p = 0; p < passes_.size(); ++p) {
      pass_of_group = passes_[p].group == group ? pass_of_group + 1 : 0;
      group = passes_[p].group;
      place_wavefront(p, pass_of_group > 0);
    }
    number_rows();
    place_wires();
  }

 private:
  // The tile stands beside the lanes and banks or above them, wherever its cells are larger. In a small panel
  // there is none.
  void place_tile(Rect& area) {
    if (by_shape_) return place_tile_by_shape(area);
    const float unit = metrics_.scale;
    const TileShape shape = tile_shape(arrays_, passes_);
    if (shape.rows == 0 || area.width() < 220 * unit || area.height() < 90 * unit) return;
    const auto rows = static_cast<float>(shape.rows), columns = static_cast<float>(shape.columns);
    // Beside a tile, a narrow panel has no room for the labels of lanes and banks.
    const bool narrow = area.width() < 400 * unit;
    const float title =
        narrow ? metrics_.small_height + 4 * unit : tile_title_height(area.height(), metrics_);
    const float pass_count = static_cast<float>(passes_.size());
    const float beside = 0.46f * area.width();
    // Above stands what the wavefronts do not need.
    const float most = (narrow ? 0.57f : 0.62f) * area.height();
    const float needed = std::min(most, 70 * unit + pass_count * 16 * unit);
    const float above = std::max(0.0f, area.height() - needed - title);
    const float cell_beside = std::min(beside / columns, (area.height() - title) / rows);
    const float cell_above = std::min(area.width() / columns, above / rows);
    const float gap = std::round(14 * unit);
    Rect place = area;
    const bool low = above < 3 * unit * rows;
    const bool too_low = low || area.height() < 180 * unit;
    if (narrow && too_low && area.width() < 300 * unit) return;
    if (narrow ? too_low : low || cell_beside >= cell_above) {
      // Its title may be wider than a narrow array.
      place.right = area.left + beside;
      const TileScene wide =
          layout_tile(arrays_, passes_, scene_.wavefront, selection_, place, title, metrics_);
      const float words = static_cast<float>(wide.title.size()) * metrics_.digit_width;
      const float grid = tile_width(shape, {beside, area.height() - title}, unit);
      place.right = std::round(area.left + std::max(grid, std::min(words, beside)));
      scene_.tile = layout_tile(arrays_, passes_, scene_.wavefront, selection_, place, title, metrics_);
      if (!scene_.tile.area.empty()) area.left = place.right + gap;
    } else {
      place.bottom = std::round(area.top + title + tile_height(shape, {area.width(), above}, unit));
      scene_.tile = layout_tile(arrays_, passes_, scene_.wavefront, selection_, place, title, metrics_);
      if (!scene_.tile.area.empty()) area.top = place.bottom + std::round(8 * unit);
    }
  }

  // By its shape alone: a wide tile above the rest, another beside it.
  void place_tile_by_shape(Rect& area) {
    const TileShape shape = tile_shape(arrays_, passes_);
    if (shape.rows == 0) return;
    const float title = tile_title_height(area.height(), metrics_);
    Rect place = area;
    if (shape.columns >= 2 * shape.rows) {
      const float room = 0.5f * area.height() - title;
      place.bottom = std::round(area.top + title + tile_height(shape, {area.width(), room}, metrics_.scale));
    } else {
      const float share = area.width() < 460 * metrics_.scale ? 0.45f : 0.54f;
      place.right = std::round(area.left + share * area.width());
    }
    scene_.tile = layout_tile(arrays_, passes_, scene_.wavefront, selection_, place, title, metrics_);
    if (scene_.tile.area.empty()) return;
    const float gap = std::round(14 * metrics_.scale);
    place.right < area.right ? area.left = place.right + gap : area.top = place.bottom + gap;
  }

  // From the top: the lanes, the wires, the banks' numbers and a row for each wavefront. In a sliver of a
  // panel all parts shrink alike, and none sticks out.
  void place_parts(Rect area) {
    const auto pass_count = static_cast<float>(passes_.size());
    const float unit = metrics_.scale;
    const float shrink = std::min(1.0f, area.height() / (54 * unit + 2 * pass_count));
    Rect rest = area;
    // As narrow as "32 +31" in a narrow picture, or as "banks".
    const float narrow = (scene_.count.excess() > 0 ? 7.0f : 6.4f) * metrics_.digit_width;
    const float least = by_shape_ ? 62 * unit : std::max(narrow, std::min(60 * unit, area.width() * 0.24f));
    labels_ = rest.cut_left(std::round(std::min(80 * unit, std::max(least, area.width() * 0.16f))));
    columns_ = {rest.left, rest.width() / metrics::kBanks};
    const float wires = std::clamp(rest.height() * 0.22f, 18 * unit * shrink, 96 * unit);
    lanes_top_ = rest.top;
    lanes_bottom_ = lanes_top_ + std::floor(20 * unit * shrink);
    numbers_top_ = lanes_bottom_ + wires;
    numbers_bottom_ = numbers_top_ + std::floor(std::max(16 * unit, metrics_.small_height) * shrink);
    const float share = std::max(0.0f, area.bottom - numbers_bottom_) / pass_count;
    row_height_ = share < 2 ? share : std::min(std::floor(share), std::round(40 * unit));
    scene_.lanes_label = {labels_.left, lanes_top_, labels_.right, lanes_bottom_};
    scene_.banks_label = {labels_.left, numbers_top_, labels_.right, numbers_bottom_};
    scene_.grid = {rest.left, numbers_bottom_, rest.right, row_top(passes_.size())};
  }

  float row_top(size_t pass) const { return numbers_bottom_ + row_height_ * static_cast<float>(pass); }
  bool is_current(size_t pass) const { return static_cast<int>(pass) == scene_.wavefront; }

  void place_lanes() {
    const uint32_t served = passes_[static_cast<size_t>(scene_.wavefront)].lanes;
    for (int lane = 0; lane < machine::kWarpLanes; ++lane)
      scene_.lanes.push_back(lane_chip(lane, columns_.at(lane, lanes_top_, lanes_bottom_), columns_.width,
                                       metrics_.scale, access_.mask, served, selection_));
    scene_.cell_labels = columns_.width >= 1.75f * metrics_.digit_width;
  }

  // Numbers that touch read as one; in cells of their own colour they may be tighter.
  void place_bank_numbers() {
    scene_.number_every = columns_.width >= 2 * metrics_.digit_width + metrics_.scale ? 1
                          : columns_.width >= 1.2f * metrics_.digit_width             ? 2
                          : columns_.width >= 0.6f * metrics_.digit_width             ? 4
                                                                                      : 8;
    for (int bank = 0; bank < metrics::kBanks; bank += scene_.number_every)
      scene_.bank_numbers.push_back({columns_.at(bank, numbers_top_, numbers_bottom_), std::to_string(bank),
                                     false, selection_.bank == bank});
    const float swatch = std::min(std::round(3 * metrics_.scale), numbers_bottom_ - numbers_top_);
    if (!scene_.tile.area.empty())
      for (int bank = 0; bank < metrics::kBanks; ++bank)
        scene_.swatches.push_back(columns_.at(bank, numbers_bottom_ - swatch, numbers_bottom_));
  }

  // `excess`: a pass that the same group of lanes would not need without conflicts.
  void place_wavefront(size_t p, bool excess) {
    WavefrontRow row;
    row.rect = {labels_.left, row_top(p), scene_.grid.right, row_top(p + 1)};
    row.excess = excess;
    row.current = cursor_.wavefront != kAllWavefronts && is_current(p);
    if (excess) row.mark = fmt::format("+{}", ++excess_rows_);
    scene_.rows.push_back(std::move(row));
    for (int bank = 0; bank < metrics::kBanks; ++bank) {
      const auto b = static_cast<size_t>(bank);
      BankCell cell;
      cell.rect = columns_.at(bank, row_top(p), row_top(p + 1));
      cell.bank = bank;
      cell.wavefront = static_cast<int>(p);
      cell.word = passes_[p].word[b];
      cell.lanes = passes_[p].served[b];
      cell.first_lane = cell.lanes == 0 ? 0 : std::countr_zero(cell.lanes);
      cell.broadcast = std::popcount(cell.lanes) > 1;
      cell.excess = excess;
      cell.shown = cursor_.wavefront == kAllWavefronts || static_cast<int>(p) <= scene_.wavefront;
      cell.highlighted = lane_highlighted(selection_, cell.lanes);
      cell.label = lanes_label(cell.lanes, columns_.width >= 3 * metrics_.digit_width);
      scene_.cells.push_back(std::move(cell));
    }
  }

  // Numbers each row or, where rows are lower than a line of text, as many as have room, the last one always.
  void number_rows() {
    const float line = metrics_.small_height;
    const auto rows = static_cast<int>(scene_.rows.size());
    const float room = labels_.width() / metrics_.digit_width;
    const bool wide = room >= (scene_.count.excess() > 0 ? 16.0f : 12.0f);
    const auto number = [&](int p, float top) {
      WavefrontRow& row = scene_.rows[static_cast<size_t>(p)];
      row.text = fmt::format("{}{}", wide ? "wavefront " : "", p + 1);
      row.number = {labels_.left, top, labels_.right, top + std::max(line, row.rect.height())};
    };
    constexpr float kTight = 2;  // a line of text may be cut so much above and below its digits
    if (rows == 0 || scene_.grid.height() < line - kTight) return;
    if (row_height_ >= line - kTight) {
      for (int p = 0; p < rows; ++p) {
        number(p, row_top(static_cast<size_t>(p)));
        scene_.rows[static_cast<size_t>(p)].number.bottom = row_top(static_cast<size_t>(p) + 1);
      }
      return;
    }
    const float last = scene_.grid.bottom - line;
    if (last < scene_.grid.top) return;
    const int every = std::max(1, static_cast<int>(std::ceil(line / std::max(row_height_, 0.01f))));
    float free = scene_.grid.top;
    for (int p = 0; p + 1 < rows; p += every) {
      const float top = std::max(free, row_top(static_cast<size_t>(p)) + (row_height_ - line) / 2);
      if (top + line > last) break;
      number(p, top);
      free = top + line;
    }
    number(rows - 1, last);
  }

  // From all lanes to their banks.
  void place_wires() {
    for (const bool current : {false, true})
      for (size_t p = 0; p < passes_.size(); ++p)
        if (is_current(p) == current)
          for (int bank = 0; bank < metrics::kBanks; ++bank)
            place_wires(passes_[p].served[static_cast<size_t>(bank)], bank, current);
  }
  void place_wires(uint32_t lanes, int bank, bool current) {
    for (; lanes != 0; lanes &= lanes - 1) {
      const int lane = std::countr_zero(lanes);
      const Rect from = scene_.lanes[static_cast<size_t>(lane)].rect,
                 to = columns_.at(bank, numbers_top_, numbers_bottom_);
      scene_.wires.push_back({{from.center().x, from.bottom},
                              {to.center().x, to.top},
                              lane,
                              bank,
                              current,
                              lane_highlighted(selection_, 1u << lane)});
    }
  }

  const bool by_shape_;
  const metrics::SharedAccess& access_;
  const experiment::SharedArrays& arrays_;
  const std::vector<metrics::Wavefront> passes_;
  const Cursor cursor_;
  const Selection& selection_;
  const SceneMetrics& metrics_;
  BankScene& scene_;
  Rect labels_;  // the column of labels left of all parts
  Columns columns_;
  float lanes_top_ = 0, lanes_bottom_ = 0, numbers_top_ = 0, numbers_bottom_ = 0, row_height_ = 0;
  int excess_rows_ = 0;  // placed so far
};

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
  const metrics::SharedAccess access = metrics::shared_access(*shown->access);
  scene.empty = false;
  scene.record = shown->record;
  scene.heading = heading_of(block, *shown, cursor.record);
  scene.count = metrics::count_wavefronts(access);
  scene.broadcast = broadcast_of(*shown->access);
  const machine::TraceRecord& record = block.trace.records[shown->record];
  const bool copies = block.compiled->instructions[record.instruction].opcode == isa::Opcode::ldgsts;
  scene.is_least = copies && metrics::sure_access(block.trace, record, *shown->access).mask == access.mask;
  scene.is_by_address = copies && !scene.is_least;
  Layout(access, block.shared_arrays, cursor, selection, metrics, scene).run(area);
  return scene;
}

BankScene layout_access(const metrics::SharedAccess& access, const experiment::SharedArrays& arrays,
                        int wavefront, const Selection& selection, Rect area, const SceneMetrics& metrics) {
  BankScene scene;
  scene.empty = false;
  scene.count = metrics::count_wavefronts(access);
  Layout(access, arrays, {0, wavefront}, selection, metrics, scene, true).run(area);
  return scene;
}

const BankCell* bank_cell_at(const BankScene& scene, drawing::Point point) {
  for (const BankCell& cell : scene.cells)
    if (cell.rect.contains(point)) return &cell;
  return nullptr;
}

std::string describe(const BankCell& cell) {
  if (cell.lanes == 0) return fmt::format("bank {}: idle in wavefront {}", cell.bank, cell.wavefront + 1);
  const bool one = std::has_single_bit(cell.lanes);
  return fmt::format("bank {}, word {:#x} of shared memory: {} {}{}", cell.bank, cell.word,
                     one ? "lane" : "lanes", lane_list(cell.lanes), one ? "" : " read it together");
}

}  // namespace gemmscope::scenes
