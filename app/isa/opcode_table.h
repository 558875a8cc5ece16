// The one table of instructions. The decoder, the disassembler, the pipes and the scoreboards read it;
// nothing about an opcode is anywhere else. The rows are in opcodes_*.cpp, by family.
//
// Known gaps: encodings that compilers do not emit decode leniently, though the vendor's tool rejects some of
// them. A field value without a meaning may print as INVALIDn where the vendor's tool prints ???n.
// tests/data/isa/mutant_differences.csv lists the known cases.
#pragma once

#include <array>
#include <initializer_list>
#include <span>

#include "isa/operand_spec.h"

namespace gemmscope::isa {

// The unit that executes an instruction, as Nsight Compute groups them.
enum class Pipe : uint8_t {
  alu,        // integer, logic, comparisons, moves
  fma,        // float32 multiply-add, in either half of the unit
  fma_heavy,  // integer multiply-add, in the half that has the multiplier
  fp16,
  fp64,
  xu,  // MUFU, conversions, bit counts
  tensor,
  uniform,
  lsu,       // loads, stores, shuffles, atomics
  constant,  // LDC
  sync,      // barriers and special registers
  control,   // branches and convergence
  dispatch,  // NOP and similar: no unit
  async,     // Hopper's copy and barrier engines
};
const char* pipe_name(Pipe pipe);

// How a consumer learns that an instruction is done.
enum class Scoreboard : uint8_t {
  none,     // the latency is fixed, and the code's stall counts cover it
  sources,  // the read scoreboard guards the source registers only
  result,   // the write scoreboard guards the result
};

enum class Datapath : uint8_t { vector, uniform };

template <typename T, int kCapacity>
struct ShortList {
  std::array<T, kCapacity> items{};
  uint8_t count = 0;

  constexpr ShortList() = default;
  constexpr ShortList(std::initializer_list<T> list) {
    for (const T& item : list) push(item);
  }
  // The list must not be full.
  constexpr void push(const T& item) { items[count++] = item; }
  constexpr const T* begin() const { return items.data(); }
  constexpr const T* end() const { return items.data() + count; }
};

// One part of the mnemonic. `values` has a modifier for every value of the field. Without `values`, 0 prints
// nothing and 1 prints `first`; with `consecutive`, value v prints the v-th modifier from `first` on.
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

// The fields are in the order in which a row is read.
struct OpcodeRow {       // NOLINT(clang-analyzer-optin.performance.Padding)
  uint16_t opcode9 = 0;  // bits 0–8
  Opcode opcode = Opcode::unknown;
  const char* mnemonic = "";
  Pipe pipe = Pipe::alu;
  ShortList<OperandSpec, 10> operands;     // in printed order
  ShortList<ModifierField, 11> modifiers;  // in printed order
  Datapath datapath = Datapath::vector;    // uniform: registers, predicates and guard belong to the warp
  ArchSet archs = kAllSm;
  Scoreboard scoreboard = Scoreboard::none;
  ArchSet scoreboard_archs = kAllSm;       // elsewhere the latency is fixed
  Condition condition{};                   // the first row of an opcode whose condition holds is taken
  void (*refine)(Instruction&) = nullptr;  // does what the lists above cannot express; runs last

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
  // Makes the row of the same operation on the uniform datapath.
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
  // The scoreboard that guards the operation on one architecture.
  constexpr Scoreboard scoreboard_on(Arch arch) const {
    return scoreboard_archs.has(arch) ? scoreboard : Scoreboard::none;
  }
};

// Finds the row of an instruction whose lo, hi and arch are set; null if there is none. Takes constant time.
const OpcodeRow* find_row(const Instruction& word);

// All rows of all families.
std::span<const OpcodeRow* const> all_rows();

}  // namespace gemmscope::isa
