// What earlier instructions still have to read or write when an instruction issues: the state of the
// analysis.
#pragma once

#include <array>
#include <vector>

#include "isa/instruction.h"
#include "lint/latency.h"
#include "lint/place.h"

namespace gemmscope::lint {

inline constexpr uint8_t kNoScoreboard = 7;
inline constexpr int kScoreboards = 6;

// One instruction's reading or writing of one place. Cycles are the fewest on any path.
struct Pending {
  Place place = 0;
  bool reads = false;        // the place is read, so it must not be overwritten yet
  uint8_t word = 0;          // which register of the operand it is
  uint8_t guard = 0;         // guard_code of the instruction while its predicate keeps its value; 0: always
  uint32_t instruction = 0;  // index
  int cycles = 0;            // since the issue
  int younger = 0;           // later instructions that set the same scoreboard
  uint8_t covered_by = 0;    // scoreboards, bit k for SBk: a wait for one of them says that this is done
};

// Two codes for each predicate, one for its negation; 0 for an instruction that always executes.
uint8_t guard_code(const isa::Guard& guard);
// Whether two instructions under these guards can execute in the same thread, if no predicate changed.
constexpr bool exclude_each_other(uint8_t a, uint8_t b) { return a != 0 && (a ^ b) == 1; }

// The state between two blocks. Sorted by place, reads, instruction and word.
using PendingList = std::vector<Pending>;
bool before(const Pending& a, const Pending& b);
// Adds `from` to `into` and keeps the worse of what both have. Returns whether `into` changed.
bool join(PendingList& into, const PendingList& from);

// The state within a block: the same entries by place.
class PendingTable {
 public:
  void load(const PendingList& list);
  PendingList take(const std::vector<isa::Instruction>& instructions) const;

  // Calls visit(const Pending&, covered) with the entries of this place; `covered` are those for which an
  // instruction since then waited.
  template <typename Visit>
  void for_pending(Place place, const std::vector<isa::Instruction>& instructions, Visit visit) const {
    for (const Pending& entry : by_place_[place]) {
      Pending aged = entry;
      aged.cycles = cycles_since(entry);
      visit(aged, is_covered(entry, instructions[entry.instruction]));
    }
  }

  // `delay`: cycles after the issue at which the scoreboards are looked at.
  void wait(uint8_t scoreboard_mask, int delay = 0);
  // Everything that the unit was given until now has read its sources.
  void sources_are_read(OrderedUnit unit) { read_[static_cast<size_t>(unit)] = clock_; }
  // DEPBAR.LE: all but the last `most` that set the scoreboard are done.
  void wait_for_all_but(uint8_t scoreboard, int most, const std::vector<isa::Instruction>& instructions);

  // Adds an entry of the instruction that issues now; `cycles` and `younger` are not read.
  void add(const Pending& entry, const isa::Instruction& instruction);
  // The place has a new value: what was pending on it no longer matters.
  void clear(Place place) { by_place_[place].clear(); }
  void predicate_changed(Place predicate);
  // Notes the scoreboards that an instruction sets as it issues.
  void set_scoreboards(const isa::Instruction& instruction);
  void advance(int cycles) { clock_ += cycles; }

 private:
  int cycles_since(const Pending& entry) const { return clock_ - entry.cycles; }
  bool is_covered(const Pending& entry, const isa::Instruction& instruction) const;
  uint8_t covering(const Pending& entry, const isa::Instruction& instruction) const;

  // Here `cycles` is the clock at the issue and `younger` the count of its scoreboard's settings by then.
  std::array<std::vector<Pending>, kPlaces> by_place_;
  std::array<int, kScoreboards> waited_{};    // clock at the last wait
  std::array<int, kScoreboards> settings_{};  // how often it was set
  // By unit: the clock when the last instruction set the scoreboard for its result or for its sources, and
  // up to which clock everything is known to be done.
  std::array<std::array<int, kScoreboards>, kOrderedUnits> set_{}, set_for_sources_{};
  std::array<int, kOrderedUnits> done_{}, read_{};
  int clock_ = 0;
};

// The scoreboard whose clearing says that this entry is done. A result's scoreboard covers its sources too.
uint8_t scoreboard_of(const Pending& entry, const isa::Instruction& instruction);

}  // namespace gemmscope::lint
