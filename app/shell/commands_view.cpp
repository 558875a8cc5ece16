#include "shell/commands_view.h"

#include <imgui.h>
#include <imgui_stdlib.h>

#include <algorithm>
#include <cmath>

#include "drawing/session.h"
#include "drawing/widgets.h"
#include "shell/dialog.h"

namespace gemmscope::shell {

using namespace drawing;

namespace {

constexpr int kResultsShown = 11;
constexpr float kPaletteWidth = 640, kKindWidth = 84, kPalettePadding = 10, kResultHeight = 32,
                kResultGap = 2;
constexpr float kHelpWidth = 780;
constexpr const char* kPaletteId = "##command_palette";
constexpr const char* kPaletteHint = "Search commands, kernels, toggles, figures, recordings, lessons";
constexpr const char* kHelpId = "##help";

// Draws the title with its matched letters highlighted one by one, since Dear ImGui has no rich text.
void draw_title(Canvas& canvas, Rect rect, const std::string& title, std::span<const size_t> matched,
                Color plain) {
  // The letters that match are those of the English title. Chinese has more than a byte a character.
  const bool ascii = std::ranges::all_of(title, [](char c) { return static_cast<unsigned char>(c) < 0x80; });
  if (!ascii || canvas.text_width(title) > rect.width() ||
      drawing::shown_text(title, FontRole::body) != title) {
    canvas.text(rect, title, plain);
    return;
  }
  const float top = std::round(rect.center().y - canvas.line_height() / 2);
  canvas.text_at({rect.left, top}, title, plain);
  for (const std::size_t at : matched) {
    const float x = rect.left + canvas.text_width(std::string_view(title).substr(0, at));
    canvas.text_at({x, top}, std::string_view(title).substr(at, 1), color(Role::accent));
  }
}

// Draws the chord's caps, right-aligned in the rest of the row.
void draw_row_key(Canvas& canvas, Rect& row, const std::string& key) {
  if (key.empty()) return;
  const Rect room = row.cut_right(key_caps_width(key));
  row.cut_right(drawing::px(12));
  const float top = std::round(room.center().y - ImGui::GetTextLineHeight() / 2);
  ImGui::SetCursorScreenPos(canvas.to_screen({room.left, top}));
  key_caps(key);
}

// What is chosen although it cannot be says what it needs.
bool draw_result(const session::FoundThing& thing, const session::ThingMatch& match, bool chosen) {
  const ImVec2 corner = ImGui::GetCursorScreenPos();
  const ImVec2 size(ImGui::GetContentRegionAvail().x, drawing::px(kResultHeight));
  const bool pressed = ImGui::InvisibleButton(thing.id.c_str(), size);
  const bool hovered = ImGui::IsItemHovered();
  const ImVec2 after = ImGui::GetCursorScreenPos();
  Canvas canvas(Rect::at({corner.x, corner.y}, {size.x, size.y}));
  if (chosen)
    canvas.fill_round_rect(canvas.area(), color(Role::accent_subtle), drawing::px(6));
  else if (hovered)
    canvas.fill_round_rect(canvas.area(), color(Role::control_hover), drawing::px(6));
  Rect row = canvas.area().inset(drawing::px(10), 0);
  draw_row_key(canvas, row, thing.key);
  const Rect kind = row.cut_left(drawing::px(kKindWidth));
  canvas.text(kind, session::kind_name(thing.kind), color(Role::text_dim), {FontRole::small});
  const Role ink = !thing.needs.empty() ? Role::text_dim : chosen ? Role::text_strong : Role::text;
  draw_title(canvas, row, thing.title, match.positions, color(ink));
  ImGui::SetCursorScreenPos(after);
  return pressed;
}

void draw_help_row(const session::Command& command, const std::string& key) {
  const ImVec2 corner = ImGui::GetCursorScreenPos();
  const ImVec2 size(ImGui::GetContentRegionAvail().x, drawing::px(26));
  ImGui::Dummy(size);
  const ImVec2 after = ImGui::GetCursorScreenPos();
  Canvas canvas(Rect::at({corner.x, corner.y}, {size.x, size.y}));
  Rect row = canvas.area();
  draw_row_key(canvas, row, key);
  canvas.text(row, command.title, color(Role::text));
  ImGui::SetCursorScreenPos(after);
  if (!command.description.empty() &&
      ImGui::IsMouseHoveringRect(corner, {corner.x + size.x, corner.y + size.y})) {
    ImGui::BeginTooltip();
    drawing::plain_text(command.description);
    ImGui::EndTooltip();
  }
}

void draw_help_category(const session::CommandTable& table, const std::string& category) {
  dim_text(category);
  gap(2);
  for (const session::Command* command : table.in_category(category))
    draw_help_row(*command, table.key_text(command->id));
  gap(16);
}

// The first column takes categories until it holds half of the commands.
void draw_help_cells(const session::CommandTable& table) {
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  std::size_t placed = 0;
  bool second = false;
  for (const std::string& category : table.categories()) {
    if (!second && placed * 2 >= table.all().size()) {
      ImGui::TableNextColumn();
      second = true;
    }
    draw_help_category(table, category);
    placed += table.in_category(category).size();
  }
}

void draw_help_columns(const session::CommandTable& table) {
  ImGui::PushStyleVar(ImGuiStyleVar_CellPadding, {drawing::px(12), 0});
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {drawing::px(8), drawing::px(kResultGap)});
  if (ImGui::BeginTable("commands", 2, ImGuiTableFlags_SizingStretchSame)) {
    draw_help_cells(table);
    ImGui::EndTable();
  }
  ImGui::PopStyleVar(2);
}

}  // namespace

// A greyed item can be chosen, too: then it is said why it does nothing.
std::string draw_menu_items(const session::CommandTable& table, const std::string& category) {
  std::string chosen;
  for (const session::Command* command : table.in_category(category)) {
    const std::string key = table.key_text(command->id);
    const bool checked = command->checked && command->checked();
    ImGui::PushID(command->id.c_str());
    const Role ink = table.is_enabled(*command) ? Role::text : Role::text_dim;
    ImGui::PushStyleColor(ImGuiCol_Text, packed(with_opacity(color(ink), ink == Role::text ? 1 : 0.6f)));
    if (ImGui::MenuItem(drawing::item_label(command->title).c_str(), key.c_str(), checked))
      chosen = command->id;
    ImGui::PopStyleColor();
    ImGui::PopID();
  }
  return chosen;
}

void CommandPalette::open() {
  open_ = just_opened_ = true;
  chosen_ = 0;
  query_.clear();
}

std::optional<session::FoundThing> CommandPalette::draw(const Things& things,
                                                        std::span<const std::string> recent) {
  if (!open_) return std::nullopt;
  const float field_padding = drawing::px(9);
  const float height = ImGui::GetTextLineHeight() + 2 * field_padding + ImGui::GetStyle().ItemSpacing.y +
                       kResultsShown * drawing::px(kResultHeight) +
                       (kResultsShown - 1) * drawing::px(kResultGap) + 2 * drawing::px(kPalettePadding);
  place_popup(kPaletteWidth, height, ImGui::GetIO().DisplaySize.y * 0.16f);
  if (!begin_dialog(kPaletteId, kPalettePadding, false)) return std::nullopt;
  if (just_opened_) ImGui::SetKeyboardFocusHere();
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {drawing::px(12), field_padding});
  ImGui::SetNextItemWidth(-1);
  const bool typed = ImGui::InputTextWithHint("##query", drawing::hint(kPaletteHint).c_str(), &query_);
  ImGui::PopStyleVar();
  if (typed || just_opened_) search(things, recent);
  just_opened_ = false;
  const session::FoundThing* const chosen = draw_results();
  std::optional<session::FoundThing> result;
  if (chosen != nullptr) result = *chosen;
  if (result || dialog_dismissed()) {
    open_ = false;
    ImGui::CloseCurrentPopup();
  }
  ImGui::EndPopup();
  return result;
}

void CommandPalette::search(const Things& things, std::span<const std::string> recent) {
  if (just_opened_) things_ = things();
  matches_ = session::search_things(things_, query_, recent);
  chosen_ = 0;
}

const session::FoundThing* CommandPalette::draw_results() {
  const int count = static_cast<int>(matches_.size());
  if (count == 0) {
    gap(12);
    dim_text("Nothing matches.");
    return nullptr;
  }
  if (key_pressed(ImGuiKey_DownArrow)) chosen_ = (chosen_ + 1) % count;
  if (key_pressed(ImGuiKey_UpArrow)) chosen_ = (chosen_ + count - 1) % count;
  chosen_ = std::clamp(chosen_, 0, count - 1);
  const auto thing = [this](int i) { return &things_[matches_[static_cast<size_t>(i)].thing]; };
  const session::FoundThing* run = key_pressed(ImGuiKey_Enter) ? thing(chosen_) : nullptr;
  // The list scrolls by whole rows, so that the chosen one is always visible.
  const int first = std::clamp(chosen_ - kResultsShown + 2, 0, std::max(0, count - kResultsShown));
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {drawing::px(8), drawing::px(kResultGap)});
  for (int i = first; i < std::min(count, first + kResultsShown); ++i)
    if (draw_result(*thing(i), matches_[static_cast<size_t>(i)], i == chosen_)) run = thing(i);
  ImGui::PopStyleVar();
  return run;
}

void draw_help(const session::CommandTable& table, bool& open) {
  if (!open) return;
  place_popup(kHelpWidth, ImGui::GetIO().DisplaySize.y * 0.8f, ImGui::GetIO().DisplaySize.y * 0.1f);
  if (!begin_dialog(kHelpId, 20, true)) return;
  {
    const ScopedFont title(FontRole::title);
    drawing::plain_text("Commands and keys");
  }
  gap(12);
  draw_help_columns(table);
  if (dialog_dismissed()) {
    open = false;
    ImGui::CloseCurrentPopup();
  }
  ImGui::EndPopup();
}

}  // namespace gemmscope::shell
