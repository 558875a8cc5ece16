#include "shell/runner_panel.h"

#include <imgui.h>
#include <imgui_stdlib.h>

#include "drawing/fonts.h"
#include "drawing/palette.h"
#include "drawing/session.h"
#include "drawing/widgets.h"
#include "experiment/gpu_timing_device.h"
#include "session/measuring.h"
#include "shell/dialog.h"

namespace gemmscope::shell {
namespace {

using drawing::Role;
using session::Measuring;

constexpr const char* kId = "##gpu_runner";
constexpr const char* kExamples[][2] = {{"ssh lab-gpu gemmscope-gpu-runner", "a computer you can log in to"},
                                        {"srun --gres=gpu:1 gemmscope-gpu-runner", "a cluster's scheduler"}};

void colored_text(const std::string& text, Role role) {
  ImGui::PushStyleColor(ImGuiCol_Text, drawing::packed(drawing::color(role)));
  ImGui::PushTextWrapPos(0);
  drawing::plain_text(text);
  ImGui::PopTextWrapPos();
  ImGui::PopStyleColor();
}

void draw_state(const session::ViewState& state) {
  const session::TimingState& timings = state.timings;
  const std::string line = session::measuring_line(timings, state.experiment.problem, false);
  switch (session::measuring_of(timings)) {
    case session::Measuring::nowhere:
      return colored_text("Only the window measures, not a picture.", Role::text);
    case session::Measuring::off:
      return colored_text("Measuring is switched off.", Role::text);
    case session::Measuring::waiting:
      return colored_text(line.empty() ? "Waiting for the GPU runner to answer." : line, Role::text);
    case session::Measuring::on:
      colored_text(fmt::format("Measuring on {}.", timings.live->device.name), Role::measured);
      return line.empty() ? void() : colored_text(line, Role::text);
    case session::Measuring::no_gpu:
    case session::Measuring::ended:
      return colored_text(line, Role::warning);
  }
}

}  // namespace

void RunnerPanel::open(const session::TimingState& timings) {
  open_ = just_opened_ = to_end_ = true;
  typed_ = timings.gpu_runner;
}

void RunnerPanel::draw_examples() {
  const drawing::ScopedFont font(drawing::FontRole::mono_small);
  for (const auto& [command, meaning] : kExamples) {
    if (ImGui::Selectable(command, false, ImGuiSelectableFlags_DontClosePopups)) {
      typed_ = command;
      just_opened_ = to_end_ = true;
    }
    const drawing::ScopedFont words(drawing::FontRole::small);
    const float width = drawing::text_width(drawing::FontRole::small, meaning);
    ImGui::SameLine(std::max(0.0f, ImGui::GetWindowContentRegionMax().x - width));
    drawing::dim_text(meaning);
  }
}

void RunnerPanel::draw_notes(const session::TimingState& timings) const {
  const drawing::ScopedFont font(drawing::FontRole::small);
  if (const auto readable = experiment::check_runner_command(typed_); !readable)
    colored_text(readable.error().message, Role::warning);
  else if (!timings.runner_note.empty())
    colored_text(timings.runner_note, Role::warning);
  else if (timings.runner_given)
    drawing::dim_text(
        "--gpu-runner or GEMMSCOPE_GPU_RUNNER gave the runner of this start and overrides the stored one.");
  else
    drawing::dim_text("It is remembered for the next start.");
}

std::optional<std::string> RunnerPanel::draw(const session::ViewState& state) {
  if (!open_) return std::nullopt;
  const float line = ImGui::GetTextLineHeightWithSpacing();
  place_popup(620, 10.5f * line + drawing::px(28), ImGui::GetIO().DisplaySize.y * 0.18f);
  if (!begin_dialog(kId, 14, true)) return std::nullopt;
  drawing::heading("GPU runner");
  draw_state(state);
  drawing::gap(6);
  {
    const drawing::ScopedFont font(drawing::FontRole::small);
    drawing::dim_text(
        "Its command line. Leave empty for the runner beside the program, on this computer's GPU.");
  }
  if (just_opened_) ImGui::SetKeyboardFocusHere();
  just_opened_ = false;
  ImGui::SetNextItemWidth(-1);
  {
    const drawing::ScopedFont font(drawing::FontRole::mono);
    ImGui::InputText("##command", &typed_, ImGuiInputTextFlags_CallbackAlways, cursor_to_end, &to_end_);
  }
  draw_examples();
  draw_notes(state.timings);
  drawing::gap(6);
  const bool readable = experiment::check_runner_command(typed_).has_value();
  bool use = drawing::primary_button("Measure with it", readable);
  drawing::tooltip("Starts this runner now and at the next start of the program", "Enter");
  drawing::same_line(8);
  if (drawing::quiet_button("Use this computer's", !typed_.empty())) {
    typed_.clear();
    use = true;
  }
  use |= readable && key_pressed(ImGuiKey_Enter);
  if (use || dialog_dismissed()) {
    open_ = false;
    ImGui::CloseCurrentPopup();
  }
  ImGui::EndPopup();
  return use ? std::optional(typed_) : std::nullopt;
}

}  // namespace gemmscope::shell
