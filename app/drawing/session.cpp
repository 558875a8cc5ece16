#include "drawing/session.h"

#include <backends/imgui_impl_opengl3.h>
#include <glad/gl.h>
#include <imgui.h>
#include <imgui_internal.h>

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>

#include "drawing/extra_glyphs.h"
#include "drawing/focus.h"
#include "drawing/fonts.h"
#include "drawing/left_out_window.h"
#include "drawing/text_boxes.h"
#include "drawing/theme.h"
#include "language/current_language.h"

namespace gemmscope::drawing {
namespace {

// Above kMaxScale the font atlas outgrows the texture size that every OpenGL 3.3 driver supports.
constexpr float kMinScale = 0.5f, kMaxScale = 5.0f;

std::string utf8_of(ImWchar character) {
  char text[5] = "";
  return ImTextCharToUtf8(text, character);
}

}  // namespace

Result<std::unique_ptr<Session>> Session::create(LoadFunction load, float ui_scale) {
  const int version = gladLoadGL(load);
  if (version < GLAD_MAKE_VERSION(3, 3)) {
    return fail(
        "The graphics driver offers OpenGL {}.{}, but GEMMscope needs 3.3. Set LIBGL_ALWAYS_SOFTWARE=1 to "
        "draw in software.",
        GLAD_VERSION_MAJOR(version), GLAD_VERSION_MINOR(version));
  }
  std::unique_ptr<Session> session(new Session);
  session->gl_renderer_ = reinterpret_cast<const char*>(glGetString(GL_RENDERER));
  session->context_ = ImGui::CreateContext();
  session->make_current();
  ImGuiIO& io = ImGui::GetIO();
  io.IniFilename = nullptr;  // the program places its panels itself
  io.LogFilename = nullptr;
  io.UserData = session.get();
  io.ConfigWindowsMoveFromTitleBarOnly = true;
  session->backend_ready_ = ImGui_ImplOpenGL3_Init("#version 330 core");
  if (!session->backend_ready_)
    return fail("Dear ImGui could not set up its OpenGL drawing; update the graphics driver.");
  session->set_ui_scale(ui_scale);
  session->rebuild();
  return session;
}

Session::~Session() {
  if (context_ == nullptr) return;
  make_current();
  if (backend_ready_) ImGui_ImplOpenGL3_Shutdown();
  ImGui::DestroyContext(context_);
}

bool Session::glyphs_wanted() const { return wanted_glyph_count() != applied_glyphs_; }

void Session::set_ui_scale(float scale) { scale_ = std::clamp(scale, kMinScale, kMaxScale); }

void Session::make_current() { ImGui::SetCurrentContext(context_); }

void Session::rebuild() {
  const bool projector = is_for_projector(current_theme());
  if (scale_ != applied_scale_ || glyphs_wanted() || projector != is_for_projector(applied_theme_)) {
    ImGui_ImplOpenGL3_DestroyFontsTexture();
    font_warnings_ =
        load_fonts(*ImGui::GetIO().Fonts, scale_, wanted_glyphs, projector ? kProjectorLeastEm : 0);
    applied_glyphs_ = wanted_glyph_count();
    ImGui_ImplOpenGL3_CreateFontsTexture();
  }
  apply_theme(ImGui::GetStyle(), current_theme(), scale_);
  applied_scale_ = scale_;
  applied_theme_ = current_theme();
}

void Session::begin_frame() {
  make_current();
  language::forget_old_translations();
  for (const ImWchar typed : ImGui::GetIO().InputQueueCharacters) want_glyphs(utf8_of(typed));
  if (scale_ != applied_scale_ || current_theme() != applied_theme_ || glyphs_wanted()) rebuild();
  ImGui_ImplOpenGL3_NewFrame();
  prepare_focus_frame();
  ImGui::NewFrame();
  begin_focus_frame();
}

namespace {

const char* left_out_window = nullptr;

void leave_out(ImDrawData& frame, const char* name) {
  ImDrawList** end =
      std::remove_if(frame.CmdLists, frame.CmdLists + frame.CmdListsCount, [&](const ImDrawList* list) {
        return list->_OwnerName != nullptr &&
               std::string_view(list->_OwnerName).find(name) != std::string_view::npos;
      });
  frame.CmdListsCount = static_cast<int>(end - frame.CmdLists);
}

}  // namespace

void leave_out_window(const char* name) { left_out_window = name; }

void Session::lay_out_frame() {
  ImGui::Render();
  if (left_out_window != nullptr) leave_out(*ImGui::GetDrawData(), std::exchange(left_out_window, nullptr));
  tell_text_boxes(*ImGui::GetDrawData());
}

void Session::end_frame(int width, int height) {
  lay_out_frame();
  const ImVec4 clear = to_imgui(color(Role::background));
  glViewport(0, 0, width, height);
  glClearColor(clear.x, clear.y, clear.z, 1);
  glClear(GL_COLOR_BUFFER_BIT);
  ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
}

float ui_scale() {
  const auto* session = static_cast<const Session*>(ImGui::GetIO().UserData);
  return session != nullptr ? session->ui_scale() : 1.0f;
}

float px(float points, float scale) {
  const float pixels = std::round(points * scale);
  return points > 0 ? std::max(pixels, 1.0f) : pixels;
}
float px(float points) { return px(points, ui_scale()); }

}  // namespace gemmscope::drawing
