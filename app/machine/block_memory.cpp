// Memory accesses of a block: addresses, bounds, alignment, and moving the bytes.
#include <fmt/format.h>

#include <bit>
#include <cstring>

#include "machine/block.h"

namespace gemmscope::machine {
namespace {

const char* verb(Direction direction) { return direction == Direction::load ? "load" : "store"; }

template <typename F>
void for_lanes(uint32_t mask, F f) {
  for (; mask != 0; mask &= mask - 1) f(static_cast<uint32_t>(std::countr_zero(mask)));
}

uint32_t extend(uint32_t value, uint32_t width, bool is_signed) {
  const uint32_t up = value << (32 - 8 * width);
  return is_signed ? static_cast<uint32_t>(static_cast<int32_t>(up) >> (32 - 8 * width))
                   : up >> (32 - 8 * width);
}

}  // namespace

void Block::global_addresses(const Warp& warp, const MicroOp& op, int base, int64_t offset,
                             Addresses& addresses) const {
  const uint32_t* low = warp.row(op.source[static_cast<size_t>(base)]);
  const uint32_t* uniform = warp.row(op.source[static_cast<size_t>(base) + 1]);
  const uint64_t added =
      (static_cast<uint64_t>(uniform[kWarpLanes]) << 32 | uniform[0]) + static_cast<uint64_t>(offset);
  if ((op.flags & kWide) != 0) {
    for (uint32_t l = 0; l < kWarpLanes; ++l)
      addresses[l] = (static_cast<uint64_t>(low[kWarpLanes + l]) << 32 | low[l]) + added;
  } else {
    for (uint32_t l = 0; l < kWarpLanes; ++l) addresses[l] = low[l] + added;
  }
}

// Shared addresses: the block's rank in its cluster would stand above bit 24 (facts, "Shared memory base").
void Block::shared_addresses(const Warp& warp, const MicroOp& op, Addresses& addresses) const {
  const uint32_t* base = warp.row(op.source[0]);
  const uint32_t added =
      (op.action == Action::async_copy ? 0u : warp.row(op.source[1])[0]) + static_cast<uint32_t>(op.offset);
  const uint32_t scale = op.action == Action::async_copy ? 0u : op.immediate;
  for (uint32_t l = 0; l < kWarpLanes; ++l) addresses[l] = ((base[l] << scale) + added) & 0xffffff;
}

std::byte* Block::generic_pointer(Warp& warp, uint32_t lane, uint64_t address, uint32_t width) {
  if (address - kSharedWindow < kWindowBytes) {
    const uint64_t offset = address - kSharedWindow;
    return offset + width <= shared_.size() ? shared_.data() + offset : nullptr;
  }
  if (address - kLocalWindow < kWindowBytes) {
    if (warp.local.empty()) warp.local.resize(static_cast<size_t>(kLocalBytes) * kWarpLanes);
    const uint64_t offset = address - kLocalWindow - (kStackTop - kLocalBytes);
    return offset + width <= kLocalBytes
               ? warp.local.data() + static_cast<size_t>(lane) * kLocalBytes + offset
               : nullptr;
  }
  GlobalMemory::Buffer* buffer = memory_.find(address, width);
  return buffer == nullptr ? nullptr : buffer->bytes.data() + (address - buffer->address);
}

bool Block::resolve_global(Warp& warp, uint32_t pc, const Addresses& addresses, uint32_t active,
                           uint32_t width, Direction direction, LanePointers& pointers) {
  const auto first = static_cast<uint32_t>(std::countr_zero(active));
  GlobalMemory::Buffer* const buffer = memory_.find(addresses[first], width);
  bool fine = true;
  for_lanes(active, [&](uint32_t l) {
    const uint64_t address = addresses[l];
    if (address % width != 0) {
      raise(FaultKind::misaligned, &warp, pc, static_cast<int>(l), address,
            fmt::format("a {} of {} bytes at the global address {:#x}, which is not a multiple of {}",
                        verb(direction), width, address, width));
      fine = false;
    } else if (buffer != nullptr && address >= buffer->address && address + width <= buffer->end()) {
      pointers[l] = buffer->bytes.data() + (address - buffer->address);
    } else {
      pointers[l] = generic_pointer(warp, l, address, width);
      if (pointers[l] != nullptr) return;
      raise(FaultKind::out_of_bounds, &warp, pc, static_cast<int>(l), address,
            fmt::format("a {} of {} bytes at the global address {:#x}: {}", verb(direction), width, address,
                        describe_address(memory_, address)));
      fine = false;
    }
  });
  return fine;
}

bool Block::resolve_shared(Warp& warp, uint32_t pc, const Addresses& addresses, uint32_t active,
                           uint32_t width, Direction direction, LanePointers& pointers) {
  bool fine = true;
  for_lanes(active, [&](uint32_t l) {
    const uint64_t address = addresses[l];
    const bool outside = address + width > shared_.size() || address < program_.shared_reserved_bytes;
    if (address % width != 0 || outside) {
      raise(outside ? FaultKind::out_of_bounds : FaultKind::misaligned, &warp, pc, static_cast<int>(l),
            address,
            fmt::format("a {} of {} bytes at the shared address {:#x}{}", verb(direction), width, address,
                        outside ? fmt::format(" outside the block's {} bytes, which start at {:#x}",
                                              shared_.size() - program_.shared_reserved_bytes,
                                              program_.shared_reserved_bytes)
                                : fmt::format(", which is not a multiple of {}", width)));
      fine = false;
      return;
    }
    pointers[l] = shared_.data() + address;
  });
  return fine;
}

bool Block::resolve_local(Warp& warp, uint32_t pc, const Addresses& addresses, uint32_t active,
                          uint32_t width, Direction direction, LanePointers& pointers) {
  bool fine = true;
  for_lanes(active, [&](uint32_t l) {
    pointers[l] =
        addresses[l] % width == 0 ? generic_pointer(warp, l, kLocalWindow + addresses[l], width) : nullptr;
    if (pointers[l] != nullptr) return;
    raise(FaultKind::out_of_bounds, &warp, pc, static_cast<int>(l), addresses[l],
          fmt::format("a {} of {} bytes at the local address {:#x}, outside the thread's stack",
                      verb(direction), width, addresses[l]));
    fine = false;
  });
  return fine;
}

void Block::observe(uint32_t pc, Space space, Direction direction, uint32_t width, uint32_t active,
                    const Addresses& addresses) {
  if (observer_ != nullptr && active != 0)
    observer_->on_access({pc, space, direction, static_cast<uint8_t>(width), active, &addresses});
}

bool Block::load(Warp& warp, const MicroOp& op, uint32_t pc, uint32_t active) {
  Addresses addresses;
  LanePointers pointers;
  const uint32_t width = op.width_bytes;
  bool fine = false;
  Space space = Space::global;
  if (op.action == Action::load_global) {
    global_addresses(warp, op, 0, op.offset, addresses);
    fine = resolve_global(warp, pc, addresses, active, width, Direction::load, pointers);
  } else {
    shared_addresses(warp, op, addresses);
    space = op.action == Action::load_shared ? Space::shared : Space::local;
    fine = space == Space::shared
               ? resolve_shared(warp, pc, addresses, active, width, Direction::load, pointers)
               : resolve_local(warp, pc, addresses, active, width, Direction::load, pointers);
  }
  if (!fine) return false;
  observe(pc, space, Direction::load, width, active, addresses);
  uint32_t* const d = warp.row(op.destination);
  if (width < 4) {
    for_lanes(active, [&](uint32_t l) {
      uint32_t value = 0;
      std::memcpy(&value, pointers[l], width);
      d[l] = extend(value, width, (op.flags & kSigned) != 0);
    });
    return true;
  }
  const uint32_t words = width / 4;
  for_lanes(active, [&](uint32_t l) {
    for (uint32_t w = 0; w < words; ++w) std::memcpy(&d[w * kWarpLanes + l], pointers[l] + 4 * w, 4);
  });
  return true;
}

bool Block::store(Warp& warp, const MicroOp& op, uint32_t pc, uint32_t active) {
  Addresses addresses;
  LanePointers pointers;
  const uint32_t width = op.width_bytes;
  bool fine = false;
  Space space = Space::global;
  if (op.action == Action::store_global) {
    global_addresses(warp, op, 0, op.offset, addresses);
    fine = resolve_global(warp, pc, addresses, active, width, Direction::store, pointers);
  } else {
    shared_addresses(warp, op, addresses);
    space = op.action == Action::store_shared ? Space::shared : Space::local;
    fine = space == Space::shared
               ? resolve_shared(warp, pc, addresses, active, width, Direction::store, pointers)
               : resolve_local(warp, pc, addresses, active, width, Direction::store, pointers);
  }
  if (!fine) return false;
  observe(pc, space, Direction::store, width, active, addresses);
  const uint32_t* const data = warp.row(op.source[2]);
  if (width < 4) {
    for_lanes(active, [&](uint32_t l) { std::memcpy(pointers[l], &data[l], width); });
    return true;
  }
  const uint32_t words = width / 4;
  for_lanes(active, [&](uint32_t l) {
    for (uint32_t w = 0; w < words; ++w) std::memcpy(pointers[l] + 4 * w, &data[w * kWarpLanes + l], 4);
  });
  return true;
}

bool Block::async_copy(Warp& warp, const MicroOp& op, uint32_t pc, uint32_t active) {
  Addresses from, to;
  LanePointers source, target;
  const uint32_t width = op.width_bytes;
  const uint32_t p = warp.predicates[op.predicate_in[0]];
  const uint32_t copying = active & (op.predicate_in_negate[0] ? ~p : p);
  shared_addresses(warp, op, to);
  global_addresses(warp, op, 2, static_cast<int32_t>(op.immediate), from);
  if (!resolve_shared(warp, pc, to, active, width, Direction::store, target)) return false;
  if (copying != 0 && !resolve_global(warp, pc, from, copying, width, Direction::load, source)) return false;
  observe(pc, Space::global, Direction::load, width, copying, from);
  observe(pc, Space::shared, Direction::store, width, active, to);
  for_lanes(active, [&](uint32_t l) {
    if ((copying >> l & 1u) != 0) {
      std::memcpy(target[l], source[l], width);
    } else {
      std::memset(target[l], 0, width);
    }
  });
  return true;
}

// A read past the end of a bank gives zero, as on the hardware.
void Block::load_constant(Warp& warp, const MicroOp& op, uint32_t active) {
  const auto found = program_.banks.find(static_cast<int>(op.immediate));
  const uint32_t* const base = warp.row(op.source[0]);
  uint32_t* const d = warp.row(op.destination);
  for_lanes(op.uniform && active != 0 ? kAllLanes : active, [&](uint32_t l) {
    const uint64_t offset = (base[l] + static_cast<uint64_t>(op.offset)) & 0xffffffff;
    std::array<uint32_t, 4> words{};
    if (found != program_.banks.end() && offset + op.width_bytes <= found->second.size())
      std::memcpy(words.data(), found->second.data() + offset, op.width_bytes);
    if (op.width_bytes < 4) words[0] = extend(words[0], op.width_bytes, (op.flags & kSigned) != 0);
    for (uint32_t w = 0; w < (op.width_bytes + 3u) / 4; ++w) d[w * kWarpLanes + l] = words[w];
  });
}

}  // namespace gemmscope::machine
