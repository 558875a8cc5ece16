// What a class predicted on a page of a lesson: while it is collected, and beside the truth.
#pragma once

#include <string>

#include "lessons/lesson.h"
#include "session/view_state.h"

namespace gemmscope::views {

// "A, C, B", an order by the letters of its choices.
std::string order_letters(const std::vector<size_t>& order);
// The guesses that were collected for a number, an order or a point so far; those of a choice stand in its
// rows. A click takes one away.
void draw_collected(const session::LessonState& lesson, session::Requests& requests);
// "19 of 31 were right.", and the guesses beside the truth where they are no choice's.
void draw_class_result(const session::PageAnswer& answer, const lessons::Question& question,
                       const lessons::Truth* truth);

}  // namespace gemmscope::views
