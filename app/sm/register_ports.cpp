#include "sm/register_ports.h"

#include <span>

namespace gemmscope::sm {
namespace {

// Registers are read two cycles after issue.
constexpr uint64_t kIssueToRead = 2;
// An instruction that waits in the reading stage lets one more issue behind it.
constexpr uint64_t kIssuedBehind = 1;

}  // namespace

uint64_t read_registers(RegisterState& registers, const SmConfig& config, const TimedInstruction& instruction,
                        uint32_t warp, uint64_t now) {
  if (config.reuse_cache == 0) registers.cache = {};
  const std::span<const metrics::PortRead> reads{instruction.read.data(), instruction.reads};
  const uint64_t begin =
      registers.window.reserve(metrics::read_banks(registers.cache, reads, warp), now + kIssueToRead,
                               static_cast<int>(config.read_window_cycles));
  return begin > now + kIssueToRead ? begin - kIssuedBehind : now + 1;
}

}  // namespace gemmscope::sm
