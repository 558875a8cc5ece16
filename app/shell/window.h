// The window on the screen: GLFW, OpenGL 3.3 core, vertical sync.
#pragma once

#include <memory>

#include "shell/render_target.h"

namespace gemmscope::shell {

struct WindowOptions {
  std::string title = "GEMMscope";
  PixelSize size{1600, 900};  // screen coordinates
  float zoom = 1;
  bool vsync = true;
};

class Window : public RenderTarget {
 public:
  // Only one window may be open at a time. Without a display the error says so and names what works without
  // one.
  static Result<std::unique_ptr<Window>> open(const WindowOptions& options = {});

  virtual void close() = 0;  // begin_frame gives false from now on
  virtual void set_fullscreen(bool fullscreen) = 0;
  virtual bool fullscreen() const = 0;
  virtual PixelSize windowed_size()
      const = 0;  // in screen coordinates; while it fills the screen: before that
};

}  // namespace gemmscope::shell
