#include "shell/open_panel.h"

#include <imgui.h>
#include <imgui_stdlib.h>

#include <algorithm>

#include "drawing/extra_glyphs.h"
#include "drawing/session.h"
#include "drawing/widgets.h"
#include "session/open_file.h"
#include "session/scene_file.h"
#include "shell/dialog.h"

namespace gemmscope::shell {
namespace {

constexpr int kRows = 12;
constexpr const char* kId = "##open_file";

}  // namespace

void OpenPanel::open() {
  open_ = just_opened_ = true;
  typed_.clear();
  recent_ = session::recent_files();
  refresh();
}

void OpenPanel::refresh() {
  shown_ = typed_.empty() ? recent_ : std::vector<std::string>{};
  for (std::string& path : session::complete_path(typed_, 200)) shown_.push_back(std::move(path));
  chosen_ = -1;
}

std::string OpenPanel::draw_list() {
  const int count = static_cast<int>(shown_.size());
  if (count == 0)
    drawing::dim_text(session::is_scene_link(typed_) ? "A link to a scene: Enter opens it."
                      : typed_.empty() ? "This folder holds no file that can be opened; type a path."
                                       : "Nothing here starts with that.");
  if (count > 0 && key_pressed(ImGuiKey_DownArrow)) chosen_ = std::min(chosen_ + 1, count - 1);
  if (key_pressed(ImGuiKey_UpArrow)) chosen_ = std::max(chosen_ - 1, -1);
  std::string pressed;
  const int first = std::clamp(chosen_ - kRows + 2, 0, std::max(0, count - kRows));
  for (int i = first; i < std::min(count, first + kRows); ++i) {
    const std::string& path = shown_[static_cast<size_t>(i)];
    drawing::want_glyphs(path);
    if (ImGui::Selectable(path.c_str(), i == chosen_, ImGuiSelectableFlags_DontClosePopups)) pressed = path;
  }
  return pressed;
}

// Tab writes the chosen path, or what all completions begin with, into the field.
int OpenPanel::on_field_event(ImGuiInputTextCallbackData* data) {
  OpenPanel& panel = *static_cast<OpenPanel*>(data->UserData);
  if (data->EventFlag != ImGuiInputTextFlags_CallbackCompletion) {
    ImGuiInputTextCallbackData own = *data;
    own.UserData = &panel.to_end_;
    cursor_to_end(&own);
    data->CursorPos = own.CursorPos;
    data->SelectionStart = own.SelectionStart;
    data->SelectionEnd = own.SelectionEnd;
    return 0;
  }
  if (panel.shown_.empty()) return 0;
  const std::string completed = panel.chosen_ >= 0     ? panel.shown_[static_cast<size_t>(panel.chosen_)]
                                : data->BufTextLen > 0 ? session::common_start(panel.shown_)
                                                       : "";
  if (completed.empty()) return 0;
  data->DeleteChars(0, data->BufTextLen);
  data->InsertChars(0, completed.c_str());
  return 0;
}

std::string OpenPanel::draw() {
  if (!open_) return {};
  const float line = ImGui::GetTextLineHeightWithSpacing();
  place_popup(640, line * (kRows + 4) + drawing::px(24), ImGui::GetIO().DisplaySize.y * 0.16f);
  if (!begin_dialog(kId, 10, false)) return {};
  if (just_opened_ || to_end_) ImGui::SetKeyboardFocusHere();
  just_opened_ = false;
  ImGui::SetNextItemWidth(-1);
  const bool enter = key_pressed(ImGuiKey_Enter);
  const std::string before = typed_;
  // With a callback for completions the field keeps Tab, which would leave it otherwise.
  ImGui::InputTextWithHint(
      "##path",
      drawing::hint("A .cu, .cubin or scene file, or a link to a scene; Tab completes. Or drop a file.")
          .c_str(),
      &typed_, ImGuiInputTextFlags_CallbackAlways | ImGuiInputTextFlags_CallbackCompletion, on_field_event,
      this);
  if (typed_ != before) refresh();
  std::string pick = draw_list();
  if (pick.empty() && enter) pick = chosen_ >= 0 ? shown_[static_cast<size_t>(chosen_)] : typed_;
  std::string result;
  if (pick.ends_with('/')) {
    typed_ = pick;
    to_end_ = true;
    refresh();
  } else if (!pick.empty()) {
    result = session::path_from_typed(pick).string();
  }
  if (!result.empty() || dialog_dismissed()) {
    open_ = false;
    ImGui::CloseCurrentPopup();
  }
  ImGui::EndPopup();
  return result;
}

}  // namespace gemmscope::shell
