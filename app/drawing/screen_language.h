// Switches the language of the screen, with the glyphs that it needs.
#pragma once

#include <filesystem>

#include "base/error.h"
#include "base/language.h"

namespace gemmscope::drawing {

// Takes effect in the next frame. Chinese needs assets/languages/zh.toml and a font of the system that has
// Chinese; else it fails with a sentence that names what to install, and the language stays.
Result<void> show_language(Language language, const std::filesystem::path& assets);

}  // namespace gemmscope::drawing
