// How long results take and what tells that they are there, by unit and architecture. README.md has the
// numbers' sources.
#pragma once

#include <cstddef>

#include "isa/instruction.h"
#include "lint/dependence.h"

namespace gemmscope::lint {

// A variable latency: a scoreboard says when the instruction has read its sources, or that its result is
// there.
bool is_variable(const isa::Instruction& instruction);

// Units that work in the order of issue, so that a scoreboard which a later instruction sets covers the
// earlier ones too. `none` is not one unit.
enum class OrderedUnit : uint8_t { none, shared_memory, memory_sources, to_uniform, xu, fp64, tensor };
inline constexpr size_t kOrderedUnits = 7;
OrderedUnit result_order_of(const isa::Instruction& instruction);  // in which results are written
OrderedUnit source_order_of(const isa::Instruction& instruction);  // in which sources are read

// ATOM on a generic address says early, with its read scoreboard, whether the address is in shared memory.
bool is_told_by_read_scoreboard(const isa::Instruction& instruction, Place place);

// BAR.SYNC and BAR.RED: the warp issues nothing more until everything before them has read its sources.
bool blocks_until_sources_are_read(const isa::Instruction& instruction);

// Fewest cycles from this instruction's issue to the next one's of the same warp.
int issue_cycles(const isa::Control& control);

// Fewest cycles from the producer's issue to the consumer's that give a right result, for a producer with a
// fixed latency; 0 for one with a variable latency that needs no wait, because both work in order.
// kNeedsWait: only a wait on a scoreboard is enough.
inline constexpr int kNeedsWait = -1;
int needed_cycles(const Dependence& dependence, const isa::Instruction& producer,
                  const isa::Instruction& consumer);

// No fixed latency is longer.
inline constexpr int kLongestFixedLatency = 20;

// A scoreboard counts up one cycle after the issue of the instruction that sets it, so an instruction that
// waits in the next cycle does not see it.
inline constexpr int kScoreboardVisibleCycles = 2;

// DEPBAR reads the scoreboards this many cycles after its issue, and must stall as long.
inline constexpr int kDepbarCycles = 4;

}  // namespace gemmscope::lint
