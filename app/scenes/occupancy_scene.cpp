#include "scenes/occupancy_scene.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "scenes/text.h"

namespace gemmscope::scenes {
namespace {

using drawing::Rect;
using metrics::OccupancyLimit;

metrics::BlockNeeds needs_of(const experiment::CompiledKernel& compiled) {
  const std::array<uint32_t, 3>& block = compiled.launch.block;
  const experiment::Resources& r = compiled.resources;
  return {static_cast<int>(block[0] * block[1] * block[2]), r.registers,
          static_cast<int>(r.static_shared_bytes + r.dynamic_shared_bytes), r.barriers};
}

// How much of a resource a block takes, and how much an SM has.
struct Share {
  int of_block = 0, of_sm = 0;
};
Share share_of(OccupancyLimit limit, const metrics::SmLimits& sm, const metrics::BlockNeeds& needs,
               const metrics::Occupancy& o) {
  switch (limit) {
    case OccupancyLimit::warps:
      return {o.warps_per_block, sm.warps};
    case OccupancyLimit::registers:
      return {o.registers_per_block, sm.registers};
    case OccupancyLimit::shared:
      return {o.shared_per_block, sm.shared_bytes};
    case OccupancyLimit::blocks:
      return {1, sm.blocks};
    case OccupancyLimit::barriers:
      return {needs.barriers, sm.barriers};
  }
  return {};
}

std::string amount_text(OccupancyLimit limit, int amount) {
  return limit == OccupancyLimit::shared ? short_bytes(static_cast<uint64_t>(amount))
                                         : grouped(static_cast<uint64_t>(amount));
}

const char* plural(int count) { return count == 1 ? "" : "s"; }

std::string one_more_text(const metrics::SmLimits& sm, const metrics::BlockNeeds& needs,
                          const metrics::Occupancy& o) {
  if (o.limited_by(OccupancyLimit::registers))
    if (const auto registers = metrics::registers_for_one_more(sm, needs))
      return fmt::format("One more block would fit with at most {} registers per thread, now {}.", *registers,
                         needs.registers);
  if (o.limited_by(OccupancyLimit::shared))
    if (const auto bytes = metrics::shared_for_one_more(sm, needs))
      return fmt::format("One more block would fit with at most {} of shared memory per block, now {}.",
                         short_bytes(static_cast<uint64_t>(*bytes)),
                         short_bytes(static_cast<uint64_t>(needs.shared_bytes)));
  if (o.limited_by(OccupancyLimit::blocks) && o.warps < sm.warps)
    return fmt::format("All {} block slots are taken; larger blocks would fill more of the warp slots.",
                       sm.blocks);
  return "";
}

// Why the rule without allocation units gives another result.
std::string difference_text(const metrics::SmLimits& sm, const metrics::BlockNeeds& needs,
                            const metrics::Occupancy& exact) {
  std::string reasons;
  const auto add = [&](const std::string& reason) { reasons += (reasons.empty() ? "" : "; ") + reason; };
  if (exact.limited_by(OccupancyLimit::registers))
    add(fmt::format(
        "registers are allocated in units of {} per {}, from {} separate sub-partitions of the SM",
        sm.register_unit, sm.registers_by_block ? "block" : "warp", sm.sub_partitions));
  if (exact.limited_by(OccupancyLimit::shared))
    add(fmt::format("shared memory is allocated in units of {} B{}", sm.shared_unit,
                    sm.shared_reserved > 0
                        ? fmt::format(", and the system reserves {} in each block",
                                      short_bytes(static_cast<uint64_t>(sm.shared_reserved)))
                        : ""));
  if (exact.limited_by(OccupancyLimit::warps) && needs.threads % machine::kWarpLanes != 0)
    add("a warp that is not full takes a whole slot");
  if (reasons.empty()) add("it ignores allocation units");
  return reasons;
}

std::string textbook_text(const metrics::SmLimits& sm, const metrics::BlockNeeds& needs,
                          const metrics::Occupancy& exact, const metrics::Occupancy& simple) {
  if (simple.blocks == exact.blocks)
    return fmt::format("Plain division, as in textbooks, gives the same here: {} block{}.", simple.blocks,
                       plural(simple.blocks));
  return fmt::format("Plain division, as in textbooks, gives {} block{}: {}.", simple.blocks,
                     plural(simple.blocks), difference_text(sm, needs, exact));
}

class Layout {
 public:
  Layout(const metrics::SmLimits& sm, const metrics::BlockNeeds& needs, const SceneMetrics& metrics,
         OccupancyScene& scene)
      : sm_(sm), needs_(needs), metrics_(metrics), scene_(scene) {}

  void run(Rect area) {
    const float gap = std::round(18 * metrics_.scale);
    Rect left = area.cut_left(std::floor(area.width() * 0.4f));
    area.cut_left(std::min(gap, area.width() * 0.05f));
    place_slots(left);
    place_gauges(area);
  }

 private:
  // Neighbouring slots belong to different schedulers; each scheduler has a row.
  void place_slots(Rect area) {
    const int rows = std::max(1, sm_.sub_partitions), columns = (sm_.warps + rows - 1) / rows;
    scene_.slots_label = area.cut_top(std::min(metrics_.small_height, area.height() * 0.2f));
    const float side = std::floor(std::min({area.width() / static_cast<float>(columns),
                                            area.height() / static_cast<float>(rows), 40 * metrics_.scale}));
    const float width = side > 0 ? std::min(std::floor(area.width() / static_cast<float>(columns)), 2 * side)
                                 : area.width() / static_cast<float>(columns);
    const float height = side > 0 ? std::min(std::floor(area.height() / static_cast<float>(rows)), 3 * side)
                                  : area.height() / static_cast<float>(rows);
    for (int slot = 0; slot < sm_.warps; ++slot) {
      const auto column = static_cast<float>(slot / rows), row = static_cast<float>(slot % rows);
      const float x = area.left + width * column, y = area.top + height * row;
      const int block = slot / scene_.exact.warps_per_block;
      scene_.slots.push_back({{x, y, x + width, y + height}, slot, block < scene_.exact.blocks ? block : -1});
    }
  }

  void place_gauges(Rect area) {
    int shown = 0;
    for (const auto& limit : scene_.exact.limits) shown += limit ? 1 : 0;
    const float notes = std::min(area.height() * 0.4f, 4.4f * metrics_.small_height);
    const float row = std::min(std::floor((area.height() - notes) / static_cast<float>(std::max(1, shown))),
                               std::round(2.6f * metrics_.small_height));
    for (int i = 0; i < metrics::kOccupancyLimits; ++i)
      if (scene_.exact.limits[static_cast<size_t>(i)])
        place_gauge(static_cast<OccupancyLimit>(i), area.cut_top(row));
    scene_.notes = area;
  }

  void place_gauge(OccupancyLimit limit, Rect row) {
    Gauge gauge;
    gauge.limit = limit;
    gauge.decides = scene_.exact.limited_by(limit);
    gauge.name = metrics::limit_name(limit);
    const Share share = share_of(limit, sm_, needs_, scene_.exact);
    const int fits = *scene_.exact.limits[static_cast<size_t>(limit)];
    gauge.text = fmt::format("{} of {} a block: {} fit{}", amount_text(limit, share.of_block),
                             amount_text(limit, share.of_sm), fits, fits == 1 ? "s" : "");
    Rect text = row.cut_top(row.height() * 0.62f);
    gauge.name_rect = text.cut_left(text.width() * 0.4f);
    gauge.text_rect = text;
    row.cut_bottom(row.height() * 0.3f);
    gauge.bar = row;
    // Blocks side by side until the resource is used up.
    const float width = row.width() * static_cast<float>(share.of_block) / static_cast<float>(share.of_sm);
    for (int block = 0; block < scene_.exact.blocks; ++block) {
      const float left = row.left + width * static_cast<float>(block);
      gauge.blocks.push_back(Rect{left, row.top, left + width, row.bottom}.intersected(row));
    }
    scene_.gauges.push_back(std::move(gauge));
  }

  const metrics::SmLimits& sm_;
  const metrics::BlockNeeds& needs_;
  const SceneMetrics& metrics_;
  OccupancyScene& scene_;
};

std::string verdict_of(const metrics::Occupancy& o) {
  std::string names;
  for (int i = 0; i < metrics::kOccupancyLimits; ++i) {
    const auto limit = static_cast<OccupancyLimit>(i);
    if (o.limited_by(limit)) names += (names.empty() ? "" : ", ") + std::string(metrics::limit_name(limit));
  }
  return "limited by " + names;
}

}  // namespace

OccupancyScene layout_occupancy(const experiment::CompiledKernel& compiled, Rect area,
                                const SceneMetrics& metrics) {
  OccupancyScene scene;
  const int capability = isa::sm_number(compiled.cubin.arch);
  const metrics::SmLimits* sm = metrics::sm_limits(capability);
  if (sm == nullptr) {
    scene.empty_text = fmt::format("The limits of an SM of sm_{} are not known.", capability);
    return scene;
  }
  const metrics::BlockNeeds needs = needs_of(compiled);
  scene.empty = false;
  scene.exact = metrics::occupancy(*sm, needs);
  scene.simple = metrics::simple_occupancy(*sm, needs);
  scene.warp_slots = sm->warps;
  const metrics::Occupancy& o = scene.exact;
  scene.title = fmt::format("{} block{} of {} warp{}, sm_{}", o.blocks, plural(o.blocks), o.warps_per_block,
                            plural(o.warps_per_block), capability);
  scene.verdict = o.blocks == 0 ? "a block does not fit: " + verdict_of(o) : verdict_of(o);
  scene.next_cliff = one_more_text(*sm, needs, o);
  scene.textbook = textbook_text(*sm, needs, o, scene.simple);
  Layout(*sm, needs, metrics, scene).run(area);
  return scene;
}

}  // namespace gemmscope::scenes
