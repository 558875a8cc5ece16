#include "metrics/register_ports.h"

#include <algorithm>

#include "isa/opcode_table.h"
#include "isa/register_use.h"

namespace gemmscope::metrics {
namespace {

// The cycles that a window keeps: the last bit stays free.
constexpr uint64_t kKept = ~uint64_t{0} >> 1;

// Whether `reads` of the `cycles` cycles from `from` on are free.
bool fits(uint64_t busy, int reads, uint64_t from, int cycles) {
  uint64_t free = ~busy >> from;
  if (cycles < 64) free &= (uint64_t{1} << cycles) - 1;
  for (int k = 1; k < reads; ++k) free &= free - 1;
  return reads == 0 || free != 0;
}

uint64_t with_first_free_taken(uint64_t busy, int reads, uint64_t from) {
  uint64_t free = ~busy & kKept & (~uint64_t{0} << from);
  for (; reads > 0 && free != 0; --reads) {
    busy |= free & -free;
    free &= free - 1;
  }
  return busy;
}

// Whether the bank has given the register to one of these reads, of which the cache served those of `hits`.
bool is_given(std::span<const PortRead> earlier, uint16_t hits, uint8_t reg) {
  for (size_t k = 0; k < earlier.size(); ++k)
    if (earlier[k].reg == reg && ((hits >> k) & 1) == 0) return true;
  return false;
}

// Those that wait in a queue and read from there (tests/calibration/microbench/README.md).
bool reads_late(const isa::Instruction& instruction) {
  switch (instruction.row->pipe) {
    case isa::Pipe::lsu:
    case isa::Pipe::xu:
    case isa::Pipe::async:
      return true;
    default:
      return false;
  }
}

}  // namespace

PortReads operand_reads(const isa::Instruction& instruction) {
  PortReads result;
  for (const isa::RegisterRead& read : isa::register_use(instruction).reads)
    for (int w = 0; w < read.words && result.count < PortReads::kMost; ++w)
      result.reads[result.count++] = {static_cast<uint8_t>(read.reg + w),
                                      std::min<uint8_t>(read.slot, kOperandSlots - 1), read.reuse};
  return result;
}

PortReads port_reads(const isa::Instruction& instruction) {
  if (instruction.row == nullptr || reads_late(instruction)) return {};
  return operand_reads(instruction);
}

BankReads read_banks(ReuseCache& cache, std::span<const PortRead> reads, uint32_t warp) {
  BankReads result;
  for (size_t k = 0; k < reads.size(); ++k) {
    const PortRead& read = reads[k];
    const auto bit = static_cast<uint16_t>(1u << k);
    if (cache.at(read).holds(warp, read.reg))
      result.hits |= bit;
    else if (is_given(reads.first(k), result.hits, read.reg))
      result.doubles |= bit;
    else
      ++result.count[static_cast<size_t>(bank_of(read.reg))];
  }
  for (const PortRead& read : reads)
    cache.at(read) = read.reuse ? ReuseCache::Entry{warp, read.reg} : ReuseCache::Entry{};
  return result;
}

uint64_t PortWindow::reserve(const BankReads& reads, uint64_t earliest, int window_cycles) {
  constexpr uint64_t kLongest = 40;
  earliest = std::max(earliest, next_);
  if (earliest > first_cycle_) {
    const uint64_t by = earliest - first_cycle_;
    for (uint64_t& busy : busy_) busy = by >= 64 ? 0 : busy >> by;
    first_cycle_ = earliest;
  }
  const auto fits_all = [&](uint64_t delay) {
    for (size_t bank = 0; bank < kRegisterBanks; ++bank)
      if (busy_[bank] != 0 &&
          !fits(busy_[bank], reads.count[bank], delay, std::max<int>(window_cycles, reads.count[bank])))
        return false;
    return true;
  };
  uint64_t delay = 0;
  while (delay < kLongest && !fits_all(delay)) ++delay;
  for (size_t bank = 0; bank < kRegisterBanks; ++bank)
    busy_[bank] = with_first_free_taken(busy_[bank], reads.count[bank], delay);
  next_ = earliest + delay + 1;
  return earliest + delay;
}

PortStream::Step PortStream::issue(std::span<const PortRead> reads) {
  Step step;
  step.banks = read_banks(cache_, reads);
  const uint64_t begin = window_.reserve(step.banks, next_);
  step.lost_cycles = static_cast<uint32_t>(begin - next_);
  next_ = begin + 1;
  return step;
}

uint64_t steady_cycles(std::span<const PortReads> body) {
  PortStream stream;
  for (const PortReads& reads : body) stream.issue(reads.list());
  const uint64_t warm = stream.cycles();
  for (const PortReads& reads : body) stream.issue(reads.list());
  return stream.cycles() - warm;
}

}  // namespace gemmscope::metrics
