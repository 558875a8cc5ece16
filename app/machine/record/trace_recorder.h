// Records what the warps of a block issue, and sorts it into trace order, in which they take turns, one
// instruction each. A block runs fastest if each warp runs until it waits. The course of a warp does not
// depend on the others' turns (see turns_matter), so the turns can be computed afterwards: a warp issues in
// every turn, except while it waits for others at a barrier.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "machine/record/trace.h"
#include "machine/state/observer.h"
#include "machine/state/program.h"

namespace gemmscope::machine {

// Whether the course of a warp may depend on the order of the warps' turns: the code has atomic operations,
// clocks, accesses to memory that others may change meanwhile, or barriers of some warps only. (A race may
// have the same effect; the checks find races.)
bool turns_matter(const Program& program);

class DistancePool;

class TraceRecorder final : public Observer {
 public:
  // The order in which the block reports its instructions.
  enum class Order : uint8_t { by_warp, in_turns };

  // Keeps the first `limit` records of the trace, which must outlive it.
  TraceRecorder(const Program& program, Trace& trace, size_t limit, Order order);
  ~TraceRecorder() override;

  bool takes_distances() const override { return true; }
  bool takes_issues() const override { return true; }
  void on_issues(const Issue& first, uint32_t count) override;
  void on_access(const Access& access) override;
  void on_object(const ObjectUse& use) override;
  void on_exit(uint32_t warp) override;
  void on_release(uint32_t warps) override;

  // Writes records and accesses of the trace. To be called once, when the block has ended.
  void finish();

 private:
  // A run of instructions of one warp. Runs are kept until the end, since there are many more records.
  struct Run {
    uint32_t instruction = 0, mask = 0, executed = 0;  // of the first, see Issue
    uint32_t first_access = 0, access_count = 0;       // of all
    uint16_t warp = 0;
    uint16_t count = 0;
  };
  // From `record` on, the log's records are those of consecutive turns, the first of which is `turn`.
  struct Jump {
    uint64_t record;
    uint64_t turn;
  };
  // What one warp did. If the block reports in turns, there is one log for the whole block.
  struct Log {
    std::vector<Run> runs;
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
  void write_run(const Run& run, uint32_t begin, uint32_t end, TraceRecord* to, size_t step);
  void drop_unused_accesses();

  Trace& trace_;
  uint64_t limit_;
  std::vector<char> is_head_;     // by instruction: whether a main loop starts there
  std::vector<uint32_t> passes_;  // by warp: arrivals at a loop head
  std::vector<Log> logs_;
  std::vector<uint16_t> owners_;  // by access: the position in its run of the instruction that makes it
  uint64_t kept_ = 0;             // records in all logs
  uint64_t end_turn_;             // records of this turn and later ones are past the limit
  Run* last_run_ = nullptr;       // the run reported last, or null if it is not kept
  std::map<uint32_t, uint32_t> phases_;  // by barrier object: those that are over
  std::unique_ptr<DistancePool> pool_;
};

}  // namespace gemmscope::machine
