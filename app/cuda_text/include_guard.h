// Which files of this computer a user's kernel may take in. The compiler quotes lines of what it cannot read,
// and a kernel may come from elsewhere: it must not show a file that is no source, nor wait for a device.
#pragma once

#include <filesystem>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace gemmscope::cuda_text {

// Follows the text's #include lines as the compiler does. Allowed is what lies in the folder of `path` or in
// one of `folders`, what only the toolkit's folders have, and, by a relative path, a file with the ending of
// a source ("../common/tile.cuh"). The error names the line, the file and what to do.
Result<void> check_includes(std::string_view text, const std::filesystem::path& path,
                            const std::vector<std::filesystem::path>& folders);

}  // namespace gemmscope::cuda_text
