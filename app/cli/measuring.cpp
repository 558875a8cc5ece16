#include "cli/measuring.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <chrono>

namespace gemmscope::cli {
namespace {

using experiment::TimedVariant;
using experiment::TimingRun;

// Prints a line on stderr for each variant that has its first sample, or will have none.
class ProgressLines {
 public:
  void report(const experiment::Timings& timings) {
    reported_.resize(timings.variants.size());
    for (size_t i = 0; i < reported_.size(); ++i) {
      const TimedVariant& variant = timings.variants[i];
      if (reported_[i] || (variant.samples.empty() && variant.trouble.empty())) continue;
      reported_[i] = true;
      std::string name = variant.id;
      for (const auto& [toggle, value] : variant.toggles) name += fmt::format(" {}={}", toggle, value);
      if (!variant.trouble.empty()) {
        fmt::print(stderr, "  {}: {}\n", name, variant.trouble);
      } else {
        const std::string error = variant.largest_error >= 0
                                      ? fmt::format("largest error {:.2g}", variant.largest_error)
                                      : "not compared with anything";
        fmt::print(stderr, "  {}: {:.4f} ms, {}\n", name, variant.samples.front().ms, error);
      }
    }
  }

 private:
  std::vector<bool> reported_;
};

}  // namespace

Result<catalog::Problem> parse_size(const std::string& text) {
  int64_t sizes[3] = {};
  size_t count = 0;
  const char* next = text.data();
  const char* const end = text.data() + text.size();
  while (count < 3) {
    const auto [stop, error] = std::from_chars(next, end, sizes[count]);
    if (error != std::errc{} || sizes[count] < 1) break;
    ++count;
    next = stop;
    if (next == end || *next != 'x') break;
    ++next;
  }
  if (next != end || (count != 1 && count != 3) || text.back() == 'x')
    return fail("--size {}: expected MxNxK, such as 2048x2048x1024, or one number for all three", text);
  if (count == 1) sizes[1] = sizes[2] = sizes[0];
  return catalog::Problem{sizes[0], sizes[1], sizes[2], 1.0f, 0.0f};
}

Result<experiment::TimedDevice> described(experiment::TimingDevice& device) {
  const std::atomic<bool> cancelled{false};
  gpu::Outcome<experiment::TimedDevice> facts = device.describe(cancelled);
  if (!facts) return fail("{}", facts.error().message);
  return *std::move(facts);
}

experiment::Timings measure_size(experiment::TimingDevice& device, experiment::TimingJob job,
                                 const std::string& command, const std::atomic<bool>& cancelled,
                                 std::unique_ptr<TimingRun>& run) {
  fmt::print(stderr, "{} x {} x {}\n", job.problem.m, job.problem.n, job.problem.k);
  run = std::make_unique<TimingRun>(device, experiment::compile_kernel, std::move(job), std::move(run));
  ProgressLines progress;
  while (run->step(cancelled)) progress.report(run->timings());
  progress.report(run->timings());
  if (!run->timings().notice.empty()) fmt::print(stderr, "  {}\n", run->timings().notice);
  experiment::Timings timings = run->timings();
  timings.provenance = experiment::Provenance::recorded;
  timings.date = fmt::format("{:%Y-%m-%d}", fmt::gmtime(std::chrono::system_clock::now()));
  timings.command = command;
  return timings;
}

bool has_samples(const experiment::Timings& timings) {
  return std::any_of(timings.variants.begin(), timings.variants.end(),
                     [](const TimedVariant& variant) { return !variant.samples.empty(); });
}

void append_samples(experiment::Recording from, experiment::Recording& to) {
  if (to.empty()) {
    to = std::move(from);
    return;
  }
  for (size_t run = 0; run < std::min(from.size(), to.size()); ++run) {
    if (to[run].trouble.empty()) to[run].trouble = from[run].trouble;
    for (TimedVariant& variant : to[run].variants)
      for (const TimedVariant& more : from[run].variants)
        if (more.id == variant.id && more.toggles == variant.toggles)
          variant.samples.insert(variant.samples.end(), more.samples.begin(), more.samples.end());
  }
}

}  // namespace gemmscope::cli
