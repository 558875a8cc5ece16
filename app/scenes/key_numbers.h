// The numbers to watch: what a kernel executes, moves, uses and takes, and how a change moved them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "experiment/results.h"
#include "experiment/timings.h"
#include "metrics/counters.h"
#include "scenes/code_counts.h"

namespace gemmscope::scenes {

enum class KeyNumber : uint8_t {
  warp_instructions,
  flops,
  port_cycles,  // of the register ports, for an FFMA of the main loop
  global_sectors,
  excess_sectors,
  wavefronts,  // of shared memory
  excess_wavefronts,
  registers,
  spills,
  blocks_per_sm,
  time,
};
inline constexpr int kKeyNumbers = 11;

// Counted exactly, for one block or for the whole grid. Global sectors are those of loads, stores,
// asynchronous copies and atomics; wavefronts those of loads, stores, asynchronous copies and matrix loads.
struct KeyCounts {
  uint64_t warp_instructions = 0, flops = 0;
  uint64_t global_sectors = 0, excess_sectors = 0, wavefronts = 0, excess_wavefronts = 0;
  // The wavefronts are the fewest that a GPU counts: asynchronous copies take more if their bytes arrive in
  // pieces (metrics/ncu_metrics.h).
  bool least_wavefronts = false;
  friend bool operator==(const KeyCounts&, const KeyCounts&) = default;
};
KeyCounts key_counts(const metrics::CounterSummary& summary);

struct KeyTime {
  double ms = 0;
  experiment::Provenance provenance = experiment::Provenance::modelled;
  std::string device, date;  // the date of a recording
  bool comparable(const KeyTime& other) const {
    return provenance == other.provenance && device == other.device && date == other.date;
  }
};

struct KeyNumbers {
  std::optional<KeyCounts> block, grid;        // nothing: not counted (yet)
  int registers = 0;                           // of a thread
  uint64_t spill_bytes = 0;                    // stored and loaded, of a thread
  std::optional<double> port_cycles_per_ffma;  // of the main loop; nothing: it has no arithmetic
  std::optional<int> blocks_per_sm;            // nothing: the architecture's limits are not known
  std::optional<KeyTime> time;
  std::vector<KeyTime> other_times;  // that are known besides: recorded ones, then the modelled one
  const KeyCounts* counts() const { return grid ? &*grid : block ? &*block : nullptr; }
};
// What the machine code alone says; counts and time are the caller's.
KeyNumbers numbers_of_code(const experiment::CompiledKernel& compiled);

// A number before and after a change. `before` is there only where the two can be compared: both of the whole
// grid or both of a block, times of the same kind and device.
struct KeyChange {
  std::optional<double> now, before;
  bool now_is_least = false, before_is_least = false;  // the true value may be larger
  bool changed() const { return now && before && *now != *before; }
};
KeyChange change_of(KeyNumber number, const KeyNumbers& now, const KeyNumbers* before);
// "÷16.5", "×1.33"; empty where nothing changed, one of the two is 0, or one may be larger than it says.
std::string factor_text(const KeyChange& change);
// +1: the change is for the better, −1: for the worse, 0: neither, or not known.
int verdict_of(KeyNumber number, const KeyChange& change);

// How much an instruction adds to a number that is counted; 0 for registers, blocks_per_sm and time.
uint64_t contribution(KeyNumber number, const experiment::CompiledKernel& compiled,
                      const metrics::Counters& counters, uint32_t instruction);
// The instruction that contributes most to the number: that executes most, with the most excess, the first
// that uses the highest register … Nothing where none contributes, or for blocks_per_sm where registers do
// not set the limit. `counters` belong to `compiled`.
std::optional<uint32_t> top_contributor(KeyNumber number, const experiment::CompiledKernel& compiled,
                                        const metrics::Counters& counters, const CodeCounts& counts);
// Why there is none: "No access to shared memory has excess wavefronts."
std::string no_contributor_text(KeyNumber number, const experiment::CompiledKernel& compiled);

}  // namespace gemmscope::scenes
