#include "views/launch_form_view.h"

#include <fmt/format.h>
#include <imgui.h>
#include <imgui_stdlib.h>

#include <algorithm>

#include "drawing/fonts.h"
#include "drawing/palette.h"
#include "drawing/session.h"
#include "drawing/text_fit.h"
#include "drawing/widgets.h"

namespace gemmscope::views {
namespace {

using drawing::FontRole;
using drawing::px;
using drawing::Role;
using own_kernel::FormField;
using own_kernel::LaunchForm;
using session::FormRequest;

constexpr float kWidthPoints = 860, kGapPoints = 16;
constexpr int kMessageLines = 2;
constexpr int kParameterColumns = 2;

float small_line() { return drawing::line_height(FontRole::small); }

// A label, a field and the lines for its message.
float cell_height() { return small_line() * (1 + kMessageLines) + ImGui::GetFrameHeight() + px(8); }

float cell_width(int columns) {
  const float room = ImGui::GetWindowContentRegionMax().x - ImGui::GetWindowContentRegionMin().x;
  return std::floor((room - px(kGapPoints) * static_cast<float>(columns - 1)) / static_cast<float>(columns));
}

void colored_text(const std::string& text, Role role) {
  ImGui::PushStyleColor(ImGuiCol_Text, drawing::packed(drawing::color(role)));
  drawing::plain_text(text);
  ImGui::PopStyleColor();
}

// Draws `text` over at most `lines` lines of `width`; the tooltip has what does not fit.
void message(const std::string& text, Role role, float width, int lines) {
  const drawing::ScopedFont font(FontRole::small);
  const auto wide = [](std::string_view part) {
    return drawing::text_width(FontRole::small, std::string(part));
  };
  const ImVec2 at = ImGui::GetCursorPos();
  std::string rest = drawing::wrap_words(drawing::shown_text(text, FontRole::small), width, wide);
  bool shortened = false;
  for (int line = 0; line < lines && !rest.empty(); ++line) {
    const size_t end = line + 1 < lines ? std::min(rest.find('\n'), rest.size()) : rest.size();
    const std::string piece = drawing::fit_text(rest.substr(0, end), width, wide);
    shortened |= piece != rest.substr(0, end);
    ImGui::SetCursorPos({at.x, at.y + small_line() * static_cast<float>(line)});
    colored_text(piece, role);
    if (shortened) drawing::tooltip(text);
    rest.erase(0, std::min(rest.size(), end + 1));
  }
}

// The columns that a cell takes of a row of `count`.
struct Columns {
  int first, count, span = 1;
  float width() const {
    return cell_width(count) * static_cast<float>(span) + px(kGapPoints) * static_cast<float>(span - 1);
  }
  float left() const { return static_cast<float>(first) * (cell_width(count) + px(kGapPoints)); }
};

// One cell of the form. Returns true when its text changed.
bool field(const std::string& label, FormField& f, Columns columns, ImVec2 origin, bool focus) {
  const float width = columns.width(), left = origin.x + columns.left();
  ImGui::PushID(label.c_str());
  ImGui::PushID(columns.first);
  ImGui::SetCursorPos({left, origin.y});
  message(label, Role::text_dim, width, 1);
  ImGui::SetCursorPos({left, origin.y + small_line()});
  bool changed = false;
  {
    const drawing::ScopedFont font(FontRole::mono);
    ImGui::SetNextItemWidth(width);
    if (!f.error.empty()) {
      ImGui::PushStyleColor(ImGuiCol_Border, drawing::packed(drawing::color(Role::error)));
      ImGui::PushStyleVar(ImGuiStyleVar_FrameBorderSize, px(1.5f));
    }
    const bool wrong = !f.error.empty();
    if (focus && ImGui::IsWindowAppearing()) ImGui::SetKeyboardFocusHere();
    changed = ImGui::InputText("##field", &f.text);
    if (wrong) {
      ImGui::PopStyleVar();
      ImGui::PopStyleColor();
    }
  }
  ImGui::SetCursorPos({left, origin.y + small_line() + ImGui::GetFrameHeight() + px(2)});
  if (!f.error.empty())
    message(f.error, Role::error, width, kMessageLines);
  else
    message(f.origin, Role::text_dim, width, 1);
  ImGui::PopID();
  ImGui::PopID();
  return changed;
}

void next_row(ImVec2 origin) { ImGui::SetCursorPos({origin.x, origin.y + cell_height()}); }

// Where typing begins: the first field with an error; null: none has one.
const FormField* first_to_mend(const LaunchForm& form) {
  for (const FormField* f : {&form.arguments, &form.block, &form.grid, &form.shared})
    if (!f->error.empty()) return f;
  for (const own_kernel::FormParameter& p : form.parameters)
    if (!p.field.error.empty()) return &p.field;
  return nullptr;
}

std::string template_label(const LaunchForm& form) {
  std::string names;
  for (const std::string& name : form.template_parameters) names += (names.empty() ? "" : ", ") + name;
  return "Template arguments <" + names + ">";
}

bool draw_kernel(LaunchForm& form, FormRequest& request, const FormField* first) {
  const ImVec2 origin = ImGui::GetCursorPos();
  const float width = Columns{0, 3}.width();
  bool changed = false;
  {
    const drawing::ScopedFont font(FontRole::small);
    drawing::dim_text("Kernel");
  }
  ImGui::SetCursorPos({origin.x, origin.y + small_line()});
  {
    const drawing::ScopedFont font(FontRole::mono);
    ImGui::SetNextItemWidth(width);
    ImGui::BeginDisabled(form.kernels.size() < 2);
    if (drawing::begin_combo("##kernel", form.entry, ImGuiComboFlags_HeightLarge)) {
      for (const std::string& kernel : form.kernels)
        if (drawing::list_item(drawing::item_label(kernel).c_str(), kernel == form.entry) &&
            kernel != form.entry) {
          form.entry = kernel;
          request.action = FormRequest::Action::choose_entry;
          changed = true;
        }
      ImGui::EndCombo();
    }
    ImGui::EndDisabled();
  }
  ImGui::SetCursorPos({origin.x, origin.y + small_line() + ImGui::GetFrameHeight() + px(2)});
  message(form.kernels.size() < 2 ? "the only one of the file"
                                  : fmt::format("one of {} in the file", form.kernels.size()),
          Role::text_dim, width, 1);
  if (!form.template_parameters.empty())
    changed |= field(template_label(form), form.arguments, {1, 3, 2}, origin, &form.arguments == first);
  next_row(origin);
  return changed;
}

bool draw_launch(LaunchForm& form, const FormField* first) {
  const ImVec2 origin = ImGui::GetCursorPos();
  bool changed = field("Block: threads in x, y, z", form.block, {0, 3}, origin, &form.block == first);
  changed |= field("Grid: blocks in x, y, z", form.grid, {1, 3}, origin, &form.grid == first);
  changed |= field("Dynamic shared memory, bytes", form.shared, {2, 3}, origin, &form.shared == first);
  next_row(origin);
  return changed;
}

bool draw_parameters(LaunchForm& form, const FormField* first) {
  {
    const drawing::ScopedFont font(FontRole::small);
    drawing::dim_text(
        "Parameters: A, B or C for a matrix (\"A, column\" if column-major), \"buffer M * N\" for other "
        "memory; for a number M, N, K, alpha, beta or an expression of them");
  }
  drawing::gap(4);
  bool changed = false;
  ImVec2 origin = ImGui::GetCursorPos();
  for (size_t i = 0; i < form.parameters.size(); ++i) {
    const int column = static_cast<int>(i) % kParameterColumns;
    if (i > 0 && column == 0) {
      next_row(origin);
      origin = ImGui::GetCursorPos();
    }
    own_kernel::FormParameter& p = form.parameters[i];
    changed |= field(p.declared, p.field, {column, kParameterColumns}, origin, &p.field == first);
  }
  next_row(origin);
  return changed;
}

}  // namespace

drawing::Size launch_form_size(const LaunchForm& form) {
  const auto count = static_cast<float>((form.parameters.size() + kParameterColumns - 1) / kParameterColumns);
  const float head = drawing::line_height(FontRole::title) + small_line() * 2 + px(22);
  const float foot = small_line() * 2 + ImGui::GetFrameHeight() + px(8);
  return {kWidthPoints, head + (2 + count) * cell_height() + foot + 2 * px(16)};
}

void draw_launch_form(const session::ViewState& state, session::Requests& requests, bool dismiss,
                      bool enter) {
  FormRequest request{FormRequest::Action::edit, *state.form};
  LaunchForm& form = request.form;
  const bool right = own_kernel::is_right(form);
  const FormField* const first = first_to_mend(form);
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {ImGui::GetStyle().ItemSpacing.x, 0});
  drawing::heading("How " + form.path.filename().string() + " is launched", "Enter runs it, Escape closes");
  drawing::gap(8);
  bool changed = draw_kernel(form, request, first);
  changed |= draw_launch(form, first);
  changed |= draw_parameters(form, first);
  const ImVec2 foot = ImGui::GetCursorPos();
  message(form.error, Role::error, cell_width(1), 2);
  ImGui::SetCursorPos({foot.x, foot.y + small_line() * 2 + px(6)});
  const bool use = drawing::primary_button("Run it so", right) || (enter && right);
  drawing::same_line(8);
  const bool close = drawing::quiet_button("Close") || dismiss;
  ImGui::PopStyleVar();
  if (close)
    request.action = FormRequest::Action::close;
  else if (use)
    request.action = FormRequest::Action::use;
  if (changed || use || close) requests.form = std::move(request);
}

}  // namespace gemmscope::views
