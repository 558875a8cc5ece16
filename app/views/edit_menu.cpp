#include "views/edit_menu.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "drawing/fonts.h"
#include "drawing/session.h"
#include "drawing/widgets.h"
#include "scenes/text.h"
#include "views/command_hint.h"

namespace gemmscope::views {
namespace {

using drawing::FontRole;
using drawing::px;
using drawing::Role;

constexpr const char *kName = "edits of the instruction", *kCommand = "code.menu";
constexpr float kWidthPoints = 470;

drawing::Color ink_of(const session::EditEffect& effect) {
  using Kind = session::EditEffect::Kind;
  switch (effect.kind) {
    case Kind::breaks:
      return drawing::color(Role::error);
    case Kind::worse:
      return drawing::color(Role::warning);
    case Kind::better:
      return drawing::color(Role::ok);
    case Kind::impossible:
    case Kind::same:
      break;
  }
  return drawing::color(Role::text_dim);
}

void sentence(const std::string& text, drawing::Color ink) {
  const drawing::ScopedFont font(FontRole::small);
  ImGui::PushStyleColor(ImGuiCol_Text, drawing::packed(ink));
  ImGui::Indent(px(14));
  ImGui::PushTextWrapPos(px(kWidthPoints));
  drawing::plain_text(text);
  ImGui::PopTextWrapPos();
  ImGui::Unindent(px(14));
  ImGui::PopStyleColor();
}

}  // namespace

void EditMenu::follow(const session::ViewState& state) {
  const std::optional<uint32_t> at = session::edited_instruction(state);
  if (state.compiled == compiled_ && at == instruction_) return;
  compiled_ = state.compiled;
  instruction_ = at;
  effects_.clear();
}

void EditMenu::draw_edit(const session::ViewState& state, session::Requests& requests, const char* command) {
  auto known = effects_.find(command);
  if (known == effects_.end() && std::chrono::steady_clock::now() < looks_until_)
    if (const auto effect = session::effect_of_edit(state, command))
      known = effects_.emplace(command, *effect).first;
  const bool possible =
      known == effects_.end() || known->second.kind != session::EditEffect::Kind::impossible;
  if (ImGui::MenuItem(drawing::item_label(command_title(state, command)).c_str(),
                      command_key(state, command).c_str(), false,
                      possible && command_enabled(state, command)))
    requests.command = command;
  if (known != effects_.end())
    sentence(known->second.sentence, ink_of(known->second));
  else
    sentence("\u2026", drawing::color(Role::text_dim));  // the next frames say it
}

// Within the window, as far as the menu's size is known from the last time.
void EditMenu::open() {
  ImVec2 at = std::exchange(at_, std::nullopt).value_or(selection_);
  const ImVec2 screen = ImGui::GetIO().DisplaySize;
  at.x = std::clamp(at.x, px(4), std::max(px(4), screen.x - px(kWidthPoints + 24)));
  at.y = std::clamp(at.y, px(4), std::max(px(4), screen.y - std::max(height_, px(500)) - px(4)));
  ImGui::SetNextWindowPos(at);
  ImGui::OpenPopup(kName);
}

void EditMenu::draw(const session::ViewState& state, session::Requests& requests) {
  const session::Command* const command =
      state.commands == nullptr ? nullptr : state.commands->find(kCommand);
  const bool on = command != nullptr && command->checked();
  if (on && !shown_) open();
  shown_ = ImGui::BeginPopup(kName);
  if (!shown_) {
    if (on && requests.command.empty()) requests.command = kCommand;  // it was closed by a click beside it
    return;
  }
  follow(state);
  looks_until_ = std::chrono::steady_clock::now() + std::chrono::milliseconds(8);
  // Escape is the table's, too, so it is asked for here.
  if (!instruction_ || !on || ImGui::IsKeyPressed(ImGuiKey_Escape, false)) {
    ImGui::CloseCurrentPopup();
    return ImGui::EndPopup();
  }
  {
    const drawing::ScopedFont font(FontRole::mono_small);
    drawing::plain_text(fmt::format("{:#06x}  {}", state.compiled->instructions[*instruction_].address,
                                    scenes::instruction_text(*state.compiled, *instruction_)));
  }
  ImGui::Separator();
  for (const char* id : {"code.move_up", "code.move_down", "code.reuse_a", "code.reuse_b", "code.reuse_c",
                         "code.stall_more", "code.stall_less", "code.yield", "code.mend"})
    draw_edit(state, requests, id);
  ImGui::Separator();
  for (const char* id : {"code.schedule", "code.compilers", "experiment.undo", "experiment.redo"})
    if (ImGui::MenuItem(drawing::item_label(command_title(state, id)).c_str(), command_key(state, id).c_str(),
                        false, command_enabled(state, id)))
      requests.command = id;
  height_ = ImGui::GetWindowHeight();
  // It grows by what its sentences take, which it learns while it is open.
  const float lowest = std::max(px(4), ImGui::GetIO().DisplaySize.y - height_ - px(4));
  if (const ImVec2 at = ImGui::GetWindowPos(); at.y > lowest) ImGui::SetWindowPos({at.x, lowest});
  ImGui::EndPopup();
}

}  // namespace gemmscope::views
