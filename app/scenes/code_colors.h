// The colours of the bars behind the code's figures.
#pragma once

#include "drawing/palette.h"
#include "scenes/code_counts.h"

namespace gemmscope::scenes {

// So pale that a figure over it is read, in a grey print too.
drawing::Color code_bar_color(CodeColumn column);

}  // namespace gemmscope::scenes
