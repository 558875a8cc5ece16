#include "scenes/lesson_strip_scene.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "drawing/text_fit.h"

namespace gemmscope::scenes {
namespace {

using drawing::Rect;

constexpr float kButtonsPoints = 186, kSidePoints = 52, kButtonHeightPoints = 22, kGapPoints = 5;
constexpr float kButtonPaddingPoints = 5;
constexpr float kBetweenPoints = 18;  // columns
constexpr float kAfterHeadingPoints = 8;
constexpr float kOneColumnPoints = 560;  // a narrower strip has its texts one above the other

std::string number_of(const catalog::Kernel& kernel) {
  return kernel.id.substr(0, std::min(kernel.id.find_first_not_of("0123456789"), kernel.id.size()));
}

// A step of the ladder has its number beside the arrow; the tooltip has the title of any kernel.
std::string with_number(const catalog::Kernel& kernel, bool before) {
  const std::string number = kernel.opened ? "" : number_of(kernel);
  const char* const arrow = before ? "\u2190" : "\u2192";
  if (number.empty()) return arrow;
  return before ? fmt::format("{} {}", arrow, number) : fmt::format("{} {}", number, arrow);
}

// "step 9 of 15": among the kernels of its folder.
std::string place_of(const catalog::Catalog& catalog, const catalog::Kernel& kernel) {
  const char* const what = kernel.folder == "ladder" ? "step" : kernel.folder == "labs" ? "lab" : "";
  if (*what == '\0') return "";
  size_t count = 0, place = 0;
  for (const catalog::Kernel& k : catalog.kernels) {
    if (k.folder != kernel.folder) continue;
    ++count;
    if (k.id == kernel.id) place = count;
  }
  return fmt::format("{} {} of {}", what, place, count);
}

struct Columns {
  float heading = 0;                  // width of the headings
  std::vector<float> widths;          // of the texts
  bool small = false, beside = true;  // the texts stand side by side
  std::vector<int> lines;             // of each text
};

std::vector<std::pair<std::string, std::string>> texts_of(const LessonTexts& texts) {
  std::vector<std::pair<std::string, std::string>> parts;
  if (!texts.why.empty()) parts.emplace_back("Why", texts.why);
  if (!texts.look_at.empty()) parts.emplace_back("Look at", texts.look_at);
  return parts;
}

// A longer text gets a wider column, so that both take about as many lines.
Columns columns_in(const LessonTexts& texts, float width, const LessonMetrics& m, bool small) {
  Columns columns{
      .heading = 0, .widths = {}, .small = small, .beside = width >= kOneColumnPoints * m.scale, .lines = {}};
  const auto parts = texts_of(texts);
  if (parts.empty()) return columns;
  const auto& measure = small ? m.small : m.body;
  float headings = 0, all = 0;
  for (const auto& [heading, text] : parts) {
    headings += measure(heading) + kAfterHeadingPoints * m.scale;
    columns.heading = std::max(columns.heading, measure(heading) + kAfterHeadingPoints * m.scale);
    all += measure(text);
  }
  const float room = width - headings - kBetweenPoints * m.scale * static_cast<float>(parts.size() - 1);
  for (const auto& [heading, text] : parts) {
    const float share = parts.size() == 1 ? 1 : std::clamp(measure(text) / all, 0.3f, 0.7f);
    columns.widths.push_back(std::floor(columns.beside ? room * share : width - columns.heading));
    columns.lines.push_back(wrapped_lines(text, columns.widths.back(), measure));
  }
  return columns;
}

Columns fitting_columns(const LessonTexts& texts, float width, const LessonMetrics& m) {
  const Columns body = columns_in(texts, width, m, false);
  const bool fits = std::ranges::all_of(body.lines, [&](int lines) { return lines <= m.most_lines; });
  return fits ? body : columns_in(texts, width, m, true);
}

// Of all buttons: at a small scale the letters are larger than the scale says.
float buttons_width(const LessonMetrics& m) {
  const float show_me = m.small("Show me") + 2 * kButtonPaddingPoints * m.scale;
  return std::max(kButtonsPoints * m.scale, std::ceil(show_me) + 2 * (kSidePoints + kGapPoints) * m.scale);
}

int shown_lines(int lines, const Columns& columns, const LessonMetrics& m) {
  return std::min(lines, columns.small ? m.most_small_lines : m.most_lines);
}

float line_height(const Columns& columns, const LessonMetrics& m) {
  return columns.small ? m.small_height : m.body_height;
}

}  // namespace

LessonTexts lesson_texts(const catalog::Catalog& catalog, const catalog::Kernel& kernel) {
  LessonTexts texts{.why = kernel.why,
                    .look_at = kernel.look_at,
                    .previous = {},
                    .next = {},
                    .previous_title = {},
                    .next_title = {},
                    .place = place_of(catalog, kernel),
                    .has_show_me = !kernel.show_me.empty()};
  const auto here = std::ranges::find(catalog.kernels, kernel.id, &catalog::Kernel::id);
  if (here == catalog.kernels.end()) return texts;
  if (here != catalog.kernels.begin()) {
    texts.previous = with_number(*std::prev(here), true);
    texts.previous_title = std::prev(here)->title;
  }
  if (std::next(here) != catalog.kernels.end()) {
    texts.next = with_number(*std::next(here), false);
    texts.next_title = std::next(here)->title;
  }
  return texts;
}

int wrapped_lines(std::string_view text, float width, const std::function<float(std::string_view)>& measure) {
  int lines = 0;
  while (!text.empty()) {
    ++lines;
    size_t fits = 0;
    for (size_t end = 0; end <= text.size();) {
      end = drawing::next_break(text, end);
      if (fits > 0 && measure(text.substr(0, end)) > width) break;
      fits = end;
      if (end == text.size()) break;
    }
    text.remove_prefix(fits);
    text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
  }
  return lines;
}

float lesson_strip_height(const LessonTexts& texts, float width, const LessonMetrics& m) {
  const Columns columns = fitting_columns(texts, width - buttons_width(m) - kBetweenPoints * m.scale, m);
  int lines = 0;
  for (const int own : columns.lines) {
    const int shown = shown_lines(own, columns, m);
    lines = columns.beside ? std::max(lines, shown) : lines + shown;
  }
  const float least = (kButtonHeightPoints + kGapPoints) * m.scale + m.small_height;
  return std::ceil(std::max(least, static_cast<float>(lines) * line_height(columns, m)));
}

LessonStrip layout_lesson_strip(const LessonTexts& texts, Rect area, const LessonMetrics& m) {
  LessonStrip strip;
  Rect buttons = area.cut_right(buttons_width(m));
  area.cut_right(kBetweenPoints * m.scale);
  const Columns columns = fitting_columns(texts, area.width(), m);
  strip.small = columns.small;
  const float line = line_height(columns, m);
  const auto parts = texts_of(texts);
  for (size_t i = 0; i < parts.size(); ++i) {
    const auto& [heading, text] = parts[i];
    const int lines = shown_lines(columns.lines[i], columns, m);
    const float own_heading = (columns.small ? m.small : m.body)(heading) + kAfterHeadingPoints * m.scale;
    const float heading_width = columns.beside ? own_heading : columns.heading;
    Rect part = columns.beside ? area.cut_left(heading_width + columns.widths[i])
                               : area.cut_top(line * static_cast<float>(lines));
    if (columns.beside) area.cut_left(kBetweenPoints * m.scale);
    const Rect heading_rect = part.cut_left(heading_width);
    strip.parts.push_back({heading, text, heading_rect, part,
                           line * static_cast<float>(columns.lines[i]) <= part.height() + 0.5f});
  }
  Rect row = buttons.cut_top(kButtonHeightPoints * m.scale);
  const float gap = kGapPoints * m.scale, side = kSidePoints * m.scale;
  strip.previous = row.cut_left(side);
  strip.next = row.cut_right(side);
  strip.show_me = row.inset(gap, 0);
  buttons.cut_top(gap);
  strip.place = buttons.cut_top(m.small_height);
  return strip;
}

}  // namespace gemmscope::scenes
