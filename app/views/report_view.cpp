#include "views/report_view.h"

#include <fmt/format.h>
#include <imgui.h>

#include <cctype>
#include <utility>

#include "base/plural.h"
#include "drawing/canvas.h"
#include "drawing/fonts.h"
#include "drawing/palette.h"
#include "drawing/session.h"
#include "drawing/widgets.h"
#include "experiment/grid_sampling.h"
#include "scenes/figure_names.h"
#include "scenes/text.h"
#include "views/flash_mark.h"

namespace gemmscope::views {
namespace {

using drawing::FontRole;
using drawing::Role;

// The mark of a figure that was searched for, behind its row; the panel scrolls there.
void flash_row(const session::ViewState& state, const scenes::FigureName* figure) {
  if (figure == nullptr || !state.flash.marks(figure->id)) return;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  drawing::Canvas canvas(drawing::Rect::at(
      {at.x, at.y}, {ImGui::GetContentRegionAvail().x, drawing::line_height(FontRole::mono)}));
  mark_flash(canvas, canvas.area().inset(-canvas.px(3), 0), state, *figure);
  ImGui::SetScrollHereY(0.5f);
}

// Draws a name on the left and a number at the right edge.
void row(const char* name, std::string_view count_or_word, const char* tooltip, Role role = Role::text) {
  const std::string value(drawing::shown_text(count_or_word, FontRole::body));
  const float width = ImGui::GetContentRegionAvail().x, right = ImGui::GetCursorPosX() + width;
  const auto fit = [&](FontRole words, FontRole number, float gap) {
    return drawing::text_width(words, name) + drawing::text_width(number, value) + gap <= width;
  };
  // A small font makes room for nine digits beside a long name on a small projector, else a second line does.
  const bool fits = fit(FontRole::body, FontRole::mono, ImGui::GetStyle().ItemSpacing.x);
  {
    const drawing::ScopedFont font(fits ? FontRole::body : FontRole::small);
    ImGui::PushStyleColor(ImGuiCol_Text, drawing::packed(drawing::color(Role::text_dim)));
    drawing::plain_text(name);
    ImGui::PopStyleColor();
  }
  drawing::tooltip(tooltip);
  const drawing::ScopedFont font(fits ? FontRole::mono : FontRole::mono_small);
  const float left = right - ImGui::CalcTextSize(value.c_str()).x;
  if (fits || fit(FontRole::small, FontRole::mono_small, drawing::px(3)))
    ImGui::SameLine(left);
  else
    ImGui::SetCursorPosX(left);
  ImGui::PushStyleColor(ImGuiCol_Text, drawing::packed(drawing::word_color(role)));
  drawing::plain_text(value);
  ImGui::PopStyleColor();
}

// A row whose tooltip has Nsight Compute's name of the figure.
void figure_row(const session::ViewState& state, const std::string& id, const char* name,
                const std::string& value, const std::string& hint, Role role = Role::text) {
  const scenes::FigureName* const figure = scenes::find_figure(id);
  flash_row(state, figure);
  const std::string nsight = figure == nullptr ? "" : "\n" + scenes::nsight_line(*figure);
  row(name, value, (hint + nsight).c_str(), role);
}

void draw_resources(const session::ViewState& state) {
  const experiment::Resources& r = state.compiled->resources;
  drawing::heading("Resources", "machine code");
  figure_row(state, "report.shared_bytes", "Shared / block",
             scenes::short_bytes(r.static_shared_bytes + r.dynamic_shared_bytes),
             "Static and dynamic shared memory of a block");
  figure_row(state, "report.barriers", "Barriers", std::to_string(r.barriers), "Named block barriers");
}

// The sums are in the strip of the numbers; this is what they consist of.
void draw_kinds(const session::ViewState& state, const metrics::CounterSummary& s, bool shared,
                const char* unit) {
  bool first = true;
  for (const metrics::TrafficKind& kind : metrics::kTrafficKinds) {
    const metrics::Traffic& traffic = s.traffic.*kind.member;
    if (traffic.requests == 0 || kind.shared != shared) continue;
    const uint64_t count = shared ? traffic.wavefronts : traffic.sectors;
    const uint64_t excess = shared ? traffic.excess_wavefronts() : traffic.excess_sectors();
    if (std::exchange(first, false)) {
      const drawing::ScopedFont font(FontRole::small);
      drawing::dim_text(fmt::format("{} by kind", shared ? "Wavefronts" : "Sectors"));
    }
    std::string name = kind.name;
    name.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(name.front())));
    // A GPU counts as many wavefronts of copies or more (metrics/ncu_metrics.h).
    const bool least = kind.member == &metrics::InstructionTraffic::async_shared;
    const std::string hint = fmt::format(
        "{} {}{} of {} request{}, {} beyond what the same bytes need{}", scenes::grouped(count), unit,
        plural(count), scenes::grouped(traffic.requests), plural(traffic.requests), scenes::grouped(excess),
        least ? ". At least so many: copies write when their bytes arrive, and a GPU counts more where "
                "they come in pieces. Lanes that copy zeros, or what another lane copies, are left out"
              : "");
    figure_row(state, scenes::figure_name(kind).id, name.c_str(),
               (least ? "\u2265" : "") + scenes::grouped(count), hint,
               excess == 0 ? Role::text
               : shared    ? Role::conflict
                           : Role::warning);
  }
}

void draw_traffic(const session::ViewState& state, const metrics::CounterSummary& s) {
  draw_kinds(state, s, false, "32-byte sector");
  draw_kinds(state, s, true, "wavefront");
}

void draw_verdict(const experiment::GridResult& grid) {
  const experiment::Verification& v = grid.verification;
  if (!v.checked())
    return row("Result", "not verified", ("Nothing is compared: " + v.unchecked).c_str(), Role::text_dim);
  if (!v.reference.empty())
    return row(
        "Result", v.right() ? "right" : fmt::format("{} wrong", scenes::grouped(v.wrong_elements)),
        fmt::format("Compared with the results of the plain kernel \"{}\" of the same file", v.reference)
            .c_str(),
        v.right() ? Role::ok : Role::error);
  const std::string hint = fmt::format(
      "Every element of C compared with float64: largest error {:.2g}, {:.2f} of the rounding bound",
      v.largest_error, v.largest_ratio);
  const std::string advice = v.hint.empty() ? "" : "; but " + v.hint;
  const std::string verdict =
      v.right() ? "right" : fmt::format("{} wrong", scenes::grouped(v.wrong_elements));
  row("C against float64", verdict, (hint + advice).c_str(), v.right() ? Role::ok : Role::error);
}

void draw_counters(const session::ViewState& state, session::Requests& requests) {
  const bool whole = state.grid != nullptr && state.grid->compiled == state.compiled;
  drawing::heading("Counters", whole ? "whole grid, exact" : "this block, exact");
  if (whole) {
    const experiment::GridCoverage& c = state.grid->coverage;
    row("Blocks executed",
        c.executed == c.blocks
            ? scenes::grouped(c.blocks)
            : fmt::format("{} of {}", scenes::grouped(c.executed), scenes::grouped(c.blocks)),
        coverage_text(c).c_str());
    draw_verdict(*state.grid);
    draw_traffic(state, state.grid->summary);
    return;
  }
  if (state.block != nullptr && state.block->compiled == state.compiled)
    draw_traffic(state, metrics::summarize(state.block->counters, state.block->compiled->instructions));
  if (state.grid_skipped) {
    drawing::dim_text(fmt::format("The whole grid: about {} warp instructions.",
                                  scenes::short_number(state.grid_skipped->instructions)));
    drawing::dim_text(fmt::format("It cannot be counted by classes of blocks: {}.", state.grid_skipped->why));
    if (drawing::quiet_button("Execute it now")) requests.run_whole_grid = true;
  }
}

void draw_mix(const metrics::CounterSummary& s) {
  for (size_t i = 0; i < s.mix.size(); ++i) {
    if (s.mix[i] == 0) continue;
    const double part = metrics::share(s.mix, static_cast<metrics::InstructionKind>(i));
    row(metrics::kInstructionKindNames[i].name, fmt::format("{:.1f} %", 100 * part),
        fmt::format("{} of {} warp instruction{}", scenes::grouped(s.mix[i]),
                    scenes::grouped(s.warp_instructions), plural(s.warp_instructions))
            .c_str());
  }
  const uint64_t bytes = s.traffic.global_loaded_bytes;
  row("FLOP per float loaded", bytes == 0 ? "none" : fmt::format("{:.2f}", s.flop_per_float()),
      bytes == 0
          ? "No lane loads from global memory."
          : fmt::format(
                "Floating-point operations for each float that a lane loads from global memory; {:.2f} "
                "per byte. The lanes ask for {} bytes.",
                s.flop_per_float() / 4, scenes::grouped(bytes))
                .c_str());
}

// Where there is no distance, `none` says why.
void draw_distance(const char* name, const metrics::DistanceSummary& distances, const char* meaning,
                   const char* none) {
  if (distances.count == 0) return row(name, "none", none);
  row(name, fmt::format("{:g}", distances.median),
      fmt::format("{} Median of {} in the traced block; the least is {}, the mean {:.1f}.", meaning,
                  scenes::grouped(distances.count), distances.least, distances.mean)
          .c_str());
}

void draw_instructions(const session::ViewState& state) {
  const bool whole = state.grid != nullptr && state.grid->compiled == state.compiled;
  const bool traced = state.block != nullptr && state.block->compiled == state.compiled;
  if (!whole && !traced) return;
  drawing::heading("Instruction mix", whole ? "whole grid" : "this block");
  draw_mix(whole ? state.grid->summary
                 : metrics::summarize(state.block->counters, state.block->compiled->instructions));
  if (!traced) return;
  draw_distance(
      "FFMA to its use", state.block->ffma_distances,
      "Instructions that a warp issues from an FFMA to the FFMA that needs its result: with few, the "
      "second waits.",
      "No FFMA of the traced block needs the result of another one.");
  draw_distance("Load to its wait", state.block->load_distances,
                "Instructions that a warp issues from a load of global memory to the one that waits for it.",
                "No warp of the traced block loads from global memory into a register and waits for it.");
}

}  // namespace

void draw_report(const session::ViewState& state, session::Requests& requests) {
  if (state.compiled == nullptr) return;
  if (const auto hides = state.lesson.hides(); hides.numbers || hides.counts)
    return drawing::dim_text("Hidden until you answer");
  draw_resources(state);
  drawing::gap(8);
  draw_counters(state, requests);
  drawing::gap(8);
  draw_instructions(state);
}

}  // namespace gemmscope::views
