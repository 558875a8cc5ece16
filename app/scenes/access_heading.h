// The heading that all pictures of one memory access share: which access it is, and how long ago.
#pragma once

#include <string>

#include "scenes/cursor.h"

namespace gemmscope::scenes {

struct AccessHeading {
  std::string title;   // "LDG.E R2, [R2.64]"
  std::string place;   // "coalescing.cu:61"
  std::string remark;  // "warp 0's last access, 12 steps ago", or ""
};
AccessHeading heading_of(const experiment::BlockResult& block, const ShownAccess& shown, size_t record);

}  // namespace gemmscope::scenes
