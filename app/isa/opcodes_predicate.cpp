// Predicates, votes, special registers, and moves between the vector and the uniform datapath.
#include "isa/opcode_vocabulary.h"

namespace gemmscope::isa {

namespace {

using namespace rows;

constexpr M kByte[4] = {M::none, M::b1, M::b2, M::b3};
constexpr M kNarrow[2] = {M::b32, M::none};
constexpr M kReduction[8] = {M::none, M::or_, M::xor_, M::sum, M::min, M::max, M::invalid6, M::invalid7};
constexpr M kBarrierResult[4] = {M::none, M::result, M::none, M::none};
constexpr M kShuffle[4] = {M::idx, M::up, M::down, M::bfly};

// UR2UP's mask of all eight bits is not printed.
void hide_full_mask(Instruction& word) {
  constexpr int kMask = 2, kAllBits = 0xff;
  const Operand& mask = word.operands[kMask];
  if (mask.is(OperandKind::integer) && mask.value == kAllBits) --word.operand_count;
}

constexpr BitField kTruthTable{64, 3, 72, 5};

// clang-format off
constexpr OpcodeRow kRows[] = {
  {0x003, Opcode::p2r, "P2R", Pipe::alu,
    {kDst, at(predicate_file), a_first(), in_b(raw_signed).on(kBeforeSm90), in_b().on(kSm90)}, {field(76, 2, kByte)}},
  {0x004, Opcode::r2p, "R2P", Pipe::alu,
    {at(predicate_file), a_first().part({76, 2}, kByteParts), in_b(raw_signed)}, {}},
  OpcodeRow{0x083, Opcode::up2ur, "UP2UR", Pipe::uniform,
    {kDst, at(uniform_predicate_file), a_first(), in_b()}, {field(76, 2, kByte)}, Datapath::uniform}.on(kFromSm80),
  OpcodeRow{0x084, Opcode::ur2up, "UR2UP", Pipe::uniform,
    {at(uniform_predicate_file), a_first().part({76, 2}, kByteParts), in_b()}, {}, Datapath::uniform}
    .on(kFromSm80).refined(hide_full_mask),
  {0x005, Opcode::cs2r, "CS2R", Pipe::alu, {kDst, at(special_register)}, {field(80, 1, kNarrow)}},
  {0x006, Opcode::vote, "VOTE", Pipe::alu, {kDst.optional(), kPu, kPq}, {field(72, 2, kVote)}},

  // Bit 67 makes the third predicate a uniform one.
  {0x01c, Opcode::plop3, "PLOP3", Pipe::alu,
    {kPu, kPv, kPq, kPr, kPs.if_clear(67), at(uniform_predicate_s).if_set(67), imm(kTruthTable), imm(16, 8)},
    {fixed(M::lut)}},
  {0x09c, Opcode::uplop3, "UPLOP3", Pipe::uniform,
    {kPu, kPv, kPq, kPr, kPs, imm(kTruthTable), imm(16, 8)}, {fixed(M::lut)}, Datapath::uniform},
  // Here the sources are the sign bits of registers.
  {0x01f, Opcode::plop3_sign, "PLOP3", Pipe::alu,
    {kPu, kPv, kRegA.part({}, kSignParts), kRegB.part({}, kSignParts), kRegC.part({}, kSignParts),
     imm(72, 8), imm(16, 8)},
    {fixed(M::lut)}},

  OpcodeRow{0x119, Opcode::s2r, "S2R", Pipe::sync, {kDst, at(special_register)}, {}}.result_scoreboard(),
  OpcodeRow{0x11c, Opcode::b2r, "B2R", Pipe::sync,
    {kDst, kPu.optional(), imm(54, 4).when({78, 2}, {0})}, {field(78, 2, kBarrierResult)}}.result_scoreboard(),
  OpcodeRow{0x1a1, Opcode::match, "MATCH", Pipe::xu,
    {kPu, kDst, kRegA}, {fixed(M::all), flag(73, M::u64)}}.when({79, 1}, {0}).result_scoreboard(),
  OpcodeRow{0x1a1, Opcode::match, "MATCH", Pipe::xu,
    {kDst, kRegA}, {fixed(M::any), flag(73, M::u64)}}.result_scoreboard(),

  // The lane and the clamp of a shuffle are registers or short immediates.
  OpcodeRow{0x189, Opcode::shfl, "SHFL", Pipe::lsu,
    {kPu, kDst, kRegA, kRegB.in_forms({1, 2}), imm(53, 5).in_forms({0, 3, 4, 5, 6, 7}),
     kRegC.in_forms({1, 4}), imm(40, 13).in_forms({0, 2, 3, 5, 6, 7})}, {field(58, 2, kShuffle)}}.result_scoreboard(),

  OpcodeRow{0x0ca, Opcode::r2ur, "R2UR", Pipe::alu,
    {kPu.if_set(84), kPu.optional().if_clear(84), kUniformDst, kRegA}, {flag(84, M::or_)}}.on(kSm90),
  OpcodeRow{0x1c2, Opcode::r2ur, "R2UR", Pipe::alu,
    {kPu.if_set(84), kPu.optional().if_clear(84), kUniformDst, kRegA}, {flag(84, M::or_)}}
    .on(kBeforeSm90).result_scoreboard(),
  OpcodeRow{0x1c3, Opcode::s2ur, "S2UR", Pipe::sync,
    {kDst, at(special_register)}, {}, Datapath::uniform}.result_scoreboard(),
  OpcodeRow{0x1c4, Opcode::redux, "REDUX", Pipe::sync,
    {kUniformDst, kRegA}, {field(78, 3, kReduction), flag(73, M::s32)}}.on(kFromSm80).result_scoreboard(),
  {0x086, Opcode::voteu, "VOTEU", Pipe::uniform,
    {kUniformDst.optional(), at(uniform_predicate_u), kPq}, {field(72, 2, kVote)}},
};
// clang-format on

}  // namespace

std::span<const OpcodeRow> predicate_rows() { return kRows; }

}  // namespace gemmscope::isa
