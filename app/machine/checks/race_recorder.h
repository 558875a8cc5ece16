// Checks every access of one block to shared memory exactly. It keeps who wrote and read each word last, and
// whether a barrier, an atomic or a wait for an asynchronous copy orders the accesses of two warps. It is
// much slower than SharedChecks, which only suspects. It uses vector clocks as in FastTrack (Flanagan and
// Freund, PLDI 2009), with a warp as the thread.
//
// An atomic on shared memory orders the accesses before it with those after a later atomic on the same word.
// An arrival at a barrier object (mbarrier) orders those before it with those of a warp that has seen the
// phase's end. Bulk copies count as a thread of their own, which starts where they are issued and arrives as
// they do.
//
// Inaccuracies: the lanes of a warp count as ordered, as if each instruction ended with __syncwarp();
// BlockChecks finds two lanes that store different values at once. Flags in global memory and plain
// flags in shared memory order nothing: code that relies on them is reported. A word counts as
// initialised once some of its bytes are written, unless the program stores single bytes.
#pragma once

#include <array>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "machine/checks/finding_list.h"
#include "machine/state/lane_memory.h"
#include "machine/state/observer.h"
#include "machine/state/program.h"

namespace gemmscope::machine {

class RaceRecorder {
 public:
  using Addresses = std::array<uint64_t, kWarpLanes>;

  RaceRecorder(const Program& program, Findings& findings);
  void start(const std::array<uint32_t, 3>& block);

  // Addresses count from the start of the window and are in bounds.
  void access(uint32_t warp, uint32_t pc, const Addresses& addresses, uint32_t active, uint32_t width,
              Direction direction);
  // Check accesses of all lanes to whole words: a load, and a store of each lane to a place of its own.
  void load(uint32_t warp, uint32_t pc, const LanePlaces& places, uint32_t width);
  void store(uint32_t warp, uint32_t pc, const LanePlaces& places, uint32_t width);
  void copy(uint32_t warp, uint32_t pc, const Addresses& addresses, uint32_t active, uint32_t width);
  void commit(uint32_t warp, uint32_t lanes);
  void wait(uint32_t warp, uint32_t lanes, uint32_t left);

  void arrive(uint32_t barrier, uint32_t warp);
  // A warp that waited goes on. To be called for each of them, after all have arrived.
  void resume(uint32_t barrier, uint32_t warp, bool whole_block);
  // To be called after the last resume.
  void released(uint32_t barrier, bool whole_block) {
    barriers_[barrier].assign(warps_ + 1, 0);
    epoch_ += whole_block ? 1 : 0;
  }
  void exited(uint32_t warp);

  struct Thread {
    uint32_t warp, pc, lane;
  };
  // Barrier objects, by their addresses. A bulk copy writes pieces of 16 bytes.
  void object_initialised(uint32_t warp, uint32_t object);
  void object_arrived(uint32_t warp, uint32_t object);
  void phase_completed(uint32_t object);
  void phase_seen(uint32_t warp, uint32_t object);
  void bulk_copied(const Thread& by, const Addresses& pieces, uint32_t count, uint32_t object);

 private:
  using Clock = std::vector<uint32_t>;  // by warp; the last is that of the bulk copies
  struct Write {
    uint32_t clock = 0;  // the writer's; 0: never written
    uint32_t pc = 0;
    uint32_t copy = 0;  // number of the copy that is in flight; 0: none
    uint8_t warp = 0, lane = 0;
    bool atomic = false, was_copy = false;
    bool bulk = false;  // a bulk copy, whose clock is `clock`; `warp` has issued it
  };
  struct Read {
    uint32_t clock = 0, pc_and_lane = 0;
  };
  struct Copy {
    uint32_t number, group;
    uint32_t first_cell, cells;
    uint32_t lane;
  };
  struct Copies {
    std::vector<Copy> pending;
    std::array<uint32_t, kWarpLanes> groups{};  // committed, by lane
  };
  struct Object {
    Clock phase, over;  // the joined clocks of this phase's arrivals, and of the last one's
  };

  template <uint32_t kCells>
  bool note_known_reads(uint32_t warp, uint32_t pc, const LanePlaces& places);
  template <uint32_t kCells>
  bool note_known_writes(uint32_t warp, uint32_t pc, const LanePlaces& places);
  void access(uint32_t warp, uint32_t pc, const LanePlaces& places, uint32_t width, Direction direction);
  bool check_write_before(const Thread& by, size_t cell, Direction direction);
  bool check_reads_before(const Thread& by, size_t cell);
  bool read_cell(const Thread& by, size_t cell);
  bool write_cell(const Thread& by, size_t cell, Direction direction);
  void note_write(const Thread& by, size_t cell, bool atomic);
  void note_read(const Thread& by, size_t cell, uint32_t clock);
  void synchronise(uint32_t warp, size_t cell);
  void report(FindingKind kind, const Thread& by, size_t cell, const Write* write, std::string what);

  uint32_t warps_ = 0, granule_ = 4;
  size_t cells_ = 0;
  Findings& findings_;
  std::array<uint32_t, 3> block_{};
  std::vector<Write> writes_;  // by cell: a word, or a byte where the program stores bytes
  std::vector<Read> reads_;    // by warp and cell
  // Epochs are a shortcut that avoids the clocks. An epoch ends when a barrier releases the whole block.
  static constexpr uint32_t kNotKnown = ~0u;  // never written, or a copy is in flight
  uint32_t epoch_ = 1;
  std::vector<uint32_t> written_, read_;  // by cell: the epoch after the last access, or kNotKnown
  std::vector<uint32_t> known_;           // by warp: it is ordered after all accesses before this epoch
  std::vector<Clock> clocks_;             // by warp
  std::array<Clock, 16> barriers_;        // the joined clocks of the warps that have arrived
  Clock exited_;                          // the joined clocks of the warps that have exited
  std::unordered_map<size_t, Clock> atomics_;
  std::unordered_map<uint32_t, Object> objects_;
  uint32_t bulk_copies_ = 0;
  std::vector<Copies> copies_;  // by warp
  uint32_t copy_number_ = 0;
};

}  // namespace gemmscope::machine
