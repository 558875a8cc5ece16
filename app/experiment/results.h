// What an experiment gives, step by step. Results are immutable once made and shared by pointer, so that the
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
#include "isa/instruction.h"
#include "machine/record/trace.h"
#include "machine/state/fault.h"
#include "metrics/bank_report.h"
#include "metrics/counters.h"
#include "metrics/dataflow.h"
#include "metrics/read_counts.h"

namespace gemmscope::experiment {

struct BlockResult;

// A mistake of a launch that is not shown, whose instructions are not those of the result.
struct OtherFinding {
  std::string launch;    // its title
  int line = 0;          // of the kernel's own file, 0: elsewhere or unknown
  std::string sentence;  // with its launch and its place
  machine::Finding finding;
};

// A sentence, for a compile error the places in the source, and for a fault its place in the machine code.
struct Failure {
  std::string message;
  std::vector<compile::Diagnostic> diagnostics;
  std::optional<machine::Fault> fault = {};
  std::shared_ptr<const BlockResult> until_fault = {};  // the traced block, as far as it came
  std::vector<machine::Finding> findings = {};          // mistakes made before, of the launch that is shown
  std::vector<OtherFinding> other_findings = {};        // and of the others
};
template <typename T>
using Outcome = tl::expected<std::shared_ptr<const T>, Failure>;

// Per thread, and shared memory per block; from the cubin, spills from the code.
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

struct CompiledKernel {
  catalog::Kernel kernel;
  catalog::Launch launch;
  compile::CubinSource origin = compile::CubinSource::compiled;
  std::string compiler;
  double compile_ms = 0;
  std::vector<compile::Diagnostic> warnings;
  std::vector<std::byte> binary;               // the cubin's file, as a GPU loads it
  cubin::Cubin cubin;                          // the same, read
  size_t code_index = 0;                       // of the kernel in `cubin`
  std::vector<isa::Instruction> instructions;  // by address / 16
  std::vector<std::string> text;               // their disassembly
  std::vector<SourceFile> files;               // the kernel's file first, then those it includes
  struct Place {
    int file = -1, line = 0;  // index into files, 1-based; −1 where the line table says nothing
  };
  std::vector<Place> places;  // of each instruction: where it was written
  // Of each instruction: the calls that were inlined around it, the nearest first.
  std::vector<std::vector<Place>> calls;
  Resources resources;
  // All launches in order. What stands above is of the one that is shown: the experiment's choice.
  std::vector<LaunchPart> parts;
  size_t shown_part = 0;

  const cubin::KernelCode& code() const { return cubin.kernels[code_index]; }
};

// One block, instruction by instruction.
struct BlockResult {
  std::shared_ptr<const CompiledKernel> compiled;
  Experiment experiment;
  metrics::MatrixLayout layout;
  machine::Trace trace;
  metrics::Counters counters;  // of this block
  std::vector<metrics::BankRow> banks;
  metrics::Accumulators accumulators;
  std::vector<int32_t> depths;                   // by record: the column of A that it works at, −1 unknown
  std::map<metrics::Tag, uint32_t> owners;       // element of C -> thread that writes it
  std::vector<std::vector<metrics::Tag>> owned;  // the same by thread, ascending: row by row
  std::vector<metrics::Footprint> footprints;    // by matrix
  std::vector<std::vector<uint32_t>> warp_records;  // records of each warp, ascending
  std::vector<machine::Finding> findings;           // mistakes that this block made
  double execute_ms = 0;
};

// The result compared, element by element, with float64 or with the kernel's own reference: then the bound is
// the tolerance that its description gives, 0 for the same bits.
struct Verification {
  double largest_error = 0;     // |C − C64|
  double largest_ratio = 0;     // of the error to the rounding bound for its element; right if ≤ 1
  uint64_t wrong_elements = 0;  // beyond the bound, or not a number
  std::string unchecked;        // why nothing was compared; empty: it was
  std::string reference;        // the kernel's own reference it was compared with; empty: float64
  std::string hint;             // what may be wrong with the declaration, a sentence without its full stop
  bool right() const { return wrong_elements == 0; }
  bool checked() const { return unchecked.empty(); }
};

// How the counters of a grid were found, see grid_sampling.h.
struct GridCoverage {
  uint64_t blocks = 0, executed = 0;  // of the grid; executed at the full depth
  size_t classes = 0;                 // 0: every block was executed
  std::string why_whole;              // where sampling was wanted but not possible: a sentence
};

// The whole grid.
struct GridResult {
  std::shared_ptr<const CompiledKernel> compiled;
  metrics::Counters counters;       // of the launch that is shown
  metrics::CounterSummary summary;  // of all launches
  std::vector<metrics::CounterSummary>
      summaries;  // of each of compiled->parts; empty where blocks stand for others
  GridCoverage coverage;
  Verification verification;               // unchecked where only members of the classes were executed
  std::vector<machine::Finding> findings;  // mistakes of any block, each told once
  std::vector<OtherFinding> other_findings;
  bool has_findings() const { return !findings.empty() || !other_findings.empty(); }
  double execute_seconds = 0;
};

}  // namespace gemmscope::experiment
