// What the mouse points at. All views share it, and each highlights its own picture of it.
#pragma once

#include <cstdint>
#include <optional>

#include "metrics/matrix_layout.h"

namespace gemmscope::scenes {

struct Selection {
  std::optional<int> warp, lane;
  std::optional<uint32_t> instruction;  // index into the kernel's code
  std::optional<int> source_line;       // in the kernel's own file, 1-based
  std::optional<metrics::Element> element;
  std::optional<int> bank;

  bool any() const { return warp || lane || instruction || source_line || element || bank; }
  friend bool operator==(const Selection&, const Selection&) = default;
};

}  // namespace gemmscope::scenes
