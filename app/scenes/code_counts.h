// The counts of an execution by instruction and by source line: the numbers beside the code, their sums and
// their ranking.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "experiment/model_result.h"
#include "experiment/results.h"

namespace gemmscope::scenes {

// The columns follow Nsight Compute's source page. Executions are warp instructions, wavefronts are of shared
// memory, sectors of global and local memory. The excess is what the same bytes would not need with the best
// access pattern. These are counted; exposed and stalled are modelled, in cycles that a warp spends in one
// wave, on average over its warps. The register ports follow from the machine code, for one execution
// (metrics/loop_ports.h).
enum class CodeColumn : uint8_t {
  executions,
  wavefronts,
  excess_wavefronts,
  sectors,
  excess_sectors,
  exposed,
  stalled,
  ports,
  lost_ports,
};
inline constexpr int kCodeColumns = 9;
inline constexpr std::array<CodeColumn, kCodeColumns> kAllCodeColumns = {
    CodeColumn::executions, CodeColumn::wavefronts,     CodeColumn::excess_wavefronts,
    CodeColumn::sectors,    CodeColumn::excess_sectors, CodeColumn::exposed,
    CodeColumn::stalled,    CodeColumn::ports,          CodeColumn::lost_ports};
inline bool is_modelled(CodeColumn column) {
  return column == CodeColumn::exposed || column == CodeColumn::stalled;
}

constexpr bool is_excess(CodeColumn column) {
  return column == CodeColumn::excess_wavefronts || column == CodeColumn::excess_sectors ||
         column == CodeColumn::lost_ports;
}
// The head of a column, in two lines ("shared" / "excess"), and what it counts.
struct ColumnName {
  const char *group, *name, *sentence;
};
const ColumnName& column_name(CodeColumn column);

// What one operand slot of an instruction reads, for a mark in the column of the ports.
enum class SlotMark : uint8_t { none, bank0, bank1, cached0, cached1 };

struct CodeCount {
  std::array<uint64_t, kCodeColumns> values{};
  uint64_t instructions = 0;  // 1 for an instruction; for a line the number of its instructions
  // Whether there were requests to shared memory, or to global or local memory. If there were, a 0 means "no
  // excess", else "does not apply".
  bool shared = false, global = false;
  // Asynchronous copies are among them: their wavefronts are those of the addresses; a GPU may count more,
  // because copies write when their bytes arrive.
  bool copies = false;
  // Whether the model issued it, and whether others wait for its result.
  bool modelled = false, has_result = false;
  // Of an instruction that reads registers through the ports; a line has no marks.
  bool reads_ports = false;
  std::array<SlotMark, metrics::kOperandSlots> slots{};

  uint64_t operator[](CodeColumn column) const { return values[static_cast<size_t>(column)]; }
  bool applies(CodeColumn column) const;
  // The value is the least that a GPU counts.
  bool is_least(CodeColumn column) const {
    return copies && (column == CodeColumn::wavefronts || column == CodeColumn::excess_wavefronts);
  }
  void add(const CodeCount& other);
};

struct CodeCounts {
  std::vector<CodeCount> instructions;
  // The kernel's own file, indexed by line − 1. A line counts its own instructions and those of functions
  // that were inlined for a call on it. So an instruction may count on several lines, and the lines do not
  // add up to `total`.
  std::vector<CodeCount> lines;
  CodeCount total;                                // each instruction once
  CodeCount most_of_instructions, most_of_lines;  // the largest value of each column
  double warp_cycles = 0;                         // modelled: a warp's life, on average; 0: no model
};
// The columns of a model are there if `model` is not null and belongs to `compiled`.
CodeCounts count_code(const experiment::CompiledKernel& compiled, const metrics::Counters& counters,
                      const experiment::ModelResult* model = nullptr);
// The share of a warp's life that it stalls at the instruction or line, 0 to 1.
double stall_share(const CodeCounts& counts, const CodeCount& count);

// Which execution is counted.
enum class CountScope : uint8_t { automatic, block, grid };
struct CountSource {
  const metrics::Counters* counters = nullptr;  // null: nothing was executed yet
  CountScope scope = CountScope::block;         // never automatic
};
// Automatic chooses the whole grid once it is counted, else the traced block. Results of machine code other
// than `compiled` are ignored.
CountSource choose_counts(CountScope wanted, const experiment::CompiledKernel* compiled,
                          const experiment::BlockResult* block, const experiment::GridResult* grid);

// Instructions with a value above 0 in the column, the largest first, equal ones in code order.
std::vector<uint32_t> worst_first(const CodeCounts& counts, CodeColumn column);
// The instruction after (before) `from` in that ranking, wrapping around at its ends. Returns the worst one
// if `from` is not in it, and nothing if the ranking is empty.
std::optional<uint32_t> next_worst(const CodeCounts& counts, CodeColumn column, std::optional<uint32_t> from,
                                   bool forward);

}  // namespace gemmscope::scenes
