// What a kernel's text from elsewhere, such as a scene's, may not say: it can compute, but not read the files
// of this computer. (It cannot run or write anything: it is only compiled, and executed by this program.)
#pragma once

#include <string_view>

#include "base/error.h"

namespace gemmscope::own_kernel {

// Errors: the name is no plain name; the text has a NUL, includes a file by a path or a macro, or embeds one.
// The toolkit's own headers may be included, by a name such as <cuda_fp16.h>.
Result<void> check_foreign_text(std::string_view name, std::string_view text);

}  // namespace gemmscope::own_kernel
