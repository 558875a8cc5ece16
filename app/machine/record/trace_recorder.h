// Records what the warps of a block issue, and puts it into the order in which they take turns, one
// instruction each. A block runs fastest if each warp goes on until it waits; what a warp does next does not
// depend on when the others do theirs (see turns_matter), so the turns can be told afterwards: a warp issues
// in each turn, except where it waits for others at a barrier.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "machine/record/trace.h"
#include "machine/state/observer.h"
#include "machine/state/program.h"

namespace gemmscope::machine {

// Whether the course of a warp may depend on the order of the warps' turns: code with atomic operations,
// clocks, accesses to memory that others may change meanwhile, barriers of some warps only. (A race may make
// it so as well; the checks see those.)
bool turns_matter(const Program& program);

class DistancePool;

class TraceRecorder final : public Observer {
 public:
  // The order in which the block tells of its instructions.
  enum class Told : uint8_t { by_warp, in_turns };

  // Keeps the first `limit` records of the trace, which must outlive it.
  TraceRecorder(const Program& program, Trace& trace, size_t limit, Told told);
  ~TraceRecorder() override;

  bool takes_distances() const override { return true; }
  bool takes_issues() const override { return true; }
  void on_issues(const Issue& first, uint32_t count) override;
  void on_access(const Access& access) override;
  void on_exit(uint32_t warp) override;
  void on_release(uint32_t warps) override;

  // Writes records and accesses of the trace. To be called once, when the block has ended.
  void finish();

 private:
  // Instructions in a row of one warp. Kept instead of records, of which there are many more.
  struct Stretch {
    uint32_t instruction = 0, mask = 0, executed = 0;  // of the first, see Issue
    uint32_t first_access = 0, access_count = 0;       // of all
    uint16_t warp = 0;
    uint16_t count = 0;
  };
  struct Jump {
    uint64_t record;  // from this one on,
    uint64_t turn;    // the records are those of consecutive turns
  };
  // What one warp did; the only one has all where the block is told in turns.
  struct Log {
    std::vector<Stretch> stretches;
    std::vector<Jump> jumps{{0, 0}};
    uint64_t records = 0;
    uint64_t turn = 0;  // of the next record
    bool exited = false;

    uint64_t records_until(uint64_t end_turn) const;
    void keep(uint64_t count);
  };
  class Cursor;

  uint64_t records_until(uint64_t end_turn) const;
  void keep_first_turns();
  void write_records();
  void write_stretch(const Stretch& stretch, uint32_t begin, uint32_t end, TraceRecord* to, size_t step);
  void drop_accesses_of_nobody();

  Trace& trace_;
  uint64_t limit_;
  std::vector<char> is_head_;     // by instruction: of a main loop
  std::vector<uint32_t> passes_;  // by warp: arrivals at a loop head
  std::vector<Log> logs_;
  std::vector<uint16_t> owners_;  // by access: which one of its stretch makes it
  uint64_t kept_ = 0;             // records in all logs
  uint64_t end_turn_;             // records of this turn and later ones are behind the limit
  Stretch* told_ = nullptr;       // last, if it is kept
  std::unique_ptr<DistancePool> book_;
};

}  // namespace gemmscope::machine
