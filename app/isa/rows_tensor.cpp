// Matrix instructions and the loads and stores that feed them.
#include "isa/row_vocabulary.h"

namespace gemmscope::isa {

namespace {

using namespace rows;

constexpr M kHalfShape[4] = {M::mma_1688, M::mma_16816, M::mma_1684, M::invalid3};
constexpr M kHalfType[4] = {M::none, M::bf16, M::tf32, M::invalid3};
constexpr M kAccumulator[2] = {M::f16, M::f32};
constexpr M kIntegerShape[8] = {M::mma_8816,  M::mma_8832,  M::mma_8832,  M::mma_8832,
                                M::mma_16816, M::mma_16832, M::mma_16864, M::invalid7};
constexpr M kIntegerType[8] = {M::u8, M::s8, M::invalid2, M::invalid3,
                               M::u4, M::s4, M::invalid6, M::invalid7};
constexpr M kDoubleShape[4] = {M::mma_884, M::mma_1684, M::mma_1688, M::mma_16816};
constexpr M kDoubleShape90[4] = {M::mma_8x8x4, M::mma_16x8x4, M::mma_16x8x8, M::mma_16x8x16};
constexpr M kTranspose[4] = {M::mt88, M::m832, M::m864, M::invalid3};
constexpr M kLoadLayout[4] = {M::m88, M::mt88, M::m816, M::m832};
constexpr M kStoreLayout[4] = {M::m88, M::mt88, M::invalid2, M::invalid3};
constexpr M kMatrixCount[4] = {M::none, M::x2, M::x4, M::invalid3};

// On sm_90 a uniform predicate may turn the product off.
constexpr OperandSpec kEnable = at(complement_87).optional().on(kSm90);

// clang-format off
constexpr OpcodeRow kRows[] = {
  OpcodeRow{0x03c, Opcode::hmma, "HMMA", Pipe::tensor,
    {kDst, a_first(negatable), in_b(negatable), kRegC, kEnable},
    {flag(73, M::sp), field({75, 1, 78, 1}, kHalfShape), field(76, 1, kAccumulator), flag(77, M::satfinite).on(kSm75),
     field(82, 2, kHalfType)}}
    .result_scoreboard(kSm75),
  OpcodeRow{0x037, Opcode::imma, "IMMA", Pipe::tensor,
    {kDst, kRegA.part({73, 1}, kRowColumn), kRegB.part({74, 1}, kRowColumn), kRegC, kEnable},
    {field({75, 1, 85, 2}, kIntegerShape), field({76, 2, 83, 1}, kIntegerType), field({78, 2, 84, 1}, kIntegerType),
     flag(82, M::sat)}}.result_scoreboard(kSm75),
  OpcodeRow{0x03f, Opcode::dmma, "DMMA", Pipe::tensor,
    {kDst, a_first(f64), in_b(f64), a_third(f64), kEnable},
    {field(76, 2, kDoubleShape).on(kBeforeSm90), field(76, 2, kDoubleShape90).on(kSm90),
     field(kRoundingBits, kRounding)}}.on(kFromSm80).result_scoreboard(),
  // The warpgroup's product; both matrices may lie in shared memory. N is 8 (field + 1), K comes from bit 58.
  OpcodeRow{0x1f0, Opcode::hgmma, "HGMMA", Pipe::tensor,
    {kDst, at(group_descriptor), kRegC, at(complement_87).optional(),
     with_bits(group_scoreboard, 84, 3).when({84, 3}, {0, 1, 2, 3, 4, 5, 6})},
    {flag(73, M::sp), range({53, 6}, M::hgmma_first), field(75, 1, kAccumulator), flag(76, M::bf16)}}.on(kSm90),

  OpcodeRow{0x03a, Opcode::movm, "MOVM", Pipe::lsu,
    {kDst, kRegA}, {fixed(M::b16), field(78, 2, kTranspose)}}.result_scoreboard(),
  OpcodeRow{0x03b, Opcode::ldsm, "LDSM", Pipe::lsu,
    {kDst, address(shared_address, 32)}, {fixed(M::b16), field(78, 2, kLoadLayout), field(72, 2, kMatrixCount)}}
    .result_scoreboard(),
  OpcodeRow{0x044, Opcode::stsm, "STSM", Pipe::lsu,
    {address(shared_address, 64), kRegB}, {fixed(M::b16), field(78, 2, kStoreLayout), field(72, 2, kMatrixCount)}}
    .on(kSm90).source_scoreboard(),
};
// clang-format on

}  // namespace

std::span<const OpcodeRow> tensor_rows() { return kRows; }

}  // namespace gemmscope::isa
