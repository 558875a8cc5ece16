#include "scenes/board_scene.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/plural.h"
#include "metrics/peak.h"

namespace gemmscope::scenes {
namespace {

using drawing::Rect;
using experiment::BoardDevice;
using experiment::Knob;
using experiment::ModelledVariant;

constexpr float kLinks = 0.10f;                            // share of the width between the columns
constexpr float kLeastLabels = 0.4f, kMostLabels = 0.68f;  // share of a column that labels take
constexpr double kSameOrder = 1.005;                       // times that are closer have no order

std::string label_of(const ModelledVariant& v) {
  std::string label = v.title;
  if (v.key.kernel.size() > 3 && v.key.kernel[2] == '_' &&
      std::isdigit(static_cast<unsigned char>(v.key.kernel[0])) != 0)
    label = v.key.kernel.substr(0, 2) + " " + label;
  for (const auto& [name, value] : v.key.toggles) label += fmt::format(" \u00b7 {}={}", name, value);
  return label;
}

std::string ms_text(double ms) {
  return fmt::format("{:.{}f} ms", ms, ms < 1 ? 4 : ms < 10 ? 3 : ms < 100 ? 2 : 1);
}

// `fastest`: the column's least time, in ms; 0: there is none.
std::string figure_of(const ModelledVariant& v, bool first, double fastest) {
  if (v.milliseconds <= 0) return v.trouble.empty() ? "\u2026" : "no time";
  std::string text = ms_text(v.milliseconds);
  if (!first && fastest > 0) text += fmt::format("  {:.2f}x", v.milliseconds / fastest);
  return text;
}

std::vector<BoardBar> lay_column(const BoardColumn& column, const experiment::VariantKey& current, Rect area,
                                 float row_height, size_t rows, const SceneMetrics& m) {
  std::vector<BoardBar> bars;
  const std::vector<size_t> order = by_time(*column.variants);
  const double fastest = order.empty() ? 0 : (*column.variants)[order[0]].milliseconds;
  size_t longest = 0;
  for (const ModelledVariant& v : *column.variants) longest = std::max(longest, label_of(v).size());
  size_t figures = 0;
  for (size_t place = 0; place < order.size(); ++place)
    figures = std::max(figures, figure_of((*column.variants)[order[place]], place == 0, fastest).size());
  const float labels = 0.95f * m.digit_width * static_cast<float>(longest);
  for (size_t place = 0; place < std::min(rows, order.size()); ++place) {
    const ModelledVariant& v = (*column.variants)[order[place]];
    BoardBar bar;
    bar.variant = order[place];
    bar.row = area.cut_top(row_height);
    Rect rest = bar.row.inset(std::round(4 * m.scale), std::round(2 * m.scale));
    bar.figure = rest.cut_right(std::ceil(static_cast<float>(figures + 1) * m.digit_width));
    bar.label = rest.cut_left(
        std::round(std::clamp(labels, rest.width() * kLeastLabels, rest.width() * kMostLabels)));
    rest.cut_left(std::round(6 * m.scale));
    rest.cut_right(std::round(6 * m.scale));
    bar.track = bar.bar = rest;
    bar.label_text = label_of(v);
    bar.stale = order[place] >= column.fresh;
    bar.current = v.key == current;
    bar.bar.right = bar.bar.left;
    if (v.milliseconds > 0)
      bar.bar.right +=
          std::max(1.0f, std::round(bar.track.width() * static_cast<float>(fastest / v.milliseconds)));
    bar.figure_text = figure_of(v, place == 0, fastest);
    bars.push_back(std::move(bar));
  }
  return bars;
}

void add_links(const BoardColumn& left, const BoardColumn& right, BoardScene& scene) {
  for (size_t i = 0; i < scene.left.size(); ++i)
    for (size_t k = 0; k < scene.right.size(); ++k) {
      const ModelledVariant& a = (*left.variants)[scene.left[i].variant];
      const ModelledVariant& b = (*right.variants)[scene.right[k].variant];
      if (!(a.key == b.key) || a.milliseconds <= 0 || b.milliseconds <= 0) continue;
      const Rect &from = scene.left[i].row, &to = scene.right[k].row;
      scene.links.push_back(
          {{from.right, from.center().y}, {to.left, to.center().y}, false, scene.left[i].current});
    }
  // Where a variant has a time on one side only, others stand elsewhere in the same order.
  for (size_t i = 0; i < scene.links.size(); ++i)
    for (size_t k = i + 1; k < scene.links.size(); ++k) {
      BoardLink &a = scene.links[i], &b = scene.links[k];
      if ((a.from.y < b.from.y) != (a.to.y < b.to.y)) a.crosses = b.crosses = true;
    }
}

void add_fact(BoardScene& scene, Rect& area, float height, const std::string& name, const std::string& left,
              const std::string& right) {
  if (area.height() < height) return;
  BoardFact fact;
  Rect row = area.cut_top(height);
  fact.name = row.cut_left(std::round(row.width() * 0.34f));
  fact.left = row.cut_left(std::round(row.width() / 2));
  fact.right = row;
  fact.name_text = name;
  fact.left_text = left;
  fact.right_text = right;
  fact.differs = left != right;
  scene.facts.push_back(std::move(fact));
}

std::string capability_text(const BoardDevice& device) {
  return fmt::format("{}.{}", device.config.compute_capability / 10, device.config.compute_capability % 10);
}
// By the lanes that the model has, so that it follows the knobs.
std::string peak_text(const BoardDevice& device) {
  const double flops =
      device.config.sms * device.config.clock_mhz * 1e6 * 4 * 32 * 2 / device.config.ffma_interval;
  return fmt::format("{:.1f} TFLOP/s", flops * 1e-12);
}

void add_facts(const BoardDevice& left, const BoardDevice& right, BoardScene& scene, Rect area,
               const SceneMetrics& m) {
  const float height = std::round(m.small_height + 3 * m.scale);
  add_fact(scene, area, height, "Compute capability", capability_text(left), capability_text(right));
  add_fact(scene, area, height, "FP32 peak", peak_text(left), peak_text(right));
  for (int k = 0; k < experiment::kKnobs; ++k) {
    const auto knob = static_cast<Knob>(k);
    const size_t before = scene.facts.size();
    add_fact(scene, area, height, experiment::knob_title(knob), knob_value(left, knob),
             knob_value(right, knob));
    if (scene.facts.size() == before) return;
    scene.facts.back().left_source = knob_source(left, knob);
    scene.facts.back().right_source = knob_source(right, knob);
  }
  add_fact(scene, area, height, "L1 and shared memory", fmt::format("{:.0f} KiB", left.config.l1_kib),
           fmt::format("{:.0f} KiB", right.config.l1_kib));
}

double percent_over(const BoardClaim& claim) { return 100 * (claim.modelled / claim.recorded - 1); }
bool other_winner(const BoardClaim& claim) { return (claim.recorded > 1) != (claim.modelled > 1); }

struct GainRows {
  float bar, gap;  // the height of a bar, and what lies below the two of a claim
};
GainRows gain_rows(const SceneMetrics& m) {
  return {std::round(m.small_height + 5 * m.scale), std::round(7 * m.scale)};
}
float verdict_height(const SceneMetrics& m) { return std::round(m.line_height + 5 * m.scale); }

// Two bars a claim on one scale: what was published above what is modelled.
void add_gains(const BoardTexts& texts, BoardScene& scene, Rect area, const SceneMetrics& m) {
  const auto [row, gap] = gain_rows(m);
  scene.gains_title = {area.cut_top(row), texts.gains_title};
  scene.verdict = {area.cut_top(verdict_height(m)), verdict_text(texts.claims)};
  double most = 1;
  for (const BoardClaim& claim : texts.claims) most = std::max({most, claim.recorded, claim.modelled});
  const float names = std::round(area.width() * 0.26f), figures = std::round(15 * m.digit_width);
  const Rect track{area.left + names, area.top, area.right - figures - std::round(27 * m.digit_width),
                   area.bottom};
  const auto x_of = [&](double gain) {
    return track.left + std::round(track.width() * static_cast<float>(gain / most));
  };
  for (const BoardClaim& claim : texts.claims) {
    BoardGain gain;
    const Rect both = area.cut_top(2 * row);
    const float middle = both.top + row;
    gain.name = {both.left, both.top, track.left - gap, both.bottom};
    gain.name_text = claim.device + (claim.changed ? ", changed" : "");
    gain.recorded = {track.left, both.top + m.scale, x_of(claim.recorded), middle - m.scale};
    gain.modelled = {track.left, middle, x_of(claim.modelled), both.bottom - 2 * m.scale};
    // Clear of the line at 1x.
    const float recorded_x = std::max(gain.recorded.right, x_of(1)) + gap;
    const float modelled_x = std::max(gain.modelled.right, x_of(1)) + gap;
    gain.recorded_figure = {recorded_x, both.top, recorded_x + figures, middle};
    gain.modelled_figure = {modelled_x, middle, modelled_x + figures, both.bottom};
    if (claim.recorded > 0) gain.recorded_text = fmt::format("{:.2f}x recorded", claim.recorded);
    if (claim.modelled > 0) gain.modelled_text = fmt::format("{:.2f}x modelled", claim.modelled);
    gain.gap = {track.right + gap + figures, both.top, area.right, both.bottom};
    if (claim.recorded > 0 && claim.modelled > 0 && !claim.changed) {
      gain.other_winner = other_winner(claim);
      gain.gap_text =
          fmt::format("model {:+.0f} %", percent_over(claim)) + (gain.other_winner ? ", other winner" : "");
    }
    scene.gains.push_back(std::move(gain));
    area.cut_top(gap);
  }
  if (scene.gains.empty()) return;
  scene.even = {x_of(1), scene.gains.front().recorded.top - m.scale, x_of(1) + m.scale,
                scene.gains.back().modelled.bottom + m.scale};
}

float height_of_gains(const BoardTexts& texts, const SceneMetrics& m) {
  if (texts.claims.empty()) return 0;
  const auto [row, gap] = gain_rows(m);
  return row + verdict_height(m) + (2 * row + gap) * static_cast<float>(texts.claims.size()) + gap;
}

}  // namespace

std::string claim_text(const BoardClaim& claim) {
  if (claim.recorded <= 0) return "";
  if (claim.modelled <= 0)
    return fmt::format("On {}, {:.2f}x recorded; there is no modelled time yet.", claim.device,
                       claim.recorded);
  if (claim.changed)
    return fmt::format("On {}, {:.2f}x recorded; as you changed it, {:.2f}x modelled.", claim.device,
                       claim.recorded, claim.modelled);
  return fmt::format(
      fmt::runtime(
          other_winner(claim)
              ? "On {}, {:.2f}x recorded and {:.2f}x modelled ({:+.0f} %): the model misses who wins."
              : "On {}, {:.2f}x recorded and {:.2f}x modelled ({:+.0f} %): the same winner."),
      claim.device, claim.recorded, claim.modelled, percent_over(claim));
}

std::string verdict_text(const std::vector<BoardClaim>& claims) {
  constexpr double kClosePercent = 15;
  const auto unknown = [](const BoardClaim& claim) {
    return claim.recorded <= 0 || claim.modelled <= 0 || claim.changed;
  };
  const auto close = [](const BoardClaim& claim) { return std::abs(percent_over(claim)) <= kClosePercent; };
  if (claims.empty() || std::ranges::any_of(claims, unknown)) return "";
  if (const auto missed = std::ranges::find_if(claims, other_winner); missed != claims.end())
    return fmt::format("The model does not reproduce this: on {}, the other kernel won.", missed->device);
  return std::ranges::all_of(claims, close)
             ? "The model reproduces what was published."
             : "The model has the published winners, but not how large the gains are.";
}

std::vector<size_t> by_time(const std::vector<ModelledVariant>& variants) {
  std::vector<size_t> order(variants.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::ranges::stable_sort(order, [&](size_t a, size_t b) {
    const double x = variants[a].milliseconds, y = variants[b].milliseconds;
    return x > 0 && (y <= 0 || x < y);
  });
  return order;
}

ChangedPairs changed_pairs(const std::vector<ModelledVariant>& left,
                           const std::vector<ModelledVariant>& right) {
  std::vector<std::pair<double, double>> times;
  for (const ModelledVariant& a : left) {
    const auto b = std::ranges::find(right, a.key, &ModelledVariant::key);
    if (b != right.end() && a.milliseconds > 0 && b->milliseconds > 0)
      times.emplace_back(a.milliseconds, b->milliseconds);
  }
  const auto order = [](double x, double y) { return x > kSameOrder * y ? 1 : y > kSameOrder * x ? -1 : 0; };
  ChangedPairs result;
  for (size_t i = 0; i < times.size(); ++i)
    for (size_t k = i + 1; k < times.size(); ++k) {
      ++result.pairs;
      result.changed += order(times[i].first, times[k].first) * order(times[i].second, times[k].second) < 0;
    }
  return result;
}

BoardScene layout_board(const BoardColumn& left, const BoardColumn& right,
                        const experiment::VariantKey& current, const BoardTexts& texts, Rect area,
                        const SceneMetrics& m) {
  BoardScene scene;
  const float line = std::round(m.line_height + 6 * m.scale);
  const size_t count = std::max(left.variants->size(), right.variants->size());
  const float facts = std::round((m.small_height + 3 * m.scale) * (experiment::kKnobs + 3));
  Rect titles = area.cut_top(line);
  for (const std::string& remark : texts.remarks) {
    if (area.height() < 4 * line) break;
    scene.remarks.push_back({area.cut_bottom(std::round(m.small_height + 4 * m.scale)), remark});
  }
  Rect order = area.cut_bottom(std::round(m.small_height + 6 * m.scale));
  // The data sheets have what the bars leave, and at most half.
  const float least = std::round(m.small_height + 4 * m.scale);
  Rect sheets = area.cut_bottom(std::clamp(area.height() - static_cast<float>(count) * least - line, 0.0f,
                                           std::min(facts, area.height() / 2)));
  if (!sheets.empty()) area.cut_bottom(std::round(8 * m.scale));
  const float gains = height_of_gains(texts, m);
  if (gains > 0 && area.height() - gains > static_cast<float>(count) * least)
    add_gains(texts, scene, area.cut_bottom(gains), m);
  const float row = std::clamp(std::floor(area.height() / static_cast<float>(std::max<size_t>(1, count))),
                               least, std::round(28 * m.scale));
  const auto rows = static_cast<size_t>(std::max(0.0f, area.height() / row));
  scene.hidden = static_cast<int>(count - std::min(count, rows));
  Rect left_area = area, left_title = titles;
  const float width = std::round(area.width() * (1 - kLinks) / 2);
  left_area = area.cut_left(width);
  left_title = titles.cut_left(width);
  const Rect right_area = area.cut_right(width), right_title = titles.cut_right(width);
  scene.titles = {{left_title, left.name + (left.changed ? ", changed" : "")}, {right_title, right.name}};
  scene.left = lay_column(left, current, left_area, row, rows, m);
  scene.right = lay_column(right, current, right_area, row, rows, m);
  add_links(left, right, scene);
  const ChangedPairs pairs = changed_pairs(*left.variants, *right.variants);
  if (pairs.pairs > 0)
    scene.order = {order, pairs.changed == 0 ? std::string("The variants have the same order on both.")
                                             : fmt::format("{} of {} pair{} of variants change places.",
                                                           pairs.changed, pairs.pairs, plural(pairs.pairs))};
  if (!sheets.empty()) add_facts(*left.device, *right.device, scene, sheets, m);
  return scene;
}

}  // namespace gemmscope::scenes
