// Renders into memory: EGL without any window system (software Mesa is enough) and a framebuffer object of
// any size.
#pragma once

#include <memory>
#include <optional>

#include "drawing/geometry.h"
#include "shell/render_target.h"

namespace gemmscope::shell {

struct OffscreenOptions {
  PixelSize size{1920, 1080};          // up to 8192 × 8192
  std::optional<float> content_scale;  // empty: from the size, see drawing::ui_scale_for_framebuffer
  float zoom = 1;
};

// Input as a person would give it, for tests and pictures; it holds until the next set_input.
struct SimulatedInput {
  std::optional<drawing::Point> mouse;  // pixels; empty: the mouse is elsewhere
  bool left_button = false;
  float wheel = 0;    // this frame only
  std::string typed;  // this frame only, UTF-8
  bool right_button = false;
};

class Offscreen : public RenderTarget {
 public:
  // Needs no DISPLAY. Fails when no EGL driver offers OpenGL 3.3.
  static Result<std::unique_ptr<Offscreen>> create(const OffscreenOptions& options = {});

  virtual void set_input(const SimulatedInput& input) = 0;
  virtual void press(
      session::KeyChord chord) = 0;  // comes out of take_keys, and reaches text fields, in the next frame
  virtual void finish() = 0;         // waits until everything is drawn (for timing)
  virtual void lay_out_frame() = 0;  // ends a frame whose picture nobody wants
};

}  // namespace gemmscope::shell
