// The menu of an instruction in the machine code: what can be changed by hand, each with its key and with
// what it would break or do to the register ports, said before it is done.
#pragma once

#include <imgui.h>

#include <chrono>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "session/edit_effect.h"

namespace gemmscope::views {

class EditMenu {
 public:
  // Where it opens next; else where the code's selection was drawn.
  void open_at(ImVec2 screen) { at_ = screen; }
  void selection_at(ImVec2 screen) { selection_ = screen; }
  // Draws the menu while the command code.menu is on. Call it every frame, always in the same window.
  void draw(const session::ViewState& state, session::Requests& requests);

 private:
  void follow(const session::ViewState& state);
  void draw_edit(const session::ViewState& state, session::Requests& requests, const char* command);

  void open();

  bool shown_ = false;
  std::optional<ImVec2> at_;
  ImVec2 selection_{0, 0};
  // What is known of the commands' effects, for this code and instruction. A few are added a frame.
  std::shared_ptr<const experiment::CompiledKernel> compiled_;
  std::optional<uint32_t> instruction_;
  std::map<std::string, session::EditEffect, std::less<>> effects_;
  std::chrono::steady_clock::time_point looks_until_;  // in this frame
  float height_ = 0;                                   // of the last frame
};

}  // namespace gemmscope::views
