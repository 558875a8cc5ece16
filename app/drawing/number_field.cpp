#include "drawing/number_field.h"

#include <imgui.h>

#include "drawing/focus.h"

namespace gemmscope::drawing {

bool whole_number_field(const char* id, int64_t& value, int64_t step, std::string_view stop) {
  const int64_t fast = 4 * step;
  const bool changed = ImGui::InputScalar(id, ImGuiDataType_S64, &value, step > 0 ? &step : nullptr,
                                          step > 0 ? &fast : nullptr);
  if (step == 0) {
    tab_stop(StopKind::field, stop);
    return changed;
  }
  // Dear ImGui names the field inside of the group.
  ImGui::PushID(id);
  tab_stop_of(ImGui::GetID(""), StopKind::field, stop);
  ImGui::PopID();
  return changed;
}

}  // namespace gemmscope::drawing
