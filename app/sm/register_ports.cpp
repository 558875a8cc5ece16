#include "sm/register_ports.h"

#include <algorithm>
#include <span>

namespace gemmscope::sm {
namespace {

// Registers are read two cycles after issue.
constexpr uint64_t kIssueToRead = 2;
// An instruction that waits in the reading stage lets one more issue behind it.
constexpr uint64_t kIssuedBehind = 1;

}  // namespace

PortsTaken read_registers(RegisterState& registers, const SmConfig& config,
                          const TimedInstruction& instruction, uint32_t warp, uint64_t now) {
  if (config.reuse_cache == 0) registers.cache = {};
  const std::span<const metrics::PortRead> reads{instruction.read.data(), instruction.reads};
  const metrics::BankReads banks = metrics::read_banks(registers.cache, reads, warp);
  const uint64_t begin =
      registers.window.reserve(banks, now + kIssueToRead, static_cast<int>(config.read_window_cycles));
  return {begin > now + kIssueToRead ? begin - kIssuedBehind : now + 1,
          std::max(banks.count[0], banks.count[1])};
}

}  // namespace gemmscope::sm
