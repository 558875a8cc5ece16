// Textures and surfaces. They are decoded and printed; the machine does not execute them.
#include "isa/memory_order.h"

namespace gemmscope::isa {

namespace {

using namespace rows;

constexpr M kLevel[8] = {M::none, M::lz, M::lb, M::ll, M::lc, M::lb_lc, M::ll_lc, M::invalid7};
constexpr M kLoadLevel[8] = {M::invalid0, M::lz,       M::invalid2, M::ll,
                             M::invalid4, M::invalid5, M::invalid6, M::invalid7};
constexpr M kChannel[4] = {M::r, M::g, M::bound, M::alpha};
constexpr M kShape[8] = {M::dim1,     M::dim2,     M::dim3,     M::cube,
                         M::array_1d, M::array_2d, M::array_3d, M::array_cube};
constexpr M kGatherShape[8] = {M::invalid0, M::dim2,     M::invalid2, M::cube,
                               M::invalid4, M::array_2d, M::invalid6, M::array_cube};
constexpr M kFetchShape[8] = {M::dim1,     M::dim2,     M::dim3,     M::invalid3,
                              M::array_1d, M::array_2d, M::invalid6, M::invalid7};
constexpr M kGradientShape[8] = {M::dim1,     M::dim2,     M::invalid2, M::invalid3,
                                 M::array_1d, M::array_2d, M::invalid6, M::invalid7};
constexpr M kSurfaceShape[8] = {M::dim1, M::buffer_1d, M::surface_array_1d, M::dim2, M::surface_array_2d,
                                M::dim3, M::invalid6,  M::invalid7};
constexpr M kOutside[4] = {M::ign, M::none, M::trap, M::invalid3};
constexpr M kHeader[4] = {M::header_dimension, M::header_type, M::header_sampler, M::invalid3};
constexpr M kChannels[16] = {M::invalid0,  M::r,         M::invalid2,  M::rg,
                             M::invalid4,  M::invalid5,  M::invalid6,  M::invalid7,
                             M::invalid8,  M::invalid9,  M::invalid10, M::invalid11,
                             M::invalid12, M::invalid13, M::invalid14, M::none};
constexpr M kReduction[8] = {M::add, M::min, M::max, M::inc, M::dec, M::and_, M::or_, M::xor_};
constexpr M kReducedType[8] = {M::none,     M::s32,      M::u64,  M::f32_ftz_rn,
                               M::f16x2_rn, M::invalid5, M::sd32, M::invalid7};
constexpr M kTextureType[4] = {M::none, M::f16_rn, M::f16_rz, M::invalid3};
constexpr M kAlwaysBound[2] = {M::unnamed0, M::bound};

// The texture's number: a constant (form 5), or from sm_90 on relative to a uniform register (form 7).
constexpr OperandSpec kUniformNumber = with_bits(uniform_in, 40, 6).in_forms({7});
constexpr OperandSpec kBank = imm(54, 5);
constexpr OperandSpec kWord = imm(40, 14).in_forms({5, 2});
// Four channels need two destination registers; a mask selects fewer channels.
constexpr OperandSpec kUpperDestination = with_bits(register_in, 64, 8);
constexpr OperandSpec kCoordinates = with_bits(register_in, 24, 8);
constexpr OperandSpec kMore = with_bits(register_in, 32, 8).optional();
constexpr OperandSpec kResident = kPu.optional();
constexpr OperandSpec kMask = imm(72, 4).when({72, 4}, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14});
constexpr OperandSpec kQuery = name({62, 2}, kHeader);
// The number of a surface, in a register.
constexpr OperandSpec kNumber = with_bits(register_in, 64, 8);

constexpr ModifierField kPacked = flag(60, M::scr);
constexpr ModifierField kBound = flag(59, M::bound);
constexpr ModifierField kBindless = field(59, 1, kAlwaysBound);
constexpr ModifierField kResult = field(79, 2, kTextureType);
constexpr ModifierField kOffset = flag(76, M::aoffi);
constexpr ModifierField kNoDependence = flag(90, M::nodep);
constexpr ModifierField kEvict = field(84, 3, kEviction);
constexpr ModifierField kLoadOrder80 = field(77, 4, kLoadOrder).on(kFromSm80);
constexpr ModifierField kStoreOrder80 = field(77, 4, kStoreOrder).on(kFromSm80);
constexpr ModifierField kSurface = field(61, 3, kSurfaceShape);
constexpr ModifierField kSize = field(73, 3, kAccessSize);
constexpr ModifierField kBeyond = field(59, 2, kOutside);

using Operands = ShortList<OperandSpec, 10>;
using Modifiers = ShortList<ModifierField, 11>;

constexpr Operands sample(const M* shapes) {
  return {kResident, kUpperDestination,     kDst, kCoordinates, kMore, kUniformNumber, kBank,
          kWord,     name({61, 3}, shapes), kMask};
}
constexpr Operands sample_bindless(const M* shapes) {
  return {kResident, kUpperDestination, kDst, kCoordinates, kMore, name({61, 3}, shapes), kMask};
}
constexpr Operands kLoad{kResident, kDst, at(register_address), kUniformNumber, kBank, kWord};
constexpr Operands kLoadBindless{kResident, kDst, at(register_address), kNumber};
constexpr Operands kStore{at(register_address), kRegB, kUniformNumber, kBank, kWord};
constexpr Operands kStoreBindless{at(register_address), kRegB, kNumber};

constexpr Modifiers tex_modifiers(ModifierField bound) {
  return {kPacked,          bound,  kResult,      field(87, 3, kLevel), kOffset, flag(78, M::dc),
          flag(77, M::ndv), kEvict, kNoDependence};
}
constexpr Modifiers tld4_modifiers(ModifierField bound) {
  return {kPacked,          field(87, 2, kChannel), bound,  kResult,      kOffset,
          flag(77, M::ptp), flag(78, M::dc),        kEvict, kNoDependence};
}
constexpr Modifiers tld_modifiers(ModifierField bound) {
  return {kPacked,         bound,           kResult,      field(87, 3, kLoadLevel), kOffset, kEvict,
          flag(78, M::ms), flag(77, M::cl), kNoDependence};
}
constexpr Modifiers txd_modifiers(ModifierField bound) {
  return {kPacked, bound, kResult, kOffset, kEvict, kNoDependence};
}
constexpr Modifiers kLoadModifiers{fixed(M::d),  flag(72, M::ba), kSurface, kEvict,     kSize,
                                   kLoadOrder80, kWriteOrder75,   kScope75, kPrivate75, kBeyond};
constexpr Modifiers kStoreModifiers{fixed(M::d),   flag(72, M::ba), kSurface, kEvict,     kSize,
                                    kStoreOrder80, kWriteOrder75,   kScope75, kPrivate75, kBeyond};
constexpr Modifiers kFormattedModifiers{fixed(M::p),   kSurface, kEvict,     kStoreOrder80,
                                        kWriteOrder75, kScope75, kPrivate75, field(72, 4, kChannels),
                                        kBeyond};
constexpr Modifiers kReductionModifiers{fixed(M::d),   flag(72, M::ba),
                                        kSurface,      field(87, 3, kReduction),
                                        kEvict,        field(73, 3, kReducedType),
                                        kStoreOrder80, kUpdateOrder75,
                                        kScope75,      kPrivate75,
                                        kBeyond};

// clang-format off
constexpr OpcodeRow kRows[] = {
  OpcodeRow{0x160, Opcode::tex, "TEX", Pipe::lsu, sample(kShape), tex_modifiers(kBound)}.result_scoreboard(),
  OpcodeRow{0x161, Opcode::tex, "TEX", Pipe::lsu, sample_bindless(kShape), tex_modifiers(kBindless)}.result_scoreboard(),
  OpcodeRow{0x163, Opcode::tld4, "TLD4", Pipe::lsu, sample(kGatherShape), tld4_modifiers(kBound)}.result_scoreboard(),
  OpcodeRow{0x164, Opcode::tld4, "TLD4", Pipe::lsu, sample_bindless(kGatherShape), tld4_modifiers(kBindless)}.result_scoreboard(),
  OpcodeRow{0x166, Opcode::tld, "TLD", Pipe::lsu, sample(kFetchShape), tld_modifiers(kBound)}.result_scoreboard(),
  OpcodeRow{0x167, Opcode::tld, "TLD", Pipe::lsu, sample_bindless(kFetchShape), tld_modifiers(kBindless)}.result_scoreboard(),
  OpcodeRow{0x16c, Opcode::txd, "TXD", Pipe::lsu, sample(kGradientShape), txd_modifiers(kBound)}.result_scoreboard(),
  OpcodeRow{0x16d, Opcode::txd, "TXD", Pipe::lsu, sample_bindless(kGradientShape), txd_modifiers(kBindless)}.result_scoreboard(),
  OpcodeRow{0x16f, Opcode::txq, "TXQ", Pipe::lsu,
    {kUpperDestination, kDst, kCoordinates, kQuery, kUniformNumber, kBank, kWord, kMask}, {kBound}}.result_scoreboard(),
  OpcodeRow{0x170, Opcode::txq, "TXQ", Pipe::lsu,
    {kUpperDestination, kDst, kCoordinates, kQuery, kMask}, {kBindless}}.result_scoreboard(),

  OpcodeRow{0x199, Opcode::suld, "SULD", Pipe::lsu, kLoad, kLoadModifiers}.result_scoreboard(),
  OpcodeRow{0x19a, Opcode::suld, "SULD", Pipe::lsu, kLoadBindless, kLoadModifiers}.result_scoreboard(),
  OpcodeRow{0x19d, Opcode::sust, "SUST", Pipe::lsu, kStore, kStoreModifiers}.source_scoreboard(),
  OpcodeRow{0x19e, Opcode::sust, "SUST", Pipe::lsu, kStoreBindless, kStoreModifiers}.source_scoreboard(),
  OpcodeRow{0x19b, Opcode::sust, "SUST", Pipe::lsu, kStore, kFormattedModifiers}.source_scoreboard(),
  OpcodeRow{0x19c, Opcode::sust, "SUST", Pipe::lsu, kStoreBindless, kFormattedModifiers}.source_scoreboard(),
  OpcodeRow{0x19f, Opcode::sured, "SURED", Pipe::lsu, kStore, kReductionModifiers}.source_scoreboard(),
  OpcodeRow{0x1a0, Opcode::sured, "SURED", Pipe::lsu, kStoreBindless, kReductionModifiers}.source_scoreboard(),
};
// clang-format on

}  // namespace

std::span<const OpcodeRow> texture_rows() { return kRows; }

}  // namespace gemmscope::isa
