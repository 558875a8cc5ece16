#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <utility>

#include "drawing/focus.h"
#include "drawing/number_field.h"
#include "drawing/session.h"
#include "drawing/widgets.h"
#include "scenes/occupancy_text.h"
#include "views/command_hint.h"
#include "views/occupancy_panel.h"

namespace gemmscope::views {
namespace {

using drawing::FontRole;
using drawing::px;

// Beyond what any SM allows, so that the panel can say why that does not fit.
constexpr int kMostThreads = 2048, kMostRegisters = 512, kMostSharedBytes = 512 * 1024;
constexpr int kThreadStep = 32, kSharedStep = 1024;

void begin_labelled(const char* label) {
  ImGui::AlignTextToFramePadding();
  drawing::plain_text(label);
  drawing::same_line(6);
}

}  // namespace

void OccupancyPanel::draw_source(const session::ViewState& state, session::Requests& requests) {
  const std::string names[] = {"The kernel now", "By hand"};
  int chosen = state.occupancy.choice.by_hand ? 1 : 0;
  if (!drawing::segmented("source", names, chosen)) return;
  session::OccupancyChoice next = session::occupancy_by_hand(state);
  next.by_hand = chosen == 1;
  requests.occupancy = next;
}

void OccupancyPanel::draw_presets(const session::ViewState& state, session::Requests& requests, float width) {
  const session::OccupancyChoice& choice = state.occupancy.choice;
  const metrics::OccupancyPreset* preset =
      choice.by_hand ? metrics::find_occupancy_preset(choice.preset) : nullptr;
  ImGui::SetNextItemWidth(width);
  const std::string shown = preset == nullptr ? "Examples and exercises" : std::string(preset->name);
  if (drawing::begin_combo("##presets", shown, ImGuiComboFlags_HeightLargest)) {
    std::string_view group;
    for (const metrics::OccupancyPreset& p : metrics::occupancy_presets()) {
      if (std::exchange(group, p.group) != p.group) {
        const drawing::ScopedFont font(FontRole::small);
        drawing::dim_text(p.group);
      }
      if (drawing::list_item(drawing::item_label(p.name).c_str(), &p == preset))
        requests.occupancy = session::OccupancyChoice{true, p.point, std::string(p.id)};
    }
    ImGui::EndCombo();
  }
  drawing::tab_stop(drawing::StopKind::control);
  drawing::tooltip("Examples and exercises of courses and books",
                   command_key(state, "occupancy.next_preset"));
}

void OccupancyPanel::draw_capability(session::OccupancyChoice& choice, bool& changed) {
  begin_labelled("Capability");
  ImGui::SetNextItemWidth(px(128));
  int& now = choice.point.compute_capability;
  const auto short_title = [](int capability) {
    const std::string title = scenes::capability_title(capability);
    return title.substr(0, title.find(" ("));
  };
  const bool open = drawing::begin_combo("##capability", short_title(now), ImGuiComboFlags_HeightLargest);
  if (!open) {
    drawing::tab_stop(drawing::StopKind::control);
    return;
  }
  for (const metrics::SmLimits& sm : metrics::all_sm_limits())
    if (drawing::list_item(drawing::item_label(scenes::capability_title(sm.compute_capability)).c_str(),
                           sm.compute_capability == now) &&
        now != sm.compute_capability) {
      now = sm.compute_capability;
      changed = true;
    }
  ImGui::EndCombo();
}

void OccupancyPanel::draw_field(const char* label, const char* hint, int& value, int step, int most,
                                float width, bool& changed) {
  drawing::same_line(14);
  const float needed = drawing::text_width(FontRole::body, label) + px(6) + width;
  if (ImGui::GetContentRegionAvail().x < needed) ImGui::NewLine();
  begin_labelled(label);
  ImGui::SetNextItemWidth(width);
  int64_t wide = value;
  const bool different = drawing::whole_number_field(fmt::format("##{}", label).c_str(), wide, step);
  const auto typed = static_cast<int>(std::clamp<int64_t>(wide, 0, most));
  if (different && typed != value) {
    value = typed;
    changed = true;
  }
  drawing::tooltip(hint);
}

void OccupancyPanel::draw_controls(const session::ViewState& state, session::Requests& requests) {
  draw_source(state, requests);
  drawing::same_line(12);
  const float close = drawing::text_width(FontRole::body, "Close") + px(28);
  draw_presets(state, requests, std::clamp(ImGui::GetContentRegionAvail().x - close, px(80), px(380)));
  drawing::same_line(8);
  ImGui::SetCursorPosX(ImGui::GetWindowContentRegionMax().x - close + px(8));
  if (!state.occupancy.wide) {
    ImGui::NewLine();
  } else {
    if (drawing::quiet_button("Close")) requests.command = "occupancy.calculator";
    drawing::tooltip("Back to the map and the code", command_key(state, "occupancy.calculator"));
  }
  session::OccupancyChoice next = session::occupancy_by_hand(state);
  metrics::BlockNeeds& needs = next.point.needs;
  bool changed = false;
  draw_capability(next, changed);
  draw_field("Threads", "Threads per block", needs.threads, kThreadStep, kMostThreads, px(132), changed);
  draw_field("Registers", "Registers per thread; 0: not counted", needs.registers, 1, kMostRegisters, px(122),
             changed);
  draw_field("Shared bytes", "Static and dynamic shared memory per block", needs.shared_bytes, kSharedStep,
             kMostSharedBytes, px(150), changed);
  if (!changed) return;
  needs.threads = std::max(1, needs.threads);
  next.preset.clear();
  requests.occupancy = next;
  requests.occupancy_continues = false;
}

}  // namespace gemmscope::views
