#include "scenes/pipeline_scene.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "scenes/cursor.h"
#include "scenes/pipeline_rows.h"
#include "scenes/text.h"

namespace gemmscope::scenes {
namespace {

using drawing::Point;
using drawing::Rect;
using experiment::BlockStages;
using experiment::ModelResult;
using experiment::TileStage;

constexpr float kSingleStepPixels = 1.0f;
constexpr int kMostSlotRows = 6, kMostLanes = 4;

struct RowPlan {
  PipelineRow row;
  float weight = 1;
};

const BlockStages* stages_of(const PipelineInput& input) {
  return input.block < input.model->stages.size() ? &input.model->stages[input.block] : nullptr;
}

constexpr float kPinnedHeight = 0.45f;  // of a row that only the pinned timeline has

// Rows for the lanes of a stage; those from `pinned_from` on are of the pinned timeline alone.
void plan_stage(std::vector<RowPlan>& plan, TileStage stage, int lanes, int pinned_from, float weight) {
  for (int lane = 0; lane < std::min(lanes, kMostLanes); ++lane) {
    RowPlan row;
    row.row.pinned = lane >= pinned_from;
    row.row.stage = stage;
    row.row.lane = lane;
    if (lane == 0) row.row.text = experiment::kTileStageNames[static_cast<size_t>(stage)];
    row.weight = row.row.pinned ? weight * kPinnedHeight : weight;
    plan.push_back(std::move(row));
  }
}

// The rows of groups of copies show every global load, so that rows of their own would repeat them.
bool groups_show_loads(const BlockStages& stages) {
  return !stages.groups.empty() && std::ranges::all_of(stages.bars, [&](const experiment::StageBar& bar) {
    return bar.stage != TileStage::global_load ||
           std::ranges::any_of(stages.groups, [&](const experiment::CopyGroup& group) {
             return group.tile == bar.tile && group.begin <= bar.begin && group.end >= bar.end;
           });
  });
}

// Math first and the global loads right below it, so that the load of the next tile is seen under the math on
// this one.
std::vector<RowPlan> plan_stages(const PipelineInput& input) {
  std::vector<RowPlan> plan;
  const BlockStages* stages = stages_of(input);
  if (stages == nullptr) return plan;
  const BlockStages* pinned =
      input.pinned == nullptr || input.pinned->stages.empty() ? nullptr : &input.pinned->stages[0];
  const auto add = [&](TileStage stage, float weight, bool own = true, bool pinned_too = true) {
    const auto at = static_cast<size_t>(stage);
    const int own_lanes = own ? stages->lanes[at] : 0;
    const int count = std::max(own_lanes, pinned == nullptr || !pinned_too ? 0 : pinned->lanes[at]);
    plan_stage(plan, stage, count, own_lanes, count > 1 ? weight * 0.8f : weight);
  };
  add(TileStage::math, 1.9f);
  // Copies of the pinned timeline are among the groups only where there are rows for groups.
  add(TileStage::global_load, 1.9f, !groups_show_loads(*stages),
      pinned != nullptr && !(stages->group_lanes > 0 && groups_show_loads(*pinned)));
  const int group_lanes = stages->group_lanes == 0 || pinned == nullptr
                              ? stages->group_lanes
                              : std::max(stages->group_lanes, pinned->group_lanes);
  for (int lane = 0; lane < std::min(group_lanes, kMostSlotRows); ++lane) {
    RowPlan row;
    row.row.groups = true;
    row.row.lane = lane;
    row.row.pinned = lane >= stages->group_lanes;
    if (lane == 0) row.row.text = input.model->code.async_copies ? "cp.async groups" : "TMA copies";
    row.weight = row.row.pinned ? 1.1f * kPinnedHeight : 1.1f;
    plan.push_back(std::move(row));
  }
  add(TileStage::store_shared, 0.8f);
  add(TileStage::barrier, 0.7f);
  add(TileStage::object_wait, 0.7f);
  add(TileStage::load_shared, 0.8f);
  const int slots = std::max(input.model->code.slots, pinned == nullptr ? 0 : input.pinned->code.slots);
  for (int slot = 0; slot < std::min(slots, kMostSlotRows); ++slot) {
    RowPlan row;
    row.row.slot = slot;
    row.row.text = fmt::format("buffer {}", slot);
    row.row.pinned = slot >= input.model->code.slots;
    row.weight = row.row.pinned ? 0.85f * kPinnedHeight : 0.85f;
    plan.push_back(std::move(row));
  }
  add(TileStage::epilogue, 0.7f);
  return plan;
}

std::vector<uint32_t> warps_by_sub_core(const sm::Timeline& timeline) {
  std::vector<uint32_t> order(timeline.warps.size());
  for (uint32_t w = 0; w < order.size(); ++w) order[w] = w;
  std::ranges::stable_sort(order, {}, [&](uint32_t w) {
    const sm::WarpTimeline& warp = timeline.warps[w];
    return std::tuple(warp.sub_core, warp.block, warp.warp);
  });
  return order;
}

RowPlan pinned_warps(int sub_core) {
  RowPlan row;
  row.row.band = PipelineBand::warps;
  row.row.sub_core = sub_core;
  row.row.pinned = true;
  row.row.text = "A";
  return row;
}

// The warps of the pinned timeline lie as one row under those of the same sub-core.
std::vector<RowPlan> plan_warps(const PipelineInput& input) {
  std::vector<RowPlan> plan;
  const sm::Timeline& timeline = input.model->timeline;
  const auto end_sub_core = [&] {
    if (input.pinned != nullptr && !plan.empty()) plan.push_back(pinned_warps(plan.back().row.sub_core));
  };
  for (const uint32_t w : warps_by_sub_core(timeline)) {
    const sm::WarpTimeline& warp = timeline.warps[w];
    if (!plan.empty() && plan.back().row.sub_core != warp.sub_core) end_sub_core();
    RowPlan row;
    row.row.band = PipelineBand::warps;
    row.row.warp = w;
    row.row.sub_core = warp.sub_core;
    row.row.text = timeline.blocks.size() > 1 ? fmt::format("b{} w{}", warp.block, warp.warp)
                                              : fmt::format("warp {}", warp.warp);
    row.row.followed = warp.block == input.block && warp.warp == input.followed_warp;
    plan.push_back(std::move(row));
  }
  end_sub_core();
  return plan;
}

// Among rows too low for a label the followed warp's is higher, so that its steps can be told apart.
void raise_followed(std::vector<RowPlan>& plan, float height, const SceneMetrics& metrics) {
  if (plan.empty()) return;
  const float row = height / static_cast<float>(plan.size()), wanted = 1.25f * metrics.small_height;
  for (RowPlan& warp : plan)
    if (warp.row.followed && row < wanted) warp.weight = std::min(4.0f, wanted / std::max(1.0f, row));
}

std::vector<RowPlan> plan_pipes(const PipelineInput& input) {
  std::vector<RowPlan> plan;
  for (int p = 0; p < sm::kPipes; ++p) {
    const auto pipe = static_cast<sm::Pipe>(p);
    if (!input.model->index.pipe_used(pipe)) continue;
    RowPlan row;
    row.row.band = PipelineBand::pipes;
    row.row.pipe = pipe;
    row.row.text = sm::kPipeNames[static_cast<size_t>(p)];
    plan.push_back(std::move(row));
  }
  return plan;
}

float weight_of(const std::vector<RowPlan>& plan) {
  float sum = 0;
  for (const RowPlan& row : plan) sum += row.weight;
  return sum;
}

// Places the rows of one band from the top of `area` down, with a gap between sub-cores.
void place_band(PipelineScene& scene, std::vector<RowPlan> plan, Rect area, float gutter, float most_height,
                const SceneMetrics& metrics) {
  if (plan.empty() || area.height() < 4) return;
  int gaps = 0;
  for (size_t i = 1; i < plan.size(); ++i)
    gaps += plan[i].row.band == PipelineBand::warps && plan[i].row.sub_core != plan[i - 1].row.sub_core;
  const float gap = std::round(3 * metrics.scale);
  const float room = area.height() - gap * static_cast<float>(gaps);
  const float unit = std::min(most_height, room / weight_of(plan));
  float y = area.top;
  for (size_t i = 0; i < plan.size(); ++i) {
    PipelineRow& row = plan[i].row;
    if (i > 0 && row.band == PipelineBand::warps && row.sub_core != plan[i - 1].row.sub_core) y += gap;
    const float bottom = y + unit * plan[i].weight;
    row.rect = {area.left + gutter, std::round(y), area.right, std::round(bottom)};
    row.label = {area.left, row.rect.top, area.left + gutter - 6 * metrics.scale, row.rect.bottom};
    scene.rows.push_back(std::move(row));
    y = bottom;
  }
}

double nice_step(double least) {
  const double power = std::pow(10.0, std::floor(std::log10(std::max(least, 1e-9))));
  for (const double factor : {1.0, 2.0, 5.0, 10.0})
    if (factor * power >= least) return std::max(1.0, factor * power);
  return 10 * power;
}

void add_ticks(PipelineScene& scene, const SceneMetrics& metrics) {
  const double per_pixel = scene.visible.length() / std::max(1.0f, scene.plot.width());
  const double step = nice_step(per_pixel * 90 * metrics.scale);
  for (double at = std::ceil(scene.visible.from / step) * step; at < scene.visible.to; at += step)
    scene.ticks.push_back({scene.x_of(at), grouped(static_cast<uint64_t>(at))});
}

void add_title(PipelineScene& scene, Rect& area, std::string text, const SceneMetrics& metrics) {
  const Rect title = area.cut_top(metrics.small_height + 5 * metrics.scale);
  scene.titles.push_back(title);
  scene.title_texts.push_back(std::move(text));
}

struct Heights {
  float stages = 0, warps = 0, pipes = 0;
};

// The three bands share the height. Where there is little, the pipes go first, then the warps.
Heights share_height(float height, float stage_weight, size_t warps, size_t pipes,
                     const SceneMetrics& metrics) {
  const float title = metrics.small_height + 5 * metrics.scale;
  Heights h;
  const float wanted_stages = title + stage_weight * 26 * metrics.scale;
  const float wanted_pipes = title + static_cast<float>(pipes) * 24 * metrics.scale;
  const float wanted_warps = title + static_cast<float>(warps) * 15 * metrics.scale + 9 * metrics.scale;
  if (height < 150 * metrics.scale) return {height, 0, 0};
  const bool all = height > 300 * metrics.scale;
  h.stages = std::min(wanted_stages, height * (all ? 0.46f : 0.6f));
  h.pipes = all ? std::min(wanted_pipes, height * 0.22f) : 0;
  h.warps = std::min(wanted_warps, height - h.stages - h.pipes);
  // What is left makes the stages taller: they are what is seen from afar.
  h.stages += std::max(0.0f, height - h.stages - h.warps - h.pipes) * 0.75f;
  return h;
}

}  // namespace

float PipelineScene::pixels_per_cycle() const {
  return visible.empty() ? 0 : plot.width() / static_cast<float>(visible.length());
}
float PipelineScene::x_of(double cycle) const {
  if (visible.empty()) return plot.left;
  return plot.left + static_cast<float>((cycle - visible.from) / visible.length() * plot.width());
}
double PipelineScene::cycle_at(float x) const {
  if (plot.width() <= 0) return visible.from;
  return visible.from + static_cast<double>((x - plot.left) / plot.width()) * visible.length();
}
const PipelineRow* PipelineScene::row_at(Point point) const {
  for (const PipelineRow& row : rows)
    if (row.rect.contains(point) || row.label.contains(point)) return &row;
  return nullptr;
}

PipelineScene layout_pipeline(const PipelineInput& input, Rect area, const SceneMetrics& metrics) {
  PipelineScene scene;
  const float gap = std::round(6 * metrics.scale);
  if (area.width() < 160 * metrics.scale || area.height() < 70 * metrics.scale) {
    scene.empty_text = "The pipeline needs more room.";
    return scene;
  }
  scene.empty = false;
  scene.visible = input.visible.empty() ? whole_range(*input.model) : input.visible;
  scene.headline = area.cut_top(metrics.line_height + 4 * metrics.scale);
  if (area.width() > 760 * metrics.scale && area.height() > 220 * metrics.scale) {
    scene.side = area.cut_right(std::clamp(area.width() * 0.2f, 210 * metrics.scale, 330 * metrics.scale));
    area.cut_right(2 * gap);
  }
  const float gutter = std::round(metrics.digit_width * 14 + 6 * metrics.scale);
  if (area.height() > 200 * metrics.scale) {
    scene.overview = area.cut_top(std::round(20 * metrics.scale));
    scene.overview.left += gutter;
    area.cut_top(gap / 2);
  }
  scene.axis = area.cut_top(metrics.small_height + 4 * metrics.scale);
  scene.axis.left += gutter;
  scene.plot = area;
  scene.plot.left += gutter;
  scene.single_steps = scene.pixels_per_cycle() >= kSingleStepPixels * std::min(1.0f, metrics.scale);

  std::vector<RowPlan> stages = plan_stages(input), warps = plan_warps(input), pipes = plan_pipes(input);
  const Heights h = share_height(area.height(), weight_of(stages), warps.size(), pipes.size(), metrics);
  Rect rest = area;
  if (!stages.empty() && h.stages > 0) {
    Rect band = rest.cut_top(h.stages);
    const auto& block = input.model->timeline.blocks[input.block].block;
    std::string title = fmt::format("k-tiles of block ({}, {}, {})", block[0], block[1], block[2]);
    if (input.pinned != nullptr)
      title += fmt::format("; lower bars: A ({}), pinned", input.pinned->compiled->kernel.id);
    add_title(scene, band, std::move(title), metrics);
    place_band(scene, std::move(stages), band, gutter, 60 * metrics.scale, metrics);
  }
  if (h.warps > 30 * metrics.scale) {
    Rect band = rest.cut_top(h.warps);
    add_title(scene, band,
              input.pinned == nullptr
                  ? "Warps by sub-core: tall is an issue, the strip below it a wait"
                  : "Warps by sub-core: tall is an issue, the strip below it a wait; row A: those pinned",
              metrics);
    raise_followed(warps, band.height(), metrics);
    place_band(scene, std::move(warps), band, gutter, 24 * metrics.scale, metrics);
  }
  if (h.pipes > 30 * metrics.scale) {
    add_title(scene, rest,
              input.pinned == nullptr || scene.single_steps ? "Pipes of the SM"
                                                            : "Pipes of the SM; the line: A, pinned",
              metrics);
    place_band(scene, std::move(pipes), rest, gutter, 40 * metrics.scale, metrics);
  }
  add_ticks(scene, metrics);
  return scene;
}

PipelineBars layout_pipeline_bars(const PipelineInput& input, const PipelineScene& scene,
                                  const SceneMetrics& metrics) {
  PipelineBars bars;
  if (scene.empty) return bars;
  add_stage_bars(input, scene, metrics, bars);
  add_warp_bars(input, scene, metrics, bars);
  add_pipe_bars(input, scene, bars);
  add_overview(input, scene, bars);
  return bars;
}

const TileRect* tile_at(const PipelineBars& bars, Point point) {
  for (const TileRect& tile : bars.tiles)
    if (tile.rect.contains(point)) return &tile;
  return nullptr;
}

std::optional<StepId> step_in_row(const PipelineInput& input, const PipelineRow& row, double cycle) {
  if (row.band != PipelineBand::warps || row.pinned || cycle < 0) return std::nullopt;
  const sm::WarpTimeline& warp = input.model->timeline.warps[row.warp];
  const size_t k = sm::TimelineIndex::first_step_at(warp, static_cast<uint32_t>(cycle));
  if (k >= warp.steps.size() || warp.begin_of(k) > cycle) return std::nullopt;
  return StepId{row.warp, static_cast<uint32_t>(k)};
}

Rect step_rect(const PipelineInput& input, const PipelineScene& scene, StepId id) {
  if (id.warp >= input.model->timeline.warps.size()) return {};
  const sm::WarpTimeline& warp = input.model->timeline.warps[id.warp];
  if (id.step >= warp.steps.size()) return {};
  for (const PipelineRow& row : scene.rows) {
    if (row.band != PipelineBand::warps || row.pinned || row.warp != id.warp) continue;
    const Rect whole{scene.x_of(warp.begin_of(id.step)), row.rect.top,
                     scene.x_of(warp.steps[id.step].issued + 1.0), row.rect.bottom};
    const Rect seen = whole.intersected(row.rect);
    return seen.right < seen.left ? Rect{} : seen;
  }
  return {};
}

namespace {

const PipelineRow* row_of(const PipelineScene& scene, uint32_t warp) {
  for (const PipelineRow& row : scene.rows)
    if (row.band == PipelineBand::warps && !row.pinned && row.warp == warp) return &row;
  return nullptr;
}

// The end of an arrow at a cycle, or at the edge of the plot.
Point end_of_arrow(const PipelineScene& scene, const PipelineRow& row, double cycle, bool& visible) {
  visible = scene.visible.contains(cycle);
  const float x = std::clamp(scene.x_of(cycle), scene.plot.left, scene.plot.right);
  return {x, (row.rect.top + row.rect.bottom) / 2};
}

}  // namespace

std::vector<StepArrow> layout_step_arrows(const PipelineInput& input, const PipelineScene& scene) {
  std::vector<StepArrow> arrows;
  if (!input.step) return arrows;
  const auto uppermost = std::ranges::find(scene.rows, PipelineBand::warps, &PipelineRow::band);
  const sm::Timeline& timeline = input.model->timeline;
  const auto add = [&](StepId from, StepId to, bool effect) {
    const PipelineRow* from_row = row_of(scene, from.warp);
    const PipelineRow* to_row = row_of(scene, to.warp);
    if (from_row == nullptr || to_row == nullptr) return;
    const sm::TimelineStep& cause = timeline.warps[from.warp].steps[from.step];
    const sm::TimelineStep& delayed = timeline.warps[to.warp].steps[to.step];
    StepArrow arrow;
    arrow.effect = effect;
    arrow.below = from_row == to_row && uppermost != scene.rows.end() && from_row == &*uppermost;
    arrow.from = end_of_arrow(scene, *from_row, cause.issued + 0.5, arrow.from_visible);
    arrow.to = end_of_arrow(scene, *to_row, delayed.issued + 0.5, arrow.to_visible);
    if (arrow.from_visible || arrow.to_visible) arrows.push_back(arrow);
  };
  const sm::TimelineStep& step = timeline.warps[input.step->warp].steps[input.step->step];
  if (step.cause != sm::kNoStep) add({step.cause_warp, step.cause}, *input.step, false);
  if (const auto delayed = first_delayed(*input.model, *input.step)) add(*input.step, *delayed, true);
  return arrows;
}

}  // namespace gemmscope::scenes
