#include "scenes/occupancy_panel_scene.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/plural.h"
#include "metrics/sm_rates.h"
#include "scenes/occupancy_text.h"

namespace gemmscope::scenes {
namespace {

using drawing::Rect;

class PanelLayout {
 public:
  PanelLayout(const metrics::SmLimits& sm, const OccupancyQuestion& question, const SceneMetrics& metrics,
              const MeasureText& measure, OccupancyPanelScene& scene)
      : sm_(sm),
        question_(question),
        point_(question.point),
        metrics_(metrics),
        measure_(measure),
        scene_(scene) {}

  void run(Rect area) {
    exact_ = metrics::occupancy(sm_, point_.needs);
    scene_.blocks = exact_.blocks;
    place_head(area);
    place_sentences(area);
    if (tight_) return place_limits_alone(area);
    if (has_room_for_rates(area)) place_rates(area);
    Rect upper = area.cut_top(std::min(middle_height(area), area.height()));
    place_middle(upper);
    area.cut_top(gap());
    if (area.height() >= least_charts()) place_charts(area, metrics::kOccupancyAxes);
  }

 private:
  float gap(float points = 10) const { return std::round(points * metrics_.scale); }
  // Wraps at spaces, as Canvas::text_wrapped does.
  float wrapped_height(std::string_view text, float width, bool small) const {
    const float line = std::round((small ? metrics_.small_height : metrics_.line_height) * 1.15f);
    float height = 0;
    while (!text.empty() && height < 8 * line) {
      size_t end = 0;
      while (end < text.size()) {
        const size_t space = std::min(text.find(' ', end + 1), text.size());
        if (end > 0 && measure_(text.substr(0, space), small) > width) break;
        end = space;
      }
      text.remove_prefix(end);
      while (text.starts_with(' ')) text.remove_prefix(1);
      height += line;
    }
    return height;
  }

  void place_head(Rect& area) {
    Rect row = area.cut_top(std::min(std::round(2.1f * metrics_.line_height), area.height()));
    const double percent = 100.0 * exact_.warps / sm_.warps;
    scene_.plate.text = fmt::format("{:.{}f} %", percent, percent == std::round(percent) ? 0 : 1);
    scene_.plate.rect = row.cut_left(std::min(std::round(6.4f * metrics_.line_height), row.width() * 0.4f));
    row.cut_left(gap(12));
    scene_.headline = {
        row, fmt::format("{} of {} warps: {} block{} of {} warp{} on an SM of {}", exact_.warps, sm_.warps,
                         exact_.blocks, plural(exact_.blocks), exact_.warps_per_block,
                         plural(exact_.warps_per_block), capability_text(point_.compute_capability))};
    area.cut_top(gap(6));
  }

  void place_sentence(Rect& area, TextLine& line, std::string text, bool small) {
    line.text = std::move(text);
    const float wanted = wrapped_height(line.text, area.width(), small);
    line.rect = area.cut_top(std::min(wanted, area.height()));
  }

  void place_sentences(Rect& area) {
    place_sentence(area, scene_.limiter, limiter_sentence(sm_, point_.needs), false);
    std::string change;
    if (question_.before) change = change_sentence(*question_.before, point_);
    place_sentence(area, scene_.change, change, true);
    tight_ = is_tight(area);
    if (!tight_ || has_room_for_remark(area)) place_sentence(area, scene_.remark, question_.remark, true);
    area.cut_top(gap(8));
  }

  static constexpr float kMostTextbook = 0.4f;  // of the height, for the sentence on the textbook's rule
  float least_charts() const { return 5.5f * metrics_.line_height; }
  float limit_rows() const { return static_cast<float>(limit_shares(point_).size() + 1); }

  // Large letters in a place without room for the charts, or for a line for each limit over them, as beside a
  // lesson on a projector: the limits then have the whole width, and the remark is left out where they need
  // its lines.
  bool is_tight(Rect area) const {
    area.cut_top(wrapped_height(question_.remark, area.width(), true) + gap(8));
    if (area.width() >= 36 * metrics_.line_height) return false;
    if (has_room_for_rates(area)) area.cut_bottom(rates_height() + gap());
    const float middle = middle_height(area);
    const float limits = middle * (1 - kMostTextbook) - gap(4) - 1.25f * metrics_.small_height;
    return area.height() - middle - gap() < least_charts() || limits < limit_rows() * metrics_.line_height;
  }
  bool has_room_for_remark(Rect area) const {
    const float limits = limit_rows() * metrics_.line_height + 3 * metrics_.small_height;
    return area.height() - wrapped_height(question_.remark, area.width(), true) > limits;
  }

  // What is left below shows as many of the curves as large letters allow.
  void place_limits_alone(Rect area) {
    Rect limits = area.cut_top(std::min(area.height(), limit_rows() * 1.75f * metrics_.line_height));
    if (area.height() < gap() + least_charts()) {
      limits.bottom -= std::min(gap() + least_charts() - area.height(), limits.height() * 0.3f);
      area.top = limits.bottom;
    }
    place_limits(limits);
    if (!scene_.total.row.empty()) area.top = scene_.total.row.bottom;
    area.cut_top(gap());
    const auto fit = static_cast<int>(area.width() / (11 * metrics_.line_height));
    if (area.height() >= least_charts() && fit > 0)
      place_charts(area, std::min(fit, metrics::kOccupancyAxes));
  }

  // The need that was changed comes first where there is no room for all.
  std::vector<metrics::OccupancyAxis> axes(int most) const {
    using metrics::OccupancyAxis;
    std::vector<OccupancyAxis> all = {OccupancyAxis::registers, OccupancyAxis::shared,
                                      OccupancyAxis::threads};
    if (question_.before && most < metrics::kOccupancyAxes) {
      const metrics::BlockNeeds &was = question_.before->needs, &now = point_.needs;
      std::ranges::stable_partition(all, [&](OccupancyAxis axis) {
        return axis == OccupancyAxis::registers ? was.registers != now.registers
               : axis == OccupancyAxis::shared  ? was.shared_bytes != now.shared_bytes
                                                : was.threads != now.threads;
      });
    }
    all.resize(static_cast<size_t>(most));
    return all;
  }

  float middle_height(Rect area) const {
    const float wanted = std::round(limit_rows() * 1.75f * metrics_.line_height + metrics_.small_height +
                                    2.6f * metrics_.small_height);
    const float beside_charts = std::max(area.height() * 0.5f, area.height() - 14 * metrics_.line_height);
    return std::min(wanted, std::max(beside_charts, least_middle(area.width())));
  }
  // Beside the limits, whose figures need the room where it is narrow.
  float slots_width(float width) const {
    return std::floor(width * (width < 42 * metrics_.line_height ? 0.3f : 0.42f));
  }
  // In which the rows of the limits do not lie over each other.
  float least_middle(float width) const {
    const float right = width - slots_width(width) - gap(22);
    return std::ceil((limit_rows() * 1.05f + 1.25f) * metrics_.small_height +
                     wrapped_height(textbook_text(), right, true) + gap(4));
  }
  bool has_room_for_rates(Rect area) const {
    const float least = std::max(15 * metrics_.line_height, least_middle(area.width()) + gap() +
                                                                least_charts() + rates_height() + gap());
    return area.height() > least;
  }
  float rates_height() const {
    return std::round(2.75f * metrics_.small_height + 1.15f * metrics_.line_height);
  }
  std::string textbook_text() const {
    return textbook_sentence(sm_, point_.needs) + " " + one_more_sentence(sm_, point_.needs);
  }

  void place_middle(Rect area) {
    Rect left = area.cut_left(slots_width(area.width()));
    area.cut_left(gap(22));
    scene_.slots_title = {left.cut_top(std::min(std::round(metrics_.small_height * 1.25f), left.height())),
                          slots_title(point_.compute_capability)};
    scene_.slots = layout_slots(point_, left, metrics_.scale * 1.4f);
    scene_.textbook.text = textbook_text();
    const float height = wrapped_height(scene_.textbook.text, area.width(), true);
    scene_.textbook.rect = area.cut_bottom(std::min(height, area.height() * kMostTextbook));
    area.cut_bottom(gap(4));
    place_limits(area);
  }

  void place_limits(Rect area) {
    const std::vector<LimitShare> shares = limit_shares(point_);
    Rect head = area.cut_top(std::min(std::round(metrics_.small_height * 1.25f), area.height()));
    const float column = std::min(std::round(9 * metrics_.digit_width), head.width() * 0.16f);
    head.cut_right(gap(6));
    scene_.textbook_head = head.cut_right(column);
    scene_.exact_head = head.cut_right(column);
    scene_.amount_head = head.cut_right(std::min(std::round(17 * metrics_.digit_width), head.width() * 0.5f));
    const float height = std::min(std::floor(area.height() / static_cast<float>(shares.size() + 1)),
                                  std::round(2.0f * metrics_.line_height));
    const metrics::Occupancy simple = metrics::simple_occupancy(sm_, point_.needs);
    for (const LimitShare& share : shares) {
      LimitRow row = place_row(area.cut_top(height), column);
      row.blocks = share_bars(share, exact_.blocks, row.bar);
      row.name_text = share.name;
      row.amount_text = share.amount;
      row.exact_text = std::to_string(share.fits);
      row.textbook_text = share.textbook_fits ? std::to_string(*share.textbook_fits) : "";
      row.decides = share.decides;
      row.textbook_decides = share.textbook_fits && *share.textbook_fits == simple.blocks;
      scene_.limits.push_back(std::move(row));
    }
    scene_.total = place_row(area.cut_top(height), column);
    scene_.total.name_text = "Blocks that fit";
    scene_.total.exact_text = std::to_string(exact_.blocks);
    scene_.total.textbook_text = std::to_string(simple.blocks);
  }

  LimitRow place_row(Rect row, float column) const {
    LimitRow placed;
    placed.row = row;
    row.cut_right(gap(6));
    placed.textbook = row.cut_right(column);
    placed.exact = row.cut_right(column);
    placed.name = row.cut_left(
        std::min(std::ceil(measure_("shared memory", false) * 1.1f) + gap(14), row.width() * 0.4f));
    const float beside_bar = std::max(row.width() * 0.5f, row.width() - gap(36));
    placed.amount = row.cut_right(std::min(std::round(17 * metrics_.digit_width), beside_bar));
    row.cut_right(gap(10));
    placed.bar = row.inset(0, std::round(row.height() * 0.27f));
    return placed;
  }

  void place_charts(Rect area, int most) {
    Rect title = area.cut_top(std::round(metrics_.small_height * 1.35f));
    scene_.legend_textbook = title.cut_right(std::round(20 * metrics_.digit_width));
    scene_.legend_exact = title.cut_right(std::round(11 * metrics_.digit_width));
    const std::string text = "Warps on the SM as one need changes; drag the point";
    if (most == metrics::kOccupancyAxes || measure_(text, true) <= title.width())
      scene_.charts_title = {title, text};
    const float apart = gap(20);
    const auto count = static_cast<float>(most);
    const float width = std::floor((area.width() - (count - 1) * apart) / count);
    for (const metrics::OccupancyAxis axis : axes(most)) {
      const Rect place = area.cut_left(width);
      area.cut_left(apart);
      scene_.charts.push_back(layout_cliff_chart(axis, point_, question_.before, place, metrics_));
    }
  }

  void place_rates(Rect& area) {
    const std::vector<RateText> texts = rate_texts(point_.compute_capability);
    if (texts.empty()) return;
    Rect strip = area.cut_bottom(rates_height());
    area.cut_bottom(gap());
    Rect title = strip.cut_top(std::round(1.35f * metrics_.small_height));
    scene_.rates_title.text =
        fmt::format("An SM of {} per clock", capability_title(point_.compute_capability));
    scene_.rates_title.rect = title.cut_left(std::ceil(measure_(scene_.rates_title.text, true)) + gap(12));
    scene_.rates_note = {title, std::string(metrics::rates_note(point_.compute_capability))};
    const float width = std::floor(strip.width() / static_cast<float>(texts.size()));
    for (const RateText& text : texts) {
      Rect cell = strip.cut_left(width);
      cell.cut_right(gap(4));
      RateCell placed;
      placed.value = cell.cut_top(std::round(1.25f * metrics_.line_height));
      placed.label = cell;
      placed.value_text = text.value;
      placed.label_text = text.label;
      placed.known = text.known;
      scene_.rates.push_back(std::move(placed));
    }
  }

  const metrics::SmLimits& sm_;
  const OccupancyQuestion& question_;
  const metrics::OccupancyPoint& point_;
  const SceneMetrics& metrics_;
  const MeasureText& measure_;
  OccupancyPanelScene& scene_;
  metrics::Occupancy exact_;
  bool tight_ = false;
};

}  // namespace

std::vector<RateText> rate_texts(int compute_capability) {
  const metrics::SmRates* rates = metrics::sm_rates(compute_capability);
  if (rates == nullptr) return {};
  const auto figure = [&](int value, const char* label, const char* when_zero, uint8_t unsure_bit) {
    const bool unsure = (rates->unsure & unsure_bit) != 0;
    return RateText{value == 0 ? when_zero : fmt::format("{}{}", value, unsure ? " ?" : ""), label,
                    value != 0 && !unsure};
  };
  const bool tensor = metrics::has_tensor_cores(compute_capability);
  return {
      figure(rates->fp32, "FP32", "none", 0),
      figure(rates->fp64, "FP64", "none", metrics::kUnsureFp64),
      figure(rates->integer_add, "INT32 add", "none", metrics::kUnsureInteger),
      figure(rates->integer_multiply, "INT32 multiply", "several", metrics::kUnsureInteger),
      figure(rates->special, "SFU", "none", 0),
      figure(rates->load_store, "LD/ST units", "not known", 0),
      figure(rates->shared_bytes, "shared bytes", "not known", 0),
      figure(rates->tensor_fp16, "tensor FP16 FMA", tensor ? "not known" : "none", 0),
      {fmt::format("{} × {}", rates->schedulers, rates->dispatch_per_scheduler), "schedulers × issue", true},
  };
}

OccupancyPanelScene layout_occupancy_panel(const OccupancyQuestion& question, Rect area,
                                           const SceneMetrics& metrics, const MeasureText& measure) {
  OccupancyPanelScene scene;
  const metrics::SmLimits* sm = metrics::sm_limits(question.point.compute_capability);
  if (sm == nullptr) {
    scene.empty_text = fmt::format("The limits of an SM of compute capability {} are not known.",
                                   capability_text(question.point.compute_capability));
    return scene;
  }
  scene.empty = false;
  PanelLayout(*sm, question, metrics, measure, scene).run(area);
  return scene;
}

}  // namespace gemmscope::scenes
