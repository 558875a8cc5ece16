// The X display of the environment: finds a program's window, looks at it, and asks it to close. Xlib's
// macros stay out of here.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace gemmscope::window {

struct Screenshot {
  int width = 0, height = 0;
  std::vector<uint32_t> pixels;  // 0xRRGGBB, rows from the top

  std::size_t color_count() const;
  double brightness() const;  // mean over all pixels, 0 to 255
  friend bool operator==(const Screenshot&, const Screenshot&) = default;
};

using WindowId = unsigned long;

class Display {
 public:
  Display();  // of $DISPLAY
  ~Display();
  Display(const Display&) = delete;
  Display& operator=(const Display&) = delete;

  bool is_open() const;
  // The visible window whose _NET_WM_PID is the process'.
  std::optional<WindowId> window_of(int pid);
  // Returns nothing if the window is gone or not wholly on the screen.
  std::optional<Screenshot> look_at(WindowId window);
  // Sends what a window manager sends when the user clicks the cross.
  void ask_to_close(WindowId window);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace gemmscope::window
