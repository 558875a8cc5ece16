#include "scenes/pipeline_colors.h"

namespace gemmscope::scenes {

using drawing::Role;
using experiment::TileStage;
using sm::IssueKind;
using sm::Stall;

Role stage_role(TileStage stage) {
  switch (stage) {
    case TileStage::math:
      return Role::math;
    case TileStage::global_load:
      return Role::write;
    case TileStage::store_shared:
      return Role::memory;
    case TileStage::barrier:
    case TileStage::object_wait:
      return Role::text_dim;
    case TileStage::load_shared:
      return Role::read;
    case TileStage::epilogue:
      return Role::control_flow;
  }
  return Role::idle;
}

Role issue_role(IssueKind kind) {
  switch (kind) {
    case IssueKind::math:
      return Role::math;
    case IssueKind::shared:
      return Role::memory;
    case IssueKind::global:
      return Role::write;
    case IssueKind::other:
      return Role::control_flow;
  }
  return Role::idle;
}

const char* issue_kind_name(IssueKind kind) {
  constexpr const char* kNames[] = {"multiply-add", "shared memory", "global memory", "other"};
  return kNames[static_cast<size_t>(kind)];
}

// Waiting for memory has the colour of that memory, and a warp that could issue is grey. A wait is not yet
// trouble, so none is red.
drawing::Color stall_color(Stall reason) {
  switch (reason) {
    case Stall::selected:
      return drawing::color(Role::math);
    case Stall::not_selected:
      return drawing::color(Role::wait);
    case Stall::wait:
      return drawing::mix(drawing::color(Role::wait), drawing::color(Role::panel), 0.45f);
    case Stall::long_scoreboard:
      return drawing::color(Role::write);
    case Stall::short_scoreboard:
      return drawing::category_color(0);
    case Stall::lg_throttle:
      return drawing::category_color(2);
    case Stall::mio_throttle:
      return drawing::category_color(5);
    case Stall::math_pipe_throttle:
      return drawing::category_color(7);
    case Stall::barrier:
      return drawing::category_color(1);
    case Stall::branch_resolving:
      return drawing::category_color(4);
    case Stall::no_instruction:
      return drawing::category_color(8);
    case Stall::dispatch_stall:
      return drawing::category_color(6);
  }
  return drawing::color(Role::idle);
}

drawing::Color activity_color(int activity) {
  if (activity < sm::kIssueKinds) return drawing::color(issue_role(static_cast<IssueKind>(activity)));
  return stall_color(static_cast<Stall>(activity - sm::kIssueKinds + 1));
}

}  // namespace gemmscope::scenes
