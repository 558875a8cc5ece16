// Measures how long frames take: a ring of the last ones, percentiles, and the overlay that shows them.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

namespace gemmscope::shell {

struct FrameTimeSummary {
  double p50_ms = 0, p99_ms = 0, max_ms = 0;
  std::size_t frames = 0;
};

class FrameTimes {
 public:
  static constexpr std::size_t kCapacity = 512;

  void add(double milliseconds);
  void clear() { count_ = 0, next_ = 0; }
  std::size_t size() const { return count_; }
  std::vector<float> history_ms() const;  // oldest first
  FrameTimeSummary summary() const;

 private:
  std::array<float, kCapacity> ring_{};
  std::size_t next_ = 0, count_ = 0;
};

// The percentile by nearest rank: the least value that at least `percent` % of the values do not exceed. 0
// for no values.
double percentile(std::vector<float> values, double percent);
FrameTimeSummary summarize(const std::vector<float>& milliseconds);

// Draws in the window's top right corner; takes no input.
void draw_frame_time_overlay(const FrameTimes& times);

}  // namespace gemmscope::shell
