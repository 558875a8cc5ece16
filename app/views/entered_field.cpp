#include "views/entered_field.h"

#include <imgui.h>

#include <utility>

#include "drawing/focus.h"

namespace gemmscope::views {
namespace {

// A compiler may take longer. Then keys are commands again, and a field that took them back would surprise.
constexpr double kMostSeconds = 0.5;

bool pressed(ImGuiKey key) { return ImGui::IsKeyPressed(ImGui::GetKeyIndex(key), false); }

}  // namespace

void EnteredField::note(std::string stop, session::Requests& requests) {
  if (!pressed(ImGuiKey_Enter) && !pressed(ImGuiKey_KeyPadEnter)) return stop_.clear();
  stop_ = std::move(stop);
  since_ = ImGui::GetTime();
  requests.keys_wait = true;
}

void EnteredField::follow(const session::ViewState& state, session::Requests& requests) {
  if (stop_.empty()) return;
  const bool late = ImGui::GetTime() - since_ > kMostSeconds || ImGui::IsAnyItemActive();
  if (!state.judged && !late) {
    requests.keys_wait = true;
    return;
  }
  if (state.failure && !late) drawing::focus_named(stop_);
  stop_.clear();
}

}  // namespace gemmscope::views
