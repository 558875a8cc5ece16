// Draws a frame without one of its windows.
#pragma once

namespace gemmscope::drawing {

// The next Session::end_frame draws no window whose name contains `name`, a constant.
void leave_out_window(const char* name);

}  // namespace gemmscope::drawing
