#include "shell/status_line.h"

#include <fmt/format.h>

#include "drawing/widgets.h"

namespace gemmscope::shell {

std::string progress_text(const experiment::Progress& progress) {
  switch (progress.stage) {
    case experiment::Stage::compile:
      return "compiling\u2026";
    case experiment::Stage::schedule:
      return fmt::format("scheduling the main loop\u2026 {:.0f} %", progress.fraction * 100);
    case experiment::Stage::block:
      return "executing the block\u2026";
    case experiment::Stage::model:
      return "modelling the cycles\u2026";
    case experiment::Stage::grid:
      return fmt::format("executing the whole grid\u2026 {:.0f} %", progress.fraction * 100);
  }
  return "";
}

std::string progress_text(const session::Workspace& workspace) {
  const session::ViewState& state = workspace.state();
  if (state.progress) return progress_text(*state.progress);
  const session::LessonState& lesson = state.lesson;
  const bool figures = lesson.visible && lesson.open_page() != nullptr && lesson.values == nullptr;
  return figures && workspace.computing() ? "computing the page's figures\u2026" : "";
}

bool cancel_by_click(const drawing::Canvas& canvas, const session::Workspace& workspace,
                     const session::CommandTable& commands) {
  if (progress_text(workspace).empty()) return false;
  drawing::tooltip(commands.find(kCancelCommand)->title, commands.key_text(kCancelCommand));
  return canvas.hovered() && canvas.clicked();
}

}  // namespace gemmscope::shell
