// A figure that the user searched for: its place on the screen is marked for a moment.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

namespace gemmscope::session {

inline constexpr double kFlashSeconds = 2.5;

struct FlashState {
  std::string figure;  // id of the figure (scenes/figure_names.h); empty: none
  double left_seconds = 0;

  void show(std::string id) {
    figure = std::move(id);
    left_seconds = kFlashSeconds;
  }
  bool running() const { return left_seconds > 0; }
  bool marks(std::string_view id) const { return running() && figure == id; }
  // 1 at first, then less and less.
  float strength() const { return static_cast<float>(left_seconds / kFlashSeconds); }
  // A slow frame must not end it before it was seen.
  void advance(double seconds) { left_seconds = std::max(0.0, left_seconds - std::min(seconds, 0.25)); }
};

}  // namespace gemmscope::session
