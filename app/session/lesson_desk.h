// Keeps the lessons of the workspace: reads them when they are first opened and when a file of them changes,
// and has the figures of the open page computed on another thread.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>

#include "experiment/newest_request.h"
#include "lessons/read_lesson.h"
#include "session/lesson_state.h"

namespace gemmscope::session {

// A teacher's own: the folder "lessons" beside the settings, which also the user of an installed program may
// write. Empty when the environment names no home.
std::filesystem::path own_lessons_folder();
// The lessons that ship with the program, then the teacher's own.
lessons::LessonList read_all_lessons();

class LessonDesk {
 public:
  // `wake` is called from another thread when figures were computed.
  explicit LessonDesk(std::function<void()> wake) : wake_(std::move(wake)) {}
  // Reads the lessons unless that was done.
  void open(LessonState& state);
  // Asks for the figures of the open page. Call it after a page was opened.
  void want_figures(LessonState& state, const catalog::Catalog& catalog);
  bool busy() const { return figures_ != nullptr && figures_->busy(); }
  void cancel();  // then the page has no figures until it is opened again
  // Call it once a frame. Returns true if a lesson's file has changed, so that its page is to be opened
  // again.
  bool update(LessonState& state, double seconds);

 private:
  struct Request {
    lessons::Page page;
    std::shared_ptr<const catalog::Catalog> catalog;
  };
  using Values = std::shared_ptr<const lessons::FigureValues>;
  class Work;
  void read(LessonState& state);
  bool files_changed(double seconds);

  std::function<void()> wake_;
  std::unique_ptr<experiment::NewestRequest<Request, Values>> figures_;
  std::shared_ptr<const catalog::Catalog> catalog_;
  std::filesystem::file_time_type newest_{};
  size_t files_ = 0;
  double since_watched_ = 0;
};

}  // namespace gemmscope::session
