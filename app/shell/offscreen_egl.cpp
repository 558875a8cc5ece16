#include "shell/offscreen_egl.h"

#include <EGL/eglext.h>

#include <array>
#include <string_view>
#include <utility>
#include <vector>

namespace gemmscope::shell {
namespace {

bool has_extension(EGLDisplay display, std::string_view name) {
  const char* list = eglQueryString(display, EGL_EXTENSIONS);
  return list != nullptr && std::string_view(list).find(name) != std::string_view::npos;
}

template <typename Function>
Function egl_function(const char* name) {
  return reinterpret_cast<Function>(eglGetProcAddress(name));
}

std::vector<EGLDisplay> device_displays() {
  const auto query_devices = egl_function<PFNEGLQUERYDEVICESEXTPROC>("eglQueryDevicesEXT");
  const auto get_display = egl_function<PFNEGLGETPLATFORMDISPLAYEXTPROC>("eglGetPlatformDisplayEXT");
  if (query_devices == nullptr || get_display == nullptr ||
      !has_extension(EGL_NO_DISPLAY, "EGL_EXT_platform_device")) {
    return {};
  }
  std::array<EGLDeviceEXT, 16> devices{};
  EGLint count = 0;
  if (query_devices(static_cast<EGLint>(devices.size()), devices.data(), &count) != EGL_TRUE) return {};
  std::vector<EGLDisplay> displays;
  displays.reserve(devices.size());
  for (EGLint i = 0; i < count; ++i) {
    displays.push_back(get_display(EGL_PLATFORM_DEVICE_EXT, devices[static_cast<std::size_t>(i)], nullptr));
  }
  return displays;
}

// The best display comes first; entries may be EGL_NO_DISPLAY.
std::vector<EGLDisplay> candidate_displays() {
  std::vector<EGLDisplay> displays;
  const auto get_display = egl_function<PFNEGLGETPLATFORMDISPLAYEXTPROC>("eglGetPlatformDisplayEXT");
  if (get_display != nullptr && has_extension(EGL_NO_DISPLAY, "EGL_MESA_platform_surfaceless")) {
    displays.push_back(get_display(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, nullptr));
  }
  for (EGLDisplay device : device_displays()) displays.push_back(device);
  displays.push_back(eglGetDisplay(EGL_DEFAULT_DISPLAY));
  return displays;
}

}  // namespace

Result<EglContext> EglContext::create() {
  for (EGLDisplay display : candidate_displays()) {
    EglContext context;
    if (display != EGL_NO_DISPLAY && context.open(display)) return context;
  }
  return fail(
      "No EGL driver offers an OpenGL 3.3 context without a display. Install Mesa's software driver "
      "(packages libegl1 and libgl1-mesa-dri), and set LIBGL_ALWAYS_SOFTWARE=1 where a GPU driver is in the "
      "way.");
}

bool EglContext::open(EGLDisplay display) {
  EGLint major = 0, minor = 0;
  if (eglInitialize(display, &major, &minor) != EGL_TRUE || eglBindAPI(EGL_OPENGL_API) != EGL_TRUE)
    return false;
  display_ = display;
  const bool surfaceless = has_extension(display, "EGL_KHR_surfaceless_context");
  const EGLint config_wish[] = {EGL_RENDERABLE_TYPE, EGL_OPENGL_BIT, EGL_SURFACE_TYPE,
                                surfaceless ? 0 : EGL_PBUFFER_BIT, EGL_NONE};
  EGLConfig config = nullptr;
  EGLint count = 0;
  if (eglChooseConfig(display, config_wish, &config, 1, &count) != EGL_TRUE || count < 1) return false;
  const EGLint context_wish[] = {EGL_CONTEXT_MAJOR_VERSION,
                                 3,
                                 EGL_CONTEXT_MINOR_VERSION,
                                 3,
                                 EGL_CONTEXT_OPENGL_PROFILE_MASK,
                                 EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT,
                                 EGL_NONE};
  context_ = eglCreateContext(display, config, EGL_NO_CONTEXT, context_wish);
  if (context_ == EGL_NO_CONTEXT) return false;
  if (!surfaceless) {
    const EGLint buffer_wish[] = {EGL_WIDTH, 16, EGL_HEIGHT, 16, EGL_NONE};
    surface_ = eglCreatePbufferSurface(display, config, buffer_wish);
  }
  return surfaceless || surface_ != EGL_NO_SURFACE;
}

EglContext::~EglContext() {
  if (display_ == EGL_NO_DISPLAY) return;
  if (eglGetCurrentContext() == context_) unbind();
  if (surface_ != EGL_NO_SURFACE) eglDestroySurface(display_, surface_);
  if (context_ != EGL_NO_CONTEXT) eglDestroyContext(display_, context_);
  // The display is not terminated: another picture of this process may use it.
}

EglContext::EglContext(EglContext&& other) noexcept { *this = std::move(other); }

EglContext& EglContext::operator=(EglContext&& other) noexcept {
  std::swap(display_, other.display_);
  std::swap(context_, other.context_);
  std::swap(surface_, other.surface_);
  return *this;
}

void EglContext::bind() const { eglMakeCurrent(display_, surface_, surface_, context_); }
void EglContext::unbind() const { eglMakeCurrent(display_, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT); }

}  // namespace gemmscope::shell
