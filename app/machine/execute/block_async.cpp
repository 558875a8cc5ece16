// Barrier objects in shared memory, and bulk copies, which arrive at them. A copy is done when it is issued.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>

#include "machine/execute/block.h"
#include "machine/lanes/lane_ops.h"

namespace gemmscope::machine {
namespace {

constexpr uint32_t kObjectBytes = 8, kPieceBytes = 16, kTargetAlignment = 128;

uint64_t pair_at(const uint32_t* row, uint32_t lane) {
  return static_cast<uint64_t>(row[kWarpLanes + lane]) << 32 | row[lane];
}

void put_pair(uint32_t* row, uint32_t lane, uint64_t value) {
  row[lane] = static_cast<uint32_t>(value);
  row[kWarpLanes + lane] = static_cast<uint32_t>(value >> 32);
}

}  // namespace

bool Block::execute_async(Warp& warp, const MicroOp& op, uint32_t pc, uint32_t active) {
  switch (op.action) {
    case Action::object_exchange:
      return object_exchange(warp, op, pc, active);
    case Action::object_arrive:
      return object_arrive(warp, op, pc, active);
    case Action::object_test:
      return object_test(warp, op, pc, active);
    case Action::bulk_copy:
      return bulk_copy(warp, op, pc, active);
    default:
      return tensor_copy(warp, op, pc, active);
  }
}

// Raises a fault if the address is no place for a barrier object.
bool Block::check_object(Warp& warp, uint32_t pc, uint32_t lane, uint32_t address) {
  const std::string what = fmt::format("a barrier object at the shared address {:#x}", address);
  if (address % kObjectBytes != 0) {
    raise(FaultKind::misaligned, &warp, pc, static_cast<int>(lane), address,
          fmt::format("{}, which is not a multiple of {}", what, kObjectBytes));
  } else if (address < program_.shared_reserved_bytes || address + kObjectBytes > shared_.size()) {
    raise(FaultKind::out_of_bounds, &warp, pc, static_cast<int>(lane), address,
          fmt::format("{} outside the block's {} bytes, which start at {:#x}", what,
                      shared_.size() - program_.shared_reserved_bytes, program_.shared_reserved_bytes));
  }
  return !fault_;
}

bool Block::object_address(Warp& warp, const MicroOp& op, uint32_t pc, uint32_t lane, uint32_t& address) {
  Addresses addresses;
  shared_addresses(warp, op, addresses);
  address = static_cast<uint32_t>(addresses[lane]);
  return check_object(warp, pc, lane, address);
}

// As above; the object must have been initialised, too.
bool Block::find_object(Warp& warp, const MicroOp& op, uint32_t pc, uint32_t lane, uint32_t& address) {
  if (!object_address(warp, op, pc, lane, address)) return false;
  if (!BarrierObject(object_word(address)).is_initialised())
    raise(FaultKind::barrier_object, &warp, pc, static_cast<int>(lane), address,
          fmt::format("the barrier object at the shared address {:#x} has not been initialised with "
                      "mbarrier.init, or its life has ended",
                      address));
  return !fault_;
}

uint64_t Block::object_word(uint32_t address) const {
  uint64_t word = 0;
  std::memcpy(&word, shared_.data() + address, sizeof word);
  return word;
}

void Block::set_object(uint32_t address, const BarrierObject& object, bool completes) {
  const uint64_t word = object.word();
  std::memcpy(shared_.data() + address, &word, sizeof word);
  if (completes) checks_.phase_completed(address);
}

void Block::observe_object(uint32_t pc, uint32_t address, ObjectUse::Kind kind, bool completes) {
  if (observer_ != nullptr) observer_->on_object({pc, address, kind, completes});
}

// SYNCS.EXCH and SYNCS.CCTL.IV: stores the object's first word, or none.
bool Block::object_exchange(Warp& warp, const MicroOp& op, uint32_t pc, uint32_t active) {
  const auto lane = static_cast<uint32_t>(std::countr_zero(active));
  uint32_t address = 0;
  if (!object_address(warp, op, pc, lane, address)) return false;
  const uint64_t before = object_word(address), after = pair_at(warp.row(op.source[2]), lane);
  for (uint32_t l = 0; l < kWarpLanes; ++l) put_pair(warp.row(op.destination), l, before);
  set_object(address, BarrierObject(after), false);
  checks_.object_initialised(static_cast<uint32_t>(warp.index), address);
  observe_object(pc, address, ObjectUse::Kind::initialise);
  return true;
}

bool Block::object_arrive(Warp& warp, const MicroOp& op, uint32_t pc, uint32_t active) {
  for (; active != 0; active &= active - 1)
    if (!arrive_lane(warp, op, pc, static_cast<uint32_t>(std::countr_zero(active)))) return false;
  return true;
}

bool Block::arrive_lane(Warp& warp, const MicroOp& op, uint32_t pc, uint32_t lane) {
  uint32_t address = 0;
  if (!find_object(warp, op, pc, lane, address)) return false;
  BarrierObject object(object_word(address));
  const uint64_t before = object.word();
  const uint32_t value = warp.row(op.source[2])[lane];
  const auto kind = static_cast<ArriveKind>(op.mode);
  const bool counts_bytes = kind == ArriveKind::once_and_expect_bytes || kind == ArriveKind::expect_bytes;
  const uint32_t count = kind == ArriveKind::many                                                ? value
                         : kind == ArriveKind::once || kind == ArriveKind::once_and_expect_bytes ? 1
                                                                                                 : 0;
  if (count > object.missing()) {
    raise(
        FaultKind::barrier_object, &warp, pc, static_cast<int>(lane), address,
        fmt::format("{} more arrivals at the barrier object at the shared address {:#x}, but its phase waits "
                    "for only {} of {}",
                    count, address, object.missing(), object.arrivals()));
    return false;
  }
  if ((op.flags & kHigh) != 0) object.drop(count);
  checks_.object_arrived(static_cast<uint32_t>(warp.index), address);
  const bool completes = kind == ArriveKind::copied_bytes
                             ? object.copied(static_cast<int32_t>(value))
                             : object.arrive(count, counts_bytes ? static_cast<int32_t>(value) : 0);
  set_object(address, object, completes);
  observe_object(pc, address, ObjectUse::Kind::arrive, completes);
  put_pair(warp.row(op.destination), lane, before);
  return true;
}

// SYNCS.PHASECHK: true where the phase of the given parity is over.
bool Block::object_test(Warp& warp, const MicroOp& op, uint32_t pc, uint32_t active) {
  uint32_t over = 0;
  for (uint32_t left = active; left != 0; left &= left - 1) {
    const auto lane = static_cast<uint32_t>(std::countr_zero(left));
    uint32_t address = 0;
    if (!find_object(warp, op, pc, lane, address)) return false;
    const bool asked = warp.row(op.source[2])[lane] >> 31 != 0;
    if (BarrierObject(object_word(address)).parity() == asked) continue;
    if (over == 0) observe_object(pc, address, ObjectUse::Kind::wait, true);
    over |= 1u << lane;
    checks_.phase_seen(static_cast<uint32_t>(warp.index), address);
  }
  uint32_t& p = warp.predicates[op.predicate_out[0]];
  p = (p & ~active) | over;
  return true;
}

// True if the lanes of `split` are at a SYNCS.PHASECHK.TRYWAIT whose phase is not over: then they wait, and
// the warp's other lanes go first. On hardware the instruction waits, too, but only for a while.
bool Block::waits_for_phase(Warp& warp, const Split& split) {
  const MicroOp& op = program_.ops[split.pc];
  const uint32_t guard = warp.predicates[op.guard];
  const uint32_t active = split.mask & (op.guard_negate ? ~guard : guard);
  if ((op.flags & kWide) == 0) return false;
  for (uint32_t left = active; left != 0; left &= left - 1) {
    const auto lane = static_cast<uint32_t>(std::countr_zero(left));
    uint32_t address = 0;
    if (!find_object(warp, op, split.pc, lane, address)) return true;
    const bool asked = warp.row(op.source[2])[lane] >> 31 != 0;
    if (BarrierObject(object_word(address)).parity() != asked) continue;
    warp.ready.insert(warp.ready.begin(), split);
    return true;
  }
  return false;
}

// The target's uniform registers hold the shared address and that of the barrier object.
bool Block::begin_copy(Warp& warp, const MicroOp& op, uint32_t pc, uint32_t active, BulkCopy& copy) {
  const uint32_t* const target = warp.row(op.source[0]);
  copy.pc = pc;
  copy.lane = static_cast<uint32_t>(std::countr_zero(active));
  copy.object = target[kWarpLanes] & 0xffffff;
  const uint32_t to = target[0] & 0xffffff;
  const uint32_t alignment = op.action == Action::tensor_copy ? kTargetAlignment : kPieceBytes;
  if (to % alignment != 0)
    raise(
        FaultKind::misaligned, &warp, pc, static_cast<int>(copy.lane), to,
        fmt::format("a bulk copy to the shared address {:#x}, which is not a multiple of {}", to, alignment));
  if (fault_ || !check_object(warp, pc, copy.lane, copy.object)) return false;
  if (!BarrierObject(object_word(copy.object)).is_initialised())
    raise(
        FaultKind::barrier_object, &warp, pc, static_cast<int>(copy.lane), copy.object,
        fmt::format("a bulk copy that arrives at the shared address {:#x}, where no barrier object has been "
                    "initialised",
                    copy.object));
  return !fault_;
}

bool Block::add_piece(Warp& warp, BulkCopy& copy, const CopyPiece& piece) {
  copy.pieces[copy.count++] = piece;
  return copy.count < copy.pieces.size() || copy_pieces(warp, copy);
}

// Copies the collected pieces. To observers they are accesses of lanes to 16 bytes each.
bool Block::copy_pieces(Warp& warp, BulkCopy& copy) {
  if (copy.count == 0) return true;
  Addresses from{}, to{};
  uint32_t all = 0, loading = 0;
  for (uint32_t i = 0; i < copy.count; ++i) {
    const CopyPiece& piece = copy.pieces[i];
    all |= 1u << i;
    loading |= piece.bytes != 0 ? 1u << i : 0;
    from[i] = piece.from, to[i] = piece.to;
    if (piece.to < program_.shared_reserved_bytes || piece.to + kPieceBytes > shared_.size()) {
      raise(FaultKind::out_of_bounds, &warp, copy.pc, static_cast<int>(copy.lane), piece.to,
            fmt::format(
                "a bulk copy to the shared address {:#x} outside the block's {} bytes, which start at {:#x}",
                piece.to, shared_.size() - program_.shared_reserved_bytes, program_.shared_reserved_bytes));
      return false;
    }
    std::byte* const target = shared_.data() + piece.to;
    std::memset(target, 0, kPieceBytes);
    if (piece.bytes == 0) continue;
    GlobalMemory::Buffer* const buffer = memory_.find(piece.from, piece.bytes);
    if (buffer == nullptr) {
      raise(FaultKind::out_of_bounds, &warp, copy.pc, static_cast<int>(copy.lane), piece.from,
            fmt::format("a bulk copy of {} bytes at the global address {:#x}: {}", piece.bytes, piece.from,
                        describe_address(memory_, piece.from)));
      return false;
    }
    std::memcpy(target, buffer->bytes.data() + (piece.from - buffer->address), piece.bytes);
    Addresses one;
    one.fill(piece.from);
    if (!buffer->initialised.empty())
      checks_.global_access(static_cast<uint32_t>(warp.index), copy.pc, *buffer, one, 1u << copy.lane,
                            piece.bytes, Direction::load);
  }
  checks_.bulk_copied(static_cast<uint32_t>(warp.index), copy.pc, copy.lane, to, copy.count, copy.object);
  observe(copy.pc, Space::global, Direction::load, kPieceBytes, loading, from, Path::bulk_copy);
  observe(copy.pc, Space::shared, Direction::store, kPieceBytes, all, to, Path::bulk_copy);
  copy.count = 0;
  return true;
}

bool Block::end_copy(Warp& warp, BulkCopy& copy, uint32_t bytes) {
  if (!copy_pieces(warp, copy)) return false;
  BarrierObject object(object_word(copy.object));
  const bool completes = object.copied(static_cast<int32_t>(bytes));
  set_object(copy.object, object, completes);
  observe_object(copy.pc, copy.object, ObjectUse::Kind::copy, completes);
  return true;
}

// UBLKCP: bytes in a row.
bool Block::bulk_copy(Warp& warp, const MicroOp& op, uint32_t pc, uint32_t active) {
  BulkCopy copy;
  if (!begin_copy(warp, op, pc, active, copy)) return false;
  const uint32_t to = warp.row(op.source[0])[0] & 0xffffff;
  const uint64_t from = pair_at(warp.row(op.source[1]), 0);
  const uint32_t bytes = (warp.row(op.source[2])[0] & 0xffff) * kPieceBytes;
  if (from % kPieceBytes != 0) {
    raise(FaultKind::misaligned, &warp, pc, static_cast<int>(copy.lane), from,
          fmt::format("a bulk copy from the global address {:#x}, which is not a multiple of {}", from,
                      kPieceBytes));
    return false;
  }
  for (uint32_t i = 0; i < bytes; i += kPieceBytes)
    if (!add_piece(warp, copy, {from + i, to + i, kPieceBytes})) return false;
  return end_copy(warp, copy, bytes);
}

// The map is a parameter of the kernel, to which constant bank 0 has an address, or lies in global memory.
std::optional<TensorMap> Block::tensor_map(Warp& warp, uint32_t pc, uint32_t lane, uint64_t address) {
  std::span<const std::byte> bytes;
  const uint64_t in_bank = address - kConstantWindow;
  const std::vector<std::byte>& bank = program_.banks.at(0);
  if (in_bank + TensorMap::kBytes <= bank.size()) {
    bytes = std::span(bank).subspan(in_bank, TensorMap::kBytes);
  } else if (const GlobalMemory::Buffer* const buffer = memory_.find(address, TensorMap::kBytes);
             buffer != nullptr) {
    bytes = std::span(buffer->bytes).subspan(address - buffer->address, TensorMap::kBytes);
  }
  std::optional<TensorMap> map = read_tensor_map(bytes);
  if (!map)
    raise(FaultKind::unsupported_instruction, &warp, pc, static_cast<int>(lane), address,
          fmt::format("there is no tensor map at {:#x}: a kernel gets one as a parameter that is declared as "
                      "matrix A or B with box_rows",
                      address));
  return map;
}

// One row of a box, the `row`th of all. What lies outside the tensor is zero.
bool Block::copy_box_row(Warp& warp, BulkCopy& copy, const TensorMap& map, uint32_t row,
                         const std::array<int64_t, TensorMap::kMostDimensions>& corner, uint32_t to) {
  uint64_t from = map.address;
  bool inside = true;
  uint32_t index = row;
  for (size_t d = 1; d < map.dimensions; ++d) {
    const int64_t at = corner[d] + index % map.box[d];
    index /= map.box[d];
    inside &= at >= 0 && at < map.size[d];
    from += static_cast<uint64_t>(at) * map.stride_bytes[d];
  }
  const int64_t first = corner[0] * map.element_bytes, end = int64_t{map.size[0]} * map.element_bytes;
  for (uint32_t b = 0; b < map.row_bytes(); b += kPieceBytes) {
    const int64_t column = first + b;
    const bool exists = inside && column >= 0 && column < end;
    const auto bytes = exists ? static_cast<uint32_t>(std::min<int64_t>(kPieceBytes, end - column)) : 0u;
    const uint32_t place = swizzled(to + row * map.row_bytes() + b, map.swizzle_bytes);
    if (!add_piece(warp, copy, {from + static_cast<uint64_t>(column), place, bytes})) return false;
  }
  return true;
}

// UTMALDG: a box of a tensor, row by row. The target's registers from the third on hold the box's corner.
bool Block::tensor_copy(Warp& warp, const MicroOp& op, uint32_t pc, uint32_t active) {
  BulkCopy copy;
  if (!begin_copy(warp, op, pc, active, copy)) return false;
  const std::optional<TensorMap> map = tensor_map(warp, pc, copy.lane, pair_at(warp.row(op.source[1]), 0));
  if (!map) return false;
  const uint32_t* const registers = warp.row(op.source[0]);
  std::array<int64_t, TensorMap::kMostDimensions> corner{};
  for (size_t d = 0; d < op.mode; ++d)
    corner[d] = static_cast<int32_t>(registers[(2 + d) * static_cast<size_t>(kWarpLanes)]);
  if (map->dimensions != op.mode)
    raise(
        FaultKind::unsupported_instruction, &warp, pc, static_cast<int>(copy.lane), 0,
        fmt::format("it copies a box of {} dimensions, but its tensor map has {}", op.mode, map->dimensions));
  // An H200 reports an illegal instruction.
  if (corner[0] * map->element_bytes % kPieceBytes != 0)
    raise(FaultKind::misaligned, &warp, pc, static_cast<int>(copy.lane), 0,
          fmt::format("the box starts at column {} of the tensor, which is not at a multiple of {} bytes",
                      corner[0], kPieceBytes));
  if (fault_) return false;
  const uint32_t to = registers[0] & 0xffffff;
  for (uint32_t row = 0; row < map->rows(); ++row)
    if (!copy_box_row(warp, copy, *map, row, corner, to)) return false;
  return end_copy(warp, copy, map->box_bytes());
}

}  // namespace gemmscope::machine
