// Dear ImGui's style from the palette: every colour and every metric.
#pragma once

#include "drawing/palette.h"

struct ImGuiStyle;
struct ImVec4;

namespace gemmscope::drawing {

// Sets all of `style` for the theme; lengths are multiplied by ui_scale and rounded to whole pixels.
void apply_theme(ImGuiStyle& style, Theme theme, float ui_scale);

ImVec4 to_imgui(Color color);

}  // namespace gemmscope::drawing
