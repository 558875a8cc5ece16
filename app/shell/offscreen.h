// A picture in memory: EGL without any window system (software Mesa will do), a framebuffer object of any
// size.
#pragma once

#include <memory>
#include <optional>

#include "drawing/geometry.h"
#include "shell/render_target.h"

namespace gemmscope::shell {

struct OffscreenOptions {
  PixelSize size{1920, 1080};          // up to 8192 × 8192
  std::optional<float> content_scale;  // without: from the size, see drawing::ui_scale_for_framebuffer
  float zoom = 1;
};

// What a person would do, for tests and pictures; holds until the next set_input.
struct SimulatedInput {
  std::optional<drawing::Point> mouse;  // pixels; without: the mouse is elsewhere
  bool left_button = false;
  float wheel = 0;    // this frame only
  std::string typed;  // this frame only, UTF-8
};

class Offscreen : public RenderTarget {
 public:
  // Needs no DISPLAY. Fails with a sentence where no EGL driver gives OpenGL 3.3.
  static Result<std::unique_ptr<Offscreen>> create(const OffscreenOptions& options = {});

  virtual void set_input(const SimulatedInput& input) = 0;
  virtual void press(
      session::KeyChord chord) = 0;  // comes out of take_keys, and reaches text fields, in the next frame
  virtual void finish() = 0;         // waits until everything is drawn (for timing)
};

}  // namespace gemmscope::shell
