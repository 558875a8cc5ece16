// Branches, convergence, calls, barriers.
#include "isa/opcode_vocabulary.h"

namespace gemmscope::isa {

namespace {

using namespace rows;

constexpr M kBranchKind[4] = {M::none, M::u, M::div, M::conv};
constexpr M kAnyIfUniform[8] = {M::none, M::none, M::none, M::none, M::none, M::any, M::none, M::none};
// Thread state besides the convergence barriers, as far as compilers use it.
constexpr M kThreadState[1] = {M::mactive};
constexpr M kReturnAddressHalf[2] = {M::rpc_lo, M::rpc_hi};
constexpr M kSyncKind[4] = {M::none, M::exclusive, M::collective, M::invalid3};
constexpr M kReferenceCount[4] = {M::none, M::inc, M::dec, M::invalid3};
constexpr M kExitKind[4] = {M::none, M::keeprefcount, M::preempted, M::invalid3};
constexpr M kTrap[8] = {M::drain, M::cal, M::pause, M::trap, M::int_, M::invalid5, M::invalid6, M::invalid7};
constexpr M kSleep[4] = {M::none, M::none, M::warp, M::warp};
constexpr M kSleep90[4] = {M::none, M::syncs, M::warp, M::invalid3};
constexpr M kBarrierKind[4] = {M::sync, M::arv, M::red, M::scan};
// Only RED (kind 2) prints an operation.
constexpr M kBarrierOperation[16] = {M::none, M::none, M::none, M::none, M::none, M::none,
                                     M::none, M::none, M::popc, M::and_, M::or_,  M::invalid3,
                                     M::none, M::none, M::none, M::none};
constexpr M kAllInForm4[8] = {M::none, M::none, M::none, M::none, M::all, M::none, M::none, M::none};

// An arrival's thread count is printed even if it is 0, which means "all".
constexpr BitField kFormAndKind{9, 3, 77, 2};
constexpr int kArrive = 1 << 3, kReduce = 2 << 3, kScan = 3 << 3;

constexpr OperandSpec kAlso = kPq.optional();  // a predicate beside the guard: both must hold
constexpr OperandSpec kBarrierAt16 = with_bits(barrier, 16, 4);
constexpr OperandSpec kBarrierAt24 = with_bits(barrier, 24, 4);
constexpr OperandSpec kStateAt24 = name({24, 0}, kThreadState);
constexpr OperandSpec kReturnAddress = name({31, 1}, kReturnAddressHalf);
constexpr OperandSpec kTarget = at(relative_target);

// clang-format off
constexpr OpcodeRow kRows[] = {
  // Form 2: a uniform predicate decides for the whole warp.
  OpcodeRow{0x147, Opcode::bra, "BRA", Pipe::control,
    {at(uniform_predicate_a), kAlso, kTarget}, {field(32, 2, kBranchKind), field(85, 2, kReferenceCount)}}
    .in_forms({2}).on(kSm90),
  {0x147, Opcode::bra, "BRA", Pipe::control,
    {kAlso, at(mask_register).if_set(33).on(kFromSm80), kTarget},
    {field(32, 2, kBranchKind), field({32, 2, 84, 1}, kAnyIfUniform).on(kSm90), field(85, 2, kReferenceCount)}},
  {0x149, Opcode::brx, "BRX", Pipe::control, {kAlso, at(register_displacement)}, {field(85, 2, kReferenceCount)}},
  {0x158, Opcode::brxu, "BRXU", Pipe::control, {kAlso, at(uniform_displacement)}, {field(85, 2, kReferenceCount)}},
  OpcodeRow{0x143, Opcode::call_abs, "CALL", Pipe::control,
    {kAlso, imm(32, 50)}, {fixed(M::abs), flag(86, M::noinc)}}.in_forms({4}),
  {0x143, Opcode::call_abs, "CALL", Pipe::control,
    {kAlso, at(register_displacement)}, {fixed(M::abs), flag(86, M::noinc)}},
  OpcodeRow{0x144, Opcode::call_rel, "CALL", Pipe::control,
    {kAlso, at(register_target)}, {fixed(M::rel), flag(86, M::noinc)}}.in_forms({1}),
  {0x144, Opcode::call_rel, "CALL", Pipe::control, {kAlso, kTarget}, {fixed(M::rel), flag(86, M::noinc)}},
  OpcodeRow{0x150, Opcode::ret, "RET", Pipe::control,
    {kAlso, at(register_displacement)}, {fixed(M::abs), flag(86, M::nodec)}}.when({85, 1}, {1}),
  {0x150, Opcode::ret, "RET", Pipe::control, {kAlso, at(register_target)}, {fixed(M::rel), flag(86, M::nodec)}},
  {0x14d, Opcode::exit, "EXIT", Pipe::control, {kAlso}, {field(84, 2, kExitKind), flag(86, M::no_atexit)}},

  {0x145, Opcode::bssy, "BSSY", Pipe::control, {kAlso, kBarrierAt16, at(convergence_target)}, {}},
  {0x141, Opcode::bsync, "BSYNC", Pipe::control, {kAlso, kBarrierAt16}, {}},
  {0x142, Opcode::break_, "BREAK", Pipe::control, {kAlso, kBarrierAt16}, {}},
  {0x146, Opcode::yield, "YIELD", Pipe::control, {kAlso}, {}},
  OpcodeRow{0x148, Opcode::warpsync, "WARPSYNC", Pipe::control,
    {kAlso, kRegB.in_forms({1}), imm(32, 32).in_forms({0, 2, 3, 4, 5, 6, 7})}, {flag(86, M::exclusive)}}
    .on(kBeforeSm90),
  OpcodeRow{0x148, Opcode::warpsync, "WARPSYNC", Pipe::control,
    {kAlso, kRegA.in_forms({1}), kTarget.if_set(86)}, {field(85, 2, kSyncKind), field(9, 3, kAllInForm4)}}.on(kSm90),
  {0x11b, Opcode::endcollective, "ENDCOLLECTIVE", Pipe::control, {kAlso}, {}},
  OpcodeRow{0x155, Opcode::bmov_barriers, "BMOV", Pipe::control,
    {kBarrierAt16, kStateAt24}, {fixed(M::b32), flag(84, M::clear)}}.in_forms({7}),
  OpcodeRow{0x156, Opcode::bmov_barriers, "BMOV", Pipe::control,
    {kStateAt24, kBarrierAt16}, {fixed(M::b32), flag(84, M::pquad)}}.in_forms({7}),
  OpcodeRow{0x152, Opcode::rpcmov_from_reg, "RPCMOV", Pipe::control,
    {kReturnAddress, kRegB}, {fixed(M::b32)}}.on(kSm90),
  OpcodeRow{0x153, Opcode::rpcmov_to_reg, "RPCMOV", Pipe::control,
    {kDst, kReturnAddress}, {fixed(M::b32)}}.on(kSm90),
  OpcodeRow{0x155, Opcode::bmov_to_reg, "BMOV", Pipe::control,
    {kDst, kBarrierAt24}, {fixed(M::b32), flag(84, M::clear)}}.result_scoreboard(),
  {0x156, Opcode::bmov_to_barrier, "BMOV", Pipe::control,
    {kBarrierAt24, kRegB}, {fixed(M::b32), flag(84, M::pquad)}},

  // Barrier number and thread count are registers or immediates; in form 1 one register holds both.
  OpcodeRow{0x11d, Opcode::bar, "BAR", Pipe::sync, {}, {fixed(M::syncall), flag(80, M::defer_blocking)}}
    .on(kBeforeSm90).when({77, 3}, {4}).source_scoreboard(),
  OpcodeRow{0x11d, Opcode::bar, "BAR", Pipe::sync,
    {kRegB.in_forms({1, 2}), imm(54, 4).in_forms({0, 3, 4, 5, 6, 7}), kRegB.in_forms({1, 4}),
     imm(42, 12).optional().when(kFormAndKind, {2, 5, 2 + kReduce, 5 + kReduce, 2 + kScan, 5 + kScan}),
     imm(42, 12).when(kFormAndKind, {2 + kArrive, 5 + kArrive}), kPq.when({77, 2}, {2, 3})},
    {field(77, 2, kBarrierKind), field({74, 2, 77, 2}, kBarrierOperation), flag(80, M::defer_blocking)}}
    .source_scoreboard(),

  OpcodeRow{0x14e, Opcode::lepc, "LEPC", Pipe::control, {kDst, at(byte_target)}, {}}.in_forms({4}),
  {0x14e, Opcode::lepc, "LEPC", Pipe::control, {kDst}, {}},
  {0x15d, Opcode::nanosleep, "NANOSLEEP", Pipe::control,
    {kAlso, in_b().on(kSm75), in_b().if_clear(83).on(kFromSm80)},
    {flag(86, M::rand), field(84, 2, kSleep).on(kBeforeSm90), field(84, 2, kSleep90).on(kSm90), flag(83, M::clear).on(kFromSm80)}},
  {0x15c, Opcode::bpt, "BPT", Pipe::control, {imm(34, 20)}, {field(84, 3, kTrap)}},
  {0x118, Opcode::nop, "NOP", Pipe::dispatch, {}, {}},
  {0x001, Opcode::pmtrig, "PMTRIG", Pipe::dispatch, {kAlso, imm(32, 16)}, {}},
};
// clang-format on

}  // namespace

std::span<const OpcodeRow> control_rows() { return kRows; }

}  // namespace gemmscope::isa
