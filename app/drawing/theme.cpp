#include "drawing/theme.h"

#include <imgui.h>

#include <algorithm>
#include <cmath>

#include "drawing/session.h"

namespace gemmscope::drawing {
namespace {

void set_colors(ImGuiStyle& style, Theme theme) {
  const auto set = [&](ImGuiCol slot, Role role, float opacity = 1) {
    style.Colors[slot] = to_imgui(with_opacity(color(role, theme), opacity));
  };
  set(ImGuiCol_Text, Role::text);
  set(ImGuiCol_TextDisabled, Role::text_dim);
  set(ImGuiCol_TextSelectedBg, Role::accent, 0.35f);
  set(ImGuiCol_WindowBg, Role::background);
  set(ImGuiCol_ChildBg, Role::panel);
  set(ImGuiCol_PopupBg, Role::panel_raised);
  set(ImGuiCol_MenuBarBg, Role::background);
  set(ImGuiCol_Border, Role::panel_border);
  set(ImGuiCol_BorderShadow, Role::background, 0);
  set(ImGuiCol_FrameBg, Role::control);
  set(ImGuiCol_FrameBgHovered, Role::control_hover);
  set(ImGuiCol_FrameBgActive, Role::control_active);
  set(ImGuiCol_TitleBg, Role::panel);
  set(ImGuiCol_TitleBgActive, Role::panel_raised);
  set(ImGuiCol_TitleBgCollapsed, Role::panel);
  set(ImGuiCol_ScrollbarBg, Role::background, 0);
  set(ImGuiCol_ScrollbarGrab, Role::control_hover);
  set(ImGuiCol_ScrollbarGrabHovered, Role::control_active);
  set(ImGuiCol_ScrollbarGrabActive, Role::text_dim);
  set(ImGuiCol_CheckMark, Role::accent);
  set(ImGuiCol_SliderGrab, Role::accent);
  set(ImGuiCol_SliderGrabActive, Role::text_strong);
  set(ImGuiCol_Button, Role::control);
  set(ImGuiCol_ButtonHovered, Role::control_hover);
  set(ImGuiCol_ButtonActive, Role::control_active);
  set(ImGuiCol_Header, Role::accent_subtle);
  set(ImGuiCol_HeaderHovered, Role::control_hover);
  set(ImGuiCol_HeaderActive, Role::control_active);
  set(ImGuiCol_Separator, Role::panel_border);
  set(ImGuiCol_SeparatorHovered, Role::accent, 0.6f);
  set(ImGuiCol_SeparatorActive, Role::accent);
  set(ImGuiCol_ResizeGrip, Role::panel_border, 0);
  set(ImGuiCol_ResizeGripHovered, Role::accent, 0.5f);
  set(ImGuiCol_ResizeGripActive, Role::accent);
  set(ImGuiCol_Tab, Role::panel);
  set(ImGuiCol_TabHovered, Role::control_hover);
  set(ImGuiCol_TabActive, Role::control);
  set(ImGuiCol_TabUnfocused, Role::panel);
  set(ImGuiCol_TabUnfocusedActive, Role::control);
  set(ImGuiCol_PlotLines, Role::text_dim);
  set(ImGuiCol_PlotLinesHovered, Role::accent);
  set(ImGuiCol_PlotHistogram, Role::accent);
  set(ImGuiCol_PlotHistogramHovered, Role::text_strong);
  set(ImGuiCol_TableHeaderBg, Role::panel_raised);
  set(ImGuiCol_TableBorderStrong, Role::panel_border);
  set(ImGuiCol_TableBorderLight, Role::grid);
  set(ImGuiCol_TableRowBg, Role::panel, 0);
  set(ImGuiCol_TableRowBgAlt, Role::panel_raised, 0.5f);
  set(ImGuiCol_DragDropTarget, Role::accent);
  set(ImGuiCol_NavHighlight, Role::accent);
  set(ImGuiCol_NavWindowingHighlight, Role::accent, 0.7f);
  set(ImGuiCol_NavWindowingDimBg, Role::background, 0.4f);
  // A dialog dims what lies under it with the dark theme's background, in both themes.
  style.Colors[ImGuiCol_ModalWindowDimBg] =
      to_imgui(with_opacity(color(Role::background, Theme::dark), is_dark(theme) ? 0.55f : 0.30f));
}

void set_metrics(ImGuiStyle& style, float scale) {
  const auto px = [scale](float points) { return drawing::px(points, scale); };
  style.WindowPadding = {px(14), px(12)};
  style.FramePadding = {px(10), px(5)};
  style.CellPadding = {px(8), px(4)};
  style.ItemSpacing = {px(8), px(8)};
  style.ItemInnerSpacing = {px(6), px(4)};
  style.IndentSpacing = px(16);
  style.ScrollbarSize = px(11);
  style.GrabMinSize = px(12);
  style.WindowRounding = px(8);
  style.ChildRounding = px(8);
  style.FrameRounding = px(6);
  style.PopupRounding = px(8);
  style.ScrollbarRounding = px(6);
  style.GrabRounding = px(5);
  style.TabRounding = px(6);
  style.LogSliderDeadzone = px(4);
  style.TouchExtraPadding = {0, 0};
  style.ColumnsMinSpacing = px(6);
  style.WindowMinSize = {px(32), px(32)};
  style.DisplaySafeAreaPadding = {px(3), px(3)};
}

void set_borders(ImGuiStyle& style, float scale) {
  const float hairline = std::max(1.0f, std::floor(scale));
  style.WindowBorderSize = 0;
  style.ChildBorderSize = hairline;
  style.PopupBorderSize = hairline;
  style.FrameBorderSize = 0;
  style.TabBorderSize = 0;
}

}  // namespace

ImVec4 to_imgui(Color c) {
  constexpr float kUnit = 1 / 255.0f;
  return {static_cast<float>(c.r) * kUnit, static_cast<float>(c.g) * kUnit, static_cast<float>(c.b) * kUnit,
          static_cast<float>(c.a) * kUnit};
}

void apply_theme(ImGuiStyle& style, Theme theme, float ui_scale) {
  style = ImGuiStyle();
  set_colors(style, theme);
  set_metrics(style, ui_scale);
  set_borders(style, ui_scale);
  style.WindowTitleAlign = {0, 0.5f};
  style.WindowMenuButtonPosition = ImGuiDir_None;
  style.ButtonTextAlign = {0.5f, 0.5f};
  style.DisabledAlpha = 0.45f;
  style.AntiAliasedLinesUseTex = true;
  style.CircleTessellationMaxError = 0.25f;
}

}  // namespace gemmscope::drawing
