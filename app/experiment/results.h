// The results of an experiment, step by step. They are immutable once made and shared by pointer, so the
// views can hold one while the worker makes the next.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "catalog/catalog.h"
#include "compile/compiler.h"
#include "cubin/cubin.h"
#include "experiment/experiment.h"
#include "experiment/shared_arrays.h"
#include "isa/instruction.h"
#include "lint/lint.h"
#include "machine/record/trace.h"
#include "machine/state/fault.h"
#include "metrics/bank_report.h"
#include "metrics/counters.h"
#include "metrics/dataflow.h"
#include "metrics/dependency_distance.h"
#include "metrics/loop_ports.h"
#include "metrics/read_counts.h"
#include "schedule/breakage.h"

namespace gemmscope::experiment {

struct BlockResult;
struct CompiledKernel;

// A finding in a launch that is not shown, so its instruction index does not refer to the result's code.
struct OtherFinding {
  std::string launch;    // its title
  int line = 0;          // in the kernel's own file; 0: elsewhere or unknown
  std::string sentence;  // names the launch and the place
  machine::Finding finding;
};

// Why a step failed: a sentence, for a compile error the places in the source, and for a fault its place in
// the machine code.
struct Failure {
  std::string message;
  std::vector<compile::Diagnostic> diagnostics;
  std::optional<machine::Fault> fault = {};
  std::shared_ptr<const BlockResult> until_fault = {};  // the traced block up to the fault
  std::vector<machine::Finding> findings = {};          // made before it by the launch that is shown
  std::vector<OtherFinding> other_findings = {};        // made before it by the other launches
};
template <typename T>
using Outcome = tl::expected<std::shared_ptr<const T>, Failure>;

// Resources per thread, and shared memory per block. They come from the cubin; spills come from the code.
struct Resources {
  int registers = 0, barriers = 0;
  uint32_t static_shared_bytes = 0, reserved_shared_bytes = 0, dynamic_shared_bytes = 0;
  uint32_t spill_store_bytes = 0, spill_load_bytes = 0, stack_bytes = 0;
};

std::vector<std::string> split_lines(const std::string& text);

struct SourceFile {
  std::string path, name;
  std::vector<std::string> lines;
};

// One of the launches of a kernel's file.
struct LaunchPart {
  std::string title;
  catalog::Launch launch;
  size_t code_index = 0;  // in the cubin
  std::vector<isa::Instruction> instructions;
};

// What was changed in a kernel's machine code after the compiler (experiment/changed_code.h).
struct ChangedCode {
  CodeChanges changes;                             // as they were asked for
  std::shared_ptr<const CompiledKernel> original;  // with the compiler's code
  std::string refused;                             // why nothing is changed, a sentence; empty: it is changed
  std::vector<uint32_t> moved;                     // by place: the instruction's place in the compiler's code
  std::vector<char> by_hand;                       // by place: an edit by hand named it
  std::vector<schedule::Breakage> broken;          // what the edits break, apart from the lint's findings
};

struct CompiledKernel {
  catalog::Kernel kernel;
  catalog::Launch launch;
  compile::CubinSource origin = compile::CubinSource::compiled;
  std::string compiler;
  double compile_ms = 0;
  std::vector<compile::Diagnostic> warnings;
  std::vector<std::byte> binary;               // the cubin's file, as a GPU loads it
  cubin::Cubin cubin;                          // the parsed `binary`
  size_t code_index = 0;                       // of the kernel in `cubin`
  std::vector<isa::Instruction> instructions;  // by address / 16
  std::vector<std::string> text;               // their disassembly
  std::vector<lint::Finding> hazards;          // dependencies among them without stall count or scoreboard
  metrics::KernelPorts ports;                  // the register ports that they take
  std::vector<SourceFile> files;               // the kernel's file first, then those it includes
  struct Place {
    int file = -1, line = 0;  // index into files (−1 where the line table has no entry); 1-based line
  };
  std::vector<Place> places;  // by instruction: where it was written
  // By instruction: the calls that were inlined around it, innermost first.
  std::vector<std::vector<Place>> calls;
  Resources resources;
  // All launches in order. The members above belong to the shown launch, which the experiment chooses.
  std::vector<LaunchPart> parts;
  size_t shown_part = 0;
  std::shared_ptr<const ChangedCode> changed;  // null: the code is the compiler's

  const cubin::KernelCode& code() const { return cubin.kernels[code_index]; }
};

// One block, instruction by instruction.
// What a block stores in global memory outside of the matrices.
struct OtherStores {
  uint64_t elements = 0;
  std::string parameter;  // whose buffer it is; empty: of none of the kernel's
};

struct BlockResult {
  std::shared_ptr<const CompiledKernel> compiled;
  Experiment experiment;
  metrics::MatrixLayout layout;
  machine::Trace trace;
  metrics::Counters counters;  // of this block
  std::vector<metrics::BankRow> banks;
  SharedArrays shared_arrays;  // what the source declares, for the picture of banks
  metrics::Accumulators accumulators;
  std::vector<int32_t> depths;                   // by record: the column of A that it works at; −1: unknown
  std::vector<uint8_t> matrices;                 // by instruction, see metrics::WorkedElements
  std::map<metrics::Tag, uint32_t> owners;       // element of C -> thread that writes it
  std::vector<std::vector<metrics::Tag>> owned;  // by thread: its elements of C, ascending, row by row
  std::vector<metrics::Footprint> footprints;    // by matrix
  OtherStores other_stores;                      // of a block that stores nothing in C
  std::vector<std::vector<uint32_t>> warp_records;          // by warp: its records, ascending
  metrics::DistanceSummary ffma_distances, load_distances;  // see metrics/dependency_distance.h
  std::vector<machine::Finding> findings;                   // of this block
  double execute_ms = 0;
};

// The outcome of comparing the result, element by element, with float64 or with the kernel's own reference.
// In the latter case the bound is the tolerance that the kernel's description gives, 0 for equal bits.
struct Verification {
  double largest_error = 0;     // |C − C64|
  double largest_ratio = 0;     // error / rounding bound of the element; right if ≤ 1
  uint64_t wrong_elements = 0;  // beyond the bound, or not a number
  std::string unchecked;        // why nothing was compared; empty: it was compared
  std::string reference;        // the kernel's own reference; empty: compared with float64
  std::string hint;             // the likely cause of wrong elements, a sentence without its full stop
  bool right() const { return wrong_elements == 0; }
  bool checked() const { return unchecked.empty(); }
};

// What changed machine code computes beside what the compiler's does, from the same data.
struct BitsCompared {
  std::shared_ptr<const CompiledKernel> compiled;  // the changed one
  catalog::Problem problem;                        // the size at which both were executed
  uint64_t elements = 0, different = 0;            // of C
  bool of_buffers = false;  // the kernel has no C, so they are 32-bit words of all its buffers
  std::string why_not;      // why they were not compared, a sentence; empty: they were
};

// How the counters of a grid were obtained, see grid_sampling.h.
struct GridCoverage {
  uint64_t blocks = 0, executed = 0;  // blocks of the grid; those executed at the full depth
  size_t classes = 0;                 // 0: every block was executed
  std::string why_whole;              // why the grid could not be sampled though it should be; else empty
};

// The whole grid.
struct GridResult {
  std::shared_ptr<const CompiledKernel> compiled;
  metrics::Counters counters;       // of the launch that is shown
  metrics::CounterSummary summary;  // of all launches
  // By part (compiled->parts); empty where the grid was sampled.
  std::vector<metrics::CounterSummary> summaries;
  GridCoverage coverage;
  Verification verification;               // unchecked where the grid was sampled
  std::vector<machine::Finding> findings;  // of all blocks, each listed once
  std::vector<OtherFinding> other_findings;
  bool has_findings() const { return !findings.empty() || !other_findings.empty(); }
  double execute_seconds = 0;
};

}  // namespace gemmscope::experiment
