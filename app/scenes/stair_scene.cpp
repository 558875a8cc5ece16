#include "scenes/stair_scene.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "scenes/timing_scene.h"

namespace gemmscope::scenes {
namespace {

using drawing::Point;
using drawing::Rect;

constexpr double kLinearUpTo = 12;  // the largest ratio of highest to lowest on a linear axis

double value_of(const Contest& contest, const Contender& c) {
  return contest.by_rate ? c.tflops : c.ms.median;
}

bool is_step(const Contender& c) { return !c.mark.empty() && c.mark[0] >= '0' && c.mark[0] <= '9'; }

// At most three characters, as a step is narrow.
std::string short_figure(double value) {
  if (value >= 9.95 || value < 0.0995) return value >= 1 ? fmt::format("{:.0f}", value) : figure_text(value);
  return fmt::format("{:.1f}", value);
}

// A kernel: its defaults, or the first of its variants, and the others.
struct Step {
  int main = 0;
  std::vector<int> variants;
};

std::vector<Step> steps_of(const Contest& contest) {
  std::vector<Step> steps;
  const auto at = [&](int i) -> const Contender& { return contest.contenders[static_cast<size_t>(i)]; };
  for (int i = 0; i < static_cast<int>(contest.contenders.size()); ++i) {
    if (at(i).library || !(value_of(contest, at(i)) > 0)) continue;
    const auto step =
        std::ranges::find_if(steps, [&](const Step& s) { return at(s.main).key.kernel == at(i).key.kernel; });
    if (step == steps.end()) {
      steps.push_back({i, {}});
    } else if (at(i).key.toggles.empty() && !at(step->main).key.toggles.empty()) {
      step->variants.push_back(std::exchange(step->main, i));
    } else {
      step->variants.push_back(i);
    }
  }
  // Kernels that are no step of the ladder come last.
  std::ranges::stable_sort(steps, {}, [&](const Step& s) {
    return std::pair(!is_step(at(s.main)), is_step(at(s.main)) ? at(s.main).mark.substr(0, 2) : "");
  });
  return steps;
}

Axis value_axis(const Contest& contest, Rect plot) {
  double low = HUGE_VAL, high = 0;
  for (const Contender& c : contest.contenders)
    if (const double value = value_of(contest, c); value > 0)
      low = std::min(low, value), high = std::max(high, value);
  if (high > kLinearUpTo * low)
    return {round_down(low / 1.5), round_up(high * 1.1), plot.bottom, plot.top, true};
  return {0, high * 1.15, plot.bottom, plot.top, false};
}

// A row of texts centred under the slots; those that would overlap an earlier one are left out.
void place_row(std::vector<Stair>& stairs, Rect row, Rect Stair::*place,
               const std::vector<std::string>& texts, const SceneMetrics& m) {
  float taken = row.left;
  for (size_t i = 0; i < stairs.size(); ++i) {
    const float width = small_text_width(m, texts[i]), center = stairs[i].slot.center().x;
    const Rect rect{center - width / 2, row.top, center + width / 2, row.bottom};
    if (texts[i].empty() || rect.left < taken || rect.right > row.right) continue;
    stairs[i].*place = rect;
    taken = rect.right + m.scale;
  }
}

void add_stairs(StairScene& scene, const Contest& contest, const std::vector<Step>& steps, const Axis& axis,
                Rect marks, Rect values, const SceneMetrics& m) {
  const float width = scene.plot.width() / static_cast<float>(steps.size());
  std::vector<std::string> mark_texts, value_texts;
  for (size_t i = 0; i < steps.size(); ++i) {
    const Contender& c = contest.contenders[static_cast<size_t>(steps[i].main)];
    Stair stair;
    stair.contender = steps[i].main;
    const float left = scene.plot.left + width * static_cast<float>(i);
    stair.slot = {left, scene.plot.top, left + width, values.bottom};
    stair.body = {std::round(left), std::round(axis.at(value_of(contest, c))), std::round(left + width),
                  scene.plot.bottom};
    stair.body.top = std::min(stair.body.top, scene.plot.bottom - 1);
    stair.modelled = c.modelled;
    stair.value_text = short_figure(value_of(contest, c));
    mark_texts.push_back(c.mark);
    value_texts.push_back(stair.value_text);
    scene.stairs.push_back(std::move(stair));
  }
  place_row(scene.stairs, marks, &Stair::mark, mark_texts, m);
  place_row(scene.stairs, values, &Stair::value, value_texts, m);
}

void add_libraries(StairScene& scene, const Contest& contest, const Axis& axis, LabelRoom& room,
                   const SceneMetrics& m) {
  const Contender& first = contest.contenders[static_cast<size_t>(scene.stairs.front().contender)];
  for (size_t i = 0; i < contest.contenders.size(); ++i) {
    const Contender& c = contest.contenders[i];
    if (!c.library || !(value_of(contest, c) > 0)) continue;
    StairLibrary library{static_cast<int>(i), scene.plot.right, scene.plot.left, 0, {}, ""};
    for (const Stair& stair : scene.stairs) {
      const Contender& of = contest.contenders[static_cast<size_t>(stair.contender)];
      if (of.grade == c.grade && (is_step(of) || !is_step(first))) {
        library.left = std::min(library.left, stair.body.left);
        library.right = std::max(library.right, stair.body.right);
      }
    }
    if (library.left >= library.right) continue;  // no step has this grade
    library.y = std::round(axis.at(value_of(contest, c)));
    library.text = fmt::format("{} {}", c.label, figure_text(value_of(contest, c)));
    scene.libraries.push_back(library);
    room.take({library.left, library.y - 1, library.right, library.y + 1});
  }
  for (StairLibrary& library : scene.libraries) {
    const float width = small_text_width(m, library.text), height = m.small_height;
    const float over = std::floor(library.y - height - 2), under = library.y + 2,
                beside = std::round(library.y - height / 2);
    std::vector<Rect> places;
    for (const float top : {over, under})
      for (const float left : {library.left, library.right - width})
        places.push_back(Rect::at({left, top}, {width, height}));
    places.push_back(Rect::at({library.left - width - 4 * m.scale, beside}, {width, height}));
    places.push_back(Rect::at({library.right + 4 * m.scale, beside}, {width, height}));
    library.label = room.first_free(places);
  }
}

void add_risers(StairScene& scene, const Contest& contest, LabelRoom& room, const SceneMetrics& m) {
  std::vector<double> factors;
  for (size_t i = 1; i < scene.stairs.size(); ++i) {
    if (!is_step(contest.contenders[static_cast<size_t>(scene.stairs[i].contender)])) break;
    const Stair &before = scene.stairs[i - 1], &stair = scene.stairs[i];
    const double a = value_of(contest, contest.contenders[static_cast<size_t>(before.contender)]);
    const double b = value_of(contest, contest.contenders[static_cast<size_t>(stair.contender)]);
    factors.push_back(contest.by_rate ? b / a : a / b);
    Riser riser;
    riser.x = stair.body.left;
    riser.top = std::min(before.body.top, stair.body.top);
    riser.bottom = std::max(before.body.top, stair.body.top);
    riser.down = factors.back() < 1;
    riser.text = speedup_text(factors.back());
    room.take_line({riser.x, riser.top}, {riser.x, riser.bottom});
    scene.risers.push_back(std::move(riser));
  }
  std::vector<size_t> order(factors.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::ranges::stable_sort(order, [&](size_t a, size_t b) {
    return std::abs(std::log(factors[a])) > std::abs(std::log(factors[b]));
  });
  for (const size_t i : order) {
    Riser& riser = scene.risers[i];
    const float width = small_text_width(m, riser.text), height = m.small_height;
    // Beside a step down there is room over the lower step.
    if (const Rect lower = Rect::at({riser.x + 2 * m.scale, std::round(riser.bottom - height - 3 * m.scale)},
                                    {width, height});
        riser.down && lower.top > riser.top && room.is_free(lower))
      riser.label.rect = lower, room.take(lower);
    for (int line = 0; line < 6 && riser.label.rect.empty(); ++line) {
      const float top = std::round(riser.top - (1 + 1.1f * static_cast<float>(line)) * height - 3 * m.scale);
      for (const float left : {riser.x - width / 2, riser.x - width - m.scale, riser.x + m.scale}) {
        const Rect rect = Rect::at({std::round(left), top}, {width, height});
        const Point from{riser.x, riser.top - m.scale}, to{riser.x, rect.bottom};
        if (!room.is_free(rect) || (line > 0 && !room.is_free({riser.x - 0.5f, rect.bottom, riser.x + 0.5f,
                                                               riser.top - 3 * m.scale})))
          continue;
        riser.label.rect = rect;
        room.take(rect);
        if (line > 0) {
          riser.label.leader_from = from, riser.label.leader_to = to;
          room.take_line(from, to);
        }
        break;
      }
    }
  }
}

void add_variants(StairScene& scene, const Contest& contest, const std::vector<Step>& steps, const Axis& axis,
                  int focus, LabelRoom& room, const SceneMetrics& m) {
  const float reach = 5 * m.scale;
  for (size_t i = 0; i < steps.size(); ++i)
    for (const int index : steps[i].variants) {
      const Contender& c = contest.contenders[static_cast<size_t>(index)];
      const Point at{scene.stairs[i].body.center().x, axis.at(value_of(contest, c))};
      room.take_mark({at.x - reach, at.y - reach, at.x + reach, at.y + reach});
      scene.variants.push_back({index, at, c.modelled, {}});
    }
  std::ranges::stable_sort(scene.variants, {}, [&](const StairVariant& variant) {
    return -importance(contest, variant.contender, focus);
  });
  for (StairVariant& variant : scene.variants)
    variant.label = room.beside(
        variant.at, small_text_width(m, contest.contenders[static_cast<size_t>(variant.contender)].mark),
        reach + 2 * m.scale);
}

void add_modelled_labels(StairScene& scene, LabelRoom& room, const SceneMetrics& m) {
  const float width = small_text_width(m, "modelled");
  for (Stair& stair : scene.stairs) {
    if (!stair.modelled) continue;
    const float left = std::round(stair.body.center().x - width / 2);
    std::vector<Rect> places;
    for (int line = 0; line < 5; ++line)
      places.push_back(Rect::at(
          {left, std::round(stair.body.top - 3 * m.scale - static_cast<float>(line + 1) * m.small_height)},
          {width, m.small_height}));
    stair.modelled_label = room.first_free(places);
  }
}

std::string title_of(const Contest& contest, const Axis& axis) {
  std::string title = contest.by_rate ? "TFLOP/s, step by step" : "ms, step by step";
  if (axis.logarithmic) title += ", logarithmic";
  const bool mixed = contest.provenance != experiment::Provenance::modelled &&
                     std::ranges::any_of(contest.contenders, &Contender::modelled);
  return mixed ? title + "; hatched: modelled" : title;
}

}  // namespace

std::string speedup_text(double factor) {
  const int decimals = factor >= 9.95 ? 0 : factor >= 1.995 ? 1 : 2;
  return fmt::format("\u00d7{:.{}f}", factor, decimals);
}

StairScene layout_stairs(const Contest& contest, int focus, Rect area, const SceneMetrics& m) {
  StairScene scene;
  scene.title = area.cut_top(m.small_height);
  scene.title_text = contest.by_rate ? "TFLOP/s, step by step" : "ms, step by step";
  const std::vector<Step> steps = steps_of(contest);
  if (steps.empty()) {
    scene.empty_text = "No variant has a time.";
    return scene;
  }
  const float axis_width = small_text_width(m, "1,000") + 4 * m.scale;
  area.cut_top(std::round(m.small_height / 2));
  Rect plot = area;
  Rect values = plot.cut_bottom(m.small_height);
  Rect marks = plot.cut_bottom(m.small_height + std::round(2 * m.scale));
  plot.cut_left(axis_width);
  plot.cut_right(std::round(4 * m.scale));
  if (plot.width() < 40 * m.scale || plot.height() < 3 * m.small_height) {
    scene.empty_text = "No room for the chart.";
    return scene;
  }
  scene.empty = false;
  scene.plot = plot;
  marks.cut_top(std::round(2 * m.scale));
  marks.left = values.left = plot.left - 4 * m.scale;  // up to the axis' figures
  const Axis axis = value_axis(contest, plot);
  scene.title_text = title_of(contest, axis);
  add_value_axis(scene, axis, axis_width, m);
  add_stairs(scene, contest, steps, axis, marks, values, m);
  LabelRoom room(plot, m.small_height);
  const float thick = std::round(2 * m.scale);
  for (const Stair& stair : scene.stairs)
    room.take({stair.body.left, stair.body.top - thick, stair.body.right, stair.body.top + thick});
  add_libraries(scene, contest, axis, room, m);
  add_risers(scene, contest, room, m);
  add_variants(scene, contest, steps, axis, focus, room, m);
  add_modelled_labels(scene, room, m);
  return scene;
}

int stair_at(const StairScene& scene, Point point, float reach) {
  for (const StairVariant& variant : scene.variants)
    if (variant.label.rect.contains(point) ||
        std::hypot(variant.at.x - point.x, variant.at.y - point.y) <= reach)
      return variant.contender;
  for (const StairLibrary& library : scene.libraries)
    if (library.label.contains(point)) return library.contender;
  for (const Stair& stair : scene.stairs)
    if (stair.slot.contains(point)) return stair.contender;
  return -1;
}

}  // namespace gemmscope::scenes
