#include "views/explorer_panel.h"

#include <imgui.h>

#include <algorithm>
#include <cmath>

#include "drawing/session.h"
#include "drawing/widgets.h"
#include "scenes/bank_explorer_scene.h"
#include "views/bank_view.h"
#include "views/scene_metrics.h"

namespace gemmscope::views {
namespace {

using drawing::AlignX;
using drawing::Canvas;
using drawing::color;
using drawing::FontRole;
using drawing::px;
using drawing::Rect;
using drawing::Role;

Role verdict(const scenes::ExplorerPicture& picture) {
  return picture.misfit ? Role::error : picture.excess > 0 ? Role::conflict : Role::ok;
}

// The plate catches the eye first; a mistake in a field takes the sentence's place, so that nothing moves.
void draw_verdict(Canvas& canvas, const scenes::ExplorerPicture& picture, const session::Explorer& explorer) {
  const drawing::Color plate = color(verdict(picture));
  canvas.fill_round_rect(picture.plate, plate, canvas.px(6));
  canvas.text(picture.plate, picture.plate_text, drawing::readable_on(plate),
              {FontRole::title, AlignX::center});
  const bool wide = canvas.text_width(picture.headline_text, FontRole::title) <= picture.headline.width();
  canvas.text(picture.headline, picture.headline_text, color(Role::text_strong),
              {wide ? FontRole::title : FontRole::body_strong});
  if (explorer.mistake)
    canvas.text_wrapped(picture.sentence, explorer.mistake->sentence, color(Role::error));
  else
    canvas.text_wrapped(picture.sentence, picture.sentence_text, color(Role::text));
}

void draw_padding(Canvas& canvas, const scenes::ExplorerPicture& picture) {
  if (picture.padding.empty()) return;
  canvas.hatch(picture.padding, with_opacity(color(Role::panel), 0.75f), 4, 2);
  canvas.fill_rect({picture.padding.left - canvas.px(1), picture.padding.top,
                    picture.padding.left + canvas.px(1), picture.padding.bottom},
                   color(Role::text_strong));
}

}  // namespace

void ExplorerPanel::draw_picture(const session::ViewState& state, session::Requests& requests) {
  Canvas canvas("explorer picture");
  const session::Explorer& explorer = *state.explorer;
  if (explorer.answer == nullptr) {
    if (explorer.mistake) draw_empty(canvas, explorer.mistake->sentence);
    return;
  }
  const scenes::ExplorerPicture picture = scenes::layout_explorer(
      *explorer.answer, explorer.chosen, explorer.wavefront, state.hover, canvas.area(),
      scene_metrics(canvas),
      [&canvas](std::string_view text) { return canvas.text_width(text, FontRole::title); });
  draw_verdict(canvas, picture, explorer);
  if (picture.misfit) return;
  draw_bank_scene(canvas, picture.banks);
  draw_padding(canvas, picture);
  if (const auto wavefront = point_at_bank_scene(requests, canvas, picture.banks)) {
    session::ExplorerRequest request;
    request.wavefront = *wavefront == explorer.wavefront ? scenes::kAllWavefronts : *wavefront;
    requests.explorer = std::make_shared<const session::ExplorerRequest>(request);
  }
}

void ExplorerPanel::draw(const session::ViewState& state, session::Requests& requests) {
  if (state.explorer == nullptr) {  // drawn alone, before any command opened it
    requests.explorer = std::make_shared<const session::ExplorerRequest>();
    return;
  }
  draw_head(state, requests);
  drawing::gap(4);
  const ImVec2 room = ImGui::GetContentRegionAvail();
  const bool beside = room.x >= px(620);
  ImGui::PushStyleColor(ImGuiCol_ChildBg, {0, 0, 0, 0});
  const auto controls = [&](ImVec2 size) {
    if (ImGui::BeginChild("controls", size, false)) {
      draw_fields(*state.explorer, requests);
      draw_fixes(state, requests);
      draw_way_back(state, requests);
    }
    ImGui::EndChild();
  };
  const auto picture = [&](ImVec2 size) {
    if (ImGui::BeginChild("picture", size, false,
                          ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse))
      draw_picture(state, requests);
    ImGui::EndChild();
  };
  if (beside) {
    controls({std::round(std::clamp(room.x * 0.34f, px(290), px(460))), 0});
    drawing::same_line(14);
    picture({0, 0});
  } else {
    picture({0, std::round(room.y * 0.54f)});
    controls({0, 0});
  }
  ImGui::PopStyleColor();
}

}  // namespace gemmscope::views
