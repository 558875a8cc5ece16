// The panels of the window: how much room each has, and which one fills it.
#pragma once

#include <cstdint>

namespace gemmscope::session {

enum class Panel : uint8_t { none, experiment, map, pictures, code };  // code: or what is shown in its place

struct PanelSizes {
  float experiment = 0;         // width in points; 0: by the window's
  float code = 0.48f;           // share of the width beside the experiment
  float pictures = 0;           // share of the height that map and pictures have; 0: by that height
  float pipeline = 0.6f;        // share of the height of the pipeline over map and code
  float compared = 0.45f;       // share of the height of the table and the code under two pictures
  float compared_code = 0.54f;  // share of the width of the code beside the table
  float columns = 0.5f;         // share of the picture beside the map, where the window is wide
  float page_code = 0.45f;      // share of the height of the code beside a lesson that is presented
  friend bool operator==(const PanelSizes&, const PanelSizes&) = default;
};

inline constexpr float kLeastPanelWidth = 180, kMostPanelWidth = 520;  // of the experiment, points
inline constexpr float kLeastShare = 0.15f, kMostShare = 0.85f;

}  // namespace gemmscope::session
