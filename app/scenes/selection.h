// What the mouse points at, shared by all views: each highlights its own picture of the same thing.
#pragma once

#include <cstdint>
#include <optional>

#include "metrics/matrix_layout.h"

namespace gemmscope::scenes {

struct Selection {
  std::optional<int> warp, lane;
  std::optional<uint32_t> instruction;  // index into the kernel's code
  std::optional<int> source_line;       // of the kernel's own file, 1-based
  std::optional<metrics::Element> element;
  std::optional<int> bank;

  bool any() const { return warp || lane || instruction || source_line || element || bank; }
  friend bool operator==(const Selection&, const Selection&) = default;
};

}  // namespace gemmscope::scenes
