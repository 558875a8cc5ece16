// Reads lessons: TOML files, which assets/lessons/README.md describes.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/error.h"
#include "lessons/lesson.h"

namespace gemmscope::lessons {

// Errors name the file, the line and the key.
Result<Lesson> parse_lesson(const std::string& text, const std::filesystem::path& path);
Result<Lesson> read_lesson(const std::filesystem::path& path);
// The [figures] of another file, in the same form; those that name no experiment are of `base`.
Result<std::vector<FigureSpec>> parse_figures(const std::string& text, const std::filesystem::path& path,
                                              const experiment::Experiment& base);

// Every .toml file of a folder, sorted by name. A file that cannot be read adds an error; the others are
// still returned.
struct LessonList {
  std::vector<Lesson> lessons;
  std::vector<Error> errors;
  const Lesson* find(std::string_view id) const;
  size_t page_count() const;
};
LessonList read_lessons(const std::filesystem::path& folder);
std::filesystem::path lessons_folder();  // those that ship with the program

}  // namespace gemmscope::lessons
