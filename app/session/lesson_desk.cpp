#include "session/lesson_desk.h"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <optional>

#include "session/settings.h"

namespace gemmscope::session {
namespace {

namespace fs = std::filesystem;

constexpr double kWatchSeconds = 0.5;

}  // namespace

fs::path own_lessons_folder() {
  const fs::path settings = settings_path();
  return settings.empty() ? fs::path() : settings.parent_path() / "lessons";
}

lessons::LessonList read_all_lessons() {
  lessons::LessonList all = lessons::read_lessons(lessons::lessons_folder());
  std::error_code missing;
  if (!fs::is_directory(own_lessons_folder(), missing)) return all;
  lessons::LessonList own = lessons::read_lessons(own_lessons_folder());
  std::ranges::move(own.lessons, std::back_inserter(all.lessons));
  std::ranges::move(own.errors, std::back_inserter(all.errors));
  return all;
}

void LessonDesk::read(LessonState& state) {
  state.lessons = std::make_shared<const lessons::LessonList>(read_all_lessons());
}

void LessonDesk::open(LessonState& state) {
  if (state.lessons != nullptr) return;
  (void)files_changed(kWatchSeconds);
  read(state);
}

void LessonDesk::want_figures(LessonState& state, const catalog::Catalog& catalog) {
  state.values = nullptr;
  const lessons::Page* page = state.open_page();
  if (page == nullptr) return;
  if (figures_ == nullptr) {
    // What was executed is kept from page to page, as long as the catalogue is the same.
    struct Kept {
      std::shared_ptr<const catalog::Catalog> catalog;
      std::unique_ptr<lessons::FigureEvaluator> evaluator;
    };
    const auto work = [kept = std::make_shared<Kept>()](const Request& request, auto& running) {
      if (kept->catalog != request.catalog) {
        kept->catalog = request.catalog;
        kept->evaluator = std::make_unique<lessons::FigureEvaluator>(*request.catalog);
      }
      auto values = std::make_shared<const lessons::FigureValues>(
          kept->evaluator->evaluate(request.page, &running.cancelled()));
      running.post([&](Values& found) { found = std::move(values); });
    };
    figures_ = std::make_unique<experiment::NewestRequest<Request, Values>>(wake_, work);
  }
  if (catalog_ == nullptr) catalog_ = std::make_shared<const catalog::Catalog>(catalog);
  figures_->replace(Request{*page, catalog_});
}

void LessonDesk::cancel() {
  if (busy()) figures_->replace(std::nullopt);
}

bool LessonDesk::files_changed(double seconds) {
  since_watched_ += seconds;
  if (since_watched_ < kWatchSeconds) return false;
  since_watched_ = 0;
  auto newest = fs::file_time_type::min();  // a value of zero lies in the year 2174
  size_t files = 0;
  for (const fs::path& folder : {lessons::lessons_folder(), own_lessons_folder()}) {
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(folder, error)) {
      if (entry.path().extension() != ".toml") continue;
      std::error_code missing;
      newest = std::max(newest, entry.last_write_time(missing));
      ++files;
    }
  }
  const bool changed = newest != newest_ || files != files_;
  newest_ = newest;
  files_ = files;
  return changed;
}

bool LessonDesk::update(LessonState& state, double seconds) {
  if (figures_ != nullptr)
    if (Values values = figures_->take(); values != nullptr) state.values = std::move(values);
  if (!state.visible || state.lessons == nullptr || !files_changed(seconds)) return false;
  const lessons::Lesson* open = state.open_lesson();
  const std::string id = open == nullptr ? "" : open->id;
  read(state);
  const auto& list = state.lessons->lessons;
  const auto found = std::ranges::find(list, id, &lessons::Lesson::id);
  if (found == list.end()) {
    state.contents = true;
    return false;
  }
  state.lesson = static_cast<size_t>(found - list.begin());
  state.page = std::min(state.page, found->pages.size() - 1);
  return true;
}

}  // namespace gemmscope::session
