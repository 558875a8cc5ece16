// Two ways through the fields of an instruction word: FieldReader fills an operand from the word, FieldWriter
// fills the word from an operand. What walks the fields (operand_fields.h) is written once for both, so the
// encoder cannot disagree with the decoder about where a field is.
#pragma once

#include "isa/bit_field.h"
#include "isa/instruction.h"

namespace gemmscope::isa {

class FieldReader {
 public:
  explicit FieldReader(const Instruction& word) : word_(word) {}
  const Instruction& word() const { return word_; }

  void kind(Operand& operand, OperandKind kind) { operand.kind = kind; }
  template <typename T>
  void field(T& value, BitField bits) {
    value = static_cast<T>(bits.of(word_));
  }
  template <typename T>
  void field(T& value, int first, int width) {
    value = static_cast<T>(word_.bits(first, width));
  }
  void signed_field(int64_t& value, int first, int width) {
    value = sign_extended(word_.bits(first, width), width);
  }
  // The value is named by a table with an entry for every value of the field.
  template <typename T>
  void choice(T& value, const T* table, BitField bits) {
    value = table[bits.of(word_)];
  }

 private:
  const Instruction& word_;
};

class FieldWriter {
 public:
  // `word`: its lo and hi are the bits of a field until the field is written.
  explicit FieldWriter(const Instruction& word) : word_(word) {}
  const Instruction& word() const { return word_; }
  uint64_t written_lo() const { return static_cast<uint64_t>(written_); }
  uint64_t written_hi() const { return static_cast<uint64_t>(written_ >> 64); }
  // Whether an operand was of another kind than the table says.
  bool mismatched() const { return mismatched_; }

  // An operand without a kind stands for the value that is not printed: PT, RZ, URZ or 0.
  void kind(Operand& operand, OperandKind kind);
  template <typename T>
  void field(T& value, BitField bits) {
    const auto raw = static_cast<uint64_t>(value);
    put(raw, bits.first, bits.width);
    if (bits.high_width != 0) put(raw >> bits.width, bits.high_first, bits.high_width);
  }
  template <typename T>
  void field(T& value, int first, int width) {
    put(static_cast<uint64_t>(value), first, width);
  }
  void signed_field(int64_t& value, int first, int width) { put(static_cast<uint64_t>(value), first, width); }
  // Where several values of the field have this name, only the bits are written in which they agree.
  template <typename T>
  void choice(T& value, const T* table, BitField bits) {
    uint64_t found = 0, ones = ~uint64_t{0}, any = 0;
    bool exists = false;
    for (uint64_t v = uint64_t{1} << bits.total_width(); v-- > 0;)
      if (table[v] == value) exists = true, found = v, ones &= v, any |= v;
    mismatched_ |= !exists;
    if (!exists) return;
    for (int bit = 0; bit < bits.total_width(); ++bit)
      if (((ones ^ any) >> bit & 1) == 0) put_bit(bits, bit, (ones >> bit & 1) != 0);
    if (table[bits.of(word_)] != value) field(found, bits);
  }
  void put(uint64_t value, int first, int width);

 private:
  using Word = unsigned __int128;
  void put_bit(BitField bits, int bit, bool value) {
    put(value ? 1 : 0, bit < bits.width ? bits.first + bit : bits.high_first + bit - bits.width, 1);
  }

  Instruction word_;
  Word written_ = 0;
  bool mismatched_ = false;
};

}  // namespace gemmscope::isa
