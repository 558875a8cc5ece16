// The guesses of the lessons on disk: guesses.json beside the settings (session/settings.h).
#pragma once

#include <filesystem>

#include "base/error.h"
#include "session/lesson_answers.h"

namespace gemmscope::session {

std::filesystem::path guesses_path();  // empty when the environment names no home

// A missing file holds none. Fails, naming the file, when it is not what save_guesses() writes.
Result<PageAnswers> load_guesses();
// The file is replaced at once or not at all. Errors name the file.
Result<void> save_guesses(const PageAnswers& answers);
// As above; a file that is refused is renamed, and `notice` says so.
PageAnswers load_guesses_or_set_aside(std::string& notice);

}  // namespace gemmscope::session
