#include "scenes/sector_scene.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>

#include "scenes/text.h"

namespace gemmscope::scenes {
namespace {

using drawing::Rect;

constexpr int kWords = metrics::kLineBytes / 4, kSectors = metrics::kLineBytes / metrics::kSectorBytes;
constexpr int kWordsOfSector = kWords / kSectors;

// The part of one line that the lanes touch.
struct Line {
  std::array<uint32_t, kWords> lanes{};
  std::array<bool, metrics::kLineBytes> used{};
  int used_of(int sector) const {
    const auto first = used.begin() + sector * metrics::kSectorBytes;
    return static_cast<int>(std::count(first, first + metrics::kSectorBytes, true));
  }
};
using Lines = std::map<uint64_t, Line>;  // by address / 128

Lines lines_of(const machine::TraceAccess& access) {
  Lines lines;
  for (size_t lane = 0; lane < machine::kWarpLanes; ++lane) {
    if ((access.mask >> lane & 1u) == 0) continue;
    for (uint64_t b = 0; b < access.width_bytes; ++b) {
      const uint64_t address = access.addresses[lane] + b;
      Line& line = lines[address / metrics::kLineBytes];
      line.lanes[address % metrics::kLineBytes / 4] |= 1u << lane;
      line.used[address % metrics::kLineBytes] = true;
    }
  }
  return lines;
}

// 32 words side by side with a gap between sectors.
struct Columns {
  float left = 0, width = 0, gap = 0;
  float x(int word) const {
    return std::round(left + width * static_cast<float>(word) +
                      gap * static_cast<float>(word / kWordsOfSector));
  }
  // A word's right end is where the next word of the sector begins.
  Rect word(int w, float top, float bottom) const {
    return {
        x(w), top,
        std::round(left + width * static_cast<float>(w + 1) + gap * static_cast<float>(w / kWordsOfSector)),
        bottom};
  }
  Rect sector(int s, float top, float bottom) const {
    return {x(s * kWordsOfSector), top, word((s + 1) * kWordsOfSector - 1, top, bottom).right, bottom};
  }
};

class Layout {
 public:
  Layout(const ShownAccess& shown, const Selection& selection, Rect area, const SceneMetrics& metrics,
         SectorScene& scene)
      : access_(*shown.access),
        selection_(selection),
        area_(area),
        metrics_(metrics),
        scene_(scene),
        lines_(lines_of(access_)) {}

  void run() {
    const auto rows = static_cast<float>(lines_.size());
    const float unit = metrics_.scale;
    const float shrink = std::min(1.0f, area_.height() / (60 * unit + 2 * rows));
    Rect rest = area_;
    const Rect labels = rest.cut_left(std::round(std::min(80 * unit, area_.width() * 0.16f)));
    columns_.gap = std::min(4 * unit, rest.width() * 0.01f);
    columns_.left = rest.left;
    columns_.width = (rest.width() - 3 * columns_.gap) / kWords;
    scene_.cell_labels = columns_.width >= 1.75f * metrics_.digit_width;
    place_lanes(labels, rest.cut_top(std::floor(20 * unit * shrink)));
    rest.cut_top(std::floor(6 * unit * shrink));
    const Rect header = rest.cut_top(std::floor(16 * unit * shrink));
    scene_.lines_label = {labels.left, header.top, labels.right, header.bottom};
    for (int s = 0; s < kSectors; ++s)
      scene_.offsets.push_back(
          {columns_.sector(s, header.top, header.bottom),
           fmt::format("{}\u2013{}", s * metrics::kSectorBytes, (s + 1) * metrics::kSectorBytes - 1)});
    const float share = std::max(0.0f, rest.height()) / rows;
    const float height = share < 2 ? share : std::min(std::floor(share), std::round(30 * unit));
    scene_.grid = {rest.left, rest.top, rest.right, rest.top + height * rows};
    int row = 0;
    for (const auto& [index, line] : lines_) {
      const float top = rest.top + height * static_cast<float>(row);
      const float bottom = rest.top + height * static_cast<float>(row + 1);
      place_line(row++, index, line, {labels.left, top, labels.right, bottom});
    }
    scene_.fetched_bytes = static_cast<int>(scene_.sectors.size()) * metrics::kSectorBytes;
  }

 private:
  void place_lanes(Rect labels, Rect strip) {
    scene_.lanes_label = {labels.left, strip.top, labels.right, strip.bottom};
    for (int lane = 0; lane < machine::kWarpLanes; ++lane) {
      scene_.lanes.push_back(lane_chip(lane, columns_.word(lane, strip.top, strip.bottom), columns_.width,
                                       metrics_.scale, access_.mask, access_.mask, selection_));
    }
  }

  void place_line(int row, uint64_t index, const Line& line, Rect label) {
    int used = 0, fetched = 0;
    for (int s = 0; s < kSectors; ++s) {
      const int bytes = line.used_of(s);
      used += bytes;
      if (bytes == 0) continue;
      ++fetched;
      scene_.sectors.push_back({columns_.sector(s, label.top, label.bottom), row, s, bytes});
    }
    scene_.used_bytes += used;
    const uint64_t offset = (index - lines_.begin()->first) * metrics::kLineBytes;
    scene_.rows.push_back({label, fmt::format("+{}", offset), used < fetched * metrics::kSectorBytes, false});
    for (int w = 0; w < kWords; ++w) {
      SectorWord word;
      word.rect = columns_.word(w, label.top, label.bottom);
      word.line = row;
      word.word = w;
      word.lanes = line.lanes[static_cast<size_t>(w)];
      word.first_lane = word.lanes == 0 ? 0 : std::countr_zero(word.lanes);
      word.fetched = line.used_of(w / kWordsOfSector) > 0;
      word.highlighted = lane_highlighted(selection_, word.lanes);
      word.label = lanes_label(word.lanes, columns_.width >= 3 * metrics_.digit_width);
      scene_.words.push_back(std::move(word));
    }
  }

  const machine::TraceAccess& access_;
  const Selection& selection_;
  const Rect area_;
  const SceneMetrics& metrics_;
  SectorScene& scene_;
  const Lines lines_;
  Columns columns_;
};

const char* direction_text(const machine::TraceAccess& access) {
  switch (access.direction) {
    case machine::Direction::load:
      return "load";
    case machine::Direction::store:
      return "store";
    default:
      return "atomic";
  }
}

}  // namespace

SectorScene layout_sectors(const experiment::BlockResult& block, Cursor cursor, const Selection& selection,
                           Rect area, const SceneMetrics& metrics) {
  SectorScene scene;
  const std::optional<ShownAccess> shown = shown_global_access(block, cursor.record);
  if (!shown) {
    scene.empty_text = "No access to global memory yet. Step forward to the first one.";
    return scene;
  }
  scene.empty = false;
  scene.record = shown->record;
  scene.heading = heading_of(block, *shown, cursor.record);
  scene.count = metrics::sectors_of(*shown->access);
  scene.broadcast = broadcast_of(*shown->access);
  scene.direction = direction_text(*shown->access);
  Layout(*shown, selection, area, metrics, scene).run();
  return scene;
}

const SectorWord* sector_word_at(const SectorScene& scene, drawing::Point point) {
  for (const SectorWord& word : scene.words)
    if (word.rect.contains(point)) return &word;
  return nullptr;
}

std::string describe(const SectorWord& word, const SectorScene& scene) {
  const std::string place = fmt::format("bytes {}\u2013{} of the line at {}", word.word * 4,
                                        word.word * 4 + 3, scene.rows[static_cast<size_t>(word.line)].text);
  if (!word.fetched) return place + ": not fetched";
  if (word.lanes == 0) return place + ": fetched with their sector but not used";
  return fmt::format("{}: {} {}", place, std::has_single_bit(word.lanes) ? "lane" : "lanes",
                     lane_list(word.lanes));
}

}  // namespace gemmscope::scenes
