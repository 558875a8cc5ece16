#include "views/picture_view.h"

#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "drawing/canvas.h"
#include "drawing/session.h"
#include "drawing/widgets.h"
#include "views/bank_view.h"
#include "views/lab_views.h"
#include "views/occupancy_view.h"
#include "views/sector_view.h"

namespace gemmscope::views {
namespace {

using catalog::Picture;

struct Tab {
  Picture picture;
  const char *name, *note;
};
constexpr Tab kTabs[] = {{Picture::none, "Auto", ""},
                         {Picture::banks, "Banks", "shared memory, 32 banks of 4 bytes"},
                         {Picture::sectors, "Sectors", "global memory, lines of 4 sectors of 32 bytes"},
                         {Picture::occupancy, "Occupancy", "what fits on an SM at once"},
                         {Picture::atomics, "Atomics", "lanes that meet at one address"},
                         {Picture::traffic, "Traffic", "bytes, from the counters"},
                         {Picture::pipeline, "Loads", "how far ahead of their use"}};

Picture described_picture(const ViewState& state) {
  const catalog::Kernel* kernel =
      state.catalog == nullptr ? nullptr : state.catalog->find(state.experiment.kernel);
  return kernel == nullptr ? Picture::none : kernel->picture;
}

Picture picture_at_cursor(const ViewState& state) {
  if (!state.has_trace()) return Picture::banks;
  for (const machine::TraceAccess& access : state.block->trace.accesses_of(state.record()))
    if (access.space == machine::Space::global) return Picture::sectors;
  return state.block->banks.empty() ? Picture::sectors : Picture::banks;
}

Picture chosen_picture(const ViewState& state) {
  return state.picture_of == state.experiment.kernel ? state.picture : Picture::none;
}

void draw_picture(ViewState& state, Picture picture) {
  switch (picture) {
    case Picture::none:
    case Picture::banks:
      return draw_bank_picture(state);
    case Picture::sectors:
      return draw_sector_picture(state);
    case Picture::occupancy:
      return draw_occupancy_picture(state);
    case Picture::atomics:
      return draw_atomic_picture(state);
    case Picture::traffic:
      return draw_traffic_picture(state);
    case Picture::pipeline:
      return draw_load_picture(state);
  }
}

// The picture's note at the right end of the line of tabs, where there is room.
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

Picture shown_picture(const ViewState& state) {
  const Picture chosen = chosen_picture(state), described = described_picture(state);
  return chosen != Picture::none ? chosen : described != Picture::none ? described : picture_at_cursor(state);
}

void draw_picture_view(ViewState& state) {
  const Picture described = described_picture(state), shown = shown_picture(state);
  std::vector<std::string> names;
  std::vector<Picture> pictures;
  for (const Tab& tab : kTabs) {
    // The first ones serve any kernel, the others those that name them. Where a picture is named, it leads.
    const bool usual = tab.picture <= Picture::occupancy;
    if (!usual && tab.picture != described) continue;
    if (tab.picture == Picture::none && described != Picture::none) continue;
    pictures.push_back(tab.picture);
    names.emplace_back(tab.name);
  }
  const Picture marked = described == Picture::none ? chosen_picture(state) : shown;
  int chosen = static_cast<int>(std::find(pictures.begin(), pictures.end(), marked) - pictures.begin());
  if (drawing::segmented("pictures", names, chosen)) {
    state.picture = pictures[static_cast<size_t>(chosen)];
    state.picture_of = state.experiment.kernel;
  }
  draw_note(shown);
  draw_picture(state, shown);
}

}  // namespace gemmscope::views
