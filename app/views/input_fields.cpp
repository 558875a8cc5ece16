#include "views/input_fields.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "drawing/focus.h"
#include "drawing/fonts.h"
#include "drawing/palette.h"
#include "drawing/widgets.h"

namespace gemmscope::views {
namespace {

using drawing::FontRole;

const char* folder_title(const std::string& folder) {
  if (folder == "ladder") return "Ladder: one idea after the other";
  if (folder == "workbench") return "Workbench: every idea is a switch";
  if (folder == "labs") return "Labs: one effect each";
  return folder.c_str();
}

}  // namespace

SliderUse value_slider(const char* id, std::span<const std::string> labels, size_t& index) {
  // At least four digits, so that the sliders of a column end at the same place.
  float widest = drawing::text_width(FontRole::mono, "1024");
  for (const std::string& label : labels)
    widest = std::max(widest, drawing::text_width(FontRole::mono, label));
  auto at = static_cast<float>(index);
  const float gap = ImGui::GetStyle().ItemSpacing.x;
  const bool moved = drawing::slider(id, at, 0, static_cast<float>(labels.size() - 1),
                                     std::max(1.0f, ImGui::GetContentRegionAvail().x - widest - gap), 1);
  const bool held = ImGui::IsItemActive();
  const auto chosen = std::min(static_cast<size_t>(std::lround(std::max(0.0f, at))), labels.size() - 1);
  ImGui::SameLine(ImGui::GetWindowContentRegionMax().x - drawing::text_width(FontRole::mono, labels[chosen]));
  const drawing::ScopedFont font(FontRole::mono);
  ImGui::AlignTextToFramePadding();
  drawing::plain_text(labels[chosen]);
  return {moved && std::exchange(index, chosen) != chosen, held};
}

void kernel_list_heading(const catalog::Catalog& catalog, const catalog::Kernel& kernel) {
  const bool first = &kernel == catalog.kernels.data();
  if (kernel.folder.empty() || (!first && (&kernel - 1)->folder == kernel.folder)) return;
  if (!first) ImGui::Separator();
  const drawing::ScopedFont font(FontRole::small);
  drawing::dim_text(folder_title(kernel.folder));
}

void InputFields::draw(const session::ViewState& state, session::Requests& requests,
                       const catalog::Kernel& kernel, EnteredField& entered) {
  if (!shown_ || !(*shown_ == state.experiment)) {
    typed_ = state.experiment.inputs;
    shown_ = state.experiment;
  }
  // Without NVRTC there is no machine code for another expression than the default.
  const bool fixed = state.offer != nullptr && state.experiment.inputs.empty();
  for (const catalog::Input& input : kernel.inputs) {
    std::string& typed = typed_.try_emplace(input.name, input.default_value).first->second;
    {
      const drawing::ScopedFont font(FontRole::small);
      drawing::dim_text(input.title);
    }
    std::array<char, catalog::kMostInputLength + 2> text{};
    std::copy_n(typed.begin(), std::min(typed.size(), text.size() - 1), text.begin());
    const drawing::ScopedFont font(FontRole::mono);
    ImGui::SetNextItemWidth(-1);
    ImGui::BeginDisabled(fixed);
    if (ImGui::InputText(("##" + input.name).c_str(), text.data(), text.size())) typed = text.data();
    ImGui::EndDisabled();
    const bool done = ImGui::IsItemDeactivatedAfterEdit();
    const std::string stop = &input == kernel.inputs.data() ? "input" : "input " + input.name;
    if (!fixed) drawing::tab_stop(drawing::StopKind::field, stop);
    std::string names;
    for (const std::string& name : input.names) names += (names.empty() ? "" : ", ") + name;
    drawing::tooltip(
        fixed ? "An expression of yours must be compiled, and NVIDIA's compiler library NVRTC is not "
                "installed: install the CUDA Toolkit's NVRTC."
              : fmt::format("{}: a C expression of {}; the default is {}", input.name, names,
                            input.default_value));
    if (!done) continue;
    experiment::Experiment next = state.experiment;
    next.inputs[input.name] = typed;
    if (typed == input.default_value) next.inputs.erase(input.name);
    if (next == state.experiment) continue;
    requests.experiment = next;
    entered.note(stop, requests);
  }
}

void draw_launch_choice(const session::ViewState& state, session::Requests& requests) {
  if (state.compiled == nullptr || state.compiled->kernel.id != state.experiment.kernel ||
      state.compiled->parts.size() < 2)
    return;
  std::vector<std::string> titles;
  for (const experiment::LaunchPart& part : state.compiled->parts) titles.push_back(part.title);
  int chosen = static_cast<int>(state.compiled->shown_part);
  {
    const drawing::ScopedFont font(FontRole::small);
    drawing::dim_text("Launch to show; all launches are counted");
  }
  if (!drawing::segmented("launch", titles, chosen)) return;
  experiment::Experiment next = state.experiment;
  next.launch = static_cast<uint32_t>(chosen);
  next.block = {0, 0, 0};
  requests.experiment = next;
}

}  // namespace gemmscope::views
