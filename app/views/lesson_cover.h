// What stands in place of a panel that would answer the question of a lesson's page.
#pragma once

namespace gemmscope::views {

void draw_lesson_cover();  // fills the panel

}  // namespace gemmscope::views
