#include "views/lesson_parts.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "drawing/canvas.h"
#include "drawing/extra_glyphs.h"
#include "drawing/focus.h"
#include "drawing/session.h"
#include "drawing/widgets.h"
#include "scenes/paragraph_scene.h"

namespace gemmscope::views {
namespace {

using drawing::Canvas;
using drawing::color;
using drawing::FontRole;
using drawing::px;
using drawing::Role;
using lessons::Origin;
using lessons::TextPart;

// The parts with code apart, and how each is drawn.
struct Styled {
  std::vector<std::string> texts;
  std::vector<FontRole> fonts;
  std::vector<Role> roles;
  std::vector<std::string> hints;
};

// "84 %" stays on one line.
std::string unbroken(std::string text) {
  for (size_t at = 0; (at = text.find(' ', at)) != std::string::npos;) text.replace(at, 1, "\u00a0");
  return text;
}

Styled style(const std::vector<TextPart>& parts, FontRole font, Role role) {
  Styled styled;
  const auto add = [&](std::string text, FontRole in, Role of, std::string hint) {
    styled.texts.push_back(std::move(text));
    styled.fonts.push_back(in);
    styled.roles.push_back(of);
    styled.hints.push_back(std::move(hint));
  };
  const FontRole code = font == FontRole::small ? FontRole::mono_small : FontRole::mono;
  bool in_code = false;
  for (const TextPart& part : parts) {
    if (part.origin) {
      const std::string mark = *part.origin == Origin::modelled ? "\u2248" : "";
      const char* word = origin_word(*part.origin);
      const std::string source = part.missing      ? part.source
                                 : word == nullptr ? part.source
                                                   : fmt::format("{}: {}", word, part.source);
      add(mark + unbroken(part.text), font == FontRole::body ? FontRole::body_strong : font,
          part.missing ? Role::error : origin_role(*part.origin), source);
      continue;
    }
    for (size_t at = 0; at <= part.text.size();) {
      const size_t end = std::min(part.text.find('`', at), part.text.size());
      if (end > at)
        add(part.text.substr(at, end - at), in_code ? code : font, in_code ? Role::text_strong : role, "");
      if (end < part.text.size()) in_code = !in_code;
      at = end + 1;
    }
  }
  return styled;
}

scenes::Paragraph layout(const Styled& styled, FontRole font, float width) {
  return scenes::layout_paragraph(
      styled.texts, width, lesson_line_height(font),
      [&](size_t part, std::string_view text) { return drawing::verbatim_width(styled.fonts[part], text); });
}

void draw(Canvas& canvas, const Styled& styled, const scenes::Paragraph& paragraph, drawing::Point at) {
  for (const scenes::TextRun& run : paragraph.runs) {
    const FontRole font = styled.fonts[run.part];
    const float top = at.y + run.rect.top + (run.rect.height() - drawing::line_height(font)) / 2;
    // A lesson has its own Chinese; the table would translate its words one by one.
    canvas.text_at({at.x + run.rect.left, top}, run.text, color(styled.roles[run.part]), font, true);
    const drawing::Rect place{at.x + run.rect.left, at.y + run.rect.top, at.x + run.rect.right,
                              at.y + run.rect.bottom};
    if (!styled.hints[run.part].empty() && canvas.hovered() && place.contains(canvas.mouse()))
      drawing::tooltip(styled.hints[run.part]);
  }
}

}  // namespace

Role origin_role(Origin origin) {
  switch (origin) {
    case Origin::recorded:
      return Role::recorded;
    case Origin::modelled:
      return Role::modelled;
    case Origin::stated:
    case Origin::exact:
      break;
  }
  return Role::text_strong;
}

const char* origin_word(Origin origin) {
  if (origin == Origin::recorded) return "recorded";
  if (origin == Origin::modelled) return "modelled";
  return nullptr;
}

float lesson_line_height(FontRole font) { return std::round(drawing::line_height(font) * 1.22f); }

void lesson_text(const char* id, const std::vector<TextPart>& parts, FontRole font, Role role) {
  const Styled styled = style(parts, font, role);
  const float width = ImGui::GetContentRegionAvail().x;
  const scenes::Paragraph paragraph = layout(styled, font, width);
  if (paragraph.runs.empty()) return;
  Canvas canvas(id, {width, std::max(1.0f, paragraph.height)});
  draw(canvas, styled, paragraph, {0, 0});
}

namespace {

void source_line(Origin origin, const std::string& sources) {
  const std::string mark = origin == Origin::modelled ? "\u2248 " : "";
  const std::string line = fmt::format("{}: {}", origin_word(origin), sources);
  const std::string shown(drawing::shown_text(line, FontRole::small));
  lesson_text(origin_word(origin), {{mark + shown, std::nullopt, "", false}}, FontRole::small,
              origin_role(origin));
}

}  // namespace

void lesson_sources(const std::vector<TextPart>& parts) {
  std::map<Origin, std::set<std::string>> sources;
  for (const TextPart& part : parts)
    if (part.origin && !part.missing && origin_word(*part.origin) != nullptr)
      sources[*part.origin].insert(part.source);
  for (const auto& [origin, names] : sources)
    source_line(origin, fmt::format("{}", fmt::join(names, " \u00b7 ")));
}

void lesson_sources_to_come(const std::set<Origin>& origins) {
  for (const Origin origin : origins)
    if (origin_word(origin) != nullptr) source_line(origin, "\u2026");
}

namespace {

// How many chose it, and a minus that takes one away; cut off the row. Returns true when it was clicked.
bool draw_hands(Canvas& canvas, const ChoiceButton& button, drawing::Rect& row) {
  if (button.hands.empty()) return false;
  bool lowered = false;
  if (button.can_lower) {
    const drawing::Rect minus = row.cut_right(px(22));
    const bool hovered = canvas.hovered() && minus.contains(canvas.mouse());
    canvas.text(minus, "\u2212", color(hovered ? Role::text_strong : Role::text_dim),
                {FontRole::body_strong, drawing::AlignX::center, drawing::AlignY::center, true});
    if (hovered) drawing::tooltip("One hand less");
    lowered = hovered && canvas.clicked();
  }
  const float width = canvas.text_width(button.hands, FontRole::body_strong) + px(6);
  canvas.text(row.cut_right(width), button.hands, color(Role::text_strong),
              {FontRole::body_strong, drawing::AlignX::right, drawing::AlignY::center, true});
  return lowered;
}

float room_above(const ChoiceButton& button) { return px(button.low ? 4 : 7); }

float hands_width(const ChoiceButton& button) {
  if (button.hands.empty()) return 0;
  return drawing::text_width(FontRole::body_strong, button.hands) + px(button.can_lower ? 28 : 6);
}

}  // namespace

float choice_button_height(const ChoiceButton& button) {
  return std::round(lesson_line_height(FontRole::body) + 2 * room_above(button));
}

ChoicePress choice_button(const char* id, const ChoiceButton& button) {
  const float width = ImGui::GetContentRegionAvail().x, pad = px(10), letter = px(26);
  const float above = room_above(button);
  const Styled styled =
      style(button.text, FontRole::body, button.enabled || button.chosen ? Role::text : Role::text_dim);
  const float room = width - letter - 2 * pad - (button.mark.empty() ? 0 : px(22)) - hands_width(button);
  const scenes::Paragraph paragraph = layout(styled, FontRole::body, room);
  Canvas canvas(id, {width, std::round(paragraph.height + 2 * above)});
  const bool pressed = button.enabled && canvas.hovered() && canvas.clicked();
  const bool used = drawing::tab_stop(drawing::StopKind::control).entered;
  const drawing::Rect area = canvas.area();
  const bool hovered = button.enabled && canvas.hovered();
  canvas.fill_round_rect(area,
                         color(button.chosen ? Role::accent_subtle
                               : hovered     ? Role::control_hover
                                             : Role::control),
                         px(6));
  if (button.share > 0) {
    drawing::Rect bar = area;
    bar.right = bar.left + std::max(px(6), std::round(area.width() * std::min(button.share, 1.0f)));
    canvas.fill_round_rect(bar, with_opacity(color(button.mark_role), 0.3f), px(6));
  }
  if (button.chosen) canvas.stroke_round_rect(area, color(Role::accent), px(6), px(1.5f));
  drawing::Rect row = area.inset(pad, 0);
  canvas.text(row.cut_left(letter), button.letter, color(button.chosen ? Role::accent : Role::text_dim),
              {FontRole::body_strong, drawing::AlignX::left, drawing::AlignY::center});
  if (!button.mark.empty())
    canvas.text(row.cut_right(px(22)), button.mark, color(button.mark_role),
                {FontRole::body_strong, drawing::AlignX::right, drawing::AlignY::center});
  const bool lowered = draw_hands(canvas, button, row);
  draw(canvas, styled, paragraph, {row.left, above});
  if (lowered) return ChoicePress::fewer;
  return pressed || (used && button.enabled) ? ChoicePress::chosen : ChoicePress::none;
}

}  // namespace gemmscope::views
