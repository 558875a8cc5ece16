// Matrix instructions and the loads and stores that feed them.
#include "isa/opcode_vocabulary.h"

namespace gemmscope::isa {

namespace {

using namespace rows;

constexpr M kHalfShape[4] = {M::mma_1688, M::mma_16816, M::mma_1684, M::mma_16832};
constexpr M kHalfType[4] = {M::none, M::bf16, M::tf32, M::invalid3};
constexpr M kStep[4] = {M::step0, M::step1, M::step2, M::step3};
constexpr M kStepF16[4] = {M::step0, M::step1, M::invalid2, M::invalid3};
constexpr M kSmallShape[4] = {M::mma_16816, M::mma_16832, M::mma_16864, M::invalid3};
constexpr M kSmallFloat[2] = {M::e4m3, M::e5m2};
constexpr M kAccumulator[2] = {M::f16, M::f32};
constexpr M kIntegerShape[8] = {M::mma_8816,  M::mma_8832,  M::mma_8832,  M::mma_8832,
                                M::mma_16816, M::mma_16832, M::mma_16864, M::mma_168128};
constexpr M kIntegerType[8] = {M::u8, M::s8, M::invalid2, M::invalid3,
                               M::u4, M::s4, M::invalid6, M::invalid7};
constexpr M kBinaryShape[4] = {M::mma_88128, M::mma_168128, M::mma_168256, M::invalid3};
constexpr M kBinaryOperation[2] = {M::xor_, M::and_};
constexpr M kGroupType[4] = {M::none, M::bf16, M::tf32, M::invalid3};
constexpr M kByteType[2] = {M::u8, M::s8};
constexpr M kDoubleShape[4] = {M::mma_884, M::mma_1684, M::mma_1688, M::mma_16816};
constexpr M kDoubleShape90[4] = {M::mma_8x8x4, M::mma_16x8x4, M::mma_16x8x8, M::mma_16x8x16};
constexpr M kTranspose[4] = {M::mt88, M::m832, M::m864, M::invalid3};
constexpr M kLoadLayout[4] = {M::m88, M::mt88, M::m816, M::m832};
constexpr M kStoreLayout[2] = {M::m88, M::mt88};
constexpr M kMatrixCount[4] = {M::none, M::x2, M::x4, M::invalid3};

// From sm_89 on a uniform predicate may disable the product.
constexpr OperandSpec kEnable = at(complement_87).optional().on(kFromSm89);

// For a sparse A: which two of each four values are kept, and which threads hold this metadata.
constexpr OperandSpec kMetadata = with_bits(register_in, 40, 8);
constexpr OperandSpec kSelector = imm(48, 2);

// In a warpgroup's product A is in shared memory like B, or (form 6) in registers.
constexpr OperandSpec kInSharedMemory = with_bits(group_descriptor, 24, 6).in_forms({4});
constexpr OperandSpec kInRegisters = a_first(negatable).in_forms({6});
constexpr OperandSpec kOnlyB = with_bits(group_descriptor, 32, 6).in_forms({6});
constexpr OperandSpec kGroupScoreboard =
    with_bits(group_scoreboard, 84, 3).when({84, 3}, {0, 1, 2, 3, 4, 5, 6});
constexpr OperandSpec kGroupEnable = at(complement_87).optional();
constexpr ShortList<OperandSpec, 10> kGroupOperands{
    kDst, kInSharedMemory, kInRegisters, kOnlyB, kRegC, kGroupEnable, kMetadata.if_set(73), kGroupScoreboard};
constexpr ShortList<OperandSpec, 10> kGroupOperandsHalf{
    kDst,         kInSharedMemory,      kInRegisters,         kOnlyB,          kRegC,
    kGroupEnable, kMetadata.if_set(73), kSelector.if_set(73), kGroupScoreboard};

// clang-format off
constexpr OpcodeRow kRows[] = {
  OpcodeRow{0x03c, Opcode::hmma, "HMMA", Pipe::tensor,
    {kDst, a_first(negatable), in_b(negatable), kRegC, kMetadata.if_set(73).on(kFromSm80), kSelector.if_set(73).on(kFromSm80), kEnable},
    {flag(73, M::sp).on(kFromSm80), field({75, 1, 78, 1}, kHalfShape), field(76, 1, kAccumulator), flag(77, M::satfinite).on(kSm75),
     field(82, 2, kHalfType)}}
    .result_scoreboard(kSm75),
  // Turing runs Volta's 8 x 8 x 4 in steps.
  OpcodeRow{0x036, Opcode::hmma_884, "HMMA", Pipe::tensor,
    {kDst, a_first(negatable).part({73, 1}, kRowColumn), in_b(negatable).part({74, 1}, kRowColumn), kRegC},
    {fixed(M::mma_884), field(76, 1, kAccumulator), field(78, 1, kAccumulator), field(79, 2, kStepF16)}}
    .when({76, 1}, {0}).on(kSm75).result_scoreboard(),
  OpcodeRow{0x036, Opcode::hmma_884, "HMMA", Pipe::tensor,
    {kDst, a_first(negatable).part({73, 1}, kRowColumn), in_b(negatable).part({74, 1}, kRowColumn), kRegC},
    {fixed(M::mma_884), field(76, 1, kAccumulator), field(78, 1, kAccumulator), field(79, 2, kStep)}}
    .on(kSm75).result_scoreboard(),
  OpcodeRow{0x07a, Opcode::qmma, "QMMA", Pipe::tensor,
    {kDst, kRegA.part({73, 1}, kOnlyRow), kRegB.part({74, 1}, kOnlyColumn), kRegC, kMetadata.if_set(80), kSelector.if_set(80), kEnable},
    {flag(80, M::sp), field(75, 2, kSmallShape), field(77, 1, kAccumulator), field(78, 1, kSmallFloat),
     field(79, 1, kSmallFloat)}}.on(kSm89),
  OpcodeRow{0x037, Opcode::imma, "IMMA", Pipe::tensor,
    {kDst, kRegA.part({73, 1}, kOnlyRow), kRegB.part({74, 1}, kOnlyColumn), kRegC, kMetadata.if_set(72).on(kFromSm80), kSelector.if_set(72).on(kFromSm80), kEnable},
    {flag(72, M::sp).on(kFromSm80), field({75, 1, 85, 2}, kIntegerShape), field({76, 2, 83, 1}, kIntegerType), field({78, 2, 84, 1}, kIntegerType),
     flag(82, M::sat)}}.result_scoreboard(kSm75),
  OpcodeRow{0x03f, Opcode::dmma, "DMMA", Pipe::tensor,
    {kDst, a_first(f64), in_b(f64), a_third(f64), kEnable},
    {field(76, 2, kDoubleShape).on(kBeforeSm90), field(76, 2, kDoubleShape90).on(kSm90),
     field(kRoundingBits, kRounding)}}.on(kFromSm80).result_scoreboard(),
  OpcodeRow{0x03d, Opcode::bmma, "BMMA", Pipe::tensor,
    {kDst, kRegA.part({73, 1}, kOnlyRow), kRegB.part({74, 1}, kOnlyColumn), kRegC, kEnable},
    {field(75, 2, kBinaryShape), field(78, 1, kBinaryOperation), flag(80, M::popc)}}.result_scoreboard(kSm75),
  OpcodeRow{0x1f0, Opcode::hgmma, "HGMMA", Pipe::tensor,
    kGroupOperandsHalf,
    {flag(73, M::sp), range({53, 7}, M::hgmma_first), field(75, 1, kAccumulator), field(76, 2, kGroupType)}}.on(kSm90),
  OpcodeRow{0x1f1, Opcode::igmma, "IGMMA", Pipe::tensor, kGroupOperands,
    {flag(73, M::sp), range({53, 6}, M::hgmma_k32), field(76, 1, kByteType), field(82, 1, kByteType),
     flag(75, M::sat)}}.on(kSm90),
  OpcodeRow{0x1f2, Opcode::bgmma, "BGMMA", Pipe::tensor, kGroupOperands,
    {range({53, 5}, M::hgmma_k256), field(78, 1, kBinaryOperation), flag(80, M::popc)}}.on(kSm90),
  OpcodeRow{0x1f3, Opcode::qgmma, "QGMMA", Pipe::tensor, kGroupOperands,
    {flag(73, M::sp), range({53, 6}, M::hgmma_k32), field(75, 1, kAccumulator), field(76, 1, kSmallFloat),
     field(77, 1, kSmallFloat)}}.on(kSm90),

  OpcodeRow{0x03a, Opcode::movm, "MOVM", Pipe::lsu,
    {kDst, kRegA}, {fixed(M::b16), field(78, 2, kTranspose)}}.result_scoreboard(),
  OpcodeRow{0x03b, Opcode::ldsm, "LDSM", Pipe::lsu,
    {kDst, address(shared_address, 32)}, {fixed(M::b16), field(78, 2, kLoadLayout), field(72, 2, kMatrixCount)}}
    .result_scoreboard(),
  OpcodeRow{0x044, Opcode::stsm, "STSM", Pipe::lsu,
    {address(shared_address, 64), kRegB}, {fixed(M::b16), field(78, 1, kStoreLayout), field(72, 2, kMatrixCount)}}
    .on(kSm90).source_scoreboard(),
};
// clang-format on

}  // namespace

std::span<const OpcodeRow> tensor_rows() { return kRows; }

}  // namespace gemmscope::isa
