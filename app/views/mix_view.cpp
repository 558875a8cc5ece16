#include "views/mix_view.h"

#include <fmt/format.h>

#include "base/plural.h"
#include "drawing/canvas.h"
#include "drawing/widgets.h"
#include "scenes/mix_scene.h"
#include "scenes/text.h"
#include "views/figure_row.h"
#include "views/lane_chips.h"
#include "views/scene_metrics.h"

namespace gemmscope::views {
namespace {

using drawing::AlignX;
using drawing::AlignY;
using drawing::Canvas;
using drawing::color;
using drawing::FontRole;
using drawing::Role;

const char* name_of(metrics::InstructionKind kind) {
  return metrics::kInstructionKindNames[static_cast<size_t>(kind)].name;
}

void draw_bar(Canvas& canvas, const scenes::MixBar& bar) {
  canvas.text(bar.name_rect, bar.name, color(Role::text_strong),
              {FontRole::small, AlignX::left, AlignY::center});
  canvas.text(bar.text_rect, bar.text, color(Role::text_dim),
              {FontRole::small, AlignX::right, AlignY::center});
  for (const scenes::MixPart& part : bar.parts) {
    const drawing::Color fill = color(scenes::kind_role(part.kind));
    canvas.fill_rect(part.rect.inset(std::min(canvas.px(0.5f), part.rect.width() * 0.2f), 0), fill);
    if (!part.text.empty())
      canvas.text(part.rect, part.text, drawing::readable_on(fill),
                  {FontRole::small, AlignX::center, AlignY::center});
    if (canvas.hovered() && part.rect.contains(canvas.mouse()))
      drawing::tooltip(fmt::format("{}: {} warp instruction{}", name_of(part.kind),
                                   scenes::grouped(part.count), plural(part.count)));
  }
}

}  // namespace

void draw_mix_picture(const session::ViewState& state, session::Requests&) {
  Canvas canvas("mix");
  if (!state.has_trace()) return draw_waiting(canvas, state.failure.has_value());
  drawing::Rect area = canvas.area();
  const drawing::Rect head = area.cut_top(canvas.line_height(FontRole::title) + canvas.px(4));
  area.top += canvas.px(4);
  const bool whole = state.grid != nullptr && state.grid->compiled == state.compiled;
  const scenes::MixScene scene = scenes::layout_mix(*state.block, whole ? &state.grid->summary : nullptr,
                                                    state.cursor, area, scene_metrics(canvas));
  const metrics::DistanceSummary& chain = state.block->ffma_distances;
  std::vector<Figure> figures;
  if (chain.count > 0) {
    figures.push_back({fmt::format("{:g}", chain.median),
                       fmt::format("instruction{} from an FFMA to its use", chain.median == 1 ? "" : "s"),
                       Role::text_strong, true});
    figures.push_back({std::to_string(chain.least), "minimum", Role::text});
  }
  draw_worded_figure_row(canvas, head, "instruction mix", "", figures);
  for (const scenes::MixBar& bar : scene.bars) draw_bar(canvas, bar);
  for (const scenes::MixKey& key : scene.keys) {
    canvas.fill_rect(key.rect, color(scenes::kind_role(key.kind)));
    canvas.text(key.name_rect, name_of(key.kind), color(Role::text_dim),
                {FontRole::small, AlignX::left, AlignY::center});
  }
}

}  // namespace gemmscope::views
