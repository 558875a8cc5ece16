// Examples and exercises on occupancy that courses and articles work through, ready to be shown.
#pragma once

#include <span>
#include <string_view>

#include "metrics/occupancy.h"

namespace gemmscope::metrics {

struct OccupancyPreset {
  std::string_view id;        // "c2050_21"
  std::string_view group;     // a heading of the list
  std::string_view name;      // "C2050: 16 x 16 threads, 21 registers"
  std::string_view question;  // what to look for, a sentence or two
  OccupancyPoint point;
};
std::span<const OccupancyPreset> occupancy_presets();
const OccupancyPreset* find_occupancy_preset(std::string_view id);  // null where there is none

}  // namespace gemmscope::metrics
