// Memory accesses of a block: addresses, bounds, alignment, and moving the bytes.
#include <fmt/format.h>

#include <bit>
#include <cstring>

#include "machine/execute/block.h"
#include "machine/state/bytes_text.h"

namespace gemmscope::machine {
namespace {

const char* name_of(Direction direction) {
  switch (direction) {
    case Direction::load:
      return "a load";
    case Direction::store:
      return "a store";
    case Direction::atomic:
      return "an atomic operation";
    case Direction::reduce:
      return "an atomic reduction";
  }
  return "";
}

template <typename F>
void for_lanes(uint32_t mask, F f) {
  for (; mask != 0; mask &= mask - 1) f(static_cast<uint32_t>(std::countr_zero(mask)));
}

// With a length known at compile time, memcpy needs no call.
void copy_piece(std::byte* to, const std::byte* from, uint32_t width) {
  if (width == 16) {
    std::memcpy(to, from, 16);
  } else if (width == 8) {
    std::memcpy(to, from, 8);
  } else {
    std::memcpy(to, from, 4);
  }
}

uint32_t extend(uint32_t value, uint32_t width, bool is_signed) {
  const uint32_t up = value << (32 - 8 * width);
  return is_signed ? static_cast<uint32_t>(static_cast<int32_t>(up) >> (32 - 8 * width))
                   : up >> (32 - 8 * width);
}

// Returns whether [a, a + width) is aligned and inside [first, end) for each address a. It has no branches,
// so that it becomes vector code: a difference below zero has its top bit set, since memory is below 2^63.
bool all_within(const std::array<uint64_t, kWarpLanes>& addresses, uint32_t width, uint64_t first,
                uint64_t end) {
  if (end - first < width) return false;
  const uint64_t last = end - width;
  uint64_t outside = 0, bits = 0;
  for (const uint64_t a : addresses) {
    outside |= (a - first) | (last - a);
    bits |= a;
  }
  return outside >> 63 == 0 && (bits & (width - 1)) == 0;
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

// Keeps 24 bits of each address: the bits from 24 on hold the block's rank in its cluster (machine/README.md,
// Memory windows).
void Block::shared_addresses(const Warp& warp, const MicroOp& op, Addresses& addresses) const {
  const uint32_t* base = warp.row(op.source[0]);
  const uint32_t added =
      (op.action == Action::async_copy ? 0u : warp.row(op.source[1])[0]) + static_cast<uint32_t>(op.offset);
  const uint32_t scale = op.action == Action::async_copy ? 0u : op.immediate;
  for (uint32_t l = 0; l < kWarpLanes; ++l) addresses[l] = ((base[l] << scale) + added) & 0xffffff;
}

void Block::access_addresses(const Warp& warp, const MicroOp& op, Space space, Addresses& addresses) const {
  if (space == Space::global) {
    global_addresses(warp, op, 0, op.offset, addresses);
  } else {
    shared_addresses(warp, op, addresses);
  }
}

// Grows local memory to the deepest of the addresses in its window.
void Block::reach_local(Warp& warp, const Addresses& addresses, uint32_t active) {
  for_lanes(active, [&](uint32_t l) {
    const uint64_t depth = kLocalWindow + kStackTop - addresses[l];
    if (depth <= kLocalBytes) warp.local.reach(static_cast<uint32_t>(depth));
  });
}

void Block::query_space(Warp& warp, const MicroOp& op, uint32_t active) {
  Addresses addresses;
  global_addresses(warp, op, 0, op.offset, addresses);
  uint32_t inside = 0;
  for (uint32_t l = 0; l < kWarpLanes; ++l)
    inside |= static_cast<uint32_t>(space_of(addresses[l]) == static_cast<Space>(op.mode)) << l;
  uint32_t& p = warp.predicates[op.predicate_out[0]];
  p = (p & ~active) | (inside & active);
  for_lanes(active, [&](uint32_t l) { warp.row(op.destination)[l] = 0; });
}

std::byte* Block::generic_pointer(Warp& warp, uint32_t lane, uint64_t address, uint32_t width) {
  if (address - kSharedWindow < kWindowBytes) {
    const uint64_t offset = address - kSharedWindow;
    return offset + width <= shared_.size() ? shared_.data() + offset : nullptr;
  }
  if (address - kLocalWindow < kWindowBytes) {
    const uint64_t depth = kLocalWindow + kStackTop - address;
    return depth >= width && depth <= kLocalBytes ? warp.local.at(lane, static_cast<uint32_t>(depth))
                                                  : nullptr;
  }
  GlobalMemory::Buffer* buffer = memory_.find(address, width);
  return buffer == nullptr ? nullptr : buffer->bytes.data() + (address - buffer->address);
}

// Gives what to add to an address to get a pointer, if the bytes of all lanes are aligned and in one piece of
// memory.
std::optional<uintptr_t> Block::common_origin(Warp& warp, uint32_t pc, Space space,
                                              const Addresses& addresses, uint32_t active, uint32_t width,
                                              Direction direction) {
  if (space == Space::shared && all_within(addresses, width, program_.shared_reserved_bytes, shared_.size()))
    return reinterpret_cast<uintptr_t>(shared_.data());
  if (space != Space::global) return std::nullopt;
  GlobalMemory::Buffer* const buffer = memory_.find(addresses[0], width);
  if (buffer == nullptr || !all_within(addresses, width, buffer->address, buffer->end())) return std::nullopt;
  if (!buffer->initialised.empty())
    checks_.global_access(static_cast<uint32_t>(warp.index), pc, *buffer, addresses, active, width,
                          direction);
  return reinterpret_cast<uintptr_t>(buffer->bytes.data()) - buffer->address;
}

bool Block::resolve(Warp& warp, uint32_t pc, Space space, Addresses& addresses, uint32_t active,
                    uint32_t width, Direction direction, LanePointers& pointers) {
  if (!locate(warp, pc, space, addresses, active, width, direction, pointers)) return false;
  if (space == Space::shared)
    checks_.shared_access(static_cast<uint32_t>(warp.index), pc, addresses, active, width, direction);
  return true;
}

bool Block::locate(Warp& warp, uint32_t pc, Space space, Addresses& addresses, uint32_t active,
                   uint32_t width, Direction direction, LanePointers& pointers) {
  if (active != kAllLanes) {
    // Inactive lanes take the address of an active one, so that the code below need not look at the mask.
    const uint64_t one = addresses[static_cast<size_t>(std::countr_zero(active))];
    for (uint32_t l = 0; l < kWarpLanes; ++l) addresses[l] = (active >> l & 1u) != 0 ? addresses[l] : one;
  }
  if (const std::optional<uintptr_t> origin =
          common_origin(warp, pc, space, addresses, active, width, direction)) {
    for (uint32_t l = 0; l < kWarpLanes; ++l)
      // The origin is an integer: as a pointer it would be outside the buffer.
      pointers[l] =
          reinterpret_cast<std::byte*>(*origin + addresses[l]);  // NOLINT(performance-no-int-to-ptr)
    return true;
  }
  switch (space) {
    case Space::global:
      return resolve_global(warp, pc, addresses, active, width, direction, pointers);
    case Space::shared:
      return refuse_shared(warp, pc, addresses, active, width, direction);
    case Space::local:
      return resolve_local(warp, pc, addresses, active, width, direction, pointers);
  }
  return false;
}

// Resolves lane by lane: a generic address may be in any memory.
bool Block::resolve_global(Warp& warp, uint32_t pc, const Addresses& addresses, uint32_t active,
                           uint32_t width, Direction direction, LanePointers& pointers) {
  reach_local(warp, addresses, active);
  bool fine = true;
  for_lanes(active, [&](uint32_t l) {
    const uint64_t address = addresses[l];
    pointers[l] = address % width == 0 ? generic_pointer(warp, l, address, width) : nullptr;
    if (pointers[l] != nullptr) return;
    fine = false;
    const std::string what =
        fmt::format("{} of {} at the global address {:#x}", name_of(direction), bytes_text(width), address);
    if (address % width != 0) {
      raise(FaultKind::misaligned, &warp, pc, static_cast<int>(l), address,
            fmt::format("{}, which is not a multiple of {}", what, width));
    } else {
      raise(FaultKind::out_of_bounds, &warp, pc, static_cast<int>(l), address,
            fmt::format("{}: {}", what, describe_address(memory_, address)));
    }
  });
  if (fine) check_generic(warp, pc, addresses, active, width, direction);
  return fine;
}

// Reports the lanes of a generic access to the checks, each in its own memory.
void Block::check_generic(const Warp& warp, uint32_t pc, const Addresses& addresses, uint32_t active,
                          uint32_t width, Direction direction) {
  const auto index = static_cast<uint32_t>(warp.index);
  for_lanes(active, [&](uint32_t l) {
    Addresses one;
    if (addresses[l] - kSharedWindow < kWindowBytes) {
      one.fill(addresses[l] - kSharedWindow);
      checks_.shared_access(index, pc, one, 1u << l, width, direction);
    } else if (GlobalMemory::Buffer* const buffer = memory_.find(addresses[l], width);
               buffer != nullptr && !buffer->initialised.empty()) {
      one.fill(addresses[l]);
      checks_.global_access(index, pc, *buffer, one, 1u << l, width, direction);
    }
  });
}

// Raises the fault of the first lane whose access is outside shared memory or misaligned.
bool Block::refuse_shared(Warp& warp, uint32_t pc, const Addresses& addresses, uint32_t active,
                          uint32_t width, Direction direction) {
  for_lanes(active, [&](uint32_t l) {
    const uint64_t address = addresses[l];
    const std::string what =
        fmt::format("{} of {} at the shared address {:#x}", name_of(direction), bytes_text(width), address);
    if (address + width > shared_.size() || address < program_.shared_reserved_bytes) {
      raise(FaultKind::out_of_bounds, &warp, pc, static_cast<int>(l), address,
            fmt::format("{} outside the block's {}, which start at {:#x}", what,
                        bytes_text(shared_.size() - program_.shared_reserved_bytes),
                        program_.shared_reserved_bytes));
    } else if (address % width != 0) {
      raise(FaultKind::misaligned, &warp, pc, static_cast<int>(l), address,
            fmt::format("{}, which is not a multiple of {}", what, width));
    }
  });
  return false;
}

bool Block::resolve_local(Warp& warp, uint32_t pc, const Addresses& addresses, uint32_t active,
                          uint32_t width, Direction direction, LanePointers& pointers) {
  Addresses generic;
  for (uint32_t l = 0; l < kWarpLanes; ++l) generic[l] = kLocalWindow + addresses[l];
  reach_local(warp, generic, active);
  bool fine = true;
  for_lanes(active, [&](uint32_t l) {
    pointers[l] = addresses[l] % width == 0 ? generic_pointer(warp, l, generic[l], width) : nullptr;
    if (pointers[l] != nullptr) return;
    raise(FaultKind::out_of_bounds, &warp, pc, static_cast<int>(l), addresses[l],
          fmt::format("{} of {} at the local address {:#x}, outside the thread's stack", name_of(direction),
                      bytes_text(width), addresses[l]));
    fine = false;
  });
  return fine;
}

void Block::observe(uint32_t pc, Space space, Direction direction, uint32_t width, uint32_t active,
                    const Addresses& addresses, Path path) {
  if (observer_ != nullptr && active != 0)
    observer_->on_access({pc, space, direction, static_cast<uint8_t>(width), active, &addresses, path});
}

bool Block::load(Warp& warp, const MicroOp& op, uint32_t pc, uint32_t active) {
  Addresses addresses;
  LanePointers pointers;
  const uint32_t width = op.width_bytes;
  const Space space = op.action == Action::load_global   ? Space::global
                      : op.action == Action::load_shared ? Space::shared
                                                         : Space::local;
  access_addresses(warp, op, space, addresses);
  if (!resolve(warp, pc, space, addresses, active, width, Direction::load, pointers)) return false;
  observe(pc, space, Direction::load, width, active, addresses);
  uint32_t* const d = warp.row(op.destination);
  if (width >= 4) {
    read_words(d, pointers, width / 4, active);
    return true;
  }
  for_lanes(active, [&](uint32_t l) {
    uint32_t value = 0;
    std::memcpy(&value, pointers[l], width);
    d[l] = extend(value, width, (op.flags & kSigned) != 0);
  });
  return true;
}

bool Block::store(Warp& warp, const MicroOp& op, uint32_t pc, uint32_t active) {
  Addresses addresses;
  LanePointers pointers;
  const uint32_t width = op.width_bytes;
  const Space space = op.action == Action::store_global   ? Space::global
                      : op.action == Action::store_shared ? Space::shared
                                                          : Space::local;
  access_addresses(warp, op, space, addresses);
  if (!resolve(warp, pc, space, addresses, active, width, Direction::store, pointers)) return false;
  observe(pc, space, Direction::store, width, active, addresses);
  const uint32_t* const data = warp.row(op.source[2]);
  if (space == Space::shared)
    checks_.stored(static_cast<uint32_t>(warp.index), pc, addresses, active, width, data);
  if (space == Space::global) {
    if (stores_ != nullptr) stores_->store(pc, addresses, active, width, data);
    write_common_memory(data, pointers, width, active);
  } else if (width >= 4) {
    write_words(data, pointers, width / 4, active);
  } else {
    for_lanes(active, [&](uint32_t l) { std::memcpy(pointers[l], &data[l], width); });
  }
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
  // .ZFILL: an address that is n bytes past a multiple of the width copies from that multiple, and the last n
  // bytes of the copy are zero.
  std::array<uint8_t, kWarpLanes> zeroes{};
  if ((op.flags & kHigh) != 0) {
    for (uint32_t l = 0; l < kWarpLanes; ++l) {
      zeroes[l] = static_cast<uint8_t>(from[l] % width);
      from[l] -= zeroes[l];
    }
  }
  if (!locate(warp, pc, Space::shared, to, active, width, Direction::store, target)) return false;
  checks_.shared_copy(static_cast<uint32_t>(warp.index), pc, to, active, width);
  if (copying != 0 && !resolve(warp, pc, Space::global, from, copying, width, Direction::load, source))
    return false;
  const Path path = (op.flags & kRight) != 0 ? Path::bypass_copy : Path::async_copy;
  observe(pc, Space::global, Direction::load, width, copying, from, path);
  observe(pc, Space::shared, Direction::store, width, active, to, path);
  for_lanes(active, [&](uint32_t l) {
    if ((copying >> l & 1u) != 0 && zeroes[l] == 0) {
      copy_piece(target[l], source[l], width);
    } else if ((copying >> l & 1u) != 0) {
      std::memcpy(target[l], source[l], width - zeroes[l]);
      std::memset(target[l] + (width - zeroes[l]), 0, zeroes[l]);
    } else {
      std::memset(target[l], 0, width);
    }
  });
  return true;
}

// LDGDEPBAR ends a group of asynchronous copies; DEPBAR.LE SB0, n waits until at most n groups are in flight.
// The copies are done already: only the checks and the observer need to know of the wait.
void Block::count_copy_groups(Warp& warp, const MicroOp& op, uint32_t pc, uint32_t active) {
  const auto index = static_cast<uint32_t>(warp.index);
  if (op.action == Action::commit_copies) return checks_.commit_copies(index, active);
  checks_.wait_for_copies(index, pc, active, op.immediate);
  if (observer_ != nullptr && active != 0) observer_->on_copies_awaited();
}

// A read past the end of a bank returns zero, as on the hardware.
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
