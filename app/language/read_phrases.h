// Reads a table of translations: a TOML file of lines "English" = "translation", under headings of any name.
#pragma once

#include <filesystem>

#include "base/error.h"
#include "language/phrase_table.h"

namespace gemmscope::language {

// Errors name the file, and the line where it is no TOML.
Result<PhraseTable> read_phrases(const std::filesystem::path& file);

}  // namespace gemmscope::language
