// The state of one simulated SM: plain data that can be copied. simulator.h says how it changes.
//
// Times are in cycles from the start of the SM's first block. Issue happens at whole cycles; the servers of
// the memory path keep fractions.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <vector>

#include "metrics/register_ports.h"
#include "sm/launch_trace.h"
#include "sm/stall.h"

namespace gemmscope::sm {

inline constexpr int kSubCores = 4;
inline constexpr int kScoreboards = 6;
inline constexpr uint32_t kNone = std::numeric_limits<uint32_t>::max();
inline constexpr uint64_t kNever = std::numeric_limits<uint64_t>::max();

struct Scoreboard {
  uint8_t count = 0;        // results outstanding
  bool is_long = false;     // of L1TEX
  uint32_t setter = kNone;  // the instruction of the warp that set it last, from its first one
  uint64_t cleared = 0;     // when the count fell to 0
};

struct WarpState {
  const IssuedInstruction* begin = nullptr;
  const IssuedInstruction* next = nullptr;
  const IssuedInstruction* end = nullptr;
  uint64_t waited = 0;       // end of its last instruction's stall count
  uint64_t ready = 0;        // not before, for a reason that the warp itself has
  uint64_t issued = 0;       // the cycle after its last instruction
  uint64_t released = 0;     // from its last barrier
  uint64_t copies_done = 0;  // the last asynchronous copy
  std::array<Scoreboard, kScoreboards> scoreboards{};
  uint32_t block = 0;      // from the SM's first one
  uint32_t line_salt = 0;  // added to lines, so that blocks which replay one trace have lines of their own
  uint32_t fetched_line = kNone;
  uint32_t released_by = 0, released_by_step = kNone;  // the warp that came last to its barrier, and its step
  uint8_t sub_core = 0;
  uint8_t busy = 0;  // scoreboards with a count above 0, a bit each
  bool at_barrier = false;
  bool deferred = false;             // its last barrier: it stopped at a later instruction
  Stall ready_reason = Stall::wait;  // after `waited`
};

// What choosing a warp looks at, apart from the rest of its state, which would fill the CPU's caches.
struct WarpGate {
  uint64_t asleep_until = 0;        // it cannot issue before, or before an event of its own
  uint64_t eligible_from = 0;       // since then it has had all that it waits for by itself
  uint64_t throttled = 0;           // a pipe or a queue was full until then …
  uint64_t throttled_cycles = 0;    // … for so many cycles; it may have been free in between
  bool waits_for_unit = false;      // for nothing else, until it issues
  Unit unit = Unit::none;           // of its next instruction, where it waits for that
  Stall queue_stall = Stall::wait;  // where the unit has a queue: the stall of a full one
  Stall throttle_reason = Stall::wait;
};

// A phase of a barrier object.
struct PhaseState {
  struct Waiter {
    uint32_t warp = 0, step = 0;
    uint8_t scoreboard = 0;
  };
  uint32_t missing = 0;  // instructions that still have to arrive
  double end = 0;        // the last arrival so far
  std::vector<Waiter> waiters;
};

struct BlockState {
  uint32_t first_warp = 0, warps = 0;
  uint32_t live = 0, arrived = 0;
  uint64_t end = 0;
  double arrival_free = 0;
  uint32_t last_arrival = 0,
           last_arrival_step = kNone;  // the warp that came last to the barrier, and its step
  std::vector<PhaseState> phases;      // of its barrier objects
};

// The registers' read ports and the reuse cache of a sub-core.
struct RegisterState {
  metrics::ReuseCache cache;
  metrics::PortWindow window;
};

// A register bank takes one result a cycle. Those of a fixed latency come first: a load's words wait in
// order.
struct WritePorts {
  struct Word {
    uint64_t ready = 0, written = 0;
    uint32_t warp = 0;
    uint8_t banks = 0;       // a bit each; both where the words of two registers arrive together
    uint8_t scoreboard = 0;  // that falls with the load's last word, else kScoreboards
  };
  std::vector<Word> words;
  size_t first = 0, next = 0;              // not yet written; whose cycle is not yet known
  uint64_t next_since = 0;                 // when the latter could be written, had nothing else been
  uint64_t written = 0;                    // the last cycle in which a word is
  uint64_t stop_from = 0, stop_until = 0;  // a word that waits too long is written at last
  // Of the last 64 issue slots: bit k is slot last_slot - k, set where the instruction writes the bank.
  uint64_t last_slot = 0;
  std::array<uint64_t, metrics::kRegisterBanks> busy{};
};

// How many cycles of a sub-core were blocked by register ports, up to each of the last cycles.
struct BlockedCycles {
  static constexpr uint64_t kCycles = 512;
  std::array<uint32_t, kCycles> before{};
  uint64_t filled = 0;  // cycles below this are filled
};

// Memory instructions that wait in a sub-core.
struct MemoryQueue {
  std::vector<double> leaves;  // when each entry leaves, a ring
  uint32_t oldest = 0;
  uint64_t full_until = 0;
};

// A cache of lines of code, set by set, in each the most recently used line first.
struct CodeLines {
  uint32_t sets = 1, ways = 1;
  std::vector<uint32_t> lines;  // by number; kNone: empty
};

struct SubCoreState {
  uint64_t next_try = 0;        // nothing can issue before
  uint64_t blocked_to = 0;      // the registers' ports are busy
  std::vector<uint32_t> warps;  // the oldest block first, in it the last warp first
  uint32_t last = kNone;        // the warp that issued last
  uint32_t selected = kNone;    // the warp that issues once the registers' ports are free
  std::array<double, kUnits> unit_free{};
  std::array<double, 2> fma_free{};  // the heavy one first
  RegisterState registers;
  BlockedCycles blocked;
  WritePorts writes;
  double address_free = 0, return_free = 0;
  MemoryQueue global_queue, shared_queue;  // of local and global accesses, and of all others
  CodeLines l0;
  double fetched_to = 0;  // when the last line arrived that was fetched in sequence
};

struct CacheLine {
  uint8_t valid = 0;  // sectors
  bool dirty = false;
  uint64_t used = 0;
  std::array<double, 4> filled{};  // when each sector arrived
};
struct CacheState {
  uint32_t sets = 1, ways = 1;
  bool lru = true;
  std::vector<uint32_t> tags;  // of the lines, set by set
  std::vector<CacheLine> lines;
  uint64_t clock = 0;
};

// The servers that the SM's sub-cores share: each is free again at its time.
struct MemoryState {
  double lsu_free = 0, data_free = 0, constant_free = 0;
  double fill_debt = 0;  // data cycles owed to sectors that have arrived
  double l2_request_free = 0, l2_return_free = 0;
  double l2_share_free = 0;  // by the SM's share of the chip
  static constexpr size_t kMostL2Streams = 16;
  std::array<double, kMostL2Streams> l2_in_order{};  // when the last data arrived, by stream
  double store_free = 0, store_done = 0;
  double share_free = 0;  // by the SM's share of the chip
  double dram_free = 0;
  double bulk_free = 0;      // the engine of bulk copies
  double load_in_order = 0;  // when the last load through L1 returned
  uint32_t l2_accesses = 0;
  // The 64-byte pieces that came from DRAM, by a hash; a collision fetches one anew.
  struct FetchedPiece {
    uint32_t piece = kNone;
    double arrival = 0;
  };
  std::vector<FetchedPiece> fetched;
  // Lines stored in part, to which the next stores are added; the oldest one is replaced.
  struct PartLine {
    uint32_t line = kNone;
    uint8_t sectors = 0;
  };
  std::vector<PartLine> part_lines;
  uint32_t oldest_part = 0;
};

struct Event {
  enum class Kind : uint8_t { result, release, block_start, write };
  uint64_t cycle = 0;
  uint32_t warp = 0;
  Kind kind = Kind::result;
  uint8_t scoreboard = 0;
  // Of a load whose words arrive: how many at once or one after the other, and the first one's register.
  uint8_t words : 7 = 0;
  bool in_pairs : 1 = false;
  uint8_t first_register = 0;
};

struct SmCounters {
  uint64_t issued = 0;
  std::vector<StallCycles> stalls;         // by instruction of the code
  std::array<double, kUnits> unit_busy{};  // sub-core cycles
  double data_busy = 0, lsu_busy = 0;      // cycles
  uint64_t l1_sectors = 0, l1_hits = 0;
  uint64_t l2_load_sectors = 0, store_sectors = 0;
};

struct SmState {
  uint64_t now = 0;
  std::vector<WarpState> warps;
  std::vector<WarpGate> gates;  // by warp
  std::vector<BlockState> blocks;
  std::array<SubCoreState, kSubCores> sub_cores;
  MemoryState memory;
  CacheState l1;
  CodeLines l1i;
  uint32_t blocks_to_start = 0;  // not yet started
  uint32_t blocks_reserved = 0;  // of these, those that have a place and start soon
  uint32_t live_blocks = 0;
  SmCounters counters;
};

}  // namespace gemmscope::sm
