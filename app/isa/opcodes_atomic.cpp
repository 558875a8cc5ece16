// Atomic operations on global, generic and shared memory.
#include "isa/memory_order.h"

namespace gemmscope::isa {

namespace {

using namespace rows;

constexpr M kOperation[16] = {
    M::add,  M::min,     M::max,       M::inc,       M::dec,       M::and_,      M::or_,       M::xor_,
    M::exch, M::safeadd, M::invalid10, M::invalid11, M::invalid12, M::invalid13, M::invalid14, M::invalid15};
constexpr M kType[8] = {M::none, M::s32, M::b64, M::f32_ftz_rn, M::f16x2_rn, M::s64, M::f64_rn, M::invalid7};
constexpr M kSwapTypes[8] = {M::none,     M::s32,      M::b64,      M::invalid3,
                             M::invalid4, M::invalid5, M::invalid6, M::invalid7};
constexpr M kIntegerType90[8] = {M::none, M::s32,      M::b64,      M::s64,
                                 M::b128, M::invalid5, M::invalid6, M::invalid7};
constexpr M kReductionTypes90[8] = {M::none,     M::s32,      M::b64,      M::s64,
                                    M::invalid4, M::invalid5, M::invalid6, M::invalid7};
constexpr M kFloatType90[16] = {M::f16x2_rn,  M::f16x4_rn,   M::f16x8_rn,     M::bf16x2_rn,
                                M::bf16x4_rn, M::bf16x8_rn,  M::invalid6,     M::invalid7,
                                M::invalid8,  M::f32_ftz_rn, M::f32x2_ftz_rn, M::f32x4_ftz_rn,
                                M::f32_rn,    M::f32x2_rn,   M::f32x4_rn,     M::f64_rn};
constexpr M kSwap[4] = {M::cas, M::cast, M::cas, M::cast_spin};
constexpr M kArrive[16] = {M::invalid0,  M::invalid1,  M::invalid2,  M::invalid3, M::invalid4, M::invalid5,
                           M::invalid6,  M::invalid7,  M::invalid8,  M::arrive,   M::popc_inc, M::popc_inc,
                           M::invalid12, M::invalid13, M::invalid14, M::invalid15};
constexpr M kArriveSize[16] = {M::none, M::none, M::none, M::none, M::none, M::none, M::none, M::none,
                               M::none, M::b64,  M::b32,  M::b32,  M::none, M::none, M::none, M::none};

constexpr ModifierField kWideAddress = flag(72, M::e);
constexpr ModifierField kEvict = field(84, 3, kEviction);
constexpr ModifierField kAtomicType = field(73, 3, kType).on(kBeforeSm90);
constexpr ModifierField kAtomicType90 = field(73, 3, kIntegerType90).on(kSm90);
constexpr ModifierField kAtomicFloat90 = field(73, 4, kFloatType90);
constexpr ModifierField kFloatOperation90 = field(88, 3, kOperation);
constexpr ModifierField kFloatReduction90 = field(88, 2, kOperation);
constexpr ModifierField kSwapType = field(73, 3, kSwapTypes).on(kBeforeSm90);
constexpr ModifierField kReductionType90 = field(73, 3, kReductionTypes90).on(kSm90);
constexpr ModifierField kAtomicOperation = field(87, 4, kOperation);
constexpr ModifierField kAtomicOrder80 = field(77, 4, kStoreOrder).on(kFromSm80);

constexpr ShortList<ModifierField, 11> kModifiers{kWideAddress,   kAtomicOperation, kEvict,
                                                  kAtomicType,    kAtomicType90,    kAtomicOrder80,
                                                  kUpdateOrder75, kScope75,         kPrivate75};
constexpr ShortList<ModifierField, 11> kFloatModifiers{kWideAddress, kFloatOperation90, kEvict,
                                                       kAtomicFloat90, kAtomicOrder80};
constexpr ShortList<ModifierField, 11> kSwapModifiers{
    kWideAddress,   field(87, 2, kSwap), kEvict,   kSwapType, kAtomicType90,
    kAtomicOrder80, kUpdateOrder75,      kScope75, kPrivate75};
constexpr ShortList<ModifierField, 11> kReductionModifiers{
    kWideAddress,   field(87, 3, kOperation), kEvict,   kAtomicType, kReductionType90,
    kAtomicOrder80, kUpdateOrder75,           kScope75, kPrivate75};

constexpr ShortList<OperandSpec, 10> kPlain{kPu, kDst, address(plain_address), kRegB};
constexpr ShortList<OperandSpec, 10> kWithUniform{kPu, kDst, address(atomic_address, 64), kRegB};
constexpr ShortList<OperandSpec, 10> kSwapPlain{kPu, kDst, address(plain_address), kRegB, kRegC};

// clang-format off
constexpr OpcodeRow kRows[] = {
  OpcodeRow{0x18a, Opcode::atom, "ATOM", Pipe::lsu, kPlain, kModifiers}.in_forms({1}).result_scoreboard(),
  OpcodeRow{0x18a, Opcode::atom, "ATOM", Pipe::lsu, kWithUniform, kModifiers}.result_scoreboard(),
  OpcodeRow{0x1a8, Opcode::atomg, "ATOMG", Pipe::lsu, kPlain, kModifiers}.in_forms({1}).result_scoreboard(),
  OpcodeRow{0x1a8, Opcode::atomg, "ATOMG", Pipe::lsu, kWithUniform, kModifiers}.result_scoreboard(),
  OpcodeRow{0x1a2, Opcode::atom, "ATOM", Pipe::lsu, kWithUniform, kFloatModifiers}.on(kSm90).result_scoreboard(),
  OpcodeRow{0x1a3, Opcode::atomg, "ATOMG", Pipe::lsu, kWithUniform, kFloatModifiers}.on(kSm90).result_scoreboard(),
  OpcodeRow{0x18b, Opcode::atom_cas, "ATOM", Pipe::lsu, kSwapPlain, kSwapModifiers}.result_scoreboard(),
  OpcodeRow{0x1a9, Opcode::atomg_cas, "ATOMG", Pipe::lsu, kSwapPlain, kSwapModifiers}.result_scoreboard(),

  OpcodeRow{0x18e, Opcode::red, "RED", Pipe::lsu, {address(plain_address), kRegB}, kReductionModifiers}
    .on(kBeforeSm90).when({91, 1}, {0}).source_scoreboard(),
  OpcodeRow{0x18e, Opcode::red, "RED", Pipe::lsu, {address(atomic_address, 64), kRegB}, kReductionModifiers}
    .on(kBeforeSm90).source_scoreboard(),
  OpcodeRow{0x18e, Opcode::red, "REDG", Pipe::lsu, {address(plain_address), kRegB}, kReductionModifiers}
    .on(kSm90).when({91, 1}, {0}).source_scoreboard(),
  OpcodeRow{0x18e, Opcode::red, "REDG", Pipe::lsu, {address(atomic_address, 64), kRegB}, kReductionModifiers}
    .on(kSm90).source_scoreboard(),
  OpcodeRow{0x1a6, Opcode::red, "REDG", Pipe::lsu, {address(plain_address), kRegB},
    {kWideAddress, kFloatReduction90, kEvict, kAtomicFloat90, kAtomicOrder80}}
    .on(kSm90).when({91, 1}, {0}).source_scoreboard(),
  OpcodeRow{0x1a6, Opcode::red, "REDG", Pipe::lsu, {address(atomic_address, 64), kRegB},
    {kWideAddress, kFloatReduction90, kEvict, kAtomicFloat90, kAtomicOrder80}}.on(kSm90).source_scoreboard(),

  OpcodeRow{0x18c, Opcode::atoms_arrive, "ATOMS", Pipe::lsu, {kDst, address(scaled_shared_address, 64)},
    {field(87, 4, kArrive), field(87, 4, kArriveSize)}}.in_forms({7}).result_scoreboard(),
  OpcodeRow{0x18c, Opcode::atoms, "ATOMS", Pipe::lsu, {kDst, address(scaled_shared_address, 64), kRegB},
    {kAtomicOperation, kAtomicType, kAtomicType90}}.result_scoreboard(),
  OpcodeRow{0x18d, Opcode::atoms_cas, "ATOMS", Pipe::lsu, {kDst, address(scaled_shared_address, 70), kRegB, kRegC},
    {field(87, 2, kSwap), kSwapType, kAtomicType90}}.result_scoreboard(),
};
// clang-format on

}  // namespace

std::span<const OpcodeRow> atomic_rows() { return kRows; }

}  // namespace gemmscope::isa
