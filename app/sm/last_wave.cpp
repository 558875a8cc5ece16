#include "sm/last_wave.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "sm/cache.h"

namespace gemmscope::sm {
namespace {

// About normal, with a deviation of 1: the sum of twelve numbers between 0 and 1, less its mean.
double deviation_of(uint32_t sm) {
  constexpr uint32_t kTerms = 12;
  double sum = 0;
  for (uint32_t k = 0; k < kTerms; ++k) sum += (mixed(sm * kTerms + k + 1) & 0xffff) / 65536.0;
  return sum - kTerms / 2.0;
}

}  // namespace

uint64_t most_blocks_of_an_sm(std::span<const double> ends, uint64_t sms, uint64_t blocks, double spread) {
  std::vector<std::pair<double, uint32_t>> free;  // when a place is free, and of which SM
  for (uint32_t sm = 0; sm < sms; ++sm)
    for (const double end : ends) free.emplace_back(end * (1 + spread * deviation_of(sm)), sm);
  blocks = std::min<uint64_t>(blocks, free.size());
  std::ranges::sort(free);
  std::vector<uint64_t> taken(sms);
  for (uint64_t b = 0; b < blocks; ++b) ++taken[free[b].second];
  return taken.empty() ? 0 : std::ranges::max(taken);
}

}  // namespace gemmscope::sm
