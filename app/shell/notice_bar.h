// Strips under the menus: for what goes on beside the picture (an export that runs, a scene that a window
// left that ended without being closed), and for what could not be read or kept, whole until it is closed.
// They take no keys and cover nothing. (Dear ImGui)
#pragma once

#include <string>
#include <vector>

#include "drawing/geometry.h"
#include "session/app_commands.h"

namespace gemmscope::shell {

inline constexpr const char* kNoticeBar = "##notice";  // their windows begin with it
inline constexpr const char* kCloseNotices = "view.close_notices";

// In pixels, with the sentence wrapped to the width; 0: there is none.
float notice_bar_height(const session::CommandTable& commands, const session::AppFlags& flags, float width);
// Returns the id of the command whose button was pressed; else nothing.
std::string draw_notice_bar(const session::CommandTable& commands, const session::AppFlags& flags,
                            drawing::Rect area);

// Of all sentences, wrapped; 0: there are none. A bar that is lower scrolls.
float sentences_height(const session::CommandTable& commands, const std::vector<std::string>& notices,
                       float width);
// As draw_notice_bar.
std::string draw_sentences(const session::CommandTable& commands, const std::vector<std::string>& notices,
                           drawing::Rect area);

}  // namespace gemmscope::shell
