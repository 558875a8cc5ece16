#include "scenes/occupancy_scene.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/plural.h"
#include "metrics/sm_rates.h"
#include "scenes/occupancy_text.h"
#include "scenes/text.h"

namespace gemmscope::scenes {
namespace {

using drawing::Rect;
using metrics::OccupancyLimit;

// How much of a resource a block takes, and how much an SM has.
std::pair<int, int> amounts_of(OccupancyLimit limit, const metrics::SmLimits& sm,
                               const metrics::BlockNeeds& needs, const metrics::Occupancy& o) {
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

// The rows in which the slots are drawn. Up to 1.3 there is one scheduler; two rows are drawn, since a single
// one would be a thread.
int slot_rows(int compute_capability) {
  const metrics::SmRates* rates = metrics::sm_rates(compute_capability);
  return rates == nullptr ? 4 : std::max(2, rates->schedulers);
}

class Layout {
 public:
  Layout(const metrics::OccupancyPoint& point, const SceneMetrics& metrics, OccupancyScene& scene)
      : point_(point), metrics_(metrics), scene_(scene) {}

  void run(Rect area) {
    const float gap = std::round(18 * metrics_.scale);
    // A line of text and a bar below it need so much. Where there is less, the bar stands in the line, and
    // the notes below everything.
    scene_.low = gauge_height(area) < std::round(1.9f * metrics_.small_height);
    if (scene_.low && area.height() > 6 * metrics_.small_height)
      scene_.notes = area.cut_bottom(std::ceil(1.2f * metrics_.small_height));
    Rect left = area.cut_left(std::floor(area.width() * 0.4f));
    area.cut_left(std::min(gap, area.width() * 0.05f));
    scene_.slots_label = left.cut_top(std::min(metrics_.small_height, left.height() * 0.2f));
    scene_.slots = layout_slots(point_, left, metrics_.scale);
    place_gauges(area);
  }

 private:
  float count() const { return static_cast<float>(std::max<size_t>(1, limit_shares(point_).size())); }
  // With the notes below the gauges.
  float gauge_height(Rect area) const {
    const float notes = std::min(area.height() * 0.4f, 4.4f * metrics_.small_height);
    return std::min(std::floor((area.height() - notes) / count()), std::round(2.6f * metrics_.small_height));
  }

  void place_gauges(Rect area) {
    const float row =
        scene_.low ? std::min(std::floor(area.height() / count()), std::round(1.2f * metrics_.small_height))
                   : gauge_height(area);
    for (const LimitShare& share : limit_shares(point_)) place_gauge(share, area.cut_top(row));
    if (scene_.low) return;
    area.cut_top(std::min(area.height(), 4 * metrics_.scale));
    scene_.notes = area.height() < metrics_.small_height ? Rect{} : area;
  }

  void place_gauge(const LimitShare& share, Rect row) {
    Gauge gauge;
    gauge.limit = share.limit;
    gauge.decides = share.decides;
    gauge.name = share.name;
    const std::string fits = fmt::format("{} fit{}", share.fits, share.fits == 1 ? "s" : "");
    gauge.text = fmt::format("{} a block: {}", share.amount, fits);
    if (scene_.low) {
      gauge.text = fits;
      gauge.text_rect = row.cut_right(std::round(std::min(row.width() * 0.45f, 9.5f * metrics_.digit_width)));
      gauge.name_rect = row.cut_left(std::min(std::round(13 * metrics_.digit_width), row.width() * 0.7f));
      gauge.bar = row.inset(0, std::round(row.height() * 0.3f));
    } else {
      Rect text = row.cut_top(row.height() * 0.62f);
      const float name = std::round(static_cast<float>(share.name.size()) * 1.1f * metrics_.digit_width);
      const auto width_of = [&](const std::string& words) {
        return static_cast<float>(words.size()) * 0.85f * metrics_.digit_width;
      };
      // Where it is narrow, how many fit is told whole, and the bar tells the amount.
      const bool narrow = width_of(gauge.text) > text.width() - std::min(name, text.width() * 0.4f);
      if (narrow) gauge.text = fits;
      gauge.name_rect =
          text.cut_left(std::min(name, narrow ? text.width() - width_of(fits) : text.width() * 0.4f));
      gauge.text_rect = text;
      row.cut_bottom(row.height() * 0.3f);
      gauge.bar = row;
    }
    gauge.blocks = share_bars(share, scene_.exact.blocks, gauge.bar);
    scene_.gauges.push_back(std::move(gauge));
  }

  const metrics::OccupancyPoint& point_;
  const SceneMetrics& metrics_;
  OccupancyScene& scene_;
};

}  // namespace

metrics::OccupancyPoint occupancy_point_of(const experiment::CompiledKernel& compiled) {
  const std::array<uint32_t, 3>& block = compiled.launch.block;
  const experiment::Resources& r = compiled.resources;
  return {isa::sm_number(compiled.cubin.arch),
          {static_cast<int>(block[0] * block[1] * block[2]), r.registers,
           static_cast<int>(r.static_shared_bytes + r.dynamic_shared_bytes), r.barriers}};
}

uint64_t BlocksOnSms::idle_sms() const {
  const auto all = static_cast<uint64_t>(sms);
  return blocks < all ? all - blocks : 0;
}
uint64_t BlocksOnSms::most() const {
  const auto all = static_cast<uint64_t>(sms);
  return all == 0 ? 0 : (blocks + all - 1) / all;
}
uint64_t BlocksOnSms::sms_with_most() const {
  const auto all = static_cast<uint64_t>(sms);
  return all == 0 ? 0 : blocks - (most() - 1) * all;
}
std::string BlocksOnSms::text() const {
  if (sms <= 0 || blocks == 0) return "";
  const auto all = static_cast<uint64_t>(sms);
  const std::string of = device.empty() ? "" : " of " + device, some = plural(blocks);
  if (all == 1) return fmt::format("{} block{} on the only SM{}.", grouped(blocks), some, of);
  const std::string begin = fmt::format("{} block{} on the {} SMs{}:", grouped(blocks), some, all, of);
  if (const uint64_t idle = idle_sms(); idle > 0)
    return fmt::format("{} {} SM{} nothing to do.", begin, idle, idle == 1 ? " has" : "s have");
  if (sms_with_most() == all) return fmt::format("{} as many for each, {}.", begin, grouped(most()));
  return fmt::format("{} {} of them get{} {}, the others {}, and wait at the end.", begin, sms_with_most(),
                     sms_with_most() == 1 ? "s" : "", grouped(most()), grouped(most() - 1));
}

std::string slots_title(int compute_capability) {
  const metrics::SmLimits* sm = metrics::sm_limits(compute_capability);
  const metrics::SmRates* rates = metrics::sm_rates(compute_capability);
  if (sm == nullptr || rates == nullptr) return "";
  return fmt::format("{} warp slots{}", sm->warps, rates->schedulers > 1 ? ", a row for each scheduler" : "");
}

// Neighbouring slots belong to different schedulers.
std::vector<WarpSlot> layout_slots(const metrics::OccupancyPoint& point, Rect area, float scale) {
  const metrics::SmLimits* sm = metrics::sm_limits(point.compute_capability);
  if (sm == nullptr) return {};
  const metrics::Occupancy o = metrics::occupancy(*sm, point.needs);
  const int rows = slot_rows(point.compute_capability), columns = (sm->warps + rows - 1) / rows;
  const float wide = area.width() / static_cast<float>(columns),
              high = area.height() / static_cast<float>(rows);
  const float side = std::floor(std::min({wide, high, 40 * scale}));
  const float width = side > 0 ? std::min(std::floor(wide), 2 * side) : wide;
  const float height = side > 0 ? std::min(std::floor(high), 3 * side) : high;
  std::vector<WarpSlot> slots;
  for (int slot = 0; slot < sm->warps; ++slot) {
    const int column = slot / rows, row = slot % rows;
    const float x = area.left + width * static_cast<float>(column);
    const float y = area.top + height * static_cast<float>(row);
    const int block = slot / o.warps_per_block;
    slots.push_back({{x, y, x + width, y + height}, slot, block < o.blocks ? block : -1});
  }
  return slots;
}

std::vector<LimitShare> limit_shares(const metrics::OccupancyPoint& point) {
  const metrics::SmLimits* sm = metrics::sm_limits(point.compute_capability);
  if (sm == nullptr) return {};
  const metrics::Occupancy exact = metrics::occupancy(*sm, point.needs);
  const metrics::Occupancy simple = metrics::simple_occupancy(*sm, point.needs);
  std::vector<LimitShare> shares;
  for (size_t i = 0; i < metrics::kOccupancyLimits; ++i) {
    if (!exact.limits[i]) continue;
    const auto limit = static_cast<OccupancyLimit>(i);
    const auto [of_block, of_sm] = amounts_of(limit, *sm, point.needs, exact);
    shares.push_back({limit, of_block, of_sm, *exact.limits[i], simple.limits[i], exact.limited_by(limit),
                      metrics::limit_name(limit),
                      fmt::format("{} of {}", amount_text(limit, of_block), amount_text(limit, of_sm))});
  }
  return shares;
}

std::vector<Rect> share_bars(const LimitShare& share, int blocks, Rect bar) {
  std::vector<Rect> bars;
  const float width = bar.width() * static_cast<float>(share.of_block) / static_cast<float>(share.of_sm);
  for (int block = 0; block < blocks; ++block) {
    const float left = bar.left + width * static_cast<float>(block);
    bars.push_back(Rect{left, bar.top, left + width, bar.bottom}.intersected(bar));
  }
  return bars;
}

OccupancyScene layout_occupancy(const metrics::OccupancyPoint& point, Rect area,
                                const SceneMetrics& metrics) {
  OccupancyScene scene;
  const metrics::SmLimits* sm = metrics::sm_limits(point.compute_capability);
  if (sm == nullptr) {
    scene.empty_text = fmt::format("The limits of an SM of sm_{} are not known.", point.compute_capability);
    return scene;
  }
  scene.empty = false;
  scene.exact = metrics::occupancy(*sm, point.needs);
  scene.simple = metrics::simple_occupancy(*sm, point.needs);
  scene.warp_slots = sm->warps;
  const metrics::SmRates* rates = metrics::sm_rates(point.compute_capability);
  scene.slots_text = rates != nullptr && rates->schedulers > 1 ? "warp slots by scheduler" : "warp slots";
  const metrics::Occupancy& o = scene.exact;
  scene.title = fmt::format("{} block{} of {} warp{}, sm_{}", o.blocks, plural(o.blocks), o.warps_per_block,
                            plural(o.warps_per_block), point.compute_capability);
  scene.verdict = o.blocks == 0 ? "a block does not fit" : "limited by " + limiter_names(o);
  if (o.blocks == 0 && !limiter_names(o).empty()) scene.verdict += ": " + limiter_names(o);
  scene.next_cliff = o.blocks == 0 ? limiter_sentence(*sm, point.needs) : one_more_sentence(*sm, point.needs);
  scene.textbook = textbook_sentence(*sm, point.needs);
  Layout(point, metrics, scene).run(area);
  return scene;
}

}  // namespace gemmscope::scenes
