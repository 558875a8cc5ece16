// One Dear ImGui context with our theme and fonts, drawing through OpenGL 3.3. The window and the offscreen
// picture share it, so that what is exported is what is shown.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/error.h"
#include "drawing/palette.h"

struct ImGuiContext;

namespace gemmscope::drawing {

class Session {
 public:
  // Needs a current OpenGL context of at least 3.3 core, and `load` to find its functions (eglGetProcAddress,
  // glfwGetProcAddress). The scale is content scale × user zoom.
  using LoadFunction = void (*(*)(const char* name))();
  static Result<std::unique_ptr<Session>> create(LoadFunction load, float ui_scale);
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  // Takes effect at the next begin_frame: fonts are rasterized again and the style is set anew.
  void set_ui_scale(float scale);
  float ui_scale() const { return scale_; }

  void make_current();
  // Call it after the platform part has set display size, time and input.
  void begin_frame();
  // Clears the bound framebuffer (width × height pixels) to the background role and draws the frame.
  void end_frame(int width, int height);
  // Ends the frame without drawing it.
  void lay_out_frame();

  // A text that was drawn has a character that the fonts get at the next begin_frame.
  bool glyphs_wanted() const;

  // What is wrong with the fonts, for the user; empty when all were found.
  const std::vector<std::string>& font_warnings() const { return font_warnings_; }
  const std::string& gl_renderer() const { return gl_renderer_; }

 private:
  Session() = default;
  void rebuild();

  ImGuiContext* context_ = nullptr;
  float scale_ = 1, applied_scale_ = 0;
  Theme applied_theme_ = Theme::dark;
  bool backend_ready_ = false;
  size_t applied_glyphs_ = 0;
  std::vector<std::string> font_warnings_;
  std::string gl_renderer_;
};

// The UI scale of the current Dear ImGui context; multiply lengths in "points" by it.
float ui_scale();
// Points as whole pixels: at least 1 for anything above 0.
float px(float points, float scale);
float px(float points);  // at ui_scale()

}  // namespace gemmscope::drawing
