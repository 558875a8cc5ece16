// The bank explorer: a tile and accesses that are typed or come from an instruction, their wavefronts, and
// layouts without conflicts (scenes/bank_explorer_scene.h).
#pragma once

#include <string>

#include "drawing/canvas.h"
#include "session/explorer_state.h"
#include "session/view_state.h"

namespace gemmscope::views {

class ExplorerPanel {
 public:
  void draw(const session::ViewState& state, session::Requests& requests);

 private:
  void draw_picture(const session::ViewState& state, session::Requests& requests);

  // ---- explorer_fields.cpp: what is typed
  void draw_fields(const session::Explorer& explorer, session::Requests& requests);
  void draw_layout(const session::Explorer& explorer, session::Requests& requests);
  void draw_access(const session::Explorer& explorer, session::Requests& requests, size_t index);
  bool draw_closed_access(const session::Explorer& explorer, size_t index);
  void draw_numbers(const session::Explorer& explorer, session::Requests& requests);
  bool text_field(const char* id, std::string& text, bool wrong, float width, const char* hint);
  void ask(session::Requests& requests, experiment::BankQuestion question, bool continues);

  // ---- explorer_controls.cpp: examples, fixes, the way back
  void draw_head(const session::ViewState& state, session::Requests& requests);
  void draw_fixes(const session::ViewState& state, session::Requests& requests);
  void draw_way_back(const session::ViewState& state, session::Requests& requests);

  std::string edited_;  // the field or slider whose change is not finished: all of it is one step to undo
  bool continues_ = false;
};

}  // namespace gemmscope::views
