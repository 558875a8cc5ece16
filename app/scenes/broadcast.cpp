#include "scenes/broadcast.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace gemmscope::scenes {

Broadcast broadcast_of(const machine::TraceAccess& access) {
  if (access.direction != machine::Direction::load || access.path == machine::Path::matrix) return {};
  std::map<uint64_t, int> lanes;  // by word
  for (size_t lane = 0; lane < machine::kWarpLanes; ++lane) {
    if ((access.mask >> lane & 1u) == 0) continue;
    const uint64_t first = access.addresses[lane] / 4,
                   last = (access.addresses[lane] + std::max<uint64_t>(access.width_bytes, 1) - 1) / 4;
    for (uint64_t word = first; word <= last; ++word) ++lanes[word];
  }
  if (lanes.empty()) return {};
  const auto fewer = [](const auto& a, const auto& b) { return a.second < b.second; };
  const auto [fewest, most] = std::minmax_element(lanes.begin(), lanes.end(), fewer);
  return {fewest->second, most->second, static_cast<int>(lanes.size())};
}

std::string broadcast_text(const Broadcast& broadcast) {
  if (broadcast.fewest == broadcast.most) return fmt::format("{} lanes a word", broadcast.most);
  return fmt::format("{}\u2013{} lanes a word", broadcast.fewest, broadcast.most);
}

}  // namespace gemmscope::scenes
