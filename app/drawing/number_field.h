// A field for a whole number.
#pragma once

#include <cstdint>
#include <string_view>

namespace gemmscope::drawing {

// Takes 64 bits, because Dear ImGui's field for an int keeps the low half of what is typed: 99999999999 would
// be 1215752191. With `step` it has buttons that add or subtract it. Returns true when the value changed. Tab
// stops at it, by the name `stop` (focus.h).
bool whole_number_field(const char* id, int64_t& value, int64_t step = 0, std::string_view stop = {});

}  // namespace gemmscope::drawing
