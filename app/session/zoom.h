// The user's zoom on top of the display's own scale.
#pragma once

namespace gemmscope::session {

inline constexpr float kMinZoom = 0.5f, kMaxZoom = 3.0f;

}  // namespace gemmscope::session
