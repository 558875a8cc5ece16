// The fault of a block whose warps all wait for each other.
#include <fmt/format.h>

#include <bit>

#include "isa/disassemble.h"
#include "machine/execute/block.h"

namespace gemmscope::machine {

// The fault's place is that of the first one that waits; its text names all of them.
void Block::raise_deadlock() {
  for (const CtaBarrier& barrier : barriers_) {
    if (barrier.waiters.empty()) continue;
    const CtaBarrier::Waiter& first = barrier.waiters.front();
    return raise(FaultKind::deadlock, &warps_[static_cast<size_t>(first.warp)], first.pc,
                 std::countr_zero(first.mask), 0, deadlock_text());
  }
  for (const Warp& warp : warps_) {
    if (warp.parked.empty()) continue;
    const Parked& first = warp.parked.front();
    return raise(FaultKind::deadlock, &warp, first.pc - 1, std::countr_zero(first.mask), 0, deadlock_text());
  }
  for (const Warp& warp : warps_) {
    if (warp.ready.empty()) continue;
    const Split& first = warp.ready.front();
    return raise(FaultKind::deadlock, &warp, first.pc, std::countr_zero(first.mask), 0, deadlock_text());
  }
}

// " (warp 0 at 0x50, warp 1 arrived at 0x90)"
std::string Block::barrier_places(const CtaBarrier& barrier) {
  constexpr size_t kNamed = 8;
  std::string text;
  size_t named = 0;
  for (const auto* those : {&barrier.waiters, &barrier.arrivals})
    for (const CtaBarrier::Waiter& waiter : *those)
      if (named++ < kNamed)
        text += fmt::format("{}warp {}{} at {:#x}", text.empty() ? "" : ", ", waiter.warp,
                            those == &barrier.arrivals ? " arrived" : "", waiter.pc * isa::kInstructionBytes);
  return fmt::format(" ({}{})", text, named > kNamed ? ", …" : "");
}

// " warp 1 waits at 0x90 for the barrier object at the shared address 0x400, which lacks 2 of 8 arrivals and
// 512 bytes;"
std::string Block::phase_text(const Warp& warp, const Split& split) const {
  const MicroOp& op = program_.ops[split.pc];
  const uint32_t guard = warp.predicates[op.guard];
  Addresses addresses;
  shared_addresses(warp, op, addresses);
  for (uint32_t left = split.mask & (op.guard_negate ? ~guard : guard); left != 0; left &= left - 1) {
    const auto lane = static_cast<size_t>(std::countr_zero(left));
    const auto address = static_cast<uint32_t>(addresses[lane]);
    if (address + sizeof(uint64_t) > shared_.size()) continue;
    const BarrierObject object(object_word(address));
    if (object.parity() != (warp.row(op.source[2])[lane] >> 31 != 0)) continue;
    return fmt::format(
        " warp {} waits at {:#x} for the barrier object at the shared address {:#x}, which lacks {} of {} "
        "arrivals "
        "and {} bytes;",
        warp.index, split.pc * isa::kInstructionBytes, address, object.missing(), object.arrivals(),
        object.expected_bytes());
  }
  return "";
}

std::string Block::deadlock_text() const {
  std::string text = "no warp can go on:";
  for (size_t b = 0; b < barriers_.size(); ++b) {
    if (barriers_[b].arrived == 0) continue;
    text += fmt::format(" {} of {} threads have arrived at barrier {}{};", barriers_[b].arrived,
                        barriers_[b].expected != 0 ? barriers_[b].expected : live_threads_, b,
                        barrier_places(barriers_[b]));
  }
  for (const Warp& warp : warps_)
    for (const Parked& parked : warp.parked)
      text += fmt::format(" lanes {:#010x} of warp {} wait at {:#x} for the others of their warp;",
                          parked.mask, warp.index, (parked.pc - 1) * isa::kInstructionBytes);
  for (const Warp& warp : warps_)
    for (const Split& split : warp.ready) text += phase_text(warp, split);
  text.back() = '.';
  return text;
}

}  // namespace gemmscope::machine
