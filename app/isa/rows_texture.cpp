// Textures and surfaces. Decoded and printed; the machine does not execute them.
//
// Inaccuracies: this text follows published listings of the vendor's disassembler; names of the rarer
// modifiers (offsets, depth comparison, reductions) have not been compared with it.
#include "isa/memory_order.h"

namespace gemmscope::isa {

namespace {

using namespace rows;

constexpr M kLevel[8] = {M::none, M::lz, M::lb, M::ll, M::lc, M::lb_lc, M::ll_lc, M::invalid7};
constexpr M kChannel[4] = {M::r, M::g, M::bound, M::alpha};
constexpr M kShape[8] = {M::dim1,     M::dim2,     M::dim3,     M::cube,
                         M::array_1d, M::array_2d, M::array_3d, M::array_cube};
constexpr M kSurfaceShape[8] = {M::dim1,     M::buffer_1d, M::array_1d, M::dim2,
                                M::array_2d, M::dim3,      M::invalid6, M::invalid7};
constexpr M kOutside[4] = {M::ign, M::none, M::trap, M::invalid3};
constexpr M kHeader[4] = {M::header_dimension, M::header_type, M::header_sampler, M::invalid3};
constexpr M kChannels[16] = {M::invalid0,  M::r,         M::invalid2,  M::rg,
                             M::invalid4,  M::invalid5,  M::invalid6,  M::invalid7,
                             M::invalid8,  M::invalid9,  M::invalid10, M::invalid11,
                             M::invalid12, M::invalid13, M::invalid14, M::rgba};
constexpr M kReduction[8] = {M::add, M::min, M::max, M::inc, M::dec, M::and_, M::or_, M::xor_};
constexpr M kReducedType[8] = {M::none,     M::s32,      M::b64,      M::invalid3,
                               M::invalid4, M::invalid5, M::invalid6, M::invalid7};

// The texture's number: a constant (form 5), from sm_90 on behind a uniform register (form 7).
constexpr OperandSpec kUniformNumber = with_bits(uniform_in, 40, 6).in_forms({7});
constexpr OperandSpec kZero = imm(54, 5).in_forms({7});
constexpr OperandSpec kBank = imm(54, 5).in_forms({5, 2});
constexpr OperandSpec kWord = imm(40, 14).in_forms({5, 2});
// Four channels come in two destinations; a mask names fewer.
constexpr OperandSpec kUpperDestination = with_bits(register_in, 64, 8);
constexpr OperandSpec kMask = imm(72, 4).when({72, 4}, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14});

constexpr ModifierField kPacked = flag(60, M::scr);
constexpr ModifierField kBound = flag(59, M::bound);
constexpr ModifierField kNoDependence = flag(90, M::nodep);
constexpr ModifierField kEvict = field(84, 3, kEviction);
constexpr ModifierField kOrder80 = field(77, 4, kLoadOrder).on(kFromSm80);
constexpr ModifierField kSurface = field(61, 3, kSurfaceShape);
constexpr ModifierField kBeyond = field(59, 2, kOutside);

constexpr ShortList<OperandSpec, 10> kSample{
    kUpperDestination, kDst, kRegA, kRegB, kUniformNumber, kZero, kBank, kWord, name({61, 3}, kShape), kMask};
constexpr ShortList<OperandSpec, 10> kLoad{kDst, at(register_address), kUniformNumber, kZero, kBank, kWord};
constexpr ShortList<OperandSpec, 10> kStore{at(register_address), kRegB, kUniformNumber, kZero, kBank, kWord};

// clang-format off
constexpr OpcodeRow kRows[] = {
  OpcodeRow{0x160, Opcode::tex, "TEX", Pipe::lsu, kSample,
    {kPacked, kBound, field(87, 3, kLevel), flag(76, M::aoffi), flag(78, M::dc), flag(77, M::ndv), flag(79, M::f16),
     kEvict, kNoDependence}}.result_scoreboard(),
  OpcodeRow{0x163, Opcode::tld4, "TLD4", Pipe::lsu, kSample,
    {kPacked, kBound, field(87, 2, kChannel), flag(76, M::aoffi), flag(77, M::ptp), flag(78, M::dc), kEvict,
     kNoDependence}}.result_scoreboard(),
  OpcodeRow{0x166, Opcode::tld, "TLD", Pipe::lsu, kSample,
    {kPacked, kBound, field(87, 3, kLevel), flag(76, M::aoffi), flag(77, M::cl), flag(78, M::ms), kEvict,
     kNoDependence}}.result_scoreboard(),
  OpcodeRow{0x16c, Opcode::txd, "TXD", Pipe::lsu, kSample,
    {kPacked, kBound, flag(76, M::aoffi), kEvict, kNoDependence}}.result_scoreboard(),
  OpcodeRow{0x16f, Opcode::txq, "TXQ", Pipe::lsu,
    {kUpperDestination, kDst, kRegA, name({62, 2}, kHeader), kUniformNumber, kZero, kBank, kWord, kMask},
    {kBound}}.result_scoreboard(),

  OpcodeRow{0x199, Opcode::suld, "SULD", Pipe::lsu, kLoad,
    {fixed(M::d), flag(72, M::ba), kSurface, kEvict, field(73, 3, kAccessSize), kOrder80, kOrder75, kScope75,
     kBeyond}}.result_scoreboard(),
  OpcodeRow{0x19d, Opcode::sust, "SUST", Pipe::lsu, kStore,
    {fixed(M::d), flag(72, M::ba), kSurface, kEvict, field(73, 3, kAccessSize), kOrder80, kOrder75, kScope75,
     kBeyond}}.source_scoreboard(),
  OpcodeRow{0x19b, Opcode::sust, "SUST", Pipe::lsu, kStore,
    {fixed(M::p), kSurface, kEvict, kOrder80, kOrder75, kScope75, field(72, 4, kChannels), kBeyond}}
    .source_scoreboard(),
  OpcodeRow{0x19f, Opcode::sured, "SURED", Pipe::lsu, kStore,
    {fixed(M::d), flag(72, M::ba), kSurface, field(87, 3, kReduction), field(73, 3, kReducedType), kOrder80,
     kOrder75, kScope75, kBeyond}}.source_scoreboard(),
};
// clang-format on

}  // namespace

std::span<const OpcodeRow> texture_rows() { return kRows; }

}  // namespace gemmscope::isa
