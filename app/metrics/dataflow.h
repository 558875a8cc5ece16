// Finds which matrix elements an instruction works on. A trace holds addresses; this follows the elements
// from global memory through registers and shared memory, so that a multiply-add in the middle of a kernel
// can be shown as "A(3, 7) times B(7, 12) into C(3, 12)".
//
// Models: elements are carried by loads, stores, asynchronous copies, moves and the rounding to TF32 in
// place, and by LDSM and STSM for rows whose addresses other lanes give. The result of any other instruction
// carries none. A register holds two 16-bit elements. Where a result ends up is followed backwards from the
// stores to C, through matrix instructions register by register. A lane is shown to multiply the elements of
// A and B in its own registers and to add to the elements of C in its own, although a matrix instruction also
// combines those of other lanes. Leaves out: elements that pass through shuffles, MOVM or a transposing STSM,
// packing other than before C is stored, all but the first of the 8-bit elements in a register, and matrices
// of 2^30 elements or more.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <tuple>
#include <vector>

#include "isa/instruction.h"
#include "machine/record/trace.h"
#include "metrics/fragments.h"
#include "metrics/matrix_layout.h"

namespace gemmscope::metrics {

// An element in one word: 0 is "none", else bits 60 and up hold matrix + 1 and bits 0–29 the index
// row * columns + column. The upper half of a register or of a 4-byte word may hold a second element of the
// same matrix: bits 30–59 are its index + 1.
using Tag = uint64_t;
inline constexpr Tag kNoTag = 0;
Tag tag_at(const MatrixLayout& layout, uint64_t address);       // one element
Tag word_tag_at(const MatrixLayout& layout, uint64_t address);  // both elements of the 4 bytes there
Tag first_of(Tag tag);
Tag second_of(Tag tag);                                   // kNoTag if there is none
Element element_of(const MatrixLayout& layout, Tag tag);  // the first element; `tag` must not be kNoTag
using TagRow = std::array<Tag, machine::kWarpLanes>;

enum class TouchKind : uint8_t {
  read_global,
  write_global,  // read and write: the instruction accesses the element itself
  read_shared,
  write_shared,  // read and write: it accesses a copy in shared memory
  multiply,      // a register that holds it is a factor
  accumulate,    // the result is a part of it
};
struct Touch {
  TouchKind kind = TouchKind::read_global;
  uint8_t lane = 0;
  Element element;
};

// The registers through which an instruction passes elements on, without registers of memory addresses.
struct InstructionFlow {
  int destination = -1;       // first register, −1 for none
  uint32_t result_words = 1;  // registers written by an operation other than a load
  uint32_t source_count = 0;
  std::array<uint8_t, 3> sources{};
  std::array<uint8_t, 3> factor_words{};  // by source: registers that hold factors
  int accumulator = -1;                   // first register of a matrix instruction's C, −1 for none
  uint32_t result_step = 1;               // registers that one element of the result takes
  bool moves = false, multiplies = false, multiplies_matrices = false, adds = false, packs = false;
  bool stores_to_global = false, copies_async = false, transposes = false;
};

// For each (instruction, warp) that computes a part of C: the element of each lane or, for a matrix
// instruction, the elements of each of its registers. Loops compute the same element in every pass; where a
// lane's element changes, the last one is kept.
class Accumulators {
 public:
  Accumulators() = default;
  Accumulators(const machine::Trace& trace, const std::vector<isa::Instruction>& instructions,
               const MatrixLayout& layout);
  // Returns null where the instruction computes no part of C in this warp.
  const TagRow* find(uint32_t instruction, uint16_t warp, uint32_t word = 0) const;

 private:
  void learn(const machine::TraceRecord& record, uint32_t word, const TagRow& result);
  void follow_spill(const machine::TraceRecord& record, const InstructionFlow& flow,
                    const machine::TraceAccess& access, std::span<TagRow> rows, std::span<char> tagged);

  std::map<std::tuple<uint32_t, uint16_t, uint32_t>, TagRow> rows_;
  std::map<std::tuple<uint16_t, uint32_t, uint64_t>, Tag> spilled_;  // by warp, lane and local address
};

// The elements in registers and shared memory just before a record. Seeking forward replays the records in
// between; seeking backward restarts from a snapshot.
class DataflowReplay {
 public:
  DataflowReplay(const machine::Trace& trace, const std::vector<isa::Instruction>& instructions,
                 const MatrixLayout& layout);

  void seek(size_t record);
  // The elements that the record at the current position touches, lane by lane.
  std::vector<Touch> touches(const Accumulators& accumulators) const;
  // The position along k (column of A, row of B) that the record works at, taken from its first lane that
  // touches A or B; −1 if none does.
  int32_t depth_at_position() const;
  Tag shared_tag(uint64_t word) const { return word < state_.shared.size() ? state_.shared[word] : kNoTag; }

 private:
  struct State {
    size_t position = 0;
    std::vector<TagRow> registers;  // 256 rows a warp
    std::vector<char> tagged;       // whether a row holds any tag
    std::vector<Tag> shared;        // by word of the shared window
  };
  void apply(const machine::TraceRecord& record);
  void load(const machine::TraceRecord& record, const InstructionFlow& flow,
            const machine::TraceAccess& access);
  void store(const machine::TraceRecord& record, const InstructionFlow& flow,
             const machine::TraceAccess& access);
  void load_matrices(const machine::TraceRecord& record, const InstructionFlow& flow,
                     const machine::TraceAccess& access);
  void store_matrices(const machine::TraceRecord& record, const InstructionFlow& flow,
                      const machine::TraceAccess& access);
  void async_copy(const machine::TraceRecord& record);
  void compute(const machine::TraceRecord& record, const InstructionFlow& flow);
  Tag matrix_tag(const InstructionFlow& flow, const MatrixWord& word) const;
  Tag stored_tag(uint16_t warp, const InstructionFlow& flow, uint32_t word, uint32_t lane) const;
  size_t row_index(uint16_t warp, uint32_t reg) const { return static_cast<size_t>(warp) * 256 + reg; }

  const machine::Trace& trace_;
  std::vector<InstructionFlow> flows_;  // by instruction
  const MatrixLayout& layout_;
  State state_;
  std::vector<State> snapshots_;
};

// The elements that the records of a trace work at.
struct WorkedElements {
  // By record: the position along k (column of A, row of B). Arithmetic has that of its factors; other
  // records take it from their warp's last arithmetic or, before any arithmetic, from its last load. −1
  // before the first of these.
  std::vector<int32_t> depths;
  // By instruction: the matrix whose elements a memory access moves, as an index into MatrixLayout::buffers,
  // also where it moves copies of them in shared memory. kNoMatrix for other instructions and where none of
  // the first executions moves any.
  std::vector<uint8_t> matrices;
};
WorkedElements worked_elements(const machine::Trace& trace, const std::vector<isa::Instruction>& instructions,
                               const MatrixLayout& layout);

// Which thread writes each element of C in this block: the thread's index within the block, by tag.
std::map<Tag, uint32_t> owners_of_c(const machine::Trace& trace, const MatrixLayout& layout);

}  // namespace gemmscope::metrics
