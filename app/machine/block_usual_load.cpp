// The loads that loops consist of: whole words of all lanes of a warp, in bounds of one piece of memory.
// Whatever else a load may be, block_memory.cpp does.
#include <bit>

#include "machine/block.h"

namespace gemmscope::machine {
namespace {

// Differences of two offsets must fit into 32 bits with their sign.
constexpr uint64_t kMostBytes = uint64_t{1} << 31;

std::optional<LaneBounds> bounds_of(size_t bytes, uint32_t reserved, uint32_t width) {
  if (width < 4 || bytes > kMostBytes || bytes < reserved + size_t{width}) return std::nullopt;
  return LaneBounds{reserved, static_cast<uint32_t>(bytes) - width, width};
}

}  // namespace

void Block::observe(uint32_t pc, Space space, uint32_t width, const LanePlaces& places, uint64_t origin) {
  Access access{pc, space, Direction::load, static_cast<uint8_t>(width), kAllLanes};
  access.offsets = &places.offsets;
  access.origin = origin;
  if (observer_->takes_offsets()) return observer_->on_access(access);
  Addresses addresses;
  for (uint32_t l = 0; l < kWarpLanes; ++l) addresses[l] = origin + places.offsets[l];
  access.addresses = &addresses;
  observer_->on_access(access);
}

bool Block::load_shared_words(Warp& warp, const MicroOp& op, uint32_t pc) {
  const uint32_t width = op.width_bytes;
  const auto bounds = bounds_of(shared_.size(), program_.shared_reserved_bytes, width);
  LanePlaces places;
  const uint32_t added = warp.row(op.source[1])[0] + static_cast<uint32_t>(op.offset);
  if (!bounds || !lane_memory_.shared_places(warp.row(op.source[0]), op.immediate, added, *bounds, places))
    return false;
  checks_.shared_load(static_cast<uint32_t>(warp.index), pc, places, width);
  if (observer_ != nullptr) observe(pc, Space::shared, width, places, 0);
  lane_memory_.read(warp.row(op.destination), shared_.data(), places, width / 4);
  return true;
}

Block::LoadPlace Block::find_load_place(uint64_t address, uint32_t width) {
  const GlobalMemory::Buffer* const buffer = memory_.find(address, width);
  // What may hold no values is for the checks to look at.
  if (buffer == nullptr || !buffer->initialised.empty()) return {};
  const auto bounds = bounds_of(buffer->bytes.size(), 0, width);
  return bounds ? LoadPlace{buffer->address, buffer->bytes.data(), *bounds} : LoadPlace{};
}

// An instruction keeps to its buffer, so that is tried first.
bool Block::load_global_words(Warp& warp, const MicroOp& op, uint32_t pc) {
  const uint32_t* const low = warp.row(op.source[0]);
  const uint32_t* const high = (op.flags & kWide) != 0 ? low + kWarpLanes : warp.row(kZeroRow);
  const uint32_t* const uniform = warp.row(op.source[1]);
  const uint64_t added =
      (static_cast<uint64_t>(uniform[kWarpLanes]) << 32 | uniform[0]) + static_cast<uint64_t>(op.offset);
  LanePlaces places;
  LoadPlace& known = load_places_[pc];
  const auto lies_there = [&] {
    return known.bytes != nullptr &&
           lane_memory_.wide_places(low, high, added - known.address, known.bounds, places);
  };
  if (!lies_there()) {
    known = find_load_place((static_cast<uint64_t>(high[0]) << 32 | low[0]) + added, op.width_bytes);
    if (!lies_there()) return false;
  }
  if (observer_ != nullptr) observe(pc, Space::global, op.width_bytes, places, known.address);
  lane_memory_.read(warp.row(op.destination), known.bytes, places, op.width_bytes / 4u);
  return true;
}

}  // namespace gemmscope::machine
