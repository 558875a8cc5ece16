// Hopper's asynchronous operations: copies by descriptor, barriers in shared memory, warpgroups. All are
// decoded and printed; the machine executes barrier objects and bulk copies to shared memory
// (translate_async.cpp).
#include "isa/opcode_vocabulary.h"

namespace gemmscope::isa {

namespace {

using namespace rows;

constexpr M kArriveCount[8] = {M::none, M::a1t0, M::a0t1,     M::a0tr,
                               M::a0tx, M::art0, M::invalid6, M::invalid7};
constexpr M kStoreSize[8] = {M::invalid0, M::invalid1, M::invalid2, M::invalid3,
                             M::none,     M::b64,      M::b128,     M::invalid7};
constexpr M kLdgstsCount[4] = {M::none, M::arvcnt, M::transcnt, M::invalid3};
constexpr M kDimensions[8] = {M::dim1, M::dim2,     M::dim3,     M::dim4,
                              M::dim5, M::invalid5, M::invalid6, M::invalid7};
constexpr M kCopySpace[2] = {M::g, M::s};
constexpr M kFenceSpace[2] = {M::s, M::g};

constexpr M kReduction[8] = {M::add, M::min, M::max, M::inc, M::dec, M::and_, M::or_, M::xor_};
constexpr M kReducedType[16] = {M::none,      M::s32,       M::u64,        M::s64,
                                M::f16_rn,    M::f32_rn,    M::f32_ftz_rn, M::f64_rn,
                                M::bf16_rn,   M::invalid9,  M::invalid10,  M::invalid11,
                                M::invalid12, M::invalid13, M::invalid14,  M::invalid15};
constexpr M kWordType[4] = {M::none, M::s32, M::b64, M::s64};
constexpr M kTensorMapControl[2] = {M::iv, M::pf};

constexpr OperandSpec kHint = at(cache_descriptor).if_set(76);
constexpr OperandSpec kBarrierAddress = address(shared_address, 64);
constexpr OperandSpec kUniformA = address(uniform_address, 24);
constexpr OperandSpec kUniformB = address(uniform_address, 32);

// clang-format off
constexpr OpcodeRow kRows[] = {
  OpcodeRow{0x02d, Opcode::preexit, "PREEXIT", Pipe::control, {}, {}}.on(kSm90),
  OpcodeRow{0x02e, Opcode::acqbulk, "ACQBULK", Pipe::control, {}, {}}.on(kSm90),
  OpcodeRow{0x02f, Opcode::elect, "ELECT", Pipe::alu, {kPu, kUniformDst, kPq}, {flag(85, M::ignorekill)}}.on(kSm90),

  OpcodeRow{0x1a7, Opcode::syncs_phasechk, "SYNCS", Pipe::async,
    {kPu, kBarrierAddress, kRegB}, {fixed(M::phasechk), fixed(M::trans64), flag(72, M::trywait)}}
    .in_forms({2}).result_scoreboard().on(kSm90),
  OpcodeRow{0x1a7, Opcode::syncs_arrive, "SYNCS", Pipe::async,
    {kDst, kBarrierAddress, kRegB},
    {fixed(M::arrive), fixed(M::trans64), flag(73, M::tmask), flag(74, M::red), flag(75, M::optout),
     field(84, 3, kArriveCount)}}.on(kSm90),
  OpcodeRow{0x1b2, Opcode::syncs_exch, "SYNCS", Pipe::async,
    {kDst, address(uniform_offset_address, 24), at(uniform_b)}, {fixed(M::exch), fixed(M::b64)}, Datapath::uniform}
    .result_scoreboard().on(kSm90),
  OpcodeRow{0x1b1, Opcode::syncs_cctl, "SYNCS", Pipe::async,
    {kBarrierAddress}, {fixed(M::cctl), fixed(M::iv)}}.on(kSm90),
  OpcodeRow{0x1b0, Opcode::arrives, "ARRIVES", Pipe::async,
    {kBarrierAddress}, {fixed(M::ldgstsbar), fixed(M::b64), field(70, 2, kLdgstsCount)}}.on(kFromSm80),
  OpcodeRow{0x1c6, Opcode::fence, "FENCE", Pipe::async,
    {}, {fixed(M::view), fixed(M::async), field(72, 1, kFenceSpace)}}.result_scoreboard().on(kSm90),

  OpcodeRow{0x1b4, Opcode::utmaldg, "UTMALDG", Pipe::async,
    {kUniformB, kUniformA, at(uniform_c).in_forms({1}), kHint},
    {field(79, 3, kDimensions), flag(82, M::im2col), flag(75, M::multicast)}, Datapath::uniform}.on(kSm90),
  OpcodeRow{0x1b5, Opcode::utmastg, "UTMASTG", Pipe::async,
    {kUniformB, kUniformA, kHint}, {field(79, 3, kDimensions), flag(82, M::im2col)}, Datapath::uniform}.on(kSm90),
  OpcodeRow{0x1b6, Opcode::utmaredg, "UTMAREDG", Pipe::async,
    {kUniformB, kUniformA, kHint}, {field(79, 3, kDimensions), flag(82, M::im2col), field(87, 3, kReduction)},
    Datapath::uniform}.on(kSm90),
  OpcodeRow{0x1b8, Opcode::utmapf, "UTMAPF", Pipe::async,
    {kUniformB, kUniformA, at(uniform_c).in_forms({1}), kHint},
    {fixed(M::l2), field(79, 3, kDimensions), flag(82, M::im2col)}, Datapath::uniform}.on(kSm90),
  OpcodeRow{0x1b9, Opcode::utmacctl, "UTMACCTL", Pipe::async,
    {kUniformA}, {field(82, 1, kTensorMapControl)}, Datapath::uniform}.on(kSm90),
  OpcodeRow{0x1b7, Opcode::utmacmdflush, "UTMACMDFLUSH", Pipe::async, {}, {}, Datapath::uniform}.on(kSm90),
  OpcodeRow{0x1ba, Opcode::ublkcp, "UBLKCP", Pipe::async,
    {kUniformB, kUniformA, at(uniform_c), kHint},
    {field(73, 1, kCopySpace), field(74, 1, kCopySpace), flag(75, M::multicast)}, Datapath::uniform}.on(kSm90),
  OpcodeRow{0x1bb, Opcode::ublkred, "UBLKRED", Pipe::async,
    {kUniformB, kUniformA, at(uniform_c), kHint},
    {field(73, 1, kCopySpace), field(74, 1, kCopySpace), field(87, 3, kReduction), field(81, 4, kReducedType)},
    Datapath::uniform}.on(kSm90),
  OpcodeRow{0x1bc, Opcode::ublkpf, "UBLKPF", Pipe::async,
    {kUniformA, at(uniform_c), kHint}, {fixed(M::l2)}, Datapath::uniform}.on(kSm90),
  OpcodeRow{0x1be, Opcode::redas, "REDAS", Pipe::async,
    {address(cluster_address, 64), kRegB}, {field(87, 3, kReduction), field(73, 2, kWordType)}}.on(kSm90),
  OpcodeRow{0x1bd, Opcode::stas, "STAS", Pipe::async,
    {address(cluster_address, 64), kRegB}, {field(73, 3, kStoreSize)}}.on(kSm90),

  OpcodeRow{0x1c5, Opcode::warpgroup, "WARPGROUP", Pipe::tensor, {}, {fixed(M::arrive)}}.when({79, 2}, {0}).on(kSm90),
  OpcodeRow{0x1c5, Opcode::warpgroup, "WARPGROUP", Pipe::tensor, {}, {fixed(M::wait)}}.when({79, 2}, {1}).on(kSm90),
  OpcodeRow{0x1c5, Opcode::warpgroup, "WARPGROUP", Pipe::tensor,
    {with_bits(group_scoreboard, 44, 3), imm(72, 3)}, {fixed(M::depbar), flag(47, M::le)}}.on(kSm90),
  OpcodeRow{0x1c8, Opcode::usetmaxreg, "USETMAXREG", Pipe::async,
    {at(uniform_predicate_u), imm(32, 32)}, {fixed(M::try_alloc), fixed(M::ctapool)}}
    .when({73, 1}, {1}).result_scoreboard().on(kSm90),
  OpcodeRow{0x1c8, Opcode::usetmaxreg, "USETMAXREG", Pipe::async,
    {imm(32, 32)}, {fixed(M::dealloc), fixed(M::ctapool)}}.result_scoreboard().on(kSm90),
  OpcodeRow{0x1c7, Opcode::ucgabar_wait, "UCGABAR_WAIT", Pipe::async, {}, {}}.in_forms({6}).on(kSm90),
  OpcodeRow{0x1c7, Opcode::ucgabar_arv, "UCGABAR_ARV", Pipe::async, {}, {}}.on(kSm90),
};
// clang-format on

}  // namespace

std::span<const OpcodeRow> async_rows() { return kRows; }

}  // namespace gemmscope::isa
