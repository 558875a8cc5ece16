#include "machine/checks/block_checks.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "machine/checks/initialised.h"
#include "machine/state/bytes_text.h"

namespace gemmscope::machine {
namespace {

// True if each lane's address is above that of the lane before, so that no two can be equal.
bool ascending(const BlockChecks::Addresses& addresses) {
  uint64_t wrong = 0;
  for (size_t l = 1; l < kWarpLanes; ++l) wrong |= addresses[l] - addresses[l - 1] - 1;
  return wrong >> 63 == 0;
}

bool same_value(const uint32_t* data, uint32_t a, uint32_t b, uint32_t width) {
  if (width < 4) return ((data[a] ^ data[b]) & ((1u << 8 * width) - 1)) == 0;
  for (uint32_t w = 0; w < width / 4; ++w)
    if (data[w * kWarpLanes + a] != data[w * kWarpLanes + b]) return false;
  return true;
}

}  // namespace

BlockChecks::BlockChecks(const Program& program, CheckMode mode)
    : program_(program),
      watches_shared_(program.shared_bytes > program.shared_reserved_bytes),
      shared_(program) {
  if (watches_shared_ && (mode == CheckMode::exact || needs_recorder(program)))
    recorder_.emplace(program, findings_);
}

void BlockChecks::start(const std::array<uint32_t, 3>& block) {
  block_ = block;
  if (recorder_) {
    recorder_->start(block);
  } else if (watches_shared_) {
    shared_.start();
  }
}

void BlockChecks::finish() {
  if (watches_shared_ && !recorder_) shared_.finish();
}

void BlockChecks::add(FindingKind kind, uint32_t pc, uint32_t warp, int lane, uint64_t address,
                      std::string what) {
  Finding finding;
  finding.kind = kind;
  finding.instruction = pc;
  finding.block = block_;
  finding.warp = static_cast<int>(warp);
  finding.lane = lane;
  finding.address = address;
  finding.what = std::move(what);
  findings_.add(std::move(finding));
}

void BlockChecks::shared_copy(uint32_t warp, uint32_t pc, const Addresses& addresses, uint32_t active,
                              uint32_t width) {
  if (recorder_) return recorder_->copy(warp, pc, addresses, active, width);
  if (watches_shared_) shared_.copy(warp, pc, addresses, active, width);
}

void BlockChecks::commit_copies(uint32_t warp, uint32_t lanes) {
  if (recorder_) return recorder_->commit(warp, lanes);
  if (watches_shared_ && lanes != 0) shared_.commit(warp);
}

void BlockChecks::wait_for_copies(uint32_t warp, uint32_t pc, uint32_t lanes, uint32_t left) {
  if (recorder_) return recorder_->wait(warp, lanes, left);
  if (watches_shared_ && lanes != 0) shared_.wait(warp, pc, left);
}

void BlockChecks::compare_lanes(uint32_t warp, uint32_t pc, const Addresses& addresses, uint32_t active,
                                uint32_t width, const uint32_t* data) {
  if (active == kAllLanes && ascending(addresses)) return;
  for (uint32_t a = 0; a < kWarpLanes; ++a) {
    if ((active >> a & 1u) == 0) continue;
    for (uint32_t b = 0; b < a; ++b) {
      if (addresses[a] != addresses[b] || (active >> b & 1u) == 0 || same_value(data, a, b, width)) continue;
      Finding finding{FindingKind::shared_race, pc,          block_, static_cast<int>(warp),
                      static_cast<int>(a),      addresses[a]};
      finding.other_instruction = static_cast<int>(pc);
      finding.other_warp = static_cast<int>(warp);
      finding.other_lane = static_cast<int>(b);
      finding.what = fmt::format(
          "two lanes of one instruction write different values to the shared address {:#x}", addresses[a]);
      return findings_.add(std::move(finding));
    }
  }
}

void BlockChecks::global_access(uint32_t warp, uint32_t pc, GlobalMemory::Buffer& buffer,
                                const Addresses& addresses, uint32_t active, uint32_t width,
                                Direction direction) {
  bool reported = false;
  for (; active != 0; active &= active - 1) {
    const auto lane = static_cast<uint32_t>(std::countr_zero(active));
    const size_t offset = addresses[lane] - buffer.address;
    if (direction != Direction::store && !reported && !is_initialised(buffer, offset, width)) {
      reported = true;
      add(FindingKind::uninitialised_global, pc, warp, static_cast<int>(lane), addresses[lane],
          fmt::format("reads {} at the global address {:#x}, to which no thread has written: {} "
                      "into {}, which holds no values when the kernel starts",
                      bytes_text(width), addresses[lane], bytes_text(offset), buffer.name));
    }
    if (direction != Direction::load) mark_initialised(buffer, offset, width);
  }
}

// The block barrier that lanes at `pc` reach next, if no branch comes before it.
std::optional<uint32_t> BlockChecks::next_barrier(uint32_t pc) const {
  constexpr uint32_t kNear = 16;
  for (uint32_t i = pc; i < std::min<size_t>(pc + kNear, program_.ops.size()); ++i)
    switch (program_.ops[i].action) {
      case Action::block_barrier:
        return i;
      case Action::branch:
      case Action::exit:
      case Action::call:
      case Action::jump_register:
      case Action::converge_wait:
      case Action::warp_sync:
        return std::nullopt;
      default:
        break;
    }
  return std::nullopt;
}

void BlockChecks::lanes_meet_apart(uint32_t warp, Split one, Split other) {
  const std::optional<uint32_t> barrier = next_barrier(one.pc), other_barrier = next_barrier(other.pc);
  if (barrier.has_value() == other_barrier.has_value()) return;
  const uint32_t reaching = barrier ? one.mask : other.mask, absent = barrier ? other.mask : one.mask;
  add(FindingKind::barrier_divergence, barrier ? *barrier : *other_barrier, warp, std::countr_zero(reaching),
      0,
      fmt::format("only lanes {:#010x} of the warp reach this barrier; lanes {:#010x} took another path",
                  reaching, absent));
}

void BlockChecks::arrive(uint32_t barrier, uint32_t warp) {
  if (recorder_) recorder_->arrive(barrier, warp);
}

void BlockChecks::warp_exited(uint32_t warp) {
  if (recorder_) recorder_->exited(warp);
}

void BlockChecks::release(uint32_t barrier, const std::vector<BarrierWaiter>& waiters, bool all_threads) {
  if (recorder_) {
    for (const BarrierWaiter& waiter : waiters)
      recorder_->resume(barrier, static_cast<uint32_t>(waiter.warp), all_threads);
    recorder_->released(barrier, all_threads);
  } else if (watches_shared_ && all_threads && !waiters.empty()) {
    shared_.release(waiters.front().pc);
  }
  if (barrier == 0 && all_threads) check_barrier_lines(waiters);
  check_whole_warps(waiters);
}

void BlockChecks::check_barrier_lines(const std::vector<BarrierWaiter>& waiters) {
  for (const BarrierWaiter& waiter : waiters) {
    const BarrierWaiter& first = waiters.front();
    if (waiter.pc == first.pc) continue;
    const uint32_t line = program_.source_lines[waiter.pc], first_line = program_.source_lines[first.pc];
    if (line == 0 || first_line == 0 || line == first_line) continue;
    Finding finding{FindingKind::barrier_divergence, waiter.pc, block_, waiter.warp,
                    std::countr_zero(waiter.mask)};
    finding.other_instruction = static_cast<int>(first.pc);
    finding.other_warp = first.warp;
    finding.other_lane = std::countr_zero(first.mask);
    finding.what = "threads of the block wait at two different __syncthreads(), which releases both";
    return findings_.add(std::move(finding));
  }
}

void BlockChecks::check_whole_warps(const std::vector<BarrierWaiter>& waiters) {
  for (const BarrierWaiter& waiter : waiters) {
    if (waiter.mask == waiter.live) continue;
    uint32_t together = 0;
    for (const BarrierWaiter& other : waiters)
      if (other.warp == waiter.warp) together |= other.mask;
    if ((waiter.live & ~together) == 0) continue;
    add(FindingKind::barrier_divergence, waiter.pc, static_cast<uint32_t>(waiter.warp),
        std::countr_zero(waiter.mask), 0,
        fmt::format("only lanes {:#010x} of the warp wait at this barrier; lanes {:#010x} do not reach it",
                    together, waiter.live & ~together));
    return;
  }
}

}  // namespace gemmscope::machine
