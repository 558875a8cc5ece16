// When a variant is warmed up, so that its times count, and how many launches make a sample.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace gemmscope::experiment {

// An idle GPU runs at a low clock, and the first launches meet cold caches. Samples are discarded until three
// in a row are within 2 % of each other, for at most one second of GPU time.
class WarmUp {
 public:
  static constexpr size_t kAgreeing = 3;
  static constexpr double kAgreement = 1.02;  // the longest to the shortest
  static constexpr double kLimitMs = 1000;    // of the GPU

  // `ms`: of one launch.
  void add(double ms, uint32_t launches);
  bool done() const { return settled_ || spent_ms_ >= kLimitMs; }
  bool settled() const { return settled_; }

 private:
  std::vector<double> last_;
  double spent_ms_ = 0;
  bool settled_ = false;
};

// Events have a resolution of about half a microsecond, and gaps in the queue add to that. Two milliseconds
// are long against both, and so is each batch of the sample. More than 50 ms at a time would make a desktop
// on the same GPU stutter.
inline constexpr double kSampleMs = 2, kLongestSampleMs = 50;
// Launches that make a sample: at least one, and one for each batch if that is not too long. `ms`: of one.
uint32_t repetitions_for(double ms);

}  // namespace gemmscope::experiment
