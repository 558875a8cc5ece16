// The read ports of the register file, rule by rule: which bank each operand comes from, what the reuse cache
// serves, and the cycles in which an instruction waits for a port. The timing model (sm/register_ports.h),
// the pictures and the scheduler use this one implementation.
//
// A sub-core's registers lie in two banks, register number modulo 2, and a bank gives one register a cycle. A
// register that an instruction names twice is read once. An operand with the reuse flag stays in a cache of
// one entry for each operand slot and bank, until the next read of that slot and bank; only the warp that put
// it there finds it. An instruction may read its registers within a window of three cycles, so that
// neighbours share what the other bank has left. Sources: Huerta et al., MICRO 2025; measured on an H200
// (tests/calibration/microbench, ports.txt, switch.txt, random.txt, beside.txt and orders.txt).
//
// Left out: that a hit sometimes waits for the read that filled the entry. Streams of random registers and
// flags take up to a third more cycles than this rule says; README.md has the figures.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "isa/instruction.h"

namespace gemmscope::metrics {

inline constexpr int kRegisterBanks = 2;
inline constexpr int kOperandSlots = 3;
inline constexpr int kReadWindowCycles = 3;  // measured on an H200
constexpr int bank_of(uint8_t reg) { return reg % kRegisterBanks; }

// One register that an instruction reads. RZ is never among them.
struct PortRead {
  uint8_t reg = isa::kRegisterZero;
  uint8_t slot = 0;  // operand slot 0–2, in the text A, B and C
  bool reuse = false;
  friend bool operator==(const PortRead&, const PortRead&) = default;
};

// What an instruction reads through the ports, in the order of its operands.
struct PortReads {
  static constexpr int kMost = 14;
  std::array<PortRead, kMost> reads{};
  uint8_t count = 0;
  std::span<const PortRead> list() const { return {reads.data(), count}; }
};
// All registers of wide operands, slot by slot; a read without a slot counts as one of slot C.
PortReads operand_reads(const isa::Instruction& instruction);
// The same without the instructions that read late, from the queue of a memory or transcendental unit: these
// take no port when they issue. A load of shared memory leaves the reuse cache alone (measured); that its
// address takes a port of its bank is left out.
PortReads port_reads(const isa::Instruction& instruction);

struct ReuseCache {
  static constexpr uint32_t kNobody = ~0u;
  struct Entry {
    uint32_t warp = kNobody;
    uint8_t reg = isa::kRegisterZero;
    bool holds(uint32_t of, uint8_t wanted) const { return warp == of && reg == wanted; }
    friend bool operator==(const Entry&, const Entry&) = default;
  };
  std::array<std::array<Entry, kRegisterBanks>, kOperandSlots> entries{};
  Entry& at(const PortRead& read) { return entries[read.slot][static_cast<size_t>(bank_of(read.reg))]; }
};

struct BankReads {
  std::array<uint8_t, kRegisterBanks> count{};  // registers that the bank must give
  uint16_t hits = 0;                            // bit k: the reuse cache serves read k
  uint16_t doubles = 0;                         // bit k: an earlier read of the instruction serves read k
  // Cycles that the busier bank takes; an instruction that reads nothing takes its issue slot.
  int port_cycles() const {
    const int most = count[0] > count[1] ? count[0] : count[1];
    return most > 1 ? most : 1;
  }
};
// Looks the reads up in the cache, and leaves in it what they leave.
BankReads read_banks(ReuseCache& cache, std::span<const PortRead> reads, uint32_t warp = 0);

// When the ports are taken. A copy of it is a snapshot.
class PortWindow {
 public:
  // Takes ports for the reads of an instruction that begins to read in cycle `earliest` at the earliest, and
  // after the one before. Returns the cycle in which it begins.
  uint64_t reserve(const BankReads& reads, uint64_t earliest, int window_cycles = kReadWindowCycles);

 private:
  uint64_t first_cycle_ = 0;                     // of the bits below
  std::array<uint64_t, kRegisterBanks> busy_{};  // bit c: the bank is taken in cycle first_cycle_ + c
  uint64_t next_ = 0;                            // the next instruction may begin
};

// One warp that issues an instruction a cycle, as far as the ports let it. Small enough to copy at each step
// of a search.
class PortStream {
 public:
  struct Step {
    BankReads banks;
    uint32_t lost_cycles = 0;  // in which nothing began to read, because this instruction waited for a port
  };
  Step issue(std::span<const PortRead> reads);
  uint64_t cycles() const { return next_; }  // since the beginning
  const ReuseCache& cache() const { return cache_; }

 private:
  ReuseCache cache_;
  PortWindow window_;
  uint64_t next_ = 0;
};

// The cycles of one pass over a loop's body in its steady state, one issue slot for each instruction
// included.
uint64_t steady_cycles(std::span<const PortReads> body);

}  // namespace gemmscope::metrics
