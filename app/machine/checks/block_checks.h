// The checks on one running block: the block reports what happens, and they gather findings.
//
// Shared memory: SharedChecks finds reads of unwritten bytes and races at full speed; a RaceRecorder finds
// them exactly and names both sides. Two lanes that store different values to one address in one instruction
// are a race too; if the values are equal, nothing is reported.
//
// Barriers: the CUDA guide allows __syncthreads() in conditional code only if the condition is the same for
// the whole block; from compute capability 7.0 on the barrier waits for all threads that have not exited. So
// exited threads are no mistake. Threads that wait at two __syncthreads() on different source lines are one,
// which synccheck of the Compute Sanitizer calls divergent threads. Not detected: two calls on one line, as
// in a wrapper.
//
// Global memory: reads of unwritten bytes of a buffer that was declared uninitialised, see GlobalMemory.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include "machine/checks/finding_list.h"
#include "machine/checks/race_recorder.h"
#include "machine/checks/shared_checks.h"
#include "machine/state/global_memory.h"
#include "machine/state/warp.h"

namespace gemmscope::machine {

enum class CheckMode : uint8_t {
  suspect,  // full speed: if BlockChecks::suspicion() is set, the block must be run again with `exact`
  exact,    // slower
};

class BlockChecks {
 public:
  using Addresses = std::array<uint64_t, kWarpLanes>;
  struct BarrierWaiter {
    int warp;
    uint32_t pc, mask;  // the barrier instruction, and the lanes that wait there
    uint32_t live;      // lanes of the warp that had not exited when these arrived
  };

  BlockChecks(const Program& program, CheckMode mode);
  void start(const std::array<uint32_t, 3>& block);
  void finish();
  const std::vector<Finding>& findings() const { return findings_.list(); }
  std::vector<Finding> take_findings() { return findings_.take(); }
  const SharedChecks::Suspicion* suspicion() const { return recorder_ ? nullptr : shared_.suspicion(); }

  // Checks an access to shared memory, in bounds. Inactive lanes must hold the address of an active one.
  void shared_access(uint32_t warp, uint32_t pc, const Addresses& addresses, uint32_t active, uint32_t width,
                     Direction direction) {
    if (!watches_shared_) return;
    lanes_meet_ = true;
    if (recorder_) return recorder_->access(warp, pc, addresses, active, width, direction);
    switch (direction) {
      case Direction::load:
        return shared_.load(warp, addresses, width);
      case Direction::store:
        lanes_meet_ = shared_.store(warp, pc, addresses, active, width);
        return;
      case Direction::atomic:
      case Direction::reduce:
        return shared_.atomic(warp, pc, addresses, width);
    }
  }
  // True if a load of all lanes only has to leave stamps, which LaneMemory::load_moved does.
  bool only_stamps() const { return !recorder_; }
  StampedMemory stamped(uint32_t warp, const std::byte* bytes) {
    return {bytes, shared_.map_of(warp), shared_.stamp()};
  }
  // Checks a load of all lanes if only_stamps() is false.
  void shared_load(uint32_t warp, uint32_t pc, const LanePlaces& places, uint32_t width) {
    if (recorder_) recorder_->load(warp, pc, places, width);
  }
  // Checks a store of all lanes, each to a place of its own.
  void shared_store(uint32_t warp, uint32_t pc, const LanePlaces& places, uint32_t width) {
    if (!watches_shared_) return;
    if (recorder_) return recorder_->store(warp, pc, places, width);
    shared_.store(warp, pc, places, width);
  }
  void shared_copy(uint32_t warp, uint32_t pc, const Addresses& addresses, uint32_t active, uint32_t width);
  void commit_copies(uint32_t warp, uint32_t lanes);
  void wait_for_copies(uint32_t warp, uint32_t pc, uint32_t lanes, uint32_t left);
  // Compares the stored values, which are the rows of `data`. To be called after shared_access of the store.
  void stored(uint32_t warp, uint32_t pc, const Addresses& addresses, uint32_t active, uint32_t width,
              const uint32_t* data) {
    if (lanes_meet_) compare_lanes(warp, pc, addresses, active, width, data);
  }
  // Checks an access of `width` bytes a lane to a buffer that was declared uninitialised.
  void global_access(uint32_t warp, uint32_t pc, GlobalMemory::Buffer& buffer, const Addresses& addresses,
                     uint32_t active, uint32_t width, Direction direction);

  // Two groups of a warp's lanes meet at two different WARPSYNCs; each split says where its group goes on.
  // ptxas puts a WARPSYNC before a __syncthreads() in divergent code.
  void lanes_meet_apart(uint32_t warp, Split one, Split other);
  void arrive(uint32_t barrier, uint32_t warp);
  // Barrier objects, by their shared address, and a bulk copy's pieces of 16 bytes, which arrive at one.
  void object_initialised(uint32_t warp, uint32_t object) {
    if (recorder_) recorder_->object_initialised(warp, object);
  }
  void object_arrived(uint32_t warp, uint32_t object) {
    if (recorder_) recorder_->object_arrived(warp, object);
  }
  void phase_completed(uint32_t object) {
    if (recorder_) recorder_->phase_completed(object);
  }
  void phase_seen(uint32_t warp, uint32_t object) {
    if (recorder_) recorder_->phase_seen(warp, object);
  }
  void bulk_copied(uint32_t warp, uint32_t pc, uint32_t lane, const Addresses& pieces, uint32_t count,
                   uint32_t object) {
    if (recorder_) recorder_->bulk_copied({warp, pc, lane}, pieces, count, object);
  }
  // The last expected warp has arrived at `barrier`. all_threads: it waited for every thread of the block.
  void release(uint32_t barrier, const std::vector<BarrierWaiter>& waiters, bool all_threads);
  void warp_exited(uint32_t warp);

 private:
  void compare_lanes(uint32_t warp, uint32_t pc, const Addresses& addresses, uint32_t active, uint32_t width,
                     const uint32_t* data);
  void add(FindingKind kind, uint32_t pc, uint32_t warp, int lane, uint64_t address, std::string what);
  std::optional<uint32_t> next_barrier(uint32_t pc) const;
  void check_barrier_lines(const std::vector<BarrierWaiter>& waiters);
  void check_whole_warps(const std::vector<BarrierWaiter>& waiters);

  const Program& program_;
  bool watches_shared_ = false;
  bool lanes_meet_ = false;  // lanes of the last store to shared memory may have written to the same word
  std::array<uint32_t, 3> block_{};
  Findings findings_;
  SharedChecks shared_;
  std::optional<RaceRecorder> recorder_;
};

}  // namespace gemmscope::machine
