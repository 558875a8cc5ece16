// Loads, stores, asynchronous copies, fences.
#include "isa/memory_order.h"

namespace gemmscope::isa {

namespace {

using namespace rows;

constexpr M kIndexMode[4] = {M::none, M::il, M::is, M::isl};
constexpr M kCopySize[8] = {M::invalid0, M::invalid1, M::invalid2, M::invalid3,
                            M::none,     M::b64,      M::b128,     M::invalid7};
constexpr M kBypassUnlessSet[2] = {M::bypass, M::none};
constexpr M kFenceOrder[4] = {M::sc, M::all, M::none, M::invalid3};
constexpr M kFenceScope[8] = {M::cta, M::sm, M::gpu, M::sys, M::cta_partial, M::vc, M::invalid6, M::invalid7};
constexpr M kFenceScope90[8] = {M::cta,         M::sm, M::gpu,         M::sys,
                                M::cta_partial, M::vc, M::cta_partial, M::invalid7};
constexpr M kCacheLevel[4] = {M::none, M::u, M::c, M::i};
constexpr M kCacheOperation[16] = {M::pf1,       M::pf2,       M::wb,        M::iv,       M::ivall, M::rs,
                                   M::ivallp,    M::wball,     M::wballp,    M::pml2,     M::dml2,  M::rml2,
                                   M::invalid12, M::invalid13, M::invalid14, M::invalid15};
constexpr M kSpace[4] = {M::g, M::l, M::s, M::invalid3};
constexpr M kSpace90[4] = {M::g, M::l, M::s, M::d};

constexpr ModifierField kWideAddress = flag(72, M::e);
// A register pair as the base (bit 90) without .E has no name.
constexpr M kAddressWidth[4] = {M::none, M::e, M::unnamed0, M::e};
constexpr ModifierField kWideGlobal80 = field({72, 1, 90, 1}, kAddressWidth).on(kFromSm80);
constexpr ModifierField kWideGlobal75 = flag(72, M::e).on(kSm75);
constexpr ModifierField kEvict = field(84, 3, kEviction);
constexpr ModifierField kSize = field(73, 3, kAccessSize);
constexpr ModifierField kLoadOrder80 = field(77, 4, kLoadOrder).on(kFromSm80);
constexpr ModifierField kStoreOrder80 = field(77, 4, kStoreOrder).on(kFromSm80);
constexpr ModifierField kZd75 = flag(87, M::zd).on(kSm75);
constexpr OperandSpec kLoadPredicate = at(complement_64).optional();
constexpr OperandSpec kZdPredicate = kPu.if_set(87).on(kSm75);

constexpr ShortList<ModifierField, 11> kLoadModifiers{
    kWideGlobal75, kWideGlobal80, kEvict, field(68, 2, kPrefetch), kSize, kLoadOrder80, kOrder75,
    kScope75,      kPrivate75,    kZd75};
constexpr ShortList<ModifierField, 11> kSpaceModifiers{kWideAddress, field(73, 2, kSpace).on(kBeforeSm90),
                                                       field(73, 2, kSpace90).on(kSm90)};
constexpr ShortList<ModifierField, 11> kStoreModifiers{kWideGlobal75, kWideGlobal80, kEvict,   kSize,
                                                       kStoreOrder80, kWriteOrder75, kScope75, kPrivate75};

// clang-format off
constexpr OpcodeRow kRows[] = {
  // Form 1 has no uniform register.
  OpcodeRow{0x181, Opcode::ldg, "LDG", Pipe::lsu,
    {kZdPredicate, kPu.optional().if_clear(87).on(kSm75), kPu.optional().on(kFromSm80), kDst, address(plain_address), kLoadPredicate},
     kLoadModifiers}
    .in_forms({1}).result_scoreboard(),
  OpcodeRow{0x181, Opcode::ldg, "LDG", Pipe::lsu,
    {kZdPredicate, kPu.optional().if_clear(87).on(kSm75), kPu.optional().on(kFromSm80), kDst, address(global_address, 32),
     kLoadPredicate}, kLoadModifiers}.result_scoreboard(),
  OpcodeRow{0x180, Opcode::ld, "LD", Pipe::lsu,
    {kZdPredicate, kDst, address(long_address), kLoadPredicate}, kLoadModifiers}.when({91, 1}, {0}).result_scoreboard(),
  OpcodeRow{0x180, Opcode::ld, "LD", Pipe::lsu,
    {kZdPredicate, kDst, address(global_address, 32), kLoadPredicate}, kLoadModifiers}.result_scoreboard(),
  OpcodeRow{0x186, Opcode::stg, "STG", Pipe::lsu,
    {address(plain_address), kRegB}, kStoreModifiers}.in_forms({1}).source_scoreboard(),
  OpcodeRow{0x186, Opcode::stg, "STG", Pipe::lsu,
    {address(global_address, 64), kRegB}, kStoreModifiers}.source_scoreboard(),
  OpcodeRow{0x185, Opcode::st, "ST", Pipe::lsu,
    {address(long_address), kRegC}, kStoreModifiers}.in_forms({1}).source_scoreboard(),
  OpcodeRow{0x185, Opcode::st, "ST", Pipe::lsu,
    {address(global_address, 64), kRegB}, kStoreModifiers}.source_scoreboard(),

  OpcodeRow{0x184, Opcode::lds, "LDS", Pipe::lsu,
    {kZdPredicate, kDst, address(scaled_shared_address, 32)}, {flag(76, M::u).on(kSm75), kSize, kZd75}}
    .result_scoreboard(),
  OpcodeRow{0x188, Opcode::sts, "STS", Pipe::lsu,
    {address(scaled_shared_address, 64), kRegB}, {kSize}}.source_scoreboard(),
  OpcodeRow{0x183, Opcode::ldl, "LDL", Pipe::lsu,
    {kDst, address(shared_address, 32)}, {kEvict, kSize}}.result_scoreboard(),
  OpcodeRow{0x187, Opcode::stl, "STL", Pipe::lsu,
    {address(shared_address, 64), kRegB}, {kEvict, kSize}}.source_scoreboard(),

  OpcodeRow{0x182, Opcode::ldc, "LDC", Pipe::constant,
    {kDst, at(constant_or_indexed)}, {field(73, 3, kConstantSize), field(78, 2, kIndexMode)}}.result_scoreboard(),
  {0x0b9, Opcode::uldc, "ULDC", Pipe::uniform,
    {kDst, at(uniform_constant)}, {field(73, 3, kConstantSize)}, Datapath::uniform},
  {0x0bb, Opcode::uldc, "ULDC", Pipe::uniform,
    {kDst, at(uniform_indexed_constant)}, {field(73, 3, kConstantSize)}, Datapath::uniform},

  // Copies from global to shared memory without a register; a false predicate writes zeros.
  OpcodeRow{0x1ae, Opcode::ldgsts, "LDGSTS", Pipe::lsu,
    {at(copy_destination), address(copy_source, 64), kPq.optional()},
    {fixed(M::e), field(81, 1, kBypassUnlessSet), kEvict, field(71, 2, kPrefetch), field(73, 3, kCopySize),
     field(77, 4, kCopyOrder), flag(82, M::zfill)}}.on(kFromSm80).source_scoreboard(),
  OpcodeRow{0x1af, Opcode::ldgdepbar, "LDGDEPBAR", Pipe::lsu, {}, {}}.on(kFromSm80).result_scoreboard(),
  OpcodeRow{0x11a, Opcode::depbar, "DEPBAR", Pipe::control, {at(scoreboard_set)}, {}}.when({47, 1}, {0}),
  {0x11a, Opcode::depbar, "DEPBAR", Pipe::control,
    {at(scoreboard), imm(38, 6), at(scoreboard_set).optional()}, {fixed(M::le)}},

  OpcodeRow{0x192, Opcode::membar, "MEMBAR", Pipe::lsu,
    {}, {field(79, 2, kFenceOrder), field(76, 3, kFenceScope).on(kBeforeSm90),
     field(76, 3, kFenceScope90).on(kSm90)}}.source_scoreboard(),
  OpcodeRow{0x1ab, Opcode::cgaerrbar, "CGAERRBAR", Pipe::lsu, {}, {}}.in_forms({2}).on(kSm90),
  {0x1ab, Opcode::errbar, "ERRBAR", Pipe::lsu, {}, {}},
  {0x18f, Opcode::cctl, "CCTL", Pipe::lsu,
    // The operations on whole caches have no address.
    {address(long_address).when({87, 4}, {0, 1, 2, 3, 5, 9, 10, 11, 12, 13, 14, 15})},
    {kWideAddress, field(78, 2, kCacheLevel), field(87, 4, kCacheOperation)}},
  OpcodeRow{0x1aa, Opcode::qspc, "QSPC", Pipe::lsu,
    {kPu, kDst, address(plain_address)}, kSpaceModifiers}.in_forms({1}).result_scoreboard(),
  OpcodeRow{0x1aa, Opcode::qspc, "QSPC", Pipe::lsu,
    {kPu, kDst, address(global_address, 32)}, kSpaceModifiers}.result_scoreboard(),
};
// clang-format on

}  // namespace

std::span<const OpcodeRow> memory_rows() { return kRows; }

}  // namespace gemmscope::isa
