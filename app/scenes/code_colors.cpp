#include "scenes/code_colors.h"

#include "scenes/timeline_scene.h"

namespace gemmscope::scenes {

using drawing::color;
using drawing::Role;
using drawing::with_opacity;

drawing::Color code_bar_color(CodeColumn column) {
  switch (column) {
    case CodeColumn::executions:
      return with_opacity(color(Role::text_dim), 0.16f);
    case CodeColumn::wavefronts:
      return with_opacity(color(work_kind_role(WorkKind::shared)), 0.30f);
    case CodeColumn::sectors:
      return with_opacity(color(work_kind_role(WorkKind::global)), 0.28f);
    case CodeColumn::ports:
      return with_opacity(color(Role::math), 0.20f);
    case CodeColumn::excess_wavefronts:
    case CodeColumn::excess_sectors:
    case CodeColumn::lost_ports:
      return with_opacity(color(Role::conflict), 0.36f);
    case CodeColumn::exposed:
    case CodeColumn::stalled:
      return with_opacity(color(Role::modelled), 0.29f);
  }
  return {};
}

}  // namespace gemmscope::scenes
