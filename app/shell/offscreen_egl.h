// An OpenGL 3.3 core context from EGL with no window system and no surface.
#pragma once

#include <EGL/egl.h>

#include "base/error.h"

namespace gemmscope::shell {

class EglContext {
 public:
  EglContext() = default;
  // Tries Mesa's surfaceless platform, then EGL's devices (NVIDIA's driver), then the default display.
  static Result<EglContext> create();
  ~EglContext();
  EglContext(EglContext&& other) noexcept;
  EglContext& operator=(EglContext&& other) noexcept;

  void bind() const;
  void unbind() const;
  static void (*load(const char* name))() { return eglGetProcAddress(name); }

 private:
  bool open(EGLDisplay display);

  EGLDisplay display_ = EGL_NO_DISPLAY;
  EGLContext context_ = EGL_NO_CONTEXT;
  EGLSurface surface_ = EGL_NO_SURFACE;  // a pixel buffer, where a context needs a surface to be current
};

}  // namespace gemmscope::shell
