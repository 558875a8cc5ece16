// How far apart a warp issues two instructions of which the second needs what the first makes. The more other
// instructions stand between, the less of the first one's latency the warp waits for by itself.
//
// A distance counts instructions of that warp: 1 means that the very next one needs the result. Which lanes
// execute is left out.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "isa/instruction.h"
#include "machine/record/trace.h"

namespace gemmscope::metrics {

struct Dependency {
  size_t from = 0, to = 0;  // steps of the warp
  size_t distance() const { return to - from; }
};

// A warp of a trace: `records` are the indices of its records, ascending.
struct TracedWarp {
  const machine::Trace& trace;
  const std::vector<isa::Instruction>& instructions;
  std::span<const uint32_t> records;
};

// Each FFMA whose result another FFMA reads, with the first that does.
std::vector<Dependency> ffma_dependencies(const TracedWarp& warp);
// Each load from global memory (LDG) with the instruction that waits for its scoreboard. Leaves out DEPBAR,
// which waits for a number of copies.
std::vector<Dependency> load_waits(const TracedWarp& warp);

struct DistanceSummary {
  uint64_t count = 0;  // 0: there are none, and nothing below counts
  size_t least = 0;
  double median = 0, mean = 0;
};
// Adds up the warps of a block.
class DistanceCounts {
 public:
  void add(const std::vector<Dependency>& dependencies);
  DistanceSummary summary() const;

 private:
  std::vector<uint64_t> times_;  // by distance
};

}  // namespace gemmscope::metrics
