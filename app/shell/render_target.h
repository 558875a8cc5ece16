// The target that a frame is drawn to: the window on the screen, or a picture in memory. The same frame code
// serves both.
#pragma once

#include <string>
#include <vector>

#include "base/error.h"
#include "drawing/geometry.h"
#include "session/keys.h"

namespace gemmscope::shell {

struct PixelSize {
  int width = 0, height = 0;
  friend bool operator==(PixelSize, PixelSize) = default;
};

// RGB, 8 bits each, rows from the top.
struct Image {
  PixelSize size;
  std::vector<unsigned char> pixels;  // width × height × 3
};
Result<std::string> png_of(const Image& image);
Result<void> write_png(const Image& image, const std::string& path);
// Of a PNG's or an SVG's bytes. Errors name the file.
Result<void> write_picture_file(const std::string& bytes, const std::string& path);

class RenderTarget {
 public:
  virtual ~RenderTarget() = default;

  // Takes input and starts a Dear ImGui frame. Returns false when the user wants to quit; then there is no
  // frame.
  virtual bool begin_frame() = 0;
  // Draws and presents the frame. With `capture` the finished frame is also read back. A frame that is not
  // shown is read back only: without the strip that says that it is (notice_bar.h).
  virtual void end_frame(Image* capture = nullptr, bool shown = true) = 0;

  virtual PixelSize size() const = 0;  // framebuffer pixels
  // Keys pressed since the last call, whether or not a text field has the keyboard.
  virtual std::vector<session::KeyEvent> take_keys() = 0;

  // While held, keys and letters wait in the order of their typing: a field is on its way that they are for.
  virtual void hold_input(bool held) { (void)held; }

  // Paths of files that were dropped on the target since the last call.
  virtual std::vector<std::string> take_dropped() { return {}; }

  // Copies a text to the system's clipboard, where there is one.
  virtual void copy(const std::string& text) { (void)text; }

  // Set to true while something moves. A window in which nothing moves sleeps until there is input or wake().
  virtual void set_animating(bool animating) = 0;
  // Ends that sleep; any thread may call it.
  virtual void wake() = 0;

  virtual float ui_scale() const = 0;
  // Sets the user's zoom on top of the display's own scale, clamped to kMinZoom..kMaxZoom. It takes effect at
  // the next frame.
  virtual void set_zoom(float zoom) = 0;
  virtual float zoom() const = 0;

  // Sentences for the user (a font is missing); empty when all is well.
  virtual std::vector<std::string> warnings() const = 0;
  virtual std::string renderer() const = 0;  // OpenGL's name of the renderer

 protected:
  // Makes this target's OpenGL context current. A window's context (GLX) and a picture's (EGL) may exist side
  // by side, but a thread must release one before it takes the other. Each target calls release_claim() in
  // its destructor.
  void claim_context();
  void release_claim();

 private:
  virtual void bind_context() = 0;
  virtual void unbind_context() = 0;
};

// Makes an Image of OpenGL's RGBA pixels, whose rows start at the bottom.
Image image_from_gl(PixelSize size, const std::vector<unsigned char>& rgba);

}  // namespace gemmscope::shell
