#include "views/picture_view.h"

#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "drawing/canvas.h"
#include "drawing/session.h"
#include "drawing/widgets.h"
#include "scenes/fragment_scene.h"

namespace gemmscope::views {

#define PICTURE(name, ...) void draw_##name##_picture(const session::ViewState&, session::Requests&);
#include "catalog/pictures.def"
#undef PICTURE

namespace {

using catalog::Picture;

enum class Offered : uint8_t { any_kernel, its_kernel };

struct Tab {
  Picture picture;
  const char *name, *note;
  Offered offered;
};
constexpr Tab kTabs[] = {
    {Picture::none, "Auto", "", Offered::any_kernel},
#define PICTURE(name, tab, note, offered, opens_at) {Picture::name, tab, note, Offered::offered},
#include "catalog/pictures.def"
#undef PICTURE
};

Picture described_picture(const session::ViewState& state) {
  const catalog::Kernel* kernel =
      state.catalog == nullptr ? nullptr : state.catalog->find(state.experiment.kernel);
  return kernel == nullptr ? Picture::none : kernel->picture;
}

Picture picture_at_cursor(const session::ViewState& state) {
  if (!state.has_trace()) return Picture::banks;
  for (const machine::TraceAccess& access : state.block->trace.accesses_of(state.record()))
    if (access.space == machine::Space::global) return Picture::sectors;
  return state.block->banks.empty() ? Picture::sectors : Picture::banks;
}

Picture chosen_picture(const session::ViewState& state) {
  return state.picture_of == state.experiment.kernel ? state.picture : Picture::none;
}

// Draws the picture's note at the right end of the line of tabs, where there is room.
void draw_note(Picture picture) {
  const auto tab =
      std::find_if(std::begin(kTabs), std::end(kTabs), [&](const Tab& t) { return t.picture == picture; });
  drawing::same_line(12);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float right = ImGui::GetWindowPos().x + ImGui::GetWindowContentRegionMax().x;
  drawing::Canvas canvas(drawing::Rect{at.x, at.y, right, at.y + ImGui::GetFrameHeight()});
  if (canvas.text_width(tab->note, drawing::FontRole::small) <= canvas.area().width())
    canvas.text(canvas.area(), tab->note, drawing::color(drawing::Role::text_dim),
                {drawing::FontRole::small, drawing::AlignX::right, drawing::AlignY::center});
  ImGui::NewLine();
}

}  // namespace

// The pipeline's function is the member of that name, which hides the one that is declared above.
void PictureView::draw_picture(const session::ViewState& state, session::Requests& requests,
                               Picture picture) {
  switch (picture) {
    case Picture::none:
      return;
#define PICTURE(name, ...) \
  case Picture::name:      \
    return draw_##name##_picture(state, requests);
#include "catalog/pictures.def"
#undef PICTURE
  }
}

Picture shown_picture(const session::ViewState& state) {
  if (state.pipeline.open) return Picture::pipeline;
  const Picture chosen = chosen_picture(state), described = described_picture(state);
  return chosen != Picture::none ? chosen : described != Picture::none ? described : picture_at_cursor(state);
}

PictureTabs offered_pictures(const session::ViewState& state) {
  const Picture described = described_picture(state), shown = shown_picture(state);
  PictureTabs tabs;
  for (const Tab& tab : kTabs) {
    // The picture that the description names comes first.
    if (tab.offered == Offered::its_kernel && tab.picture != described) continue;
    if (tab.picture == Picture::fragments && described != tab.picture &&
        (state.compiled == nullptr || !scenes::has_fragments(*state.compiled)))
      continue;
    if (tab.picture == Picture::none && described != Picture::none) continue;
    tabs.pictures.push_back(tab.picture);
    tabs.names.emplace_back(tab.name);
  }
  const bool automatic = described == Picture::none && shown != Picture::pipeline;
  const Picture marked = automatic ? chosen_picture(state) : shown;
  tabs.chosen = static_cast<int>(std::ranges::find(tabs.pictures, marked) - tabs.pictures.begin());
  return tabs;
}

void PictureView::draw(const session::ViewState& state, session::Requests& requests) {
  PictureTabs tabs = offered_pictures(state);
  const Picture shown = shown_picture(state);
  if (drawing::segmented("pictures", tabs.names, tabs.chosen))
    requests.picture = tabs.pictures[static_cast<size_t>(tabs.chosen)];
  draw_note(shown);
  draw_picture(state, requests, shown);
}

}  // namespace gemmscope::views
