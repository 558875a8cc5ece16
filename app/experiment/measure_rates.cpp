#include "experiment/measure_rates.h"

#include <fmt/format.h>

#include "metrics/sample_statistics.h"

namespace gemmscope::experiment {
namespace {

constexpr double kBlocks = 4096;  // of both probes

// Seconds of a launch; 0: `rates` says why there is none.
double time_probe(TimingDevice& device, const CompileFunction& compile, const catalog::Kernel& kernel,
                  size_t samples, const std::atomic<bool>& cancelled, MeasuredRates& rates) {
  TimingJob job;
  job.variants = {{kernel, {}}};
  job.options.samples_wanted = samples;
  job.options.library_bars = false;
  TimingRun run(device, compile, std::move(job));
  while (run.step(cancelled)) {
  }
  run.release_all();
  const Timings& timings = run.timings();
  const TimedVariant& variant = timings.variants.front();
  if (variant.samples.size() < samples) {
    rates.troubles.push_back(fmt::format("{} was not measured: {}", kernel.title,
                                         !variant.trouble.empty()   ? variant.trouble
                                         : !timings.trouble.empty() ? timings.trouble
                                                                    : "it was cancelled."));
    return 0;
  }
  return metrics::summarize_samples(milliseconds(variant)).median / 1e3;
}

}  // namespace

const std::vector<RateProbe>& rate_probes() {
  static const std::vector<RateProbe> probes = {
      {MemoryLevel::l2, "l2_bandwidth.cu", kBlocks * 1048576},
      {MemoryLevel::l1, "l1_bandwidth.cu", kBlocks * 256 * 16384},
  };
  return probes;
}

Result<catalog::Kernel> read_probe(const RateProbe& probe) {
  return catalog::read_kernel(catalog::assets_folder() / "probes" / probe.file);
}

MeasuredRates measure_rates(TimingDevice& device, const CompileFunction& compile, size_t samples,
                            const std::atomic<bool>& cancelled) {
  MeasuredRates rates;
  for (const RateProbe& probe : rate_probes()) {
    const Result<catalog::Kernel> kernel = read_probe(probe);
    if (!kernel) {
      rates.troubles.push_back(kernel.error().message);
      continue;
    }
    const double seconds = time_probe(device, compile, *kernel, samples, cancelled, rates);
    if (!(seconds > 0)) continue;
    (probe.level == MemoryLevel::l2 ? rates.l2_gb_per_second : rates.l1_gb_per_second) =
        probe.bytes_of_launch / seconds / 1e9;
  }
  return rates;
}

void set_rates(TimedDevice& device, const MeasuredRates& rates) {
  if (rates.l2_gb_per_second > 0) device.l2_gb_per_second = rates.l2_gb_per_second;
  if (rates.l1_gb_per_second > 0) device.l1_gb_per_second = rates.l1_gb_per_second;
}

}  // namespace gemmscope::experiment
