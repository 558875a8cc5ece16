// Keeps each pattern of distances between the lanes of an access once, for all accesses of a trace.
#pragma once

#include <deque>
#include <memory>
#include <unordered_map>
#include <vector>

#include "machine/record/trace.h"
#include "machine/state/observer.h"

namespace gemmscope::machine {

class DistancePool {
 public:
  explicit DistancePool(size_t instructions) : last_(2 * instructions) {}

  TraceAddresses find(const Access& access) {
    Last& last = last_[2 * access.instruction + (access.space == Space::shared ? 1 : 0)];
    if (access.distances == nullptr) return find_addresses(*access.addresses, last);
    if (last.source != access.distances || last.version != access.version) find_distances(access, last);
    return {access.first, *last.distances};
  }
  std::shared_ptr<const std::deque<LaneDistances>> all() const { return all_; }

 private:
  using NarrowDistances = std::array<int32_t, kWarpLanes>;
  // An instruction's last access; its distances are tried first.
  struct Last {
    const LaneDistances* distances = nullptr;
    const NarrowDistances* source = nullptr;  // Access::distances, from which they were made
    uint32_t version = 0;
    bool is_narrow = false;  // `narrow` holds the same distances
    NarrowDistances narrow{};
  };
  struct Hash {
    size_t operator()(const LaneDistances& distances) const {
      uint64_t hash = 0;
      for (const uint64_t distance : distances) hash = (hash ^ distance) * 0x9e3779b97f4a7c15u;
      return hash ^ hash >> 32;
    }
  };

  TraceAddresses find_addresses(const std::array<uint64_t, kWarpLanes>& addresses, Last& last);
  void find_distances(const Access& access, Last& last);
  const LaneDistances& keep(const LaneDistances& distances);

  std::vector<Last> last_;  // two per instruction: its other accesses, those to shared memory
  std::unordered_map<LaneDistances, const LaneDistances*, Hash> known_;
  std::shared_ptr<std::deque<LaneDistances>> all_ = std::make_shared<std::deque<LaneDistances>>();
};

}  // namespace gemmscope::machine
