#include "views/experiment_view.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

#include "catalog/used_inputs.h"
#include "drawing/canvas.h"
#include "drawing/extra_glyphs.h"
#include "drawing/focus.h"
#include "drawing/fonts.h"
#include "drawing/icons.h"
#include "drawing/number_field.h"
#include "drawing/palette.h"
#include "drawing/session.h"
#include "drawing/text_fit.h"
#include "drawing/widgets.h"
#include "scenes/text.h"
#include "session/device_choice.h"
#include "views/command_hint.h"
#include "views/report_view.h"

namespace gemmscope::views {
namespace {

using experiment::Experiment;

const catalog::Kernel* chosen_kernel(const session::ViewState& state) {
  return state.catalog == nullptr ? nullptr : state.catalog->find(state.experiment.kernel);
}

// The title; a step of the ladder has its number in front: "06  Shared memory and register tiles".
std::string title_of(const catalog::Kernel& kernel) {
  const size_t digits = std::min(kernel.id.find_first_not_of("0123456789"), kernel.id.size());
  return digits == 0 || kernel.opened ? kernel.title
                                      : fmt::format("{}  {}", kernel.id.substr(0, digits), kernel.title);
}

void small_label(const char* text) {
  const drawing::ScopedFont font(drawing::FontRole::small);
  drawing::dim_text(text);
}

// `count` fields share a line, each with its name before it.
float cell_width(int count) {
  const float room = ImGui::GetWindowContentRegionMax().x - ImGui::GetWindowContentRegionMin().x;
  return (room - ImGui::GetStyle().ItemSpacing.x * static_cast<float>(count - 1)) / static_cast<float>(count);
}
void begin_field(const char* name, int index, int count, float name_width) {
  const float cell = cell_width(count);
  if (index % count > 0) ImGui::SameLine();
  const float left = ImGui::GetCursorPosX();
  ImGui::AlignTextToFramePadding();
  ImGui::PushStyleColor(ImGuiCol_Text, drawing::packed(drawing::color(drawing::Role::text_dim)));
  drawing::plain_text(name);
  ImGui::PopStyleColor();
  ImGui::SameLine(left + name_width);
  ImGui::SetNextItemWidth(cell - name_width);
}

// How many of `most` fields have room side by side, so that the widest of the values is whole.
int fields_in_line(int most, float name_width, std::span<const std::string> values) {
  float widest = 0;
  for (const std::string& value : values) widest = std::max(widest, ImGui::CalcTextSize(value.c_str()).x);
  const float needed = name_width + widest + 2 * ImGui::GetStyle().FramePadding.x + drawing::px(2);
  int count = std::max(1, most);
  while (count > 1 && cell_width(count) < needed) --count;
  return count;
}

// Breaks what wrap_words leaves too wide, such as a file's name, between any characters.
std::string broken_at(float width, const std::string& lines) {
  std::string broken, line;
  for (size_t at = 0; at < lines.size();) {
    const std::string character = lines.substr(at, drawing::utf8_length(lines, at));
    at += character.size();
    if (character != "\n" && !line.empty() && ImGui::CalcTextSize((line + character).c_str()).x > width) {
      broken += line + "\n";
      line.clear();
    }
    line += character;
    if (character == "\n") broken += std::exchange(line, {});
  }
  return broken + line;
}

// A list that opens, with the chosen title on as many lines as it needs. Returns what ImGui::BeginCombo does.
bool begin_title_list(const char* id, const std::string& title) {
  const ImGuiStyle& style = ImGui::GetStyle();
  const float arrow = drawing::px(14), width = ImGui::GetContentRegionAvail().x;
  const float room = width - 3 * style.FramePadding.x - arrow;
  const std::string lines = broken_at(
      room, drawing::wrap_words(drawing::shown_text(title, drawing::FontRole::body), room,
                                [](std::string_view part) {
                                  return drawing::text_width(drawing::FontRole::body, std::string(part));
                                }));
  const float more = static_cast<float>(std::ranges::count(lines, '\n')) * ImGui::GetTextLineHeight();
  const ImVec2 corner = ImGui::GetCursorScreenPos();
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {style.FramePadding.x, style.FramePadding.y + more / 2});
  ImGui::SetNextItemWidth(width);
  const float height = ImGui::GetFrameHeight();
  ImDrawList& list = *ImGui::GetWindowDrawList();  // of the panel, not of the list
  const bool open = ImGui::BeginCombo(id, "", ImGuiComboFlags_HeightLargest | ImGuiComboFlags_NoArrowButton);
  ImGui::PopStyleVar();
  list.AddText({corner.x + style.FramePadding.x, corner.y + style.FramePadding.y},
               drawing::packed(drawing::color(drawing::Role::text)), lines.data(),
               lines.data() + lines.size());
  drawing::Canvas canvas(drawing::Rect::at({corner.x, corner.y}, {width, height}));
  drawing::Rect right = canvas.area().inset(style.FramePadding.x, 0);
  right = right.cut_right(arrow);
  if (!open)
    drawing::draw_icon(
        canvas, drawing::Icon::chevron_down,
        drawing::Rect::at({right.left, std::round(right.center().y - arrow / 2)}, {arrow, arrow}),
        drawing::color(drawing::Role::text_dim));
  return open;
}

}  // namespace

void ExperimentView::draw_kernels(const session::ViewState& state, session::Requests& requests) {
  const catalog::Kernel* kernel = chosen_kernel(state);
  const std::string title = kernel == nullptr ? state.experiment.kernel : title_of(*kernel);
  drawing::want_glyphs(drawing::shown_text(title, drawing::FontRole::body), drawing::FontRole::body);
  const bool open = begin_title_list("##kernel", title);
  if (!open)
    if (const int step = drawing::tab_stop(drawing::StopKind::control, "kernel").step; step != 0)
      requests.command = step > 0 ? "experiment.next_kernel" : "experiment.previous_kernel";
  if (open) {
    for (const catalog::Kernel& k : state.catalog->kernels) {
      kernel_list_heading(*state.catalog, k);
      if (drawing::list_item(drawing::item_label(fmt::format("{}##{}", title_of(k), k.id)).c_str(),
                             k.id == state.experiment.kernel))
        requests.experiment = experiment::with_kernel(state.experiment, k.id);
    }
    ImGui::EndCombo();
  }
  drawing::tooltip("The kernel", fmt::format("{}, {}", command_key(state, "experiment.previous_kernel"),
                                             command_key(state, "experiment.next_kernel")));
  if (kernel != nullptr && !kernel->guesses.empty()) {
    const drawing::ScopedFont font(drawing::FontRole::small);
    std::string guesses;
    for (const std::string& guess : kernel->guesses) guesses += (guesses.empty() ? "" : "\n") + guess;
    drawing::dim_text("Partly guessed; point here for the guesses.");
    drawing::tooltip(guesses);
  }
  if (kernel != nullptr && kernel->opened) {
    // The button's text stands where the other texts begin.
    ImGui::SetCursorPosX(ImGui::GetCursorPosX() - ImGui::GetStyle().FramePadding.x);
    if (drawing::quiet_button("How it is launched\u2026")) requests.command = "experiment.launch_form";
    drawing::tooltip("Shows the kernel, its block, grid and parameters in a form, and takes others",
                     command_key(state, "experiment.launch_form"));
  }
  if (kernel != nullptr && !kernel->changed.empty()) {
    const drawing::ScopedFont font(drawing::FontRole::small);
    drawing::dim_text(kernel->changed);
  }
}

void ExperimentView::draw_problem(const session::ViewState& state, session::Requests& requests) {
  const catalog::Problem& p = state.experiment.problem;
  if (!shown_ || !(*shown_ == state.experiment)) {
    sizes_ = {p.m, p.n, p.k};
    scales_ = {p.alpha, p.beta};
    shown_ = state.experiment;
  }
  struct Field {
    const char *name, *meaning;
    bool used;
  };
  const catalog::Kernel* const kernel = chosen_kernel(state);
  const catalog::UsedInputs used =
      kernel == nullptr ? catalog::UsedInputs{true, true, true, true, true} : catalog::used_inputs(*kernel);
  // Without matrices the kernel decides what a size means.
  const bool gemm = used.k;
  const Field sizes[] = {{"M", gemm ? "Rows of A and C" : "M", used.m},
                         {"N", gemm ? "Columns of B and C" : "N", used.n},
                         {"K", "Columns of A, rows of B", used.k}};
  const char* const product = gemm ? "C = alpha A B + beta C" : "A factor of the kernel";
  const Field scales[] = {{"alpha", product, used.alpha}, {"beta", product, used.beta}};
  const auto count = [](std::span<const Field> fields) {
    return static_cast<int>(
        std::count_if(fields.begin(), fields.end(), [](const Field& f) { return f.used; }));
  };
  const char* done = nullptr;  // the field whose value takes effect
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {drawing::px(5), ImGui::GetStyle().FramePadding.y});
  const float size_name = ImGui::GetFontSize() * 1.15f, scale_name = ImGui::GetFontSize() * 2.75f;
  const std::string size_values[] = {std::to_string(sizes_[0]), std::to_string(sizes_[1]),
                                     std::to_string(sizes_[2])};
  const std::string scale_values[] = {fmt::format("{:g}", scales_[0]), fmt::format("{:g}", scales_[1])};
  const int sizes_in_line = fields_in_line(count(sizes), size_name, size_values);
  const int scales_in_line = fields_in_line(count(scales), scale_name, scale_values);
  for (int i = 0, shown = 0; i < 3; ++i) {
    const Field& field = sizes[i];
    if (!field.used) continue;
    begin_field(field.name, shown++, sizes_in_line, size_name);
    drawing::whole_number_field(fmt::format("##{}", field.name).c_str(), sizes_[static_cast<size_t>(i)], 0,
                                field.name);
    if (ImGui::IsItemDeactivatedAfterEdit()) done = field.name;
    drawing::tooltip(field.meaning);
  }
  for (int i = 0, shown = 0; i < 2; ++i) {
    const Field& field = scales[i];
    if (!field.used) continue;
    begin_field(field.name, shown++, scales_in_line, scale_name);
    ImGui::InputFloat(fmt::format("##{}", field.name).c_str(), &scales_[static_cast<size_t>(i)], 0, 0, "%g");
    if (ImGui::IsItemDeactivatedAfterEdit()) done = field.name;
    drawing::tab_stop(drawing::StopKind::field, field.name);
    drawing::tooltip(field.meaning);
  }
  ImGui::PopStyleVar();
  if (done == nullptr) return;
  Experiment next = state.experiment;
  next.problem = {sizes_[0], sizes_[1], sizes_[2], scales_[0], scales_[1]};
  next.block = {0, 0, 0};
  requests.experiment = next;
  entered_.note(done, requests);
}

namespace {

// The device whose time is modelled; another one brings its architecture, too.
void draw_device(const session::ViewState& state, session::Requests& requests) {
  const session::RunnableDevice* shown = session::device_shown(state);
  if (session::runnable_devices().empty()) return;
  ImGui::AlignTextToFramePadding();
  drawing::dim_text("GPU");
  drawing::same_line(8);
  ImGui::SetNextItemWidth(ImGui::GetWindowContentRegionMax().x - ImGui::GetCursorPosX());
  const std::string name = shown == nullptr ? "" : session::short_name(*shown);
  if (!drawing::begin_combo("##gpu", name, ImGuiComboFlags_HeightLargest)) {
    if (const int step = drawing::tab_stop(drawing::StopKind::control, "gpu").step; step != 0)
      requests.command = step > 0 ? "experiment.next_device" : "experiment.previous_device";
    drawing::tooltip("The device whose time is modelled, with its machine code",
                     fmt::format("{}, {}", command_key(state, "experiment.previous_device"),
                                 command_key(state, "experiment.next_device")));
    return;
  }
  for (const session::RunnableDevice& device : session::runnable_devices()) {
    const std::string why_not = session::why_not(state, device.arch);
    const ImGuiSelectableFlags flags = why_not.empty() ? 0 : ImGuiSelectableFlags_Disabled;
    if (drawing::list_item(device.name.c_str(), &device == shown, flags) && &device != shown) {
      requests.experiment = state.experiment;
      requests.experiment->arch = device.arch;
      if (!requests.timing_choice) requests.timing_choice = state.timings.choice;
      requests.timing_choice->model_device = device.id;
    }
    if (!why_not.empty()) drawing::tooltip(why_not);
  }
  ImGui::EndCombo();
}

}  // namespace

void ExperimentView::draw_block(const session::ViewState& state, session::Requests& requests) {
  ImGui::AlignTextToFramePadding();
  drawing::dim_text("sm");
  drawing::tooltip("Architecture that the kernel is compiled for");
  drawing::same_line(8);
  // Lists the architectures that the kernel can be compiled for, and the chosen one even if it is not among
  // them.
  const catalog::Kernel* kernel = chosen_kernel(state);
  const int least = kernel == nullptr ? 0 : kernel->architecture;
  std::vector<isa::Arch> archs;
  std::vector<std::string> names, why_not;
  int chosen = 0;
  for (const isa::Arch arch : isa::kAllArchs) {
    if (isa::sm_number(arch) < least && arch != state.experiment.arch) continue;
    why_not.push_back(kernel == nullptr ? "" : session::why_not(state, arch));
    if (arch == state.experiment.arch) chosen = static_cast<int>(archs.size());
    archs.push_back(arch);
    names.push_back(std::to_string(isa::sm_number(arch)));
  }
  if (drawing::segmented("arch", names, why_not, chosen)) {
    Experiment next = state.experiment;
    next.arch = archs[static_cast<size_t>(chosen)];
    requests.experiment = next;
  }
  draw_device(state, requests);
  if (state.compiled == nullptr) return;
  const std::array<uint32_t, 3>& grid = state.compiled->launch.grid;
  small_label(fmt::format("Block, of {} \u00d7 {}", grid[0], grid[1]).c_str());
  const char* const axes[] = {"x", "y"};
  for (size_t i = 0; i < 2; ++i) {
    int64_t value = state.experiment.block[i];
    begin_field(axes[i], static_cast<int>(i), 2, ImGui::GetFontSize());
    ImGui::PushID(static_cast<int>(i));
    drawing::whole_number_field("##block", value, 0, i == 0 ? "block" : "");
    if (ImGui::IsItemDeactivatedAfterEdit()) {
      Experiment next = state.experiment;
      next.block[i] = static_cast<uint32_t>(std::clamp<int64_t>(value, 0, int64_t{grid[i]} - 1));
      if (!(next == state.experiment)) requests.experiment = next;
    }
    ImGui::PopID();
    drawing::tooltip(i == 0 ? "blockIdx.x of the block that is shown"
                            : "blockIdx.y of the block that is shown");
  }
}

void ExperimentView::draw(const session::ViewState& state, session::Requests& requests) {
  const ImVec2 spacing = ImGui::GetStyle().ItemSpacing;
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {spacing.x, std::round(spacing.y * 0.6f)});
  entered_.follow(state, requests);
  drawing::heading("Experiment");
  draw_kernels(state, requests);
  draw_problem(state, requests);
  drawing::gap(4);
  toggles_.draw(state, requests);
  if (const catalog::Kernel* kernel = chosen_kernel(state); kernel != nullptr)
    inputs_.draw(state, requests, *kernel, entered_);
  draw_launch_choice(state, requests);
  drawing::gap(4);
  draw_block(state, requests);
  drawing::gap(10);
  draw_report(state, requests);
  ImGui::PopStyleVar();
}

}  // namespace gemmscope::views
