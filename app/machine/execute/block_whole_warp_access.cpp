// The fast way for the accesses that loops consist of: all lanes of a warp access whole words, in bounds of
// one piece of memory. block_memory.cpp handles all other accesses. In a loop the lanes keep their distances,
// so that the place of the first lane determines all places.
#include <bit>

#include "machine/execute/block.h"

namespace gemmscope::machine {
namespace {

// Differences of two offsets must fit into 32 bits with their sign.
constexpr uint64_t kMostBytes = uint64_t{1} << 31;

std::optional<LaneBounds> bounds_of(size_t bytes, uint32_t reserved, uint32_t width) {
  if (width < 4 || bytes > kMostBytes || bytes < reserved + size_t{width}) return std::nullopt;
  return LaneBounds{reserved, static_cast<uint32_t>(bytes) - width, width};
}

}  // namespace

bool Block::access(Warp& warp, const MicroOp& op, uint32_t pc, uint32_t active) {
  const bool all = active == kAllLanes;
  switch (op.action) {
    case Action::load_global:
      return (all && load_global_words(warp, op, pc)) || load(warp, op, pc, active);
    case Action::load_shared:
      return (all && load_shared_words(warp, op, pc)) || load(warp, op, pc, active);
    case Action::load_local:
      return load(warp, op, pc, active);
    case Action::store_shared:
      return (all && store_shared_words(warp, op, pc)) || store(warp, op, pc, active);
    case Action::store_global:
    case Action::store_local:
      return store(warp, op, pc, active);
    case Action::async_copy:
      return async_copy(warp, op, pc, active);
    case Action::load_matrix:
      return load_matrix(warp, op, pc, active);
    case Action::store_matrix:
      return store_matrix(warp, op, pc);
    case Action::load_constant:
      load_constant(warp, op, active);
      return true;
    default:
      return false;
  }
}

void Block::observe(uint32_t pc, Space space, Direction direction, uint32_t width, const LanePlaces& places,
                    uint64_t start) {
  Access access{pc, space, direction, static_cast<uint8_t>(width), kAllLanes};
  access.distances = &places.distances;
  access.first = start + places.first;
  access.version = places.version;
  if (observer_->takes_distances()) return observer_->on_access(access);
  Addresses addresses;
  for (uint32_t l = 0; l < kWarpLanes; ++l) addresses[l] = start + places[l];
  access.addresses = &addresses;
  observer_->on_access(access);
}

// Counts that the places were used again. Studying them pays once their distances have been used a few times.
void Block::count_move(LanePlaces& places, uint32_t width) const {
  constexpr int kMovesBeforeStudy = 3;
  if (++places.moves == kMovesBeforeStudy) lane_memory_.study(places, width);
}

// Where in shared memory lane 0 begins.
uint32_t Block::shared_place(const Warp& warp, const MicroOp& op) {
  const uint32_t base = warp.row(op.source[0])[0] << op.immediate;
  return (base + warp.row(op.source[1])[0] + static_cast<uint32_t>(op.offset)) & 0xffffff;
}

// Whether all lanes are as far apart as in the last access.
bool Block::keeps_shared_distances(const Warp& warp, const MicroOp& op, const AccessPlace& last) const {
  return last.bytes != nullptr && op.immediate == 0 &&
         lane_memory_.keeps_distances(warp.row(op.source[0]), last.places);
}

// Finds the places of all lanes, if they access whole words in bounds.
bool Block::find_new_shared_places(const Warp& warp, const MicroOp& op, AccessPlace& last) {
  last.bytes = nullptr;
  const uint32_t added = warp.row(op.source[1])[0] + static_cast<uint32_t>(op.offset);
  const auto bounds = bounds_of(shared_.size(), program_.shared_reserved_bytes, op.width_bytes);
  if (!bounds ||
      !lane_memory_.shared_places(warp.row(op.source[0]), op.immediate, added, *bounds, last.places))
    return false;
  last.bytes = shared_.data();
  last.bounds = *bounds;
  return true;
}

// Moves the last places if the distances are the same, otherwise finds new ones. False if that fails: the
// slow way then finds out why.
bool Block::find_shared_places(const Warp& warp, const MicroOp& op, AccessPlace& last) {
  if (!keeps_shared_distances(warp, op, last) || !last.places.move_to(shared_place(warp, op), last.bounds))
    return find_new_shared_places(warp, op, last);
  if (!last.places.studied) count_move(last.places, op.width_bytes);
  return true;
}

bool Block::load_shared_words(Warp& warp, const MicroOp& op, uint32_t pc) {
  AccessPlace& at = access_places_[pc];
  if (keeps_shared_distances(warp, op, at)) {
    if (!at.places.studied) count_move(at.places, op.width_bytes);
    if (load_moved(warp, op, pc, at)) return true;
  }
  return find_new_shared_places(warp, op, at) && load_moved(warp, op, pc, at);
}

// Loads with the distances of the leader, which this warp has just executed: only lane 0's place differs.
bool Block::load_after_leader(Warp& warp, const MicroOp& op, uint32_t pc) {
  AccessPlace& at = access_places_[pc - op.leader];
  return at.bytes != nullptr && load_moved(warp, op, pc, at);
}

bool Block::load_moved(Warp& warp, const MicroOp& op, uint32_t pc, AccessPlace& at) {
  const uint32_t place = shared_place(warp, op), index = static_cast<uint32_t>(warp.index);
  uint32_t* const rows = warp.row(op.destination);
  if (checks_.only_stamps()) {
    if (!lane_memory_.load_moved(rows, checks_.stamped(index, at.bytes), at.places, place, at.bounds))
      return false;
  } else {
    if (!at.places.move_to(place, at.bounds)) return false;
    checks_.shared_load(index, pc, at.places, op.width_bytes);
    lane_memory_.read(rows, at.bytes, at.places, op.width_bytes / 4u);
  }
  if (observer_ != nullptr) observe(pc, Space::shared, Direction::load, op.width_bytes, at.places, 0);
  return true;
}

// Stores if each lane has a place of its own. If lanes share a place, the checks must compare what they
// store.
bool Block::store_shared_words(Warp& warp, const MicroOp& op, uint32_t pc) {
  AccessPlace& at = access_places_[pc];
  if (!find_shared_places(warp, op, at)) return false;
  if (!at.places.last_lanes_known) lane_memory_.find_last_lanes(at.places);
  if (at.places.last_lanes != kAllLanes) return false;
  checks_.shared_store(static_cast<uint32_t>(warp.index), pc, at.places, op.width_bytes);
  if (observer_ != nullptr) observe(pc, Space::shared, Direction::store, op.width_bytes, at.places, 0);
  lane_memory_.write(warp.row(op.source[2]), shared_.data(), at.places, op.width_bytes / 4u);
  return true;
}

// Finds the buffer that holds `address`. False if the fast way cannot use it, or if the checks must see its
// loads.
bool Block::find_buffer(uint64_t address, uint32_t width, AccessPlace& place) {
  place.bytes = nullptr;
  const GlobalMemory::Buffer* const buffer = memory_.find(address, width);
  if (buffer == nullptr || !buffer->initialised.empty()) return false;
  const auto bounds = bounds_of(buffer->bytes.size(), 0, width);
  if (!bounds) return false;
  place.address = buffer->address;
  place.bytes = buffer->bytes.data();
  place.bounds = *bounds;
  return true;
}

bool Block::load_global_words(Warp& warp, const MicroOp& op, uint32_t pc) {
  const uint32_t* const low = warp.row(op.source[0]);
  const uint32_t* const high = (op.flags & kWide) != 0 ? low + kWarpLanes : warp.row(kZeroRow);
  const uint32_t* const uniform = warp.row(op.source[1]);
  const uint64_t added =
      (static_cast<uint64_t>(uniform[kWarpLanes]) << 32 | uniform[0]) + static_cast<uint64_t>(op.offset);
  const uint64_t address = (static_cast<uint64_t>(high[0]) << 32 | low[0]) + added;
  AccessPlace& last = access_places_[pc];
  LanePlaces& places = last.places;
  // No lane's lower word may wrap at 2^32, since all lanes share the upper word.
  const auto no_carry = [&] {
    const int64_t from = static_cast<int64_t>(low[0]) + places.lowest,
                  to = static_cast<int64_t>(low[0]) + places.highest;
    return from >= 0 && to <= 0xffffffff;
  };
  if (last.bytes != nullptr && lane_memory_.keeps_wide_distances(low, high, places) && no_carry() &&
      places.move_to(address - last.address, last.bounds)) {
    if (!places.studied) count_move(places, op.width_bytes);
  } else {
    if (!find_buffer(address, op.width_bytes, last)) return false;
    if (!lane_memory_.wide_places(low, high, added - last.address, last.bounds, places)) {
      last.bytes = nullptr;
      return false;
    }
  }
  if (observer_ != nullptr) observe(pc, Space::global, Direction::load, op.width_bytes, places, last.address);
  lane_memory_.read(warp.row(op.destination), last.bytes, places, op.width_bytes / 4u);
  return true;
}

}  // namespace gemmscope::machine
