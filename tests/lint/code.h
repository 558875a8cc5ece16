// Writes short programs of machine code: instruction words as compilers write them, with any control field.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "isa/disassemble.h"
#include "lint/lint.h"

namespace gemmscope::lint {

struct Word {
  uint64_t lo = 0, hi = 0;
};

// The control field. 7: no scoreboard.
struct Schedule {
  uint64_t stall = 1, write = 7, read = 7, wait = 0;
  bool yield = true;
};

// --- one instruction each; the numbers are those of registers
inline Word ffma(uint64_t d, uint64_t a, uint64_t b, uint64_t c) {
  return {0x7223 | d << 16 | a << 24 | b << 32, c};
}
inline Word iadd3(uint64_t d, uint64_t a, uint64_t b) {
  return {0x7210 | d << 16 | a << 24 | b << 32, 0x07ffe0ff};
}
inline Word imad_wide(uint64_t d, uint64_t a, uint64_t b, uint64_t c) {
  return {0x7225 | d << 16 | a << 24 | b << 32, 0x078e0200 | c};
}
inline Word hfma2_mma(uint64_t d) { return {0x7435 | d << 16 | 0xffull << 24, 0x1ff}; }  // sm_80, sm_90
inline Word dmul(uint64_t d, uint64_t a, uint64_t b) { return {0x7228 | d << 16 | a << 24 | b << 32, 0}; }
inline Word hmma_16816(uint64_t d, uint64_t a, uint64_t b, uint64_t c) {
  return {0x723c | d << 16 | a << 24 | b << 32, 0x1800 | c};
}
inline Word cs2r(uint64_t d) { return {0x7805 | d << 16, 0x1ff00}; }  // a pair
inline Word mufu(uint64_t d, uint64_t a) { return {0x7308 | d << 16 | a << 32, 0x1000}; }
inline Word isetp(uint64_t p, uint64_t a, uint64_t b) {
  return {0x720c | a << 24 | b << 32, 0x03f06270 | p << 17};
}
inline Word vote_any(uint64_t d, uint64_t p) { return {0x7806 | d << 16, 0x000e0100 | p << 23}; }
inline Word ushf(uint64_t d, uint64_t a) { return {0x7899 | d << 16 | a << 24 | 4ull << 32, 0x8000063f}; }
inline Word uldc(uint64_t d) { return {0x5a0000007ab9 | d << 16, 0x800}; }
inline Word iadd3_uniform(uint64_t d, uint64_t a, uint64_t u) {
  return {0x7c10 | d << 16 | a << 24 | u << 32, 0x0fffe0ff};
}
inline Word lds(uint64_t d, uint64_t a) { return {0x7984 | d << 16 | a << 24, 0x800}; }
inline Word sts(uint64_t a, uint64_t data) { return {0x7388 | a << 24 | data << 32, 0x800}; }
inline Word ldg(uint64_t d, uint64_t a) { return {0x7981 | d << 16 | a << 24 | 4ull << 32, 0x0c1e1900}; }
inline Word stg(uint64_t a, uint64_t data) { return {0x7986 | a << 24 | data << 32, 0x0c101904}; }
inline Word ldgdepbar() { return {0x79af, 0}; }
inline Word depbar(uint64_t most) { return {0x80000000791a | most << 38, 0}; }  // DEPBAR.LE SB0
inline Word bar_sync() { return {0x7b1d, 0x10000}; }
inline Word bra(int64_t displacement) {  // in bytes, from the next instruction
  const auto bits = static_cast<uint64_t>(displacement);
  return {0x7947 | (bits & 0xffffffff) << 32, 0x03800000 | (bits >> 32 & 0x3ffff)};
}
inline Word call(int64_t displacement) {
  return {0x7944 | (static_cast<uint64_t>(displacement) & 0xffffffff) << 32,
          0x03c00000 | (static_cast<uint64_t>(displacement) >> 32 & 0x3ffff)};
}
inline Word ret(uint64_t a) { return {0x7950 | a << 24, 0x03c00000}; }
inline Word exit() { return {0x794d, 0x03800000}; }
inline Word guarded(Word word, uint64_t predicate, bool negate = false) {
  word.lo = (word.lo & ~0xf000ull) | predicate << 12 | uint64_t{negate} << 15;
  return word;
}

class Code {
 public:
  explicit Code(isa::Arch arch = isa::Arch::sm_86) : arch_(arch) {}
  Code& add(Word word, Schedule schedule = {}) {
    const uint64_t control = schedule.stall << 41 | uint64_t{!schedule.yield} << 45 | schedule.write << 46 |
                             schedule.read << 49 | schedule.wait << 52;
    const auto address = static_cast<uint32_t>(instructions_.size() * isa::kInstructionBytes);
    instructions_.push_back(isa::decode(word.lo, word.hi | control, address, arch_));
    EXPECT_TRUE(instructions_.back().known());
    return *this;
  }
  const std::vector<isa::Instruction>& instructions() const { return instructions_; }
  // "0x0010: needs 4 cycles, has 3", one for each finding.
  std::vector<std::string> missing() const {
    std::vector<std::string> list;
    for (const Finding& finding : lint(instructions_).findings)
      list.push_back(fmt::format("0x{:04x}: {}", instructions_[finding.dependence.consumer].address,
                                 missing_text(finding)));
    return list;
  }

 private:
  isa::Arch arch_;
  std::vector<isa::Instruction> instructions_;
};

using Missing = std::vector<std::string>;

}  // namespace gemmscope::lint
