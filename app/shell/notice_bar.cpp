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

void draw_share(Canvas& canvas, Rect area, double share) {
  Rect bar = area.cut_bottom(px(3));
  canvas.fill_rect(bar, color(Role::control));
  bar.right = bar.left + bar.width() * static_cast<float>(std::clamp(share, 0.0, 1.0));
  canvas.fill_rect(bar, color(Role::accent));
}

}  // namespace

bool has_notice_bar(const session::AppFlags& flags) {
  return flags.left.has_value() || !flags.exports.running.empty();
}

float notice_bar_height() { return px(34); }

std::string draw_notice_bar(const session::CommandTable& commands, const session::AppFlags& flags,
                            Rect area) {
  const bool exports = !flags.exports.running.empty();
  ImGui::SetCursorScreenPos({area.left, area.top});
  ImGui::PushStyleColor(ImGuiCol_ChildBg, drawing::packed(color(Role::panel_raised)));
  ImGui::BeginChild(kNoticeBar, {area.width(), area.height()}, false, ImGuiWindowFlags_NoScrollbar);
  ImGui::PopStyleColor();
  Canvas canvas(area);
  canvas.fill_rect({0, 0, px(4), canvas.area().bottom}, color(Role::accent));
  if (exports && flags.exports.of > 0)
    draw_share(canvas, canvas.area(),
               static_cast<double>(flags.exports.done) / static_cast<double>(flags.exports.of));
  std::vector<Button> buttons;
  if (exports)
    buttons = {{"export.cancel", "Cancel"}};
  else
    buttons = {{"scene.discard_left", "Discard"}, {"scene.restore", "Restore"}};
  std::string chosen;
  Rect row = area;
  for (const Button& button : buttons) {
    const Rect place = row.cut_right(button_width(commands, button));
    if (draw_button(commands, button, place, std::string_view(button.id) == "scene.restore"))
      chosen = button.id;
  }
  const Rect text{px(14), 0, row.right - area.left - px(8), canvas.area().bottom};
  const std::string sentence = exports ? export_text(flags.exports) : flags.left->sentence;
  if (!canvas.text(text, sentence, color(Role::text_strong)) && canvas.hovered()) drawing::tooltip(sentence);
  ImGui::EndChild();
  return chosen;
}

}  // namespace gemmscope::shell
