// The parts of a mnemonic after its first dot: `LDG.E.128` has the modifiers `e` and `b128`. Each bit field
// of the instruction is one modifier, so a value such as `strong_gpu` prints as "STRONG.GPU".
#pragma once

#include <cstdint>

namespace gemmscope::isa {

// X(value, text). The value is the text in lower case. Sizes in bits begin with b (b64); other numbers begin
// with a word.
// clang-format off
#define GEMMSCOPE_MODIFIERS(X)                                                                                \
  X(none, "")                                                                                                 \
  /* rounding, saturation, float behaviour */                                                                 \
  X(rm, "RM") X(rp, "RP") X(rz, "RZ") X(ftz, "FTZ") X(fmz, "FMZ") X(sat, "SAT") X(satfinite, "SATFINITE")     \
  X(relu, "RELU") X(xorsign, "XORSIGN") X(ntz, "NTZ") X(floor, "FLOOR") X(ceil, "CEIL") X(trunc, "TRUNC")     \
  X(d2, "D2") X(d4, "D4") X(d8, "D8") X(m2, "M2") X(m4, "M4") X(m8, "M8")                                     \
  /* types and widths */                                                                                      \
  X(u4, "U4") X(s4, "S4") X(u8, "U8") X(s8, "S8") X(u16, "U16") X(s16, "S16") X(u32, "U32") X(s32, "S32")     \
  X(u64, "U64") X(s64, "S64") X(f16, "F16") X(bf16, "BF16") X(bf16_v2, "BF16_V2") X(tf32, "TF32")             \
  X(f32, "F32") X(f64, "F64") X(e4m3, "E4M3") X(e5m2, "E5M2") X(u16x2, "U16x2") X(s16x2, "S16x2")             \
  X(b16x2, "16x2") X(b16, "16") X(b32, "32") X(b64, "64") X(b128, "128") X(x2, "2") X(x4, "4")                \
  /* comparisons and logic; f and t are "never" and "always" */                                               \
  X(f, "F") X(lt, "LT") X(eq, "EQ") X(le, "LE") X(gt, "GT") X(ne, "NE") X(ge, "GE") X(num, "NUM")             \
  X(nan, "NAN") X(ltu, "LTU") X(equ, "EQU") X(leu, "LEU") X(gtu, "GTU") X(neu, "NEU") X(geu, "GEU")           \
  X(t, "T") X(and_, "AND") X(or_, "OR") X(xor_, "XOR") X(h_and, "H_AND") X(pand, "PAND") X(bf, "BF")          \
  /* integer */                                                                                               \
  X(mov, "MOV") X(iadd, "IADD") X(shl, "SHL") X(wide, "WIDE") X(hi, "HI") X(lo, "LO") X(x, "X") X(ex, "EX")   \
  X(lut, "LUT") X(sx32, "SX32") X(l, "L") X(r, "R") X(w, "W") X(sh, "SH") X(acc, "ACC") X(dp2a, "2A")         \
  X(dp4a, "4A") X(f4e, "F4E") X(b4e, "B4E") X(rc8, "RC8") X(ecl, "ECL") X(ecr, "ECR") X(rc16, "RC16")         \
  X(b1, "B1") X(b2, "B2") X(b3, "B3")                                                                         \
  /* MUFU */                                                                                                  \
  X(cos, "COS") X(sin, "SIN") X(ex2, "EX2") X(lg2, "LG2") X(rcp, "RCP") X(rsq, "RSQ") X(rcp64h, "RCP64H")     \
  X(rsq64h, "RSQ64H") X(sqrt, "SQRT") X(tanh, "TANH")                                                         \
  /* conversions of pairs */                                                                                  \
  X(pack_ab, "PACK_AB") X(merge_c, "MERGE_C") X(pack_ab_merge_c, "PACK_AB_MERGE_C") X(unpack_b, "UNPACK_B")   \
  X(unpack_b_merge_c, "UNPACK_B_MERGE_C") X(pack_b, "PACK_B")                                                 \
  /* votes, shuffles, reductions */                                                                           \
  X(all, "ALL") X(any, "ANY") X(idx, "IDX") X(up, "UP") X(down, "DOWN") X(bfly, "BFLY") X(sum, "SUM")         \
  /* memory: address, eviction, prefetch size, order and scope (none printed: weak) */                        \
  X(e, "E") X(u, "U") X(ef, "EF") X(el, "EL") X(lu, "LU") X(eu, "EU") X(na, "NA") X(ltc64b, "LTC64B")         \
  X(ltc128b, "LTC128B") X(ltc256b, "LTC256B") X(bypass, "BYPASS") X(zfill, "ZFILL") X(zd, "ZD")               \
  X(constant, "CONSTANT") X(constant_private, "CONSTANT.PRIVATE") X(constant_cta, "CONSTANT.CTA")             \
  X(constant_cta_private, "CONSTANT.CTA.PRIVATE") X(constant_sm, "CONSTANT.SM")                               \
  X(constant_sm_private, "CONSTANT.SM.PRIVATE") X(constant_vc, "CONSTANT.VC")                                 \
  X(constant_vc_private, "CONSTANT.VC.PRIVATE") X(constant_gpu, "CONSTANT.GPU") X(strong, "STRONG")           \
  X(strong_sm, "STRONG.SM") X(strong_sm_private, "STRONG.SM.PRIVATE") X(strong_gpu, "STRONG.GPU")             \
  X(strong_gpu_private, "STRONG.GPU.PRIVATE") X(strong_sys, "STRONG.SYS") X(mmio, "MMIO")                     \
  X(mmio_cta, "MMIO.CTA") X(mmio_cta_private, "MMIO.CTA.PRIVATE") X(mmio_sm, "MMIO.SM")                       \
  X(mmio_vc, "MMIO.VC") X(mmio_gpu, "MMIO.GPU") X(mmio_sys, "MMIO.SYS") X(gpu_private, "GPU.PRIVATE")         \
  X(cta, "CTA") X(sm, "SM") X(gpu, "GPU") X(sys, "SYS") X(vc, "VC") X(private_, "PRIVATE")                    \
  X(cta_partial, "CTA.PARTIAL") X(sc, "SC") X(il, "IL") X(is, "IS") X(isl, "ISL")                             \
  /* atomics */                                                                                               \
  X(add, "ADD") X(min, "MIN") X(max, "MAX") X(inc, "INC") X(dec, "DEC") X(exch, "EXCH") X(cas, "CAS")         \
  X(cast, "CAST") X(cast_spin, "CAST.SPIN") X(popc_inc, "POPC.INC") X(f32_rn, "F32.RN")                       \
  X(f32_ftz_rn, "F32.FTZ.RN") X(f32x2_rn, "F32x2.RN") X(f32x2_ftz_rn, "F32x2.FTZ.RN")                         \
  X(f32x4_rn, "F32x4.RN") X(f32x4_ftz_rn, "F32x4.FTZ.RN") X(f16x2_rn, "F16x2.RN") X(f16x4_rn, "F16x4.RN")     \
  X(f16x8_rn, "F16x8.RN") X(bf16x2_rn, "BF16x2.RN") X(bf16x4_rn, "BF16x4.RN") X(bf16x8_rn, "BF16x8.RN")       \
  X(f64_rn, "F64.RN") X(bf16_rn, "BF16.RN") X(safeadd, "SAFEADD")                                                                   \
  /* cache control and address queries */                                                                     \
  X(c, "C") X(i, "I") X(pf1, "PF1") X(pf2, "PF2") X(wb, "WB") X(iv, "IV") X(ivall, "IVALL") X(rs, "RS")       \
  X(ivallp, "IVALLP") X(wball, "WBALL") X(wballp, "WBALLP") X(pml2, "PML2") X(dml2, "DML2")                   \
  X(rml2, "RML2") X(g, "G") X(s, "S") X(d, "D")                                                               \
  /* matrices: shapes as printed, and layouts */                                                              \
  X(mma_884, "884") X(mma_1684, "1684") X(mma_1688, "1688") X(mma_8816, "8816") X(mma_8832, "8832")           \
  X(mma_16816, "16816") X(mma_16832, "16832") X(mma_16864, "16864") X(mma_8x8x4, "8x8x4")                     \
  X(mma_16x8x4, "16x8x4") X(mma_16x8x8, "16x8x8") X(mma_16x8x16, "16x8x16") X(mma, "MMA") X(sp, "SP")         \
  X(m88, "M88") X(mt88, "MT88") X(m816, "M816") X(m832, "M832") X(m864, "M864")                               \
  X(mma_168128, "168128") X(mma_88128, "88128") X(mma_168256, "168256")                 \
  X(step0, "STEP0") X(step1, "STEP1") X(step2, "STEP2") X(step3, "STEP3") \
  /* textures and surfaces */                                                                                 \
  X(scr, "SCR") X(bound, "B") X(lz, "LZ") X(lb, "LB") X(ll, "LL") X(lc, "LC") X(lb_lc, "LB.LC")               \
  X(ll_lc, "LL.LC") X(aoffi, "AOFFI") X(ptp, "PTP") X(dc, "DC") X(ndv, "NDV") X(ms, "MS") X(cl, "CL")         \
  X(nodep, "NODEP") X(cube, "CUBE") X(array_1d, "ARRAY_1D") X(array_2d, "ARRAY_2D")                           \
  X(array_3d, "ARRAY_3D") X(array_cube, "ARRAY_CUBE") X(buffer_1d, "1D_BUFFER") X(surface_array_1d, "1D_ARRAY") X(surface_array_2d, "2D_ARRAY") X(f16_rz, "F16.RZ") X(sd32, "SD32") X(f16_rn, "F16.RN") X(alpha, "A")   \
  X(header_dimension, "TEX_HEADER_DIMENSION") X(header_type, "TEX_HEADER_TEXTURE_TYPE")                       \
  X(header_sampler, "TEX_HEADER_SAMPLER_POS") X(ba, "BA") X(ign, "IGN") X(p, "P") X(rg, "RG") X(rgba, "RGBA") \
  /* control flow and barriers */                                                                             \
  X(abs, "ABS") X(rel, "REL") X(noinc, "NOINC") X(nodec, "NODEC") X(div, "DIV") X(conv, "CONV")               \
  X(mactive, "MACTIVE") X(rpc_lo, "Rpc.LO") X(rpc_hi, "Rpc.HI") X(keeprefcount, "KEEPREFCOUNT") X(preempted, "PREEMPTED") X(no_atexit, "NO_ATEXIT")                         \
  X(collective, "COLLECTIVE") X(exclusive, "EXCLUSIVE") X(clear, "CLEAR") X(pquad, "PQUAD")                   \
  X(drain, "DRAIN") X(cal, "CAL") X(pause, "PAUSE") X(trap, "TRAP") X(int_, "INT") X(warp, "WARP")            \
  X(rand, "RAND") X(syncs, "SYNCS") X(sync, "SYNC") X(arv, "ARV") X(red, "RED") X(scan, "SCAN")               \
  X(popc, "POPC") X(result, "RESULT") X(defer_blocking, "DEFER_BLOCKING") X(syncall, "SYNCALL")               \
  /* Hopper's asynchronous operations */                                                                      \
  X(ignorekill, "IGNOREKILL") X(arrive, "ARRIVE") X(wait, "WAIT") X(depbar, "DEPBAR") X(trans64, "TRANS64")   \
  X(phasechk, "PHASECHK") X(trywait, "TRYWAIT") X(tmask, "TMASK") X(optout, "OPTOUT") X(a1t0, "A1T0")         \
  X(a0t1, "A0T1") X(a0tr, "A0TR") X(a0tx, "A0TX") X(cctl, "CCTL") X(ldgstsbar, "LDGSTSBAR")                   \
  X(arvcnt, "ARVCNT") X(transcnt, "TRANSCNT") X(dim1, "1D") X(dim2, "2D") X(dim3, "3D") X(dim4, "4D")         \
  X(dim5, "5D") X(l2, "L2") X(pf, "PF") X(art0, "ART0") X(im2col, "IM2COL") X(multicast, "MULTICAST") X(try_alloc, "TRY_ALLOC")                       \
  X(dealloc, "DEALLOC") X(ctapool, "CTAPOOL") X(view, "VIEW") X(async, "ASYNC")                               \
  /* encodings without a meaning, as the vendor's disassembler prints them */                                 \
  X(unnamed0, "???0") X(invalid0, "INVALID0") X(invalid1, "INVALID1") X(invalid2, "INVALID2") X(invalid3, "INVALID3")             \
  X(invalid4, "INVALID4") X(invalid5, "INVALID5") X(invalid6, "INVALID6") X(invalid7, "INVALID7")             \
  X(invalid8, "INVALID8") X(invalid9, "INVALID9") X(invalid10, "INVALID10") X(invalid11, "INVALID11")         \
  X(invalid12, "INVALID12") X(invalid13, "INVALID13") X(invalid14, "INVALID14") X(invalid15, "INVALID15")
// clang-format on

enum class Modifier : uint16_t {
#define GEMMSCOPE_MODIFIER_VALUE(name, text) name,
  GEMMSCOPE_MODIFIERS(GEMMSCOPE_MODIFIER_VALUE)
#undef GEMMSCOPE_MODIFIER_VALUE
  // Shapes 64 x N x K of a warpgroup's product. N is 8, 16 … 256 for each K of 16, 8, 32, 64, 256.
  hgmma_first,
  hgmma_k32 = hgmma_first + 64,
  hgmma_k256 = hgmma_first + 128,
  hgmma_last = hgmma_first + 159,
};

// The printed text, without the dot: "FTZ", "128", "STRONG.GPU", "64x128x16".
const char* modifier_text(Modifier modifier);

}  // namespace gemmscope::isa
