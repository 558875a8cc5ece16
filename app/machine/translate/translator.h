// What the translation of one instruction needs: its operands as rows, and a way to say "not this form".
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "machine/lanes/lane_ops.h"
#include "machine/state/program.h"

namespace gemmscope::machine {

class Translator {
 public:
  explicit Translator(Program& program) : program_(program), lane_ops_(lane_ops()) {}

  void translate(const isa::Instruction& instruction);

  // ---- for the families of instructions below
  const isa::Instruction& instruction() const { return *instruction_; }
  MicroOp& op() { return op_; }
  bool has(isa::Modifier m) const { return instruction_->has(m); }
  void use(LaneOp lane_op) { op_.lane = lane_ops_[lane_op]; }
  void flag(uint8_t bit, bool on) {
    if (on) op_.flags |= bit;
  }
  void unsupported(std::string why) {
    if (why_.empty()) why_ = std::move(why);
  }

  // Sources are the operands that carry values, in printed order, destinations and predicates left out.
  size_t source_count() const { return sources_.size(); }
  const isa::Operand& source(size_t i) const { return *sources_[i]; }
  // The nth operand of a kind, in printed order; null where there is none.
  const isa::Operand* find_operand(isa::OperandKind kind, int nth = 0) const;
  // Row i of the micro-op reads source `from`. Float and integer signs are applied as `SourceModifier`s.
  void bind_integer(int i, size_t from);
  void bind_float(int i, size_t from);
  // Takes the words as they are: no sign, no choice of halves.
  void bind_word(int i, size_t from);
  // Takes a float64 source: its row has the low words, the next row the high ones.
  void bind_double(int i, size_t from);
  // Takes the two rows of a 64-bit source.
  void bind_pair(int low, int high, size_t from);
  void bind_row(int i, Row row) { op_.source[static_cast<size_t>(i)] = row; }
  // Read predicates at bit positions: a predicate's number at `first`, a source's negation at `negate`.
  void predicate_out(int i, int first, bool uniform);
  void predicate_in(int i, int first, int negate, bool uniform);
  void predicate_in(int i, const isa::Operand& operand);

  Row constant_row(uint32_t value);
  Row constant_pair_row(uint32_t low, uint32_t high);  // the first of two rows
  Row lane_row(const LaneRow& row);
  Row register_row(const isa::Operand& operand);  // of a register or a uniform register
  // Whether the bytes at the offset of a constant operand are inside its bank.
  bool in_constant_bank(const isa::Operand& operand, uint32_t bytes) const;
  // The word of a constant operand, or nothing if its bank or offset does not exist.
  std::optional<uint32_t> constant_word(const isa::Operand& operand, uint32_t plus_bytes);
  Row special_register_row(uint8_t number);

 private:
  void collect_operands();
  void dispatch();
  Row value_row(const isa::Operand& operand);
  Row double_row(const isa::Operand& operand);

  MicroOp op_;  // first, since it is aligned to a cache line
  Program& program_;
  const LaneOps& lane_ops_;
  const isa::Instruction* instruction_ = nullptr;
  std::vector<const isa::Operand*> sources_;
  std::map<uint32_t, Row> constant_rows_;
  std::map<uint64_t, Row> constant_pair_rows_;
  std::map<LaneRow, Row> lane_rows_;
  std::string why_;
};

SourceModifier float_sign(const isa::Operand& operand);
// The rounding that .RM, .RP or .RZ names, or to nearest.
Rounding rounding_of(const Translator& t);
// The codes 0–15 of F LT EQ LE GT NE GE NUM NAN LTU EQU LEU GTU NEU GEU T; DSETP's MIN is 0, its MAX 15.
uint8_t float_compare_of(const Translator& t);
// Binds the predicates of a comparison: two are written, and one is combined with the result.
void comparison_predicates(Translator& t, bool uniform);
// AND, OR or XOR, by which a comparison is combined with that predicate.
Combine combine_of(const Translator& t);

// The families of instructions. Each function returns false if the opcode is not of its family.
bool translate_integer(Translator& t);
bool translate_float(Translator& t);
bool translate_double(Translator& t);
bool translate_convert(Translator& t);
bool translate_half(Translator& t);
bool translate_predicate(Translator& t);
bool translate_matrix(Translator& t);
bool translate_memory(Translator& t);
bool translate_control(Translator& t);
bool translate_atomic(Translator& t);
bool translate_async(Translator& t);
bool translate_warp(Translator& t);
bool translate_integer_packed(Translator& t);  // before translate_integer, which takes the plain forms

}  // namespace gemmscope::machine
