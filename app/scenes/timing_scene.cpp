#include "scenes/timing_scene.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "drawing/text_fit.h"
#include "scenes/chart_axis.h"

namespace gemmscope::scenes {
namespace {

using drawing::Rect;
using experiment::Grade;

// A grade's title, or one contender.
struct Row {
  bool is_title = false;
  Grade grade = Grade::fp32;
  int contender = -1;
};

std::vector<Row> rows_of(const Contest& contest) {
  std::vector<Row> rows;
  for (size_t i = 0; i < contest.contenders.size(); ++i) {
    const Grade grade = contest.contenders[i].grade;
    if (rows.empty() || rows.back().grade != grade) rows.push_back({true, grade, -1});
    rows.push_back({false, grade, static_cast<int>(i)});
  }
  return rows;
}

float shortest_row(const SceneMetrics& m) { return m.small_height + std::round(1 * m.scale); }
float tallest_row(const SceneMetrics& m) { return std::round(34 * m.scale); }

struct Column {
  const char* title;
  std::string Contender::*text;
  int needed;  // in a narrow panel the figures with the largest number are left out first
};
constexpr int kModelledColumn = 2;
constexpr float kSide = 0.34f;  // share of the width that labels beside the bars take at most
constexpr float kOverlaid =
    0.66f;  // share of the width that labels on the bars get at most before figures do
constexpr float kLeastOverlaid = 0.48f;  // the same where modelled times would have no room beside the others
constexpr float kTrack = 0.3f;           // share of the width that bars get before figures do
constexpr float kBarRoom = 34;  // points that bars keep above their minimum while labels are truncated

// The scale and the reference lines of one grade's bars.
struct Scale {
  double max = 0, library = 0, peak = 0;
};
double value_of(const Contest& contest, const Contender& c) {
  return contest.by_rate ? c.tflops : c.ms.median;
}
Scale scale_of(const Contest& contest, Grade grade) {
  Scale scale;
  for (const Contender& c : contest.contenders) {
    if (c.grade != grade) continue;
    scale.max =
        std::max({scale.max, value_of(contest, c), contest.by_rate ? c.tflops_high : c.ms.upper_quartile});
    if (c.library) scale.library = value_of(contest, c);
    if (contest.by_rate && c.of_peak > 0) scale.peak = c.tflops / c.of_peak;
  }
  scale.max = std::max(scale.max, scale.peak);
  return scale;
}

struct Frame {
  Rect labels, tracks;
  bool overlaid = false, thin = false;
  std::vector<Rect> columns;
  std::vector<Column> kinds;
};

// The plate with the mark before a label.
float plate_width(const Contest& contest, const SceneMetrics& m) {
  float width = 0;
  for (const Contender& c : contest.contenders) width = std::max(width, small_text_width(m, c.mark));
  return std::round(width + 6 * m.scale);
}
float before_label(const Contest& contest, const SceneMetrics& m) {
  return plate_width(contest, m) + std::round(10 * m.scale);
}

float widest_label(const Contest& contest, const SceneMetrics& m) {
  float width = 0;
  for (const Contender& c : contest.contenders) width = std::max(width, small_text_width(m, c.name));
  return width + before_label(contest, m);
}

std::vector<Column> columns_of(const Contest& contest) {
  std::vector<Column> kinds = {{"TFLOP/s", &Contender::rate_text, 0},
                               {"ms", &Contender::ms_text, 1},
                               {"modelled ms", &Contender::modelled_text, kModelledColumn},
                               {"of cuBLAS", &Contender::ratio_text, 3},
                               {"error", &Contender::error_text, 4}};
  std::erase_if(kinds, [&](const Column& kind) {
    return std::all_of(contest.contenders.begin(), contest.contenders.end(),
                       [&](const Contender& c) { return (c.*kind.text).empty(); });
  });
  return kinds;
}

// `thin`: figures are in small text and closer together. Labels above the bars leave the whole width to both.
Frame frame_of(const Contest& contest, Rect area, bool thin, bool overlaid, const SceneMetrics& m) {
  Frame frame;
  frame.overlaid = overlaid;
  frame.thin = thin;
  frame.kinds = columns_of(contest);
  const float wanted = widest_label(contest, m);
  float labels = std::min(wanted, std::floor(area.width() * kSide));
  const float gap = std::round((thin ? 6 : 10) * m.scale);
  const float least_track = std::max((thin ? 56 : 70) * m.scale, std::floor(area.width() * kTrack));
  const float figure = m.code_width * (thin ? 1.0f : 1.2f);
  const auto needed_on_bars = [&](float most) {
    return std::max(least_track + before_label(contest, m),
                    std::min(wanted + 12 * m.scale, std::floor(area.width() * most)));
  };
  float needed = overlaid ? needed_on_bars(kOverlaid) : labels + least_track;
  const auto width_of = [&](const Column& kind) {
    float width = small_text_width(m, kind.title) * 0.85f;
    for (const Contender& c : contest.contenders)
      width = std::max(width, static_cast<float>((c.*kind.text).size()) * figure);
    return std::ceil(width) + gap;
  };
  float spare = 0;  // width left over beside the figures, labels and shortest bars
  for (;; frame.kinds.pop_back()) {
    float figures = 0;
    for (const Column& kind : frame.kinds) figures += width_of(kind);
    // A modelled time stands beside the recorded one even if labels are truncated.
    if (overlaid && !frame.kinds.empty() && frame.kinds.back().needed == kModelledColumn)
      needed =
          std::min(needed, std::max(needed_on_bars(kLeastOverlaid), area.width() - 13 * m.scale - figures));
    spare = area.width() - 13 * m.scale - needed - figures;
    if (frame.kinds.empty() || spare >= 0) break;
  }
  // While labels are truncated, bars get no more than kBarRoom of the spare width.
  labels = std::min(wanted, labels + std::max(0.0f, spare - kBarRoom * m.scale));
  Rect rest = area;
  rest.cut_right(std::round(5 * m.scale));
  frame.columns.resize(frame.kinds.size());
  for (size_t i = frame.kinds.size(); i-- > 0;) {
    frame.columns[i] = rest.cut_right(width_of(frame.kinds[i]));
    frame.columns[i].left += gap / 2;
  }
  rest.cut_right(std::round(8 * m.scale));  // the brackets
  frame.labels = overlaid ? rest : rest.cut_left(std::ceil(labels));
  frame.tracks = rest;
  if (overlaid) frame.tracks.cut_left(before_label(contest, m));
  return frame;
}

// The label lies on the bar, which has the whole row.
void lay_label_on(ContenderBar& bar, const Contender& c, Rect track, bool thin, const SceneMetrics& m) {
  bar.track = bar.label = track;
  bar.label.left += std::round(6 * m.scale);
  const float size = thin ? 1 : m.line_height / std::max(1.0f, m.small_height);
  bar.label.right = std::min(bar.label.left + std::ceil(small_text_width(m, c.name) * size), bar.track.right);
}

ContenderBar lay_bar(const Contest& contest, int index, const Scale& scale, Rect row, const Frame& frame,
                     const SceneMetrics& m) {
  const Contender& c = contest.contenders[static_cast<size_t>(index)];
  ContenderBar bar;
  bar.contender = index;
  bar.row = row;
  bar.label = {frame.labels.left, row.top, frame.labels.right, row.bottom};
  const float height = std::min(row.height() - std::round(m.scale), std::round(m.small_height + 2 * m.scale));
  bar.swatch = Rect::at({row.left + std::round(2 * m.scale), std::round(row.center().y - height / 2)},
                        {plate_width(contest, m), height});
  bar.label.left = std::min(bar.swatch.right + std::round(6 * m.scale), bar.label.right);
  bar.track = {frame.tracks.left, row.top, frame.tracks.right, row.bottom};
  if (frame.overlaid) {
    const float gap = std::max(1.0f, std::round(row.height() * 0.05f));
    lay_label_on(bar, c, {frame.tracks.left, row.top + gap, frame.tracks.right, row.bottom - gap}, frame.thin,
                 m);
  } else {
    bar.track = bar.track.inset(0, std::round(row.height() * 0.16f));
  }
  if (!c.has_samples()) {
    bar.trouble = c.trouble.empty() ? "waiting for its first turn" : c.trouble;
  } else if (scale.max > 0) {
    const Axis axis{0, scale.max, bar.track.left, bar.track.right};
    const double value = value_of(contest, c);
    bar.bar = bar.track;
    bar.bar.right = std::max(std::round(axis.at(value)), bar.track.left + 1);
    const double low = contest.by_rate ? c.tflops_low : c.ms.lower_quartile;
    const double high = contest.by_rate ? c.tflops_high : c.ms.upper_quartile;
    if (high > low)
      bar.whisker = {axis.at(low), bar.track.top, std::max(axis.at(high), axis.at(low) + 1),
                     bar.track.bottom};
    bar.whisker.right = std::min(bar.whisker.right, bar.track.right);
    // Under the label, so that it does not cross it.
    if (frame.overlaid && !bar.whisker.empty())
      bar.whisker.top = bar.track.bottom - std::max(3.0f, std::round(0.2f * bar.track.height()));
  }
  for (size_t i = 0; i < frame.kinds.size(); ++i) {
    bar.cells.push_back({frame.columns[i].left, row.top, frame.columns[i].right, row.bottom});
    bar.figures.push_back(c.*frame.kinds[i].text);
  }
  return bar;
}

// Places the names of the lines at the title's height: the library's ends at its line, and the peak's begins
// to the right of the bars.
BarGroup lay_group(const Contest& contest, Grade grade, const Scale& scale, Rect row, const Frame& frame,
                   const SceneMetrics& m) {
  BarGroup group;
  group.grade = grade;
  group.text = experiment::grade_name(grade);
  const float title = small_text_width(m, group.text) + std::round(8 * m.scale);
  group.title = {row.left, row.top, std::min(row.left + title, frame.tracks.right), row.bottom};
  const Axis axis{0, scale.max, frame.tracks.left, frame.tracks.right};
  const std::string unit = contest.by_rate ? "" : " ms";
  if (scale.library > 0) {
    group.library = {axis.at(scale.library), row.bottom, row.bottom, {}, drawing::AlignX::right, ""};
    group.library.text = fmt::format("cuBLAS {}{}", figure_text(scale.library), unit);
    const float width = small_text_width(m, group.library.text);
    const float left = std::max(group.title.right, group.library.x - width);
    group.library.label = {left, row.top, std::min(left + width, frame.tracks.right), row.bottom};
  }
  if (scale.peak > 0) {
    group.peak = {axis.at(scale.peak), row.bottom, row.bottom, {}, drawing::AlignX::left, ""};
    group.peak.text = fmt::format("peak {}", figure_text(scale.peak));
    const float left = frame.tracks.right + std::round(4 * m.scale);
    const float right = std::min(left + small_text_width(m, group.peak.text), row.right);
    group.peak.label = {left, row.top, right, row.bottom};
  }
  return group;
}

// Where a reference line crosses the bar, unless a label is there.
void add_mark(ContenderBar& bar, double value, double max) {
  if (value <= 0) return;
  const float x = Axis{0, max, bar.track.left, bar.track.right}.at(value);
  const bool on_label = x > bar.label.left - 3 && x < bar.label.right + 3;
  if (!on_label) bar.marks.push_back(x);
}

void add_brackets(const Contest& contest, BarScene& scene, const Frame& frame, const SceneMetrics& m) {
  for (size_t i = 1; i < scene.bars.size(); ++i) {
    const ContenderBar &above = scene.bars[i - 1], &below = scene.bars[i];
    const Contender& a = contest.contenders[static_cast<size_t>(above.contender)];
    const Contender& b = contest.contenders[static_cast<size_t>(below.contender)];
    if (above.row.bottom != below.row.top || a.grade != b.grade ||
        metrics::compare_samples(a.ms, b.ms) != metrics::Comparison::indistinguishable)
      continue;
    scene.brackets.push_back({frame.tracks.right + std::round(6 * m.scale), above.row.center().y,
                              below.row.center().y, std::round(4 * m.scale)});
  }
}

// The first of `fitting` rows among which the current variant is, below the title of its grade where there is
// room: the topmost ones that do.
int first_row_with_current(const std::vector<Row>& rows, const Contest& contest, int fitting) {
  const auto current = std::ranges::find_if(
      rows, [&](const Row& row) { return !row.is_title && row.contender == contest.current; });
  if (current == rows.end() || current - rows.begin() < fitting) return 0;
  const auto title =
      std::find_if(std::make_reverse_iterator(current), rows.rend(), [](const Row& r) { return r.is_title; });
  const auto place = static_cast<int>(current - rows.begin());
  const int above = title == rows.rend() ? 0 : static_cast<int>(current - title.base()) + 1;
  constexpr int kBelow = 2;  // to compare with
  return above + kBelow < fitting ? place - above : place - std::max(0, fitting - 1 - kBelow);
}

}  // namespace

float least_bars_height(const Contest& contest, const SceneMetrics& m) {
  return m.small_height + static_cast<float>(rows_of(contest).size()) * shortest_row(m);
}

float small_text_width(const SceneMetrics& metrics, std::string_view text) {
  return std::ceil(static_cast<float>(drawing::utf8_boundaries(text).size()) * metrics.digit_width);
}

BarScene layout_timing_bars(const Contest& contest, int focus, int first_row, Rect area,
                            const SceneMetrics& m) {
  BarScene scene;
  scene.area = area;
  const std::vector<Row> rows = rows_of(contest);
  Rect rest = area;
  const Rect head = rest.cut_top(m.small_height);
  const float height =
      std::clamp(std::floor(rest.height() / static_cast<float>(std::max<size_t>(1, rows.size()))),
                 shortest_row(m), tallest_row(m));
  // Labels lie on the bars if they would be truncated beside them.
  scene.overlaid = widest_label(contest, m) > std::floor(area.width() * kSide);
  scene.thin = height < m.line_height;
  const Frame frame = frame_of(contest, area, scene.thin, scene.overlaid, m);
  if (frame.tracks.width() < 4 || rest.height() < shortest_row(m)) return scene;
  for (size_t i = 0; i < frame.kinds.size(); ++i)
    scene.columns.push_back(
        {{frame.columns[i].left, head.top, frame.columns[i].right, head.bottom}, frame.kinds[i].title});
  if (rows.empty()) return scene;
  scene.rows = static_cast<int>(rows.size());
  const int fitting = std::min(scene.rows, static_cast<int>(rest.height() / height));
  scene.hidden_rows = scene.rows - fitting;
  const int first = first_row == kWithCurrent ? first_row_with_current(rows, contest, fitting) : first_row;
  scene.first_row = std::clamp(first, 0, scene.hidden_rows);
  if (scene.hidden_rows > 0) {
    scene.more = {frame.labels.left, head.top, frame.tracks.right, head.bottom};
    scene.more_text = fmt::format("{}\u2013{} of {} rows (scroll)", scene.first_row + 1,
                                  scene.first_row + fitting, scene.rows);
  }
  const std::vector<int> same = not_distinguishable(contest, focus);
  for (int i = scene.first_row; i < scene.first_row + fitting; ++i) {
    const Row& row = rows[static_cast<size_t>(i)];
    const Rect place = rest.cut_top(height);
    const Scale scale = scale_of(contest, row.grade);
    if (row.is_title) {
      scene.groups.push_back(lay_group(contest, row.grade, scale, place, frame, m));
      continue;
    }
    scene.bars.push_back(lay_bar(contest, row.contender, scale, place, frame, m));
    if (scene.bars.back().trouble.empty())
      for (const double value : {scale.library, scale.peak}) add_mark(scene.bars.back(), value, scale.max);
    scene.bars.back().same_as_focus = std::find(same.begin(), same.end(), row.contender) != same.end();
    if (scene.groups.empty()) continue;  // its group's title is scrolled out of view
    scene.groups.back().library.bottom = scene.groups.back().peak.bottom = place.bottom;
  }
  add_brackets(contest, scene, frame, m);
  return scene;
}

int contender_at(const BarScene& scene, drawing::Point point) {
  for (const ContenderBar& bar : scene.bars)
    if (bar.row.contains(point)) return bar.contender;
  return -1;
}

}  // namespace gemmscope::scenes
