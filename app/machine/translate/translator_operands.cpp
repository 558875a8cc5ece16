// Translates operands to rows of the machine: registers, constants, special registers and predicates.
#include <fmt/format.h>

#include <cstring>
#include <limits>

#include "isa/special_register.h"
#include "machine/translate/translator.h"

namespace gemmscope::machine {

using isa::Operand;
using isa::OperandKind;

SourceModifier float_sign(const Operand& operand) {
  return operand.negate && operand.absolute ? SourceModifier::float_negative_absolute
         : operand.negate                   ? SourceModifier::float_negate
         : operand.absolute                 ? SourceModifier::float_absolute
                                            : SourceModifier::none;
}

Rounding rounding_of(const Translator& t) {
  return t.has(isa::Modifier::rm)   ? Rounding::down
         : t.has(isa::Modifier::rp) ? Rounding::up
         : t.has(isa::Modifier::rz) ? Rounding::zero
                                    : Rounding::nearest;
}

const Operand* Translator::find_operand(OperandKind kind, int nth) const {
  for (int i = 0; i < instruction_->operand_count; ++i) {
    const Operand& operand = instruction_->operands[static_cast<size_t>(i)];
    if (operand.is(kind) && nth-- == 0) return &operand;
  }
  return nullptr;
}

Row Translator::register_row(const Operand& operand) {
  if (operand.is(OperandKind::uniform_reg))
    return operand.index == isa::kUniformZero ? kZeroRow : static_cast<Row>(kUniformRow + operand.index);
  return operand.index;  // RZ is kZeroRow
}

Row Translator::lane_row(const LaneRow& row) {
  if (program_.row_count() > std::numeric_limits<Row>::max() && !lane_rows_.contains(row)) {
    unsupported("the code has more constants than the machine has rows");
    return kZeroRow;
  }
  const auto [entry, added] = lane_rows_.try_emplace(row, static_cast<Row>(program_.row_count()));
  if (added) program_.constants.push_back(row);
  return entry->second;
}

Row Translator::constant_row(uint32_t value) {
  if (value == 0) return kZeroRow;
  const auto found = constant_rows_.find(value);
  if (found != constant_rows_.end()) return found->second;
  LaneRow row;
  row.fill(value);
  const Row index = lane_row(row);
  if (index != kZeroRow) constant_rows_[value] = index;
  return index;
}

Row Translator::constant_pair_row(uint32_t low, uint32_t high) {
  if (low == 0 && high == 0) return kZeroRow;
  const uint64_t key = static_cast<uint64_t>(high) << 32 | low;
  const auto [entry, added] = constant_pair_rows_.try_emplace(key, static_cast<Row>(program_.row_count()));
  for (const uint32_t word : {low, high}) {
    if (!added) break;
    LaneRow row;
    row.fill(word);
    program_.constants.push_back(row);
  }
  return entry->second;
}

bool Translator::in_constant_bank(const Operand& operand, uint32_t bytes) const {
  const auto bank = program_.banks.find(operand.bank_or_scale);
  return bank != program_.banks.end() && operand.value >= 0 &&
         static_cast<uint64_t>(operand.value) + bytes <= bank->second.size();
}

std::optional<uint32_t> Translator::constant_word(const Operand& operand, uint32_t plus_bytes) {
  const auto bank = program_.banks.find(operand.bank_or_scale);
  const uint64_t offset = static_cast<uint64_t>(operand.value & 0xffff) + plus_bytes;
  if (operand.bindless || bank == program_.banks.end() || offset + 4 > bank->second.size()) {
    unsupported("it reads a constant bank that this launch does not have");
    return std::nullopt;
  }
  uint32_t word = 0;
  std::memcpy(&word, bank->second.data() + offset, sizeof word);
  return word;
}

Row Translator::value_row(const Operand& operand) {
  switch (operand.kind) {
    case OperandKind::reg:
    case OperandKind::uniform_reg:
      return register_row(operand);
    case OperandKind::integer:
    case OperandKind::real:
      return constant_row(static_cast<uint32_t>(operand.value));
    case OperandKind::constant:
      return constant_row(constant_word(operand, 0).value_or(0));
    case OperandKind::special_reg:
      return special_register_row(operand.index);
    default:
      unsupported("an operand of a kind that this operation does not take");
      return kZeroRow;
  }
}

void Translator::bind_integer(int i, size_t from) {
  if (from >= sources_.size()) return unsupported("an operand is missing");
  const Operand& operand = *sources_[from];
  bind_row(i, value_row(operand));
  op_.modifier[static_cast<size_t>(i)] = operand.invert   ? SourceModifier::bit_not
                                         : operand.negate ? SourceModifier::negate
                                                          : SourceModifier::none;
  if (operand.part != isa::Part::whole) unsupported("it reads a part of a register");
}

void Translator::bind_float(int i, size_t from) {
  if (from >= sources_.size()) return unsupported("an operand is missing");
  const Operand& operand = *sources_[from];
  bind_row(i, value_row(operand));
  op_.modifier[static_cast<size_t>(i)] = float_sign(operand);
  if (operand.part != isa::Part::whole) unsupported("it reads a part of a register");
}

void Translator::bind_word(int i, size_t from) {
  if (from >= sources_.size()) return unsupported("an operand is missing");
  bind_row(i, value_row(*sources_[from]));
}

Row Translator::double_row(const Operand& operand) {
  switch (operand.kind) {
    case OperandKind::reg:
    case OperandKind::uniform_reg:
      return register_row(operand);
    case OperandKind::real:  // the upper word
      return constant_pair_row(0, static_cast<uint32_t>(operand.value));
    case OperandKind::constant:
      return constant_pair_row(constant_word(operand, 0).value_or(0), constant_word(operand, 4).value_or(0));
    default:
      unsupported("a 64-bit operand of a kind that this operation does not take");
      return kZeroRow;
  }
}

void Translator::bind_double(int i, size_t from) {
  if (from >= sources_.size()) return unsupported("an operand is missing");
  bind_row(i, double_row(*sources_[from]));
  op_.modifier[static_cast<size_t>(i)] = float_sign(*sources_[from]);
}

void Translator::bind_pair(int low, int high, size_t from) {
  if (from >= sources_.size()) return unsupported("an operand is missing");
  const Operand& operand = *sources_[from];
  const Row row = value_row(operand);
  bind_row(low, row);
  switch (operand.kind) {
    case OperandKind::reg:
    case OperandKind::uniform_reg:
      bind_row(high, row == kZeroRow ? kZeroRow : static_cast<Row>(row + 1));
      break;
    case OperandKind::constant:
      bind_row(high, constant_row(constant_word(operand, 4).value_or(0)));
      break;
    case OperandKind::integer:
      bind_row(high, constant_row(static_cast<uint32_t>(operand.value >> 32)));
      break;
    default:
      unsupported("a 64-bit operand of a kind that this operation does not take");
  }
}

void Translator::predicate_out(int i, int first, bool uniform) {
  const auto index = static_cast<uint8_t>(instruction_->bits(first, 3));
  op_.predicate_out[static_cast<size_t>(i)] =
      index == isa::kPredicateTrue ? kTrashPredicate
                                   : static_cast<uint8_t>(index + (uniform ? kUniformPredicate : 0));
}

void Translator::predicate_in(int i, int first, int negate, bool uniform) {
  op_.predicate_in[static_cast<size_t>(i)] =
      static_cast<uint8_t>(instruction_->bits(first, 3) + (uniform ? kUniformPredicate : 0));
  op_.predicate_in_negate[static_cast<size_t>(i)] = instruction_->bits(negate, 1) != 0;
}

void Translator::predicate_in(int i, const Operand& operand) {
  const bool uniform = operand.is(OperandKind::uniform_predicate);
  if (!uniform && !operand.is(OperandKind::predicate)) return unsupported("a predicate operand is missing");
  op_.predicate_in[static_cast<size_t>(i)] =
      static_cast<uint8_t>(operand.index + (uniform ? kUniformPredicate : 0));
  op_.predicate_in_negate[static_cast<size_t>(i)] = operand.invert;
}

// machine/README.md, Special registers, says what each holds here.
Row Translator::special_register_row(uint8_t number) {
  const auto lanes = [this](auto value) {
    LaneRow row;
    for (uint32_t l = 0; l < kWarpLanes; ++l) row[l] = static_cast<uint32_t>(value(l));
    return lane_row(row);
  };
  switch (number) {
    case 0x00:
      return kLaneId;
    case 0x20:
      return kTidPacked;
    case 0x21:
      return kTidX;
    case 0x22:
      return kTidY;
    case 0x23:
      return kTidZ;
    case 0x25:
      return kCtaIdX;
    case 0x26:
      return kCtaIdY;
    case 0x27:
      return kCtaIdZ;
    case 0x02:
      return constant_row(64 << 8);  // warp slots of an SM
    case 0x03:
      return kVirtualId;
    case 0x28:
      return constant_row(program_.launch.block[0] | program_.launch.block[1] << 16 |
                          program_.launch.block[2] << 26);
    case 0x2e:
      return constant_row(static_cast<uint32_t>(kLocalWindow >> 32));
    case 0x30:
    case 0x34:
      return kZeroRow;  // both windows start at a multiple of 2^32
    case 0x31:
    case 0x35:
      return constant_row(static_cast<uint32_t>(kWindowBytes));
    case 0x3d:
      return constant_row(static_cast<uint32_t>(program_.registers));
    case 0x43:
      return kZeroRow;  // all blocks run on SM 0
    case 0x2f:
      return constant_row(static_cast<uint32_t>(kSharedWindow >> 32));
    case 0x32:
      return constant_row(program_.shared_bytes);
    case 0x37:
      return constant_row(kStackTop - kLocalBytes);  // where code that checks its stack pointer traps
    case 0x38:
      return lanes([](uint32_t l) { return 1ull << l; });
    case 0x39:
      return lanes([](uint32_t l) { return (1ull << l) - 1; });
    case 0x3a:
      return lanes([](uint32_t l) { return (2ull << l) - 1; });
    case 0x3b:
      return lanes([](uint32_t l) { return ~((2ull << l) - 1); });
    case 0x3c:
      return lanes([](uint32_t l) { return ~((1ull << l) - 1); });
    case 0x88:  // rank of the block in its cluster: clusters are not modelled
    case 0xff:  // SRZ
      return kZeroRow;
    default:
      if (number >= 0x64 && number <= 0x83) return kZeroRow;  // performance counters, as where none is set up
      unsupported(fmt::format("it reads {}, which the machine does not model: write the kernel without it",
                              isa::special_register_name(number, program_.arch)));
      return kZeroRow;
  }
}

}  // namespace gemmscope::machine
