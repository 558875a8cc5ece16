#include <algorithm>
#include <cmath>

#include "drawing/palette.h"
#include "scenes/pipeline_rows.h"

namespace gemmscope::scenes {
namespace {

using drawing::Rect;
using experiment::BlockStages;
using experiment::ModelResult;
using experiment::SlotBar;
using experiment::StageBar;
using experiment::TileStage;

constexpr double kIdleShare = 1.0 / 12;

const PipelineRow* row_of_stage(const PipelineScene& scene, TileStage stage, int lane) {
  const PipelineRow* last = nullptr;
  for (const PipelineRow& row : scene.rows)
    if (row.band == PipelineBand::stages && row.slot < 0 && !row.groups && row.stage == stage) {
      last = &row;
      if (row.lane == lane) return &row;
    }
  return last != nullptr && lane > last->lane ? nullptr : last;  // more lanes than rows
}

const PipelineRow* row_of_slot(const PipelineScene& scene, int slot) {
  for (const PipelineRow& row : scene.rows)
    if (row.band == PipelineBand::stages && row.slot == slot) return &row;
  return nullptr;
}

const PipelineRow* row_of_group(const PipelineScene& scene, int lane) {
  for (const PipelineRow& row : scene.rows)
    if (row.band == PipelineBand::stages && row.groups && row.lane == lane) return &row;
  return nullptr;
}

// A pinned timeline takes the lower third of each row, or all of a row of its own.
Rect part_of_row(const PipelineRow& whole, bool has_pinned, bool pinned, const SceneMetrics& metrics) {
  const Rect row = whole.rect.inset(0, std::round(metrics.scale));
  if (!has_pinned || whole.pinned) return row;
  const float border = row.top + row.height() * 0.64f;
  return pinned ? Rect{row.left, border + 1, row.right, row.bottom}
                : Rect{row.left, row.top, row.right, border};
}

bool is_wait(TileStage stage) { return stage == TileStage::barrier || stage == TileStage::object_wait; }

std::string label_of(const TileRect& tile, const SceneMetrics& metrics) {
  const float room = tile.place.width() - 8 * metrics.scale;
  if (tile.rect.height() < metrics.small_height * 0.8f || is_wait(tile.stage)) return "";
  const auto fits = [&](const std::string& text) {
    return static_cast<float>(text.size()) * metrics.digit_width <= room;
  };
  if (tile.stage == TileStage::epilogue) return fits("C") ? "C" : "";
  if (tile.group >= 0) {
    const std::string number = fmt::format("k {}", tile.tile + 1);
    const std::string name = tile.bulk ? number : fmt::format("group {}", tile.group);
    const std::string hidden = fmt::format("{}, {:.0f} % under math", name, 100 * tile.hidden);
    if (tile.stage == TileStage::global_load) return fits(hidden) ? hidden : fits(name) ? name : "";
    const std::string landed = (tile.bulk ? number : fmt::format("{} ({})", name, number)) + ", landed";
    return fits(landed) ? landed : fits("landed") ? "landed" : "";
  }
  const std::string name = fmt::format("k {}", tile.tile + 1);
  if (tile.hidden >= 0) {
    std::string hidden = fmt::format("{}, {:.0f} % under math", name, 100 * tile.hidden);
    if (fits(hidden)) return hidden;
  }
  return fits(name) ? name : "";
}

// Where the math pipes stand idle under a load: red in the lower part of its bar.
void add_idle(const ModelResult& model, uint32_t from, uint32_t to, Rect part, const PipelineScene& scene,
              PipelineBars& bars) {
  for (const auto& [begin, end] : idle_math(model, from, to)) {
    const Rect idle{std::max(part.left, scene.x_of(begin)), part.top + part.height() * 0.62f,
                    std::min(part.right, scene.x_of(end)), part.bottom};
    if (idle.width() > 0.5f) bars.exposed.push_back(idle);
  }
}

// The stall at the wait for a group; where no warp stalls, a tick where the last one passes.
void add_wait(const experiment::CopyGroup& group, Rect part, const PipelineScene& scene,
              const SceneMetrics& metrics, PipelineBars& bars) {
  if (!scene.visible.contains(group.waited)) return;
  const bool stalls = group.stall_end > group.stall_begin;
  const float x = std::clamp(scene.x_of(group.waited), part.left + metrics.scale, part.right - metrics.scale);
  const float left =
      stalls ? std::clamp(scene.x_of(group.stall_begin), part.left, x - metrics.scale) : x - metrics.scale;
  bars.waits.push_back({{left, part.top, x + metrics.scale, part.bottom},
                        drawing::color(stalls ? drawing::Role::conflict : drawing::Role::text_strong)});
}

// Adds the bars of a block that are visible after they are moved by `shift` cycles.
void add_block(const ModelResult& model, const BlockStages& stages, const PipelineInput& input,
               const PipelineScene& scene, const SceneMetrics& metrics, bool pinned, PipelineBars& bars) {
  const double shift = pinned ? input.pinned_shift : 0;
  const bool has_pinned = input.pinned != nullptr;
  const auto place = [&](const PipelineRow* row, uint32_t begin, uint32_t end, TileRect tile,
                         uint32_t covered_from = 0xffff'ffff) {
    if (row == nullptr || (row->pinned && !pinned)) return;
    if (end + shift <= scene.visible.from || begin + shift >= scene.visible.to) return;
    const Rect part = part_of_row(*row, has_pinned, pinned, metrics);
    const float left = std::max(part.left, scene.x_of(begin + shift));
    const float right = std::min(part.right, std::max(scene.x_of(end + shift), left + 1));
    tile.rect = {left, part.top, right, part.bottom};
    tile.begin = begin;
    tile.end = end;
    tile.pinned = pinned;
    tile.place = tile.rect;
    if (covered_from < end) tile.place.right = std::max(left, scene.x_of(covered_from + shift));
    tile.label = label_of(tile, metrics);
    bars.tiles.push_back(std::move(tile));
  };
  for (const StageBar& bar : stages.bars) {
    TileRect tile;
    tile.stage = bar.stage;
    tile.tile = bar.tile;
    if (bar.stage == TileStage::global_load && bar.end > bar.begin)
      tile.hidden = hidden_share(model, bar.begin, bar.end);
    place(row_of_stage(scene, bar.stage, bar.lane), bar.begin, bar.end, tile);
    if (bar.stage != TileStage::global_load || pinned) continue;
    const PipelineRow* row = row_of_stage(scene, bar.stage, bar.lane);
    if (row == nullptr || row->pinned) continue;
    const Rect part = part_of_row(*row, has_pinned, false, metrics);
    add_idle(model, bar.begin, bar.end, part, scene, bars);
  }
  for (const experiment::CopyGroup& group : stages.groups) {
    const PipelineRow* row = row_of_group(scene, group.lane);
    TileRect tile;
    tile.tile = group.tile;
    tile.group = group.group;
    tile.bulk = group.bulk;
    tile.stage = TileStage::global_load;
    tile.hidden = hidden_share(model, group.begin, group.end);
    place(row, group.begin, group.end, tile);
    tile.hidden = -1;
    tile.stage = TileStage::store_shared;
    const bool stalls = group.stall_end > group.stall_begin && !pinned;
    const uint32_t covered = stalls ? std::max(group.stall_begin, group.end) : group.waited;
    if (group.waited > group.end) place(row, group.end, group.waited, tile, covered);
    if (row == nullptr || pinned) continue;
    const Rect part = part_of_row(*row, has_pinned, false, metrics);
    add_idle(model, group.begin, group.end, part, scene, bars);
    add_wait(group, part, scene, metrics, bars);
  }
  for (const SlotBar& slot : stages.slots) {
    TileRect tile;
    tile.tile = slot.tile;
    tile.slot = true;
    tile.stage = TileStage::store_shared;
    place(row_of_slot(scene, slot.slot), slot.begin, slot.filled, tile);
    tile.stage = TileStage::load_shared;
    place(row_of_slot(scene, slot.slot), slot.filled, std::max(slot.end, slot.filled), tile);
  }
}

}  // namespace

sm::Pipe math_pipe(const ModelResult& model) {
  for (const sm::Pipe pipe : {sm::Pipe::tensor, sm::Pipe::fp64})
    if (model.index.pipe_used(pipe)) return pipe;
  return sm::Pipe::fma;
}

std::vector<std::pair<uint32_t, uint32_t>> idle_math(const ModelResult& model, uint32_t begin, uint32_t end) {
  std::vector<std::pair<uint32_t, uint32_t>> idle;
  const uint32_t bucket = model.index.bucket_cycles();
  const sm::Pipe pipe = math_pipe(model);
  for (uint32_t at = begin; at < end;) {
    const uint32_t until = std::min(end, (at / bucket + 1) * bucket);
    if (model.index.pipe_share(pipe, at / bucket, at / bucket + 1) < kIdleShare) {
      if (!idle.empty() && idle.back().second == at)
        idle.back().second = until;
      else
        idle.emplace_back(at, until);
    }
    at = until;
  }
  return idle;
}

double hidden_share(const ModelResult& model, uint32_t begin, uint32_t end) {
  if (end <= begin) return 0;
  double idle = 0;
  for (const auto& [from, to] : idle_math(model, begin, end)) idle += to - from;
  return 1 - idle / (end - begin);
}

void add_stage_bars(const PipelineInput& input, const PipelineScene& scene, const SceneMetrics& metrics,
                    PipelineBars& bars) {
  if (input.pinned != nullptr && !input.pinned->stages.empty())
    add_block(*input.pinned, input.pinned->stages[0], input, scene, metrics, true, bars);
  if (input.block < input.model->stages.size())
    add_block(*input.model, input.model->stages[input.block], input, scene, metrics, false, bars);
}

}  // namespace gemmscope::scenes
