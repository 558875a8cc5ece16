#include "shell/offscreen.h"

#include <glad/gl.h>
#include <imgui.h>

#include <algorithm>
#include <utility>

#include "drawing/fonts.h"
#include "drawing/session.h"
#include "session/zoom.h"
#include "shell/offscreen_egl.h"
#include "shell/offscreen_keys.h"

namespace gemmscope::shell {
namespace {

constexpr int kMaxSide = 8192;
constexpr double kFrameMs = 1000.0 / 60;

class Framebuffer {
 public:
  // Needs a current context.
  explicit Framebuffer(PixelSize size) {
    glGenRenderbuffers(1, &color_);
    glBindRenderbuffer(GL_RENDERBUFFER, color_);
    glRenderbufferStorage(GL_RENDERBUFFER, GL_RGBA8, size.width, size.height);
    glGenFramebuffers(1, &framebuffer_);
    bind();
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, color_);
  }
  ~Framebuffer() {
    glDeleteFramebuffers(1, &framebuffer_);
    glDeleteRenderbuffers(1, &color_);
  }
  Framebuffer(const Framebuffer&) = delete;
  Framebuffer& operator=(const Framebuffer&) = delete;

  void bind() const { glBindFramebuffer(GL_FRAMEBUFFER, framebuffer_); }
  bool complete() const { return glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE; }

 private:
  unsigned framebuffer_ = 0, color_ = 0;
};

class EglOffscreen final : public Offscreen {
 public:
  static Result<std::unique_ptr<Offscreen>> make(const OffscreenOptions& options);

  ~EglOffscreen() override {
    claim_context();
    framebuffer_.reset();
    session_.reset();
    release_claim();
  }

  bool begin_frame() override;
  void end_frame(Image* capture, bool shown) override;
  PixelSize size() const override { return size_; }
  std::vector<session::KeyEvent> take_keys() override { return std::exchange(ready_keys_, {}); }
  void set_animating(bool) override {}
  void wake() override {}
  float ui_scale() const override { return session_->ui_scale(); }
  void set_zoom(float zoom) override {
    zoom_ = std::clamp(zoom, session::kMinZoom, session::kMaxZoom);
    session_->set_ui_scale(content_scale_ * zoom_);
  }
  float zoom() const override { return zoom_; }
  std::vector<std::string> warnings() const override { return session_->font_warnings(); }
  std::string renderer() const override { return session_->gl_renderer(); }

  void set_input(const SimulatedInput& input) override { input_ = input; }
  void press(session::KeyChord chord) override { pressed_.push_back({chord}); }
  void finish() override {
    claim_context();
    glFinish();
  }
  void lay_out_frame() override { session_->lay_out_frame(); }

 private:
  void bind_context() override { egl_.bind(); }
  void unbind_context() override { egl_.unbind(); }
  void feed_input();

  EglContext egl_;
  std::unique_ptr<drawing::Session> session_;
  std::unique_ptr<Framebuffer> framebuffer_;
  PixelSize size_;
  float content_scale_ = 1, zoom_ = 1;
  SimulatedInput input_;
  SimulatedKeys keys_;
  std::vector<session::KeyEvent> pressed_, ready_keys_;
};

Result<std::unique_ptr<Offscreen>> EglOffscreen::make(const OffscreenOptions& options) {
  const PixelSize size = options.size;
  if (size.width < 1 || size.height < 1 || size.width > kMaxSide || size.height > kMaxSide) {
    return fail("A picture of {} × {} pixels cannot be drawn; each side must have 1 to {}.", size.width,
                size.height, kMaxSide);
  }
  auto target = std::make_unique<EglOffscreen>();
  Result<EglContext> egl = EglContext::create();
  if (!egl) return tl::unexpected(egl.error());
  target->egl_ = std::move(*egl);
  target->claim_context();
  target->size_ = size;
  target->content_scale_ =
      options.content_scale.value_or(drawing::ui_scale_for_framebuffer(size.width, size.height));
  target->zoom_ = std::clamp(options.zoom, session::kMinZoom, session::kMaxZoom);
  auto session = drawing::Session::create(&EglContext::load, target->content_scale_ * target->zoom_);
  if (!session) return tl::unexpected(session.error());
  target->session_ = std::move(*session);
  map_imgui_keys();
  target->framebuffer_ = std::make_unique<Framebuffer>(size);
  if (!target->framebuffer_->complete()) {
    return fail("The graphics driver ({}) cannot draw a picture of {} × {} pixels.", target->renderer(),
                size.width, size.height);
  }
  return target;
}

void EglOffscreen::feed_input() {
  ImGuiIO& io = ImGui::GetIO();
  io.DisplaySize = ImVec2(static_cast<float>(size_.width), static_cast<float>(size_.height));
  io.DeltaTime = static_cast<float>(kFrameMs / 1000);
  io.MousePos = input_.mouse ? ImVec2(input_.mouse->x, input_.mouse->y) : ImVec2(-FLT_MAX, -FLT_MAX);
  io.MouseDown[0] = input_.left_button;
  io.MouseDown[1] = input_.right_button;
  io.MouseWheel = std::exchange(input_.wheel, 0.0f);
  io.AddInputCharactersUTF8(std::exchange(input_.typed, {}).c_str());
  keys_.hold(pressed_);
  ready_keys_.insert(ready_keys_.end(), pressed_.begin(), pressed_.end());
  pressed_.clear();
}

bool EglOffscreen::begin_frame() {
  claim_context();
  session_->make_current();
  feed_input();
  session_->begin_frame();
  return true;
}

void EglOffscreen::end_frame(Image* capture, bool) {
  framebuffer_->bind();
  session_->end_frame(size_.width, size_.height);
  if (capture == nullptr) return;
  std::vector<unsigned char> rgba(static_cast<std::size_t>(size_.width) *
                                  static_cast<std::size_t>(size_.height) * 4);
  glPixelStorei(GL_PACK_ALIGNMENT, 4);
  glReadPixels(0, 0, size_.width, size_.height, GL_RGBA, GL_UNSIGNED_BYTE, rgba.data());
  *capture = image_from_gl(size_, rgba);
}

}  // namespace

Result<std::unique_ptr<Offscreen>> Offscreen::create(const OffscreenOptions& options) {
  return EglOffscreen::make(options);
}

}  // namespace gemmscope::shell
