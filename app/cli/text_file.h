// Reads a whole text file, also one that is compressed with xz.
#pragma once

#include <string>

#include "base/error.h"

namespace gemmscope::cli {

// "-" reads standard input. Errors name the file.
Result<std::string> read_text_file(const std::string& path);

}  // namespace gemmscope::cli
