#include "views/failure_view.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>

#include "base/plural.h"
#include "drawing/fonts.h"
#include "drawing/palette.h"
#include "drawing/session.h"
#include "drawing/widgets.h"

namespace gemmscope::views {
namespace {

using experiment::Failure;

// Shows the file name alone: the folder is the same for all kernels, and the panel is narrow.
std::string message_of(const session::ViewState& state) {
  const Failure& failure = state.failure->failure;
  std::string message = failure.message;
  const catalog::Kernel* kernel =
      state.catalog == nullptr ? nullptr : state.catalog->find(state.experiment.kernel);
  if (kernel != nullptr && !kernel->path.empty())
    if (const size_t at = message.find(kernel->path.string()); at != std::string::npos)
      message.replace(at, kernel->path.string().size(), kernel->path.filename().string());
  const auto errors =
      std::ranges::count(failure.diagnostics, compile::Severity::error, &compile::Diagnostic::severity);
  if (errors > 1)
    message += fmt::format("\nand {} more error{}, marked in the source", errors - 1, plural(errors - 1));
  return message;
}

const char* what_is_shown(const session::ViewState& state) {
  if (state.failure->failure.until_fault != nullptr) return "The picture shows the block up to the fault.";
  if (state.failure->failure.fault)
    return "The picture shows the traced block; the mistake is marked in the code.";
  return state.compiled == nullptr ? "" : "The picture still shows the last experiment that worked.";
}

}  // namespace

float failure_panel_height(const session::ViewState& state, float width, float most) {
  if (!state.failure) return 0;
  const ImGuiStyle& style = ImGui::GetStyle();
  const float inner = std::max(1.0f, width - 2 * style.WindowPadding.x - style.ScrollbarSize);
  const auto lines = [&](const std::string& text) {
    return drawing::wrapped_height(text, drawing::FontRole::body, inner);
  };
  return std::min(most, lines(message_of(state)) + lines(what_is_shown(state)) + style.ItemSpacing.y +
                            2 * style.WindowPadding.y);
}

void draw_failure(const session::ViewState& state) {
  if (!state.failure) return;
  const drawing::ScopedFont font(drawing::FontRole::body);
  ImGui::PushStyleColor(ImGuiCol_Text, drawing::packed(drawing::color(drawing::Role::error)));
  drawing::body_text(message_of(state));
  ImGui::PopStyleColor();
  drawing::dim_text(what_is_shown(state));
}

}  // namespace gemmscope::views
