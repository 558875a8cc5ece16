#include "shell/offscreen_keys.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <imgui.h>

namespace gemmscope::shell {

void map_imgui_keys() {
  constexpr struct {
    ImGuiKey imgui;
    int glfw;
  } kKeys[] = {{ImGuiKey_Tab, GLFW_KEY_TAB},
               {ImGuiKey_LeftArrow, GLFW_KEY_LEFT},
               {ImGuiKey_RightArrow, GLFW_KEY_RIGHT},
               {ImGuiKey_UpArrow, GLFW_KEY_UP},
               {ImGuiKey_DownArrow, GLFW_KEY_DOWN},
               {ImGuiKey_PageUp, GLFW_KEY_PAGE_UP},
               {ImGuiKey_PageDown, GLFW_KEY_PAGE_DOWN},
               {ImGuiKey_Home, GLFW_KEY_HOME},
               {ImGuiKey_End, GLFW_KEY_END},
               {ImGuiKey_Delete, GLFW_KEY_DELETE},
               {ImGuiKey_Backspace, GLFW_KEY_BACKSPACE},
               {ImGuiKey_Space, GLFW_KEY_SPACE},
               {ImGuiKey_Enter, GLFW_KEY_ENTER},
               {ImGuiKey_Escape, GLFW_KEY_ESCAPE},
               {ImGuiKey_A, GLFW_KEY_A},
               {ImGuiKey_C, GLFW_KEY_C},
               {ImGuiKey_V, GLFW_KEY_V},
               {ImGuiKey_X, GLFW_KEY_X},
               {ImGuiKey_Y, GLFW_KEY_Y},
               {ImGuiKey_Z, GLFW_KEY_Z}};
  ImGuiIO& io = ImGui::GetIO();
  for (const auto& key : kKeys) io.KeyMap[key.imgui] = key.glfw;
}

void SimulatedKeys::hold(std::span<const session::KeyEvent> pressed) {
  ImGuiIO& io = ImGui::GetIO();
  for (const int key : held_) io.KeysDown[key] = false;
  held_.clear();
  session::Modifiers modifiers = session::Modifiers::none;
  for (const session::KeyEvent& event : pressed) {
    io.KeysDown[event.chord.key] = true;
    held_.push_back(event.chord.key);
    modifiers = modifiers | event.chord.modifiers;
  }
  const auto has = [&](session::Modifiers one) { return (modifiers & one) != session::Modifiers::none; };
  io.KeyCtrl = has(session::Modifiers::ctrl), io.KeyShift = has(session::Modifiers::shift);
  io.KeyAlt = has(session::Modifiers::alt), io.KeySuper = has(session::Modifiers::super);
}

}  // namespace gemmscope::shell
