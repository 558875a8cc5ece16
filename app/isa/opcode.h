// The operations of the machine: one value per operation that an executor implements. A mnemonic that covers
// different work has two values (IMAD and IMAD.WIDE). Different texts for the same work share one value (RED
// and REDG, IMAD.MOV and IMAD).
#pragma once

#include <cstdint>

namespace gemmscope::isa {

// Everything else about an operation (encoding, mnemonic, pipe, operands) is in its row of the table, see
// opcode_table.h.
// clang-format off
enum class Opcode : uint8_t {
  unknown,

  // Integer, logic, moves
  mov, sel, prmt, shf, sgxt, bmsk, lop3, lea, iadd3, iabs, imnmx, isetp,
  imad, imad_wide, imad_hi, idp,
  viadd, viaddmnmx, vimnmx, vimnmx3, vabsdiff, vabsdiff4,
  brev, flo, popc,

  // Predicates and special registers
  plop3, plop3_sign, p2r, r2p, cs2r, s2r, vote, match, redux, shfl, b2r,

  // float32 and float64
  fadd, fmul, ffma, fmnmx, fsel, fset, fsetp, fchk, mufu, fswzadd,
  dadd, dmul, dfma, dsetp,

  // Pairs of 16-bit floats
  hadd2, hmul2, hfma2, hfma2_mma, hset2, hsetp2, hmnmx2,

  // Conversions
  f2f, f2i, i2f, frnd, i2i, i2fp, f2fp, f2ip,

  // Matrix
  hmma, hmma_884, qmma, imma, dmma, bmma, hgmma, igmma, qgmma, bgmma, movm, ldsm, stsm,

  // Uniform datapath
  umov, usel, uprmt, ushf, ulop3, ulea, uiadd3, uiadd3_64, usgxt, up2ur, ur2up, uisetp, uimad, uimad_wide, uplop3, uflo, upopc, ubrev,
  uldc, s2ur, r2ur, voteu,

  // Memory
  ldg, ld, stg, st, lds, sts, ldl, stl, ldc, ldgsts, ldgdepbar, depbar,
  atom, atom_cas, atomg, atomg_cas, atoms, atoms_cas, atoms_arrive, red,
  cctl, membar, errbar, cgaerrbar, qspc,

  // Textures and surfaces
  tex, tld, tld4, txd, txq, suld, sust, sured,

  // Control
  bra, brx, brxu, call_abs, call_rel, ret, exit, bssy, bsync, break_, warpsync, yield, endcollective,
  bmov_to_reg, bmov_to_barrier, bmov_barriers, rpcmov_to_reg, rpcmov_from_reg, lepc, nanosleep, bpt, bar, nop, pmtrig,

  // Hopper's asynchronous operations
  elect, preexit, acqbulk, syncs_arrive, syncs_phasechk, syncs_exch, syncs_cctl, arrives, fence, warpgroup,
  utmaldg, utmastg, utmaredg, utmapf, utmacctl, utmacmdflush, ublkcp, ublkred, ublkpf, stas, redas, usetmaxreg, ucgabar_wait, ucgabar_arv,
};
// clang-format on

inline constexpr int kOpcodeCount = static_cast<int>(Opcode::ucgabar_arv) + 1;

}  // namespace gemmscope::isa
