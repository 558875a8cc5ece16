// The ablation lattice of a kernel: the variant that is chosen now, each variant with one toggle changed and
// each with two, with what the model says of them. Plain data and pure functions; lattice_run.h computes it.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "experiment/timing_choice.h"
#include "sm/figures.h"

namespace gemmscope::experiment {

struct ToggleChange {
  size_t toggle = 0, value = 0;  // indices into Kernel::toggles and Toggle::values
  friend bool operator==(const ToggleChange&, const ToggleChange&) = default;
};

struct LatticePoint {
  std::vector<ToggleChange> changes;       // none: the chosen variant; else one or two, by toggle
  std::map<std::string, int64_t> toggles;  // as in VariantKey
  std::string name;                        // "BLOCK_K=16, UNROLL=4"; "as chosen"
};

// Points that do not exist, and the sentence of the rule that says why.
struct LeftOut {
  std::string why;
  size_t points = 0;
};

struct LatticeEntry {
  LatticePoint point;
  bool computed = false;    // otherwise its turn did not come (yet)
  double milliseconds = 0;  // modelled, one run; 0: there is no time
  std::string trouble;      // why there is none, a sentence
  int registers = 0;        // of the longest launch, as are the next two
  int blocks_per_sm = 0;
  double occupancy = 0;          // 0 to 1: warps that are resident on average, of those an SM can hold
  double excess_wavefronts = 0;  // of shared memory, of all blocks of all launches
  std::shared_ptr<const sm::LaunchFigures> figures;  // of the longest launch; null without a time
  double timed_ms = 0;                               // measured or recorded, see add_times; 0: not known
  Provenance timed = Provenance::recorded;

  bool has_time() const { return milliseconds > 0; }
};

struct Lattice {
  std::string kernel;
  catalog::Problem problem;
  std::string device;                 // its name
  std::vector<LatticeEntry> entries;  // the chosen variant, then single changes, then pairs
  size_t singles = 0, pairs = 0;
  std::vector<LeftOut> left_out;  // the most frequent first
  double seconds = 0;             // how long it has been computed
  bool finished = false;          // nothing more is computed
  bool out_of_time = false;       // because the budget was spent

  size_t computed() const;
  size_t left_out_points() const;
};

// Lists the points around the experiment's toggles. `vary`: the toggles to change; empty: all. Points that no
// launch allows are left out and counted; the chosen variant is always there.
Lattice plan_lattice(const catalog::Kernel& kernel, const Experiment& experiment,
                     const std::vector<std::string>& vary, bool with_pairs);

// The pairs in the order in which they are computed: those first whose single changes promise most, by the
// product of their times. A single change without a time counts like no change.
std::vector<size_t> pairs_by_promise(const Lattice& lattice);

enum class LatticeColumn : uint8_t { change, time, registers, blocks, occupancy, excess, timed };
inline constexpr int kLatticeColumns = 7;
const char* column_name(LatticeColumn column);  // as the option --sort has it: "time"
std::optional<LatticeColumn> column_of(const std::string& name);

struct LatticeOrder {
  LatticeColumn column = LatticeColumn::time;
  bool descending = false;
  bool singles_only = false;
  friend bool operator==(const LatticeOrder&, const LatticeOrder&) = default;
};
// Indices of the computed entries, sorted; those without a value come last. Equal ones keep their order, the
// one with fewer changes first.
std::vector<size_t> sorted_entries(const Lattice& lattice, const LatticeOrder& order);

// The entry with the shortest modelled time, of equal ones the one with fewest changes. Null: no entry has a
// time.
const LatticeEntry* best_entry(const Lattice& lattice);
// Names the best and says why it is so: "Best of 312: BLOCK_K=16 saves 8.0 % here: …". Empty without times.
std::string best_sentence(const Lattice& lattice);
// "312 of 1,204 points in 60 s; the rest was not computed." Says what is left out as well.
std::string coverage_sentence(const Lattice& lattice);

// Gives the entries that these timings have, and that have no time yet, the median of their samples. Nothing
// where the device or the size is another, L2 was flushed, or the timings are modelled.
void add_times(Lattice& lattice, const Timings& timings);

}  // namespace gemmscope::experiment
