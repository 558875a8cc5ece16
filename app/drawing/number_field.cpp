#include "drawing/number_field.h"

#include <imgui.h>

namespace gemmscope::drawing {

bool whole_number_field(const char* id, int64_t& value, int64_t step) {
  const int64_t fast = 4 * step;
  return ImGui::InputScalar(id, ImGuiDataType_S64, &value, step > 0 ? &step : nullptr,
                            step > 0 ? &fast : nullptr);
}

}  // namespace gemmscope::drawing
