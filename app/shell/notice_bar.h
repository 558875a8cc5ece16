// A strip under the menus for what goes on beside the picture: an export that runs, or a scene that a window
// left that ended without being closed. It takes no keys and covers nothing. (Dear ImGui)
#pragma once

#include <string>

#include "drawing/geometry.h"
#include "session/app_commands.h"

namespace gemmscope::shell {

inline constexpr const char* kNoticeBar = "##notice";  // its window

bool has_notice_bar(const session::AppFlags& flags);
float notice_bar_height();  // pixels
// Returns the id of the command whose button was pressed; else nothing.
std::string draw_notice_bar(const session::CommandTable& commands, const session::AppFlags& flags,
                            drawing::Rect area);

}  // namespace gemmscope::shell
