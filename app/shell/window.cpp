#include "shell/window.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <backends/imgui_impl_glfw.h>
#include <glad/gl.h>
#include <imgui.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <optional>
#include <utility>

#include "drawing/fonts.h"
#include "drawing/left_out_window.h"
#include "drawing/session.h"
#include "session/zoom.h"
#include "shell/input_queue.h"
#include "shell/notice_bar.h"

namespace gemmscope::shell {
namespace {

// Dear ImGui needs a few frames to settle (popups, hover, measured sizes) after the last input.
constexpr int kFramesAfterInput = 6;  // a page that grows takes five to come to rest
// A sleeping window wakes now and then, for a blinking text cursor or the end of a tooltip's delay.
constexpr double kLongestSleepSeconds = 0.25;
constexpr int kMinWidth = 200, kMinHeight = 100;

class GlfwWindow final : public Window {
 public:
  static Result<std::unique_ptr<Window>> make(const WindowOptions& options);
  ~GlfwWindow() override;

  bool begin_frame() override;
  void end_frame(Image* capture, bool shown) override;
  PixelSize size() const override;
  std::vector<session::KeyEvent> take_keys() override { return input_.take_keys(); }
  void hold_input(bool held) override { input_held_ = held; }
  std::vector<std::string> take_dropped() override { return std::exchange(dropped_, {}); }
  void set_animating(bool animating) override { animating_ = animating; }
  void wake() override {
    woken_ = true;
    glfwPostEmptyEvent();
  }
  float ui_scale() const override { return session_->ui_scale(); }
  void set_zoom(float zoom) override {
    zoom_ = std::clamp(zoom, session::kMinZoom, session::kMaxZoom);
    const float before = session_->ui_scale();
    session_->set_ui_scale(readable_scale() * zoom_);
    // Setting the same zoom in every frame must not keep the window awake.
    if (session_->ui_scale() != before) stay_awake();
  }
  float zoom() const override { return zoom_; }
  std::vector<std::string> warnings() const override { return session_->font_warnings(); }
  std::string renderer() const override { return session_->gl_renderer(); }

  void close() override { glfwSetWindowShouldClose(window_, GLFW_TRUE); }
  void copy(const std::string& text) override { glfwSetClipboardString(window_, text.c_str()); }
  void set_fullscreen(bool on) override;
  bool fullscreen() const override { return glfwGetWindowMonitor(window_) != nullptr; }
  PixelSize windowed_size() const override;

 private:
  void bind_context() override { glfwMakeContextCurrent(window_); }
  void unbind_context() override { glfwMakeContextCurrent(nullptr); }
  void install_callbacks();
  void take_over_typing();
  void stay_awake() { awake_frames_ = kFramesAfterInput; }
  void wait_for_events();
  void use_places_of_clicks();
  void use_framebuffer_pixels();
  float readable_scale() const;

  GLFWwindow* window_ = nullptr;
  std::unique_ptr<drawing::Session> session_;
  bool platform_ready_ = false;
  float content_scale_ = 1, zoom_ = 1;
  bool animating_ = false;
  std::atomic<bool> woken_ = false;
  int awake_frames_ = kFramesAfterInput;
  bool held_back_ = false;  // the last frame was not shown
  InputQueue input_;
  bool input_held_ = false;
  std::vector<std::string> dropped_;
  // Of the mouse, in screen coordinates: where its last event was, and where a button went down or up that no
  // frame has seen yet.
  std::optional<ImVec2> mouse_, pressed_at_, released_at_;
  struct Placement {
    int x = 0, y = 0, width = 1600, height = 900;
  } windowed_;
};

GlfwWindow& self(GLFWwindow* window) { return *static_cast<GlfwWindow*>(glfwGetWindowUserPointer(window)); }

std::string glfw_reason() {
  const char* text = nullptr;
  glfwGetError(&text);
  return text != nullptr ? text : "no reason given";
}

void set_window_hints() {
  glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
  glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 3);
  glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
  glfwWindowHint(GLFW_OPENGL_FORWARD_COMPAT, GLFW_TRUE);
  glfwWindowHint(GLFW_SCALE_TO_MONITOR, GLFW_TRUE);
  glfwWindowHint(GLFW_DEPTH_BITS, 0);
  glfwWindowHint(GLFW_STENCIL_BITS, 0);
  glfwWindowHintString(GLFW_X11_CLASS_NAME, "gemmscope");
}

// A window larger than the screen it opens on would hide its own controls.
PixelSize clipped_to_screen(PixelSize wanted) {
  int x = 0, y = 0, width = 0, height = 0;
  if (GLFWmonitor* monitor = glfwGetPrimaryMonitor())
    glfwGetMonitorWorkarea(monitor, &x, &y, &width, &height);
  if (width <= 0 || height <= 0) return wanted;
  return {std::clamp(wanted.width, kMinWidth, std::max(kMinWidth, width)),
          std::clamp(wanted.height, kMinHeight, std::max(kMinHeight, height))};
}

Result<std::unique_ptr<Window>> GlfwWindow::make(const WindowOptions& options) {
  glfwSetErrorCallback(nullptr);
  if (glfwInit() != GLFW_TRUE) {
    return fail(
        "No window can be opened, because there is no display to open it on ({}). Start GEMMscope from a "
        "desktop session, or use \"gemmscope render\", which draws into a picture file.",
        glfw_reason());
  }
  auto target = std::make_unique<GlfwWindow>();
  set_window_hints();
  const PixelSize size = clipped_to_screen(options.size);
  target->window_ = glfwCreateWindow(size.width, size.height, options.title.c_str(), nullptr, nullptr);
  if (target->window_ == nullptr) {
    return fail(
        "The window could not be opened with OpenGL 3.3 ({}). Update the graphics driver, or set "
        "LIBGL_ALWAYS_SOFTWARE=1 to draw in software.",
        glfw_reason());
  }
  glfwSetWindowSizeLimits(target->window_, kMinWidth, kMinHeight, GLFW_DONT_CARE, GLFW_DONT_CARE);
  target->claim_context();
  glfwSwapInterval(options.vsync ? 1 : 0);
  float scale_y = 1;
  glfwGetWindowContentScale(target->window_, &target->content_scale_, &scale_y);
  target->zoom_ = std::clamp(options.zoom, session::kMinZoom, session::kMaxZoom);
  auto session = drawing::Session::create(&glfwGetProcAddress, target->readable_scale() * target->zoom_);
  if (!session) return tl::unexpected(session.error());
  target->session_ = std::move(*session);
  target->install_callbacks();  // before Dear ImGui's, which call them in turn
  target->platform_ready_ = ImGui_ImplGlfw_InitForOpenGL(target->window_, true);
  target->take_over_typing();
  return target;
}

GlfwWindow::~GlfwWindow() {
  if (window_ != nullptr) {
    claim_context();
    if (session_ != nullptr) session_->make_current();
    if (platform_ready_) ImGui_ImplGlfw_Shutdown();
    session_.reset();
    release_claim();
    glfwDestroyWindow(window_);
  }
  glfwTerminate();
}

void GlfwWindow::install_callbacks() {
  glfwSetWindowUserPointer(window_, this);
  glfwSetDropCallback(window_, [](GLFWwindow* window, int count, const char** paths) {
    self(window).stay_awake();
    for (int i = 0; i < count; ++i) self(window).dropped_.emplace_back(paths[i]);
  });
  glfwSetCursorPosCallback(window_, [](GLFWwindow* window, double x, double y) {
    self(window).stay_awake();
    self(window).mouse_ = ImVec2(static_cast<float>(x), static_cast<float>(y));
  });
  glfwSetCursorEnterCallback(window_, [](GLFWwindow* window, int) { self(window).stay_awake(); });
  glfwSetMouseButtonCallback(window_, [](GLFWwindow* window, int, int action, int) {
    self(window).stay_awake();
    const bool press = action == GLFW_PRESS;
    if (press) self(window).input_.click();
    (press ? self(window).pressed_at_ : self(window).released_at_) = self(window).mouse_;
  });
  glfwSetScrollCallback(window_, [](GLFWwindow* window, double, double) { self(window).stay_awake(); });
  glfwSetWindowFocusCallback(window_, [](GLFWwindow* window, int) { self(window).stay_awake(); });
  glfwSetFramebufferSizeCallback(window_, [](GLFWwindow* window, int, int) { self(window).stay_awake(); });
  glfwSetWindowRefreshCallback(window_, [](GLFWwindow* window) { self(window).stay_awake(); });
  glfwSetWindowContentScaleCallback(window_, [](GLFWwindow* window, float scale, float) {
    self(window).content_scale_ = scale;
    self(window).set_zoom(self(window).zoom_);
  });
}

// In place of Dear ImGui's own callbacks, which would forget the order.
void GlfwWindow::take_over_typing() {
  glfwSetKeyCallback(window_, [](GLFWwindow* window, int key, int, int action, int mods) {
    self(window).stay_awake();
    self(window).input_.key(key,
                            action == GLFW_PRESS    ? InputQueue::Action::press
                            : action == GLFW_REPEAT ? InputQueue::Action::repeat
                                                    : InputQueue::Action::release,
                            mods);
  });
  glfwSetCharCallback(window_, [](GLFWwindow* window, unsigned code_point) {
    self(window).stay_awake();
    self(window).input_.character(code_point);
  });
}

PixelSize GlfwWindow::size() const {
  PixelSize pixels;
  glfwGetFramebufferSize(window_, &pixels.width, &pixels.height);
  return pixels;
}

PixelSize GlfwWindow::windowed_size() const {
  if (fullscreen()) return {windowed_.width, windowed_.height};
  PixelSize points;
  glfwGetWindowSize(window_, &points.width, &points.height);
  return points;
}

// A large window is read from further away: it has the scale of a picture of its size, and at least the
// monitor's. A low one has smaller letters, as its picture has, so that all panels have room. In steps, since
// the fonts are made anew for each.
float GlfwWindow::readable_scale() const {
  const auto in_steps = [](float scale) {
    constexpr float kStep = 0.05f;
    return std::floor(scale / kStep + 0.01f) * kStep;
  };
  const PixelSize pixels = size();
  const float by_size = drawing::ui_scale_for_framebuffer(pixels.width, pixels.height);
  constexpr float kLow = 600, kHigh = 720, kScaleOfLow = 0.75f;  // points
  const float high = static_cast<float>(pixels.height) / content_scale_;
  const float of_height =
      std::lerp(kScaleOfLow, 1.0f, std::clamp((high - kLow) / (kHigh - kLow), 0.0f, 1.0f));
  return std::max(content_scale_ * in_steps(of_height), in_steps(by_size));
}

void GlfwWindow::wait_for_events() {
  const bool minimized = size().width < 1 || size().height < 1;
  const bool awake = (animating_ || awake_frames_ > 0) && !minimized;
  awake ? glfwPollEvents() : glfwWaitEventsTimeout(kLongestSleepSeconds);
  if (woken_.exchange(false)) stay_awake();
  awake_frames_ = std::max(0, awake_frames_ - 1);
}

// Dear ImGui's platform part takes a click of a moment ago for one where the mouse is by now.
void GlfwWindow::use_places_of_clicks() {
  std::optional<ImVec2>& place = pressed_at_ ? pressed_at_ : released_at_;
  if (place) ImGui::GetIO().MousePos = *std::exchange(place, std::nullopt);
}

// Dear ImGui's platform part counts in screen coordinates; this program counts in pixels.
void GlfwWindow::use_framebuffer_pixels() {
  ImGuiIO& io = ImGui::GetIO();
  const PixelSize pixels = size();
  const float ratio = io.DisplaySize.x > 0 ? static_cast<float>(pixels.width) / io.DisplaySize.x : 1.0f;
  if (ImGui::IsMousePosValid(&io.MousePos)) io.MousePos = {io.MousePos.x * ratio, io.MousePos.y * ratio};
  io.DisplaySize = {static_cast<float>(std::max(pixels.width, 1)),
                    static_cast<float>(std::max(pixels.height, 1))};
  io.DisplayFramebufferScale = {1, 1};
}

bool GlfwWindow::begin_frame() {
  wait_for_events();
  if (glfwWindowShouldClose(window_) == GLFW_TRUE) return false;
  claim_context();
  session_->make_current();
  ImGui_ImplGlfw_NewFrame();
  use_places_of_clicks();
  input_.give(input_held_);
  if (!input_.empty()) stay_awake();
  use_framebuffer_pixels();
  session_->begin_frame();
  return true;
}

void GlfwWindow::end_frame(Image* capture, bool shown) {
  const PixelSize pixels = size();
  if (!shown) drawing::leave_out_window(kNoticeBar);
  session_->end_frame(pixels.width, pixels.height);
  const bool lacks_glyphs = session_->glyphs_wanted();
  if (lacks_glyphs) stay_awake();  // to show them
  if (capture != nullptr) {
    std::vector<unsigned char> rgba(static_cast<std::size_t>(pixels.width) *
                                    static_cast<std::size_t>(pixels.height) * 4);
    glPixelStorei(GL_PACK_ALIGNMENT, 4);
    glReadPixels(0, 0, pixels.width, pixels.height, GL_RGBA, GL_UNSIGNED_BYTE, rgba.data());
    *capture = image_from_gl(pixels, rgba);
  }
  // A frame with question marks for characters that the next one has is not shown, but never two in a row.
  held_back_ = lacks_glyphs && !held_back_;
  if (shown && !held_back_) glfwSwapBuffers(window_);
}

void GlfwWindow::set_fullscreen(bool on) {
  if (on == fullscreen()) return;
  stay_awake();
  if (!on) {
    glfwSetWindowMonitor(window_, nullptr, windowed_.x, windowed_.y, windowed_.width, windowed_.height,
                         GLFW_DONT_CARE);
    return;
  }
  GLFWmonitor* monitor = glfwGetPrimaryMonitor();
  const GLFWvidmode* mode = monitor != nullptr ? glfwGetVideoMode(monitor) : nullptr;
  if (mode == nullptr) return;
  glfwGetWindowPos(window_, &windowed_.x, &windowed_.y);
  glfwGetWindowSize(window_, &windowed_.width, &windowed_.height);
  glfwSetWindowMonitor(window_, monitor, 0, 0, mode->width, mode->height, mode->refreshRate);
}

}  // namespace

Result<std::unique_ptr<Window>> Window::open(const WindowOptions& options) {
  return GlfwWindow::make(options);
}

}  // namespace gemmscope::shell
