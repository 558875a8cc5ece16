#include "shell/export_panel.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>

#include "base/plural.h"
#include "drawing/fonts.h"
#include "drawing/palette.h"
#include "drawing/session.h"
#include "drawing/widgets.h"
#include "scenes/text.h"
#include "session/documents_folder.h"
#include "session/export_range.h"
#include "shell/dialog.h"
#include "shell/panel_places.h"
#include "shell/picture_sequence.h"

namespace gemmscope::shell {
namespace {

using drawing::px;
using session::ExportKind;
using session::RangeUnit;

constexpr const char* kId = "##export";
constexpr int64_t kUsualPictures = 60;
constexpr float kLinesOfATable = 7, kLinesOfAPicture = 9.3f, kLinesOfARange = 14.3f;  // of the dialog
constexpr ExportKind kKinds[] = {ExportKind::png, ExportKind::svg, ExportKind::clipboard, ExportKind::frames,
                                 ExportKind::gif, ExportKind::mp4, ExportKind::csv,       ExportKind::json};
const std::vector<std::string> kKindNames = {"PNG", "SVG", "Copy", "Pictures", "GIF", "MP4", "CSV", "JSON"};
constexpr const char* kKindNotes[] = {
    "A picture of what is shown now.",
    "What is shown now as shapes and text, which stay sharp and can be edited.",
    "What is shown now, on the clipboard.",
    "A PNG for each place of the cursor, in a new folder.",
    "A film of the cursor's way, for a slide.",
    "A film of the cursor's way, smaller than a GIF.",
    "All figures as a table, each with where it comes from.",
    "All figures for a script, each with where it comes from."};
const std::vector<std::string> kUnitNames = {"Steps", "Accesses", "Cycles"};

void label(const char* text) {
  drawing::gap(4);
  const drawing::ScopedFont font(drawing::FontRole::small);
  drawing::dim_text(text);
}

void number_field(const char* id, const char* name, int64_t& value, int64_t least, int64_t most) {
  const drawing::ScopedFont font(drawing::FontRole::body);
  ImGui::AlignTextToFramePadding();
  drawing::plain_text(name);
  drawing::same_line(6);
  ImGui::SetNextItemWidth(px(84));
  ImGui::InputScalar(id, ImGuiDataType_S64, &value);
  value = std::clamp(value, least, most);
}

// −1 or 1 for an arrow, unless a number is being typed.
int step_of(ImGuiKey back, ImGuiKey forward) {
  if (ImGui::IsAnyItemActive()) return 0;
  return static_cast<int>(key_pressed(forward)) - static_cast<int>(key_pressed(back));
}

size_t index_of(ExportKind kind) {
  return static_cast<size_t>(std::ranges::find(kKinds, kind) - std::begin(kKinds));
}

}  // namespace

void ExportPanel::open(const session::ViewState& state) {
  open_ = true;
  panels_ = {""};
  for (const PanelPlace& place : panel_places())
    if (*panel_title(place.id) != '\0') panels_.push_back(place.id);
  if (std::ranges::find(panels_, wish_.panel) == panels_.end()) wish_.panel.clear();
  no_film_ = why_no_film();
  const int64_t place = session::place_in_range(state, wish_.range.unit);
  const int64_t length = session::range_length(state, wish_.range.unit);
  wish_.range.every = 1;
  wish_.range.first = place;
  wish_.range.last = std::max(place, std::min(place + kUsualPictures, length) - 1);
}

void ExportPanel::draw_what() {
  std::vector<std::string> titles = {"Window"};
  for (size_t i = 1; i < panels_.size(); ++i) titles.emplace_back(panel_title(panels_[i]));
  int chosen = static_cast<int>(std::ranges::find(panels_, wish_.panel) - panels_.begin());
  label("What");
  const int last = static_cast<int>(panels_.size()) - 1, step = step_of(ImGuiKey_UpArrow, ImGuiKey_DownArrow);
  chosen = std::clamp(chosen + step, 0, last);
  if (drawing::segmented("export what", titles, chosen) || step != 0)
    wish_.panel = panels_[static_cast<size_t>(chosen)];
}

void ExportPanel::draw_kind() {
  std::vector<std::string> why(kKindNames.size());
  why[index_of(ExportKind::gif)] = why[index_of(ExportKind::mp4)] = no_film_;
  int chosen = static_cast<int>(index_of(wish_.kind));
  label("As");
  const int step = step_of(ImGuiKey_LeftArrow, ImGuiKey_RightArrow),
            count = static_cast<int>(kKindNames.size());
  for (int next = chosen + step; step != 0 && next >= 0 && next < count; next += step)
    if (why[static_cast<size_t>(next)].empty()) {
      chosen = next;
      break;
    }
  if (drawing::segmented("export as", kKindNames, why, chosen) || step != 0) wish_.kind = kKinds[chosen];
  const drawing::ScopedFont font(drawing::FontRole::small);
  drawing::dim_text(kKindNotes[index_of(wish_.kind)]);
}

void ExportPanel::draw_range(const session::ViewState& state) {
  session::ExportRange& range = wish_.range;
  label("The cursor's way");
  int unit = static_cast<int>(range.unit);
  if (drawing::segmented("export unit", kUnitNames, unit)) {
    range.unit = static_cast<RangeUnit>(unit);
    range.first = session::place_in_range(state, range.unit);
    range.last = std::max<int64_t>(
        range.first, std::min(range.first + kUsualPictures, session::range_length(state, range.unit)) - 1);
  }
  drawing::gap(4);
  const int64_t most = std::max<int64_t>(0, session::range_length(state, range.unit) - 1);
  number_field("##first", "from", range.first, 0, most);
  drawing::same_line(12);
  number_field("##last", "to", range.last, 0, most);
  drawing::same_line(12);
  number_field("##every", "every", range.every, 1, 1'000'000);
  if (wish_.kind != ExportKind::frames) {
    int64_t rate = wish_.frames_per_second;
    drawing::same_line(12);
    number_field("##rate", "pictures a second", rate, 1, 60);
    wish_.frames_per_second = static_cast<int>(rate);
  }
}

std::string ExportPanel::why_not(const session::ViewState& state) const {
  return session::is_range(wish_.kind) ? session::why_no_range(state, wish_.range) : "";
}

std::optional<session::ExportWish> ExportPanel::draw(const session::ViewState& state) {
  if (!open_) return std::nullopt;
  const float line = ImGui::GetTextLineHeightWithSpacing();
  const float lines = session::is_range(wish_.kind)   ? kLinesOfARange
                      : session::is_table(wish_.kind) ? kLinesOfATable
                                                      : kLinesOfAPicture;
  place_popup(760, lines * line + px(28), ImGui::GetIO().DisplaySize.y * 0.14f);
  if (!begin_dialog(kId, 14, true, true)) return std::nullopt;
  drawing::heading("Export", "\u2190 \u2192 the form, \u2191 \u2193 what, Tab the numbers, Enter exports");
  draw_kind();
  const bool pictures = !session::is_table(wish_.kind);
  if (pictures) draw_what();
  if (session::is_range(wish_.kind)) draw_range(state);
  const std::string why = why_not(state);
  drawing::gap(6);
  {
    const drawing::ScopedFont font(drawing::FontRole::small);
    if (!why.empty())
      drawing::body_text(why);
    else if (session::is_range(wish_.kind))
      drawing::dim_text(fmt::format("{} picture{}; the window plays them and then goes back.",
                                    scenes::grouped(static_cast<uint64_t>(wish_.range.count())),
                                    plural(wish_.range.count())));
    if (wish_.kind != ExportKind::clipboard)
      drawing::dim_text(fmt::format("Into the folder {}.", session::documents_folder().string()));
  }
  drawing::gap(6);
  bool go = drawing::primary_button("Export", why.empty());
  drawing::tooltip("Writes a new file; none is replaced", "Enter");
  go |= why.empty() && key_pressed(ImGuiKey_Enter);
  if (go || dialog_dismissed()) {
    open_ = false;
    ImGui::CloseCurrentPopup();
  }
  ImGui::EndPopup();
  return go ? std::optional(wish_) : std::nullopt;
}

}  // namespace gemmscope::shell
