// One decoded machine instruction (SASS) as data, which the disassembler prints and the machine executes. Bit
// numbers in comments are those of the 128-bit little-endian instruction word.
#pragma once

#include <array>
#include <cstdint>

#include "isa/arch.h"
#include "isa/modifier.h"
#include "isa/opcode.h"

namespace gemmscope::isa {

inline constexpr int kInstructionBytes = 16;
inline constexpr uint8_t kRegisterZero = 255;  // RZ: reads 0, writes are dropped
inline constexpr uint8_t kUniformZero = 63;    // URZ
inline constexpr uint8_t kPredicateTrue = 7;   // PT, UPT

// Where a vector register source enters the pipe: the operand slot whose reuse flag it has (bits 122–124).
inline constexpr uint8_t kNoSlot = 3;

enum class OperandKind : uint8_t {
  none,
  reg,                // R0..R254, RZ
  uniform_reg,        // UR0..UR62, URZ
  predicate,          // P0..P6, PT
  uniform_predicate,  // UP0..UP6, UPT
  predicate_file,     // PR, all predicates of P2R / R2P
  barrier,            // B0..B15, convergence barrier
  integer,            // immediate: `value`, sign- or zero-extended as it is printed
  real,               // floating-point immediate; `value` holds the raw bits, `real` says how to read them
  constant,           // c[bank][offset] or, with `index` a uniform register, cx[UR][offset]
  indexed_constant,   // LDC / ULDC c[bank][R + offset]
  memory,             // [R + UR + offset], see AddressMode
  special_reg,        // SR_TID.X …: `index` is the hardware number
  target,             // a code address: `value` is the absolute target, printed in hex
  indirect_target,    // BRX / RET / CALL through a register: `index` and the displacement in `value`
  scoreboard,         // SB0 … of DEPBAR: `index`
  scoreboard_set,     // {5,4,…} of DEPBAR: bits in `value`
  group_descriptor,   // gdesc[URx] of HGMMA
  group_scoreboard,   // gsb0 of HGMMA
  descriptor,         // desc[URx] of a copy: the cache hint, `index`
  lane_signs,         // signs of FSWZADD's two sources in each lane of a quad: 2 bits a lane in `value`
  name,               // a word used as an operand, such as 2D: `value` is a Modifier
};

enum class RealFormat : uint8_t { f32, f64_high, f16, bf16 };

// How much of a register a source reads, printed as a suffix.
enum class Part : uint8_t {
  whole,
  h0,
  h1,
  h0_h0,
  h1_h1,
  f32,
  b1,
  b2,
  b3,
  sign,
  row,
  col,
  unnamed0,
  unnamed1,
  invalid1,
  invalid2,
  invalid3
};

// What the uniform register of a memory operand means.
enum class UniformRole : uint8_t { none, added, descriptor, hidden_descriptor };

struct Operand {
  OperandKind kind = OperandKind::none;
  uint8_t index = 0;       // register, predicate, barrier or special-register number; memory: base register
  bool negate = false;     // arithmetic minus
  bool absolute = false;   // |x|
  bool invert = false;     // ~x of an integer source, !p of a predicate
  bool reuse = false;      // printed `.reuse`; no functional effect
  uint8_t slot = kNoSlot;  // vector registers, also those of an address: 0–2
  Part part = Part::whole;
  RealFormat real = RealFormat::f32;
  // constant: bank 0..31; indexed_constant: bank; memory: log2 of the scale of the base register (.X4 is 2)
  uint8_t bank_or_scale = 0;
  // memory: the uniform register; constant / indexed_constant: the uniform register of cx[UR] or c[][UR+…]
  uint8_t uniform_index = kUniformZero;
  bool bindless = false;                         // cx[UR][…]
  UniformRole uniform_role = UniformRole::none;  // memory; indexed_constant: added for c[][UR+…]
  uint8_t address_bits = 32;                     // memory: 64 when the base register is a pair, else 32
  bool shows_width = false;                      // memory: the base register is printed with .64 or .U32
  int64_t value = 0;                             // immediate, offset in bytes, target, displacement

  bool is(OperandKind k) const { return kind == k; }
  friend bool operator==(const Operand&, const Operand&) = default;
};

// The guard predicate: @P0, @!UP2 …; index 7 without negation is "always".
struct Guard {
  uint8_t index = kPredicateTrue;
  bool negate = false;
  bool uniform = false;
  bool always() const { return index == kPredicateTrue && !negate; }
  friend bool operator==(const Guard&, const Guard&) = default;
};

// The scheduling fields that the assembler put into bits 105–125 (isa/README.md, The control field).
struct Control {
  uint8_t stall_cycles = 0;      // 105–108
  bool yield = false;            // 109, inverted in the hardware: true here means "may yield"
  uint8_t write_scoreboard = 7;  // 110–112, 7 = none
  uint8_t read_scoreboard = 7;   // 113–115, 7 = none
  uint8_t wait_mask = 0;         // 116–121, bit k waits for scoreboard k
  uint8_t reuse = 0;             // 122–125
  friend bool operator==(const Control&, const Control&) = default;
};

struct OpcodeRow;  // isa/opcode_table.h

struct Instruction {
  uint64_t lo = 0, hi = 0;
  uint32_t address = 0;  // byte offset in the kernel's code
  Arch arch = Arch::sm_90;
  Opcode opcode = Opcode::unknown;
  uint8_t form = 0;  // bits 9–11: which source is a register, an immediate, a constant or a uniform register
  Guard guard;
  Control control;
  const OpcodeRow* row = nullptr;  // null for an unknown opcode

  static constexpr int kMaxOperands = 10, kMaxModifiers = 10;
  uint8_t operand_count = 0, modifier_count = 0;
  uint8_t destination_count = 0;  // number of written operands; the sources follow, see fields.h
  std::array<Operand, kMaxOperands> operands{};     // in printed order, destinations first
  std::array<Modifier, kMaxModifiers> modifiers{};  // in printed order
  // Bit k: the row's k-th operand, or modifier field, is among these. A default value often is not printed.
  uint16_t printed_operands = 0, printed_modifiers = 0;

  bool known() const { return opcode != Opcode::unknown; }
  bool has(Modifier m) const {
    for (int i = 0; i < modifier_count; ++i)
      if (modifiers[i] == m) return true;
    return false;
  }
  // Bits [first, first + width) of the instruction word.
  uint64_t bits(int first, int width) const {
    const unsigned __int128 word = (static_cast<unsigned __int128>(hi) << 64) | lo;
    return static_cast<uint64_t>(word >> first) & ((width >= 64) ? ~0ull : ((1ull << width) - 1));
  }
};

// Decodes the instruction word (lo, hi) at byte offset `address` of a kernel's code. Never fails: an opcode
// without a row in the table gives an Instruction with known() == false.
Instruction decode(uint64_t lo, uint64_t hi, uint32_t address, Arch arch);

}  // namespace gemmscope::isa
