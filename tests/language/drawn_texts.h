// Draws the window in Chinese and collects what its texts lack.
#pragma once

#include <set>
#include <string>

#include "shell/run.h"

namespace gemmscope::language {

struct DrawnTexts {
  std::set<std::string> untranslated;  // English that stayed English
  std::set<std::string> shortened;     // as it was drawn
};

// With the mouse over every part of the window when `everywhere`, so that tooltips show.
DrawnTexts draw_in_chinese(const shell::Start& start, shell::PictureRequest request, bool everywhere = false);
shell::Start start_with(const catalog::Kernel& kernel);

}  // namespace gemmscope::language
