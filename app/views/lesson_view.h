// The lessons in place of the experiment: the list of them, or a page with its question.
#pragma once

#include <string>

#include "session/view_state.h"

namespace gemmscope::views {

class LessonView {
 public:
  void draw(const session::ViewState& state, session::Requests& requests);

 private:
  void draw_page(const session::ViewState& state, session::Requests& requests);
  void draw_number(const session::LessonState& lesson, session::Requests& requests);

  std::string page_;    // that was drawn last: another one starts at its top
  int to_verdict_ = 0;  // frames in which the page still scrolls to its verdict
  bool revealed_ = false;
};

}  // namespace gemmscope::views
