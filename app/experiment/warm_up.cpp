#include "experiment/warm_up.h"

#include <algorithm>
#include <cmath>

#include "gpu/timing_protocol.h"

namespace gemmscope::experiment {
namespace {

constexpr double kMostLaunches = 10'000;

}  // namespace

void WarmUp::add(double ms, uint32_t launches) {
  spent_ms_ += ms * launches;
  last_.push_back(ms);
  if (last_.size() > kAgreeing) last_.erase(last_.begin());
  const auto [least, most] = std::minmax_element(last_.begin(), last_.end());
  if (last_.size() == kAgreeing && *most <= kAgreement * *least) settled_ = true;
}

uint32_t repetitions_for(double ms) {
  if (!(ms > 0)) return 1;
  const double wanted = std::max(std::ceil(kSampleMs / ms), double{gpu::kBatchesPerSample});
  const double most = std::floor(kLongestSampleMs / ms);
  return static_cast<uint32_t>(std::max(1.0, std::min({wanted, most, kMostLaunches})));
}

}  // namespace gemmscope::experiment
