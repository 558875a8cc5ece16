#include "shell/notice_bar.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/plural.h"
#include "drawing/canvas.h"
#include "drawing/palette.h"
#include "drawing/session.h"
#include "drawing/widgets.h"

namespace gemmscope::shell {
namespace {

using drawing::Canvas;
using drawing::color;
using drawing::FontRole;
using drawing::px;
using drawing::Rect;
using drawing::Role;

struct Button {
  const char *id, *label;
};

std::string export_text(const session::ExportState& exports) {
  if (exports.of == 0) return fmt::format("{} is being written\u2026", exports.running);
  return fmt::format("{} is being written: {} of {} picture{}", exports.running, exports.done, exports.of,
                     plural(exports.of));
}

float button_width(const session::CommandTable& commands, const Button& button) {
  return drawing::text_width(FontRole::body, button.label) +
         drawing::key_caps_width(commands.key_text(button.id)) + px(36);
}

// With its key beside it, since a keyboard reaches it by that.
bool draw_button(const session::CommandTable& commands, const Button& button, Rect place, bool strong) {
  const std::string key = commands.key_text(button.id);
  const float caps = drawing::key_caps_width(key);
  ImGui::SetCursorScreenPos({place.left, place.top + px(3)});
  const bool pressed = strong ? drawing::primary_button(button.label) : drawing::quiet_button(button.label);
  ImGui::SetCursorScreenPos({place.right - caps - px(6), place.top + px(6)});
  drawing::key_caps(key);
  return pressed;
}

// Dear ImGui draws a child's own ground below all other children where it overlaps none of the last one.
void fill_ground(Rect area) {
  ImGui::GetWindowDrawList()->AddRectFilled({area.left, area.top}, {area.right, area.bottom},
                                            drawing::packed(color(Role::panel_raised)),
                                            ImGui::GetStyle().ChildRounding);
}

void draw_share(Canvas& canvas, Rect area, double share) {
  Rect bar = area.cut_bottom(px(3));
  canvas.fill_rect(bar, color(Role::control));
  bar.right = bar.left + bar.width() * static_cast<float>(std::clamp(share, 0.0, 1.0));
  canvas.fill_rect(bar, color(Role::accent));
}

bool has_notice_bar(const session::AppFlags& flags) {
  return flags.left.has_value() || !flags.exports.running.empty();
}

constexpr float kLeastHeight = 34, kInset = 14, kPadding = 8;  // points; beside and above the sentences

std::string sentence_of(const session::AppFlags& flags) {
  return flags.exports.running.empty() ? flags.left->sentence : export_text(flags.exports);
}

std::vector<Button> buttons_of(const session::AppFlags& flags) {
  if (!flags.exports.running.empty()) return {{"export.cancel", "Cancel"}};
  return {{"scene.discard_left", "Discard"}, {"scene.restore", "Restore"}};
}

float sentence_width(const session::CommandTable& commands, const std::vector<Button>& buttons, float width) {
  for (const Button& button : buttons) width -= button_width(commands, button);
  return std::max(1.0f, width - px(2 * kInset));
}

float bar_height(const std::vector<std::string>& sentences, float width) {
  float height = px(2 * kPadding);
  for (const std::string& sentence : sentences)
    height += drawing::wrapped_height(sentence, FontRole::body, width) + px(3);
  return std::max(px(kLeastHeight), std::ceil(height));
}

void draw_wrapped(const char* id, const std::vector<std::string>& sentences, Rect area, float width) {
  ImGui::SetCursorScreenPos({area.left + px(kInset), area.top + px(kPadding)});
  ImGui::PushStyleColor(ImGuiCol_ChildBg, {0, 0, 0, 0});
  ImGui::BeginChild(id, {width, area.height() - px(kPadding)});
  ImGui::PopStyleColor();
  {
    const drawing::ScopedFont font(FontRole::body);
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {0, px(3)});
    for (const std::string& sentence : sentences) drawing::body_text(sentence);
    ImGui::PopStyleVar();
  }
  ImGui::EndChild();
}

}  // namespace

float notice_bar_height(const session::CommandTable& commands, const session::AppFlags& flags, float width) {
  if (!has_notice_bar(flags)) return 0;
  return bar_height({sentence_of(flags)}, sentence_width(commands, buttons_of(flags), width));
}

std::string draw_notice_bar(const session::CommandTable& commands, const session::AppFlags& flags,
                            Rect area) {
  const bool exports = !flags.exports.running.empty();
  ImGui::SetCursorScreenPos({area.left, area.top});
  ImGui::BeginChild(kNoticeBar, {area.width(), area.height()}, false,
                    ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoBackground);
  fill_ground(area);
  Canvas canvas(area);
  canvas.fill_rect({0, 0, px(4), canvas.area().bottom}, color(Role::accent));
  if (exports && flags.exports.of > 0)
    draw_share(canvas, canvas.area(),
               static_cast<double>(flags.exports.done) / static_cast<double>(flags.exports.of));
  const std::vector<Button> buttons = buttons_of(flags);
  std::string chosen;
  Rect row = area;
  for (const Button& button : buttons) {
    const Rect place = row.cut_right(button_width(commands, button));
    if (draw_button(commands, button, place, std::string_view(button.id) == "scene.restore"))
      chosen = button.id;
  }
  draw_wrapped("##sentence", {sentence_of(flags)}, area, sentence_width(commands, buttons, area.width()));
  ImGui::EndChild();
  return chosen;
}

namespace {

const std::vector<Button> kClose = {{kCloseNotices, "Close"}};

}  // namespace

float sentences_height(const session::CommandTable& commands, const std::vector<std::string>& notices,
                       float width) {
  return notices.empty() ? 0 : bar_height(notices, sentence_width(commands, kClose, width));
}

std::string draw_sentences(const session::CommandTable& commands, const std::vector<std::string>& notices,
                           Rect area) {
  ImGui::SetCursorScreenPos({area.left, area.top});
  ImGui::BeginChild("##notices", {area.width(), area.height()}, false,
                    ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoBackground);
  fill_ground(area);
  Canvas canvas(area);
  canvas.fill_rect({0, 0, px(4), canvas.area().bottom}, color(Role::warning));
  Rect row = area;
  const bool closed =
      draw_button(commands, kClose.front(), row.cut_right(button_width(commands, kClose.front())), false);
  draw_wrapped("##sentences", notices, area, sentence_width(commands, kClose, area.width()));
  ImGui::EndChild();
  return closed ? kCloseNotices : "";
}

}  // namespace gemmscope::shell
