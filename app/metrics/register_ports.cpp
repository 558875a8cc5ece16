#include "metrics/register_ports.h"

#include <algorithm>
#include <bit>

#include "isa/opcode_table.h"
#include "isa/register_use.h"

namespace gemmscope::metrics {
namespace {

// The bits of `cycles` cycles from `first` on.
uint64_t cycle_bits(uint64_t first, int cycles) {
  return (cycles >= 64 ? ~uint64_t{0} : (uint64_t{1} << cycles) - 1) << first;
}

void take_first_free(uint64_t& busy, int reads, uint64_t from) {
  for (uint64_t cycle = from; reads > 0 && cycle < 63; ++cycle) {
    if (((busy >> cycle) & 1) != 0) continue;
    busy |= uint64_t{1} << cycle;
    --reads;
  }
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
  std::array<uint64_t, 4> seen{};  // registers that a bank has given, a bit each
  for (size_t k = 0; k < reads.size(); ++k) {
    const PortRead& read = reads[k];
    const auto bit = static_cast<uint16_t>(1u << k);
    uint64_t& word = seen[read.reg / 64];
    const uint64_t mark = uint64_t{1} << (read.reg % 64);
    if (cache.at(read).holds(warp, read.reg))
      result.hits |= bit;
    else if ((word & mark) != 0)
      result.doubles |= bit;
    else
      ++result.count[static_cast<size_t>(bank_of(read.reg))];
    if ((result.hits & bit) == 0) word |= mark;
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
  const auto fits = [&](uint64_t delay) {
    for (size_t bank = 0; bank < kRegisterBanks; ++bank)
      if (busy_[bank] != 0 &&
          std::popcount(~busy_[bank] & cycle_bits(delay, std::max<int>(window_cycles, reads.count[bank]))) <
              reads.count[bank])
        return false;
    return true;
  };
  uint64_t delay = 0;
  while (delay < kLongest && !fits(delay)) ++delay;
  for (size_t bank = 0; bank < kRegisterBanks; ++bank) take_first_free(busy_[bank], reads.count[bank], delay);
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
