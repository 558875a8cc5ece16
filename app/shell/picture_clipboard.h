// Copies a picture to the system's clipboard. GLFW copies only text, so a small program of the system does
// it, where it is installed.
#pragma once

#include "shell/render_target.h"

namespace gemmscope::shell {

// Takes up to seconds: not for the thread that draws. Errors: no such program; it failed.
Result<void> copy_picture(const Image& image);

}  // namespace gemmscope::shell
