// The one table of instructions: decoder, disassembler, pipes and scoreboards read it, and nothing about an
// opcode stands anywhere else. Its rows are in rows_*.cpp, by family.
//
// Known gaps: an encoding that compilers do not emit decodes leniently (the vendor's tool rejects some of
// them), and a field value without a meaning may print as INVALIDn where the vendor's tool prints ???n;
// tests/data/isa/mutant_differences.csv lists those that are known.
#pragma once

#include <array>
#include <initializer_list>
#include <span>

#include "isa/operand_spec.h"

namespace gemmscope::isa {

// The unit that executes an instruction, as Nsight Compute groups them.
enum class Pipe : uint8_t {
  alu,        // integer, logic, comparisons, moves
  fma,        // float32 multiply-add, either half
  fma_heavy,  // integer multiply-add: the half that has the multiplier
  fp16,
  fp64,
  xu,  // MUFU, conversions, bit counts
  tensor,
  uniform,
  lsu,       // loads, stores, shuffles, atomics
  constant,  // LDC
  sync,      // barriers and special registers
  control,   // branches and convergence
  dispatch,  // NOP and its like: no unit
  async,     // Hopper's copy and barrier engines
};
const char* pipe_name(Pipe pipe);

// How a consumer learns that an instruction is done.
enum class Scoreboard : uint8_t {
  none,     // fixed latency: the stall counts of the code cover it
  sources,  // only its source registers are guarded: the read scoreboard
  result,   // its result is guarded: the write scoreboard
};

enum class Datapath : uint8_t { vector, uniform };

template <typename T, int kCapacity>
struct ShortList {
  std::array<T, kCapacity> items{};
  uint8_t count = 0;

  constexpr ShortList() = default;
  constexpr ShortList(std::initializer_list<T> list) {
    for (const T& item : list) items[count++] = item;
  }
  constexpr const T* begin() const { return items.data(); }
  constexpr const T* end() const { return items.data() + count; }
};

// One part of the mnemonic. `values` has a modifier for every value of the field. Without it the value 0
// prints nothing and 1 prints `first`; with `consecutive` the value v prints the v-th modifier from `first`
// on.
struct ModifierField {
  BitField bits;
  const Modifier* values = nullptr;
  Modifier first = Modifier::none;
  bool consecutive = false;
  ArchSet archs = kAllSm;

  constexpr ModifierField on(ArchSet set) const {
    auto f = *this;
    f.archs = set;
    return f;
  }
};

// The fields stand in the order in which a row reads.
struct OpcodeRow {       // NOLINT(clang-analyzer-optin.performance.Padding)
  uint16_t opcode9 = 0;  // bits 0–8
  Opcode opcode = Opcode::unknown;
  const char* mnemonic = "";
  Pipe pipe = Pipe::alu;
  ShortList<OperandSpec, 10> operands;     // in printed order
  ShortList<ModifierField, 11> modifiers;  // in printed order
  Datapath datapath = Datapath::vector;    // uniform: registers, predicates and the guard are the warp's
  ArchSet archs = kAllSm;
  Scoreboard scoreboard = Scoreboard::none;
  ArchSet scoreboard_archs = kAllSm;  // elsewhere the latency is fixed
  Condition condition{};              // among rows of one opcode the first whose condition holds is taken
  void (*refine)(Instruction&) = nullptr;  // what the lists above cannot say; runs last

  constexpr OpcodeRow on(ArchSet set) const {
    auto r = *this;
    r.archs = set;
    return r;
  }
  constexpr OpcodeRow result_scoreboard(ArchSet set = kAllSm) const {
    auto r = *this;
    r.scoreboard = Scoreboard::result;
    r.scoreboard_archs = set;
    return r;
  }
  constexpr OpcodeRow source_scoreboard() const {
    auto r = *this;
    r.scoreboard = Scoreboard::sources;
    return r;
  }
  constexpr OpcodeRow when(BitField field, std::initializer_list<int> values) const {
    auto r = *this;
    r.condition = OperandSpec{}.when(field, values).condition;
    return r;
  }
  constexpr OpcodeRow in_forms(std::initializer_list<int> forms) const { return when({9, 3}, forms); }
  constexpr OpcodeRow refined(void (*function)(Instruction&)) const {
    auto r = *this;
    r.refine = function;
    return r;
  }
  // The same operation on the uniform datapath.
  constexpr OpcodeRow uniform(uint16_t code, Opcode op, const char* name) const {
    auto r = *this;
    r.opcode9 = code;
    r.opcode = op;
    r.mnemonic = name;
    r.pipe = Pipe::uniform;
    r.datapath = Datapath::uniform;
    r.scoreboard = Scoreboard::none;
    r.refine = nullptr;
    return r;
  }
  // Which scoreboard guards it on one architecture.
  constexpr Scoreboard scoreboard_on(Arch arch) const {
    return scoreboard_archs.has(arch) ? scoreboard : Scoreboard::none;
  }
};

// The row of an instruction whose lo, hi and arch are set, or null. Constant time.
const OpcodeRow* find_row(const Instruction& word);

// Every row of every family.
std::span<const OpcodeRow* const> all_rows();

}  // namespace gemmscope::isa
