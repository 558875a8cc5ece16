#include "machine/record/distance_pool.h"

namespace gemmscope::machine {

TraceAddresses DistancePool::find_addresses(const std::array<uint64_t, kWarpLanes>& addresses, Last& last) {
  LaneDistances distances = addresses;
  for (uint64_t& distance : distances) distance -= addresses[0];
  if (last.distances == nullptr || *last.distances != distances) {
    last.distances = &keep(distances);
    last.source = nullptr;
    last.is_narrow = false;
  }
  return {addresses[0], *last.distances};
}

void DistancePool::find_distances(const Access& access, Last& last) {
  last.source = access.distances;
  last.version = access.version;
  if (last.is_narrow && last.narrow == *access.distances) return;
  LaneDistances wide;
  for (size_t l = 0; l < kWarpLanes; ++l)
    wide[l] = static_cast<uint64_t>(static_cast<int64_t>((*access.distances)[l]));
  last.distances = &keep(wide);
  last.is_narrow = true;
  last.narrow = *access.distances;
}

const LaneDistances& DistancePool::keep(const LaneDistances& distances) {
  const auto [known, added] = known_.try_emplace(distances, nullptr);
  if (added) known->second = &all_->emplace_back(distances);
  return *known->second;
}

}  // namespace gemmscope::machine
