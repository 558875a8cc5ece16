#include "views/board_panel.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <cmath>

#include "drawing/focus.h"
#include "drawing/fonts.h"
#include "drawing/session.h"
#include "drawing/text_fit.h"
#include "drawing/widgets.h"
#include "views/command_hint.h"
#include "views/scene_metrics.h"

namespace gemmscope::views {
namespace {

using drawing::AlignX;
using drawing::Canvas;
using drawing::color;
using drawing::FontRole;
using drawing::px;
using drawing::Role;

session::BoardChoice& asked(const session::ViewState& state, session::Requests& requests) {
  if (!requests.board) requests.board = state.board.choice;
  return *requests.board;
}

}  // namespace

void BoardPanel::draw_devices(const session::ViewState& state, session::Requests& requests,
                              std::string session::BoardChoice::*which, const char* label) {
  const session::BoardState& board = state.board;
  const bool first = which == &session::BoardChoice::device;
  const sm::SmConfig& now = (first ? board.first : board.right.device).config;
  float width = 0;
  for (const session::ModelDevice& device : state.timings.devices)
    width = std::max(width, drawing::text_width(FontRole::body, device.name));
  ImGui::SetNextItemWidth(std::clamp(width + px(46), px(160), ImGui::GetWindowContentRegionMax().x * 0.38f));
  const bool open = drawing::begin_combo(label, now.name, ImGuiComboFlags_HeightLargest);
  if (!open) {
    drawing::tab_stop(drawing::StopKind::control);
    return;
  }
  for (const session::ModelDevice& device : state.timings.devices) {
    if (!drawing::list_item(device.name.c_str(), device.id == now.id) || device.id == now.id) continue;
    session::BoardChoice& next = asked(state, requests);
    next.*which = device.id;
    next.lesson = false;
    // The other device stays what it was while it followed the first.
    if (first && next.other.empty()) next.other = now.id;
  }
  ImGui::EndCombo();
}

namespace {

// The next button stays on the line where it has room there.
void stand_beside(const char* label, float gap) {
  const float room = ImGui::GetWindowPos().x + ImGui::GetWindowContentRegionMax().x -
                     ImGui::GetItemRectMax().x - drawing::px(gap);
  const float width =
      drawing::text_width(drawing::FontRole::body, label) + 2 * ImGui::GetStyle().FramePadding.x;
  if (width <= room) drawing::same_line(gap);
}

}  // namespace

void BoardPanel::draw_head(const session::ViewState& state, session::Requests& requests) {
  drawing::chip("MODELLED", color(Role::modelled));
  drawing::same_line(10);
  draw_devices(state, requests, &session::BoardChoice::device, "##device");
  drawing::tooltip("The device whose knobs turn", command_key(state, "board.next_device"));
  drawing::same_line(6);
  draw_devices(state, requests, &session::BoardChoice::other, "##other");
  drawing::tooltip("The device beside it", command_key(state, "board.next_other_device"));
  stand_beside("As it is", 10);
  if (drawing::quiet_button("As it is")) requests.command = "board.reset";
  drawing::tooltip("Turns all knobs back");
  stand_beside("MX330 and A4000", 4);
  if (drawing::quiet_button("MX330 and A4000")) requests.command = "board.lesson";
  drawing::tooltip("A tile that wins on one GPU and loses on another: a published lesson");
  stand_beside("Close", 4);
  if (drawing::quiet_button("Close")) requests.command = "board.show";
  drawing::tooltip("Back to the map and the code", command_key(state, "board.show"));
  draw_progress(state, requests);
}

// A turned knob answers at once; what takes longer says how far it is, and can be cancelled.
void BoardPanel::draw_progress(const session::ViewState& state, session::Requests& requests) {
  constexpr double kQuietSeconds = 0.5;
  const session::BoardState& board = state.board;
  const double now = ImGui::GetTime();
  if (!board.left.busy && !board.right.busy) idle_at_ = now;
  if (now - idle_at_ < kQuietSeconds) return;
  drawing::same_line(14);
  if (drawing::quiet_button("Cancel")) requests.command = "experiment.cancel";
  drawing::tooltip(command_title(state, "experiment.cancel"), command_key(state, "experiment.cancel"));
  drawing::same_line(8);
  const std::string count = fmt::format("modelling\u2026 {} of {}", board.left.fresh + board.right.fresh,
                                        board.left.variants.size() + board.right.variants.size());
  // Where there is no room, it would stand in a column of letters.
  if (drawing::text_width(drawing::FontRole::body, count) > ImGui::GetContentRegionAvail().x)
    return ImGui::NewLine();
  ImGui::AlignTextToFramePadding();
  drawing::dim_text(count);
}

void BoardPanel::draw_knobs(const session::ViewState& state, session::Requests& requests) {
  const session::BoardState& board = state.board;
  for (int k = 0; k < experiment::kKnobs; ++k) {
    const auto knob = static_cast<experiment::Knob>(k);
    const float factor = board.choice.factors[static_cast<size_t>(k)];
    const std::string value = experiment::knob_value(board.left.device, knob);
    drawing::heading(experiment::knob_title(knob),
                     factor == 1 ? value : fmt::format("{} ({:.2f}x)", value, factor));
    // The knob moves by ratios: its middle is the device as it is.
    float at = std::log2(factor);
    const float most = std::log2(experiment::kMostFactor);
    if (drawing::slider(experiment::knob_id(knob), at, std::log2(experiment::kLeastFactor), most)) {
      const float snapped = std::abs(at) < 0.06f ? 0 : at;
      asked(state, requests).factors[static_cast<size_t>(k)] = std::exp2(snapped);
    }
    drawing::gap(3);
  }
}

void BoardPanel::draw_bars(Canvas& canvas, const std::vector<scenes::BoardBar>& bars,
                           const std::vector<experiment::ModelledVariant>& variants,
                           session::Requests& requests, const session::ViewState& state) {
  for (const scenes::BoardBar& bar : bars) {
    const experiment::ModelledVariant& v = variants[bar.variant];
    const bool pointed = canvas.hovered() && bar.row.contains(canvas.mouse());
    if (bar.current)
      canvas.fill_round_rect(bar.row, color(Role::accent_subtle), canvas.px(3));
    else if (pointed)
      canvas.fill_round_rect(bar.row, color(Role::control), canvas.px(3));
    const float opacity = bar.stale ? 0.45f : 1.0f;
    const std::string label =
        drawing::fit_text(drawing::shown_text(bar.label_text, FontRole::small), bar.label.width(),
                          [&](std::string_view text) { return canvas.text_width(text, FontRole::small); });
    canvas.text(bar.label, label, with_opacity(color(bar.current ? Role::text_strong : Role::text), opacity),
                {FontRole::small});
    canvas.fill_rect(bar.track, color(Role::control));
    canvas.fill_rect(bar.bar, with_opacity(color(Role::modelled), bar.current ? opacity : 0.7f * opacity));
    canvas.text(bar.figure, bar.figure_text, with_opacity(color(Role::text_strong), opacity),
                {FontRole::mono_small, AlignX::right});
    if (pointed)
      drawing::tooltip(fmt::format("{}\n{}", bar.label_text, v.trouble.empty() ? v.bound : v.trouble));
    if (!canvas.spot(bar.row, fmt::format("{} {}", bar.row.left, bar.row.top)).pressed ||
        state.catalog->find(v.key.kernel) == nullptr)
      continue;
    experiment::Experiment next = experiment::with_kernel(state.experiment, v.key.kernel);
    next.toggles = v.key.toggles;
    next.block = {0, 0, 0};
    requests.experiment = next;
  }
}

namespace {

void draw_gains(Canvas& canvas, const scenes::BoardScene& scene) {
  if (scene.gains.empty()) return;
  canvas.text(scene.gains_title.rect, scene.gains_title.text, color(Role::text_strong),
              {FontRole::body_strong});
  const bool missed = std::ranges::any_of(scene.gains, &scenes::BoardGain::other_winner);
  canvas.text(scene.verdict.rect, scene.verdict.text, color(missed ? Role::error : Role::text),
              {FontRole::body});
  for (const scenes::BoardGain& gain : scene.gains) {
    canvas.text(gain.name, gain.name_text, color(Role::text), {FontRole::body});
    canvas.fill_rect(gain.recorded, color(Role::recorded));
    canvas.fill_rect(gain.modelled, color(Role::modelled));
    canvas.text(gain.recorded_figure, gain.recorded_text, color(Role::text_strong), {FontRole::small});
    canvas.text(gain.modelled_figure, gain.modelled_text, color(Role::text_strong), {FontRole::small});
    canvas.text(gain.gap, gain.gap_text, color(gain.other_winner ? Role::error : Role::warning),
                {FontRole::small, AlignX::right});
  }
  canvas.fill_rect(scene.even, color(Role::text_strong));
}

}  // namespace

void BoardPanel::draw(const session::ViewState& state, session::Requests& requests) {
  const session::BoardState& board = state.board;
  draw_head(state, requests);
  drawing::gap(6);
  if (!board.left.known)
    return drawing::dim_text("There is no device file for this architecture in assets/devices.");
  const float side = std::clamp(ImGui::GetContentRegionAvail().x * 0.24f, px(170), px(300));
  ImGui::BeginChild("knobs", ImVec2(side, 0));
  draw_knobs(state, requests);
  ImGui::EndChild();
  drawing::same_line(14);
  Canvas canvas("board");
  const bool changed = board.choice.factors != experiment::unchanged_knobs();
  const scenes::BoardColumn left{board.left.device.config.name, changed, &board.left.device,
                                 &board.left.variants, board.left.fresh};
  const scenes::BoardColumn right{board.right.device.config.name, false, &board.right.device,
                                  &board.right.variants, board.right.fresh};
  const scenes::BoardScene scene = scenes::layout_board(left, right, experiment::key_of(state.experiment),
                                                        board.texts, canvas.area(), scene_metrics(canvas));
  for (const auto& title : scene.titles)
    canvas.text(title.rect, title.text, color(Role::text_strong), {FontRole::body_strong});
  draw_bars(canvas, scene.left, board.left.variants, requests, state);
  draw_bars(canvas, scene.right, board.right.variants, requests, state);
  for (const scenes::BoardLink& link : scene.links)
    canvas.line(link.from, link.to,
                link.current   ? color(Role::accent)
                : link.crosses ? color(Role::modelled)
                               : color(Role::grid_strong),
                canvas.px(link.current || link.crosses ? 2.0f : 1.0f));
  canvas.text(scene.order.rect, scene.order.text, color(Role::text), {FontRole::small});
  for (const scenes::BoardFact& fact : scene.facts) {
    const drawing::Color ink = color(fact.differs ? Role::text_strong : Role::text_dim);
    canvas.text(fact.name, fact.name_text, color(Role::text_dim), {FontRole::small});
    canvas.text(fact.left, fact.left_text, ink, {FontRole::small});
    canvas.text(fact.right, fact.right_text, ink, {FontRole::small});
    if (!canvas.hovered()) continue;
    if (fact.left.contains(canvas.mouse()) && !fact.left_source.empty())
      drawing::tooltip("From: " + fact.left_source);
    if (fact.right.contains(canvas.mouse()) && !fact.right_source.empty())
      drawing::tooltip("From: " + fact.right_source);
  }
  draw_gains(canvas, scene);
  for (const auto& remark : scene.remarks)
    canvas.text(remark.rect, remark.text, color(Role::text), {FontRole::small});
}

}  // namespace gemmscope::views
