// The lessons in place of the experiment: the list of them, or a page with its question.
#pragma once

#include <string>
#include <vector>

#include "session/view_state.h"

namespace gemmscope::views {

class LessonView {
 public:
  void draw(const session::ViewState& state, session::Requests& requests);

 private:
  void want_texts(const session::LessonState& lessons);
  void draw_page(const session::ViewState& state, session::Requests& requests);
  // What is below the title: the text, the question and what it reveals.
  void draw_body(const session::ViewState& state, const lessons::Page& page, bool low,
                 session::Requests& requests);
  // Those of the answer, or those that turn the pages.
  void draw_buttons(const session::ViewState& state, const lessons::Page& page, bool low,
                    session::Requests& requests);
  void stand_closer(float panel);
  float scroll_to_see(float beyond) const;
  void scroll_to_verdict();
  void follow_end(float beyond);
  void draw_number(const session::LessonState& lesson, session::Requests& requests);

  std::string page_;          // that was drawn last: another one starts at its top
  bool another_ = false;      // the page is not the one of the last frame
  float asked_ = 0;           // where the question begins
  std::vector<float> tops_;   // where its choices begin
  float verdict_ = 0;         // and where what was answered
  bool scrolls_ = false;      // the page, in the last frame
  float buttons_height_ = 0;  // in the last frame
  bool tight_ = false;        // the page stands closer together, as it would scroll otherwise
  float panel_ = 0;           // the height for which that was found out, with the page and its answer
  std::string tight_page_;
  bool tight_revealed_ = false;
  float below_end_ = 0;    // added to its length, so that it can scroll to a whole line
  int to_verdict_ = 0;     // frames in which the page still scrolls to its verdict
  float beyond_ = 0;       // what does not fit, in the last frame
  float scrolled_to_ = 0;  // for the verdict
  bool follows_ = false;   // the verdict stays in sight when the page gets longer
  bool revealed_ = false;
  const lessons::LessonList* known_texts_ = nullptr;  // for which the fonts have all characters
  const lessons::FigureValues* values_ = nullptr;     // the figures that were drawn last
};

}  // namespace gemmscope::views
