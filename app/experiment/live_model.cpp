#include "experiment/live_model.h"

#include <algorithm>

#include "experiment/devices.h"
#include "experiment/model_memory.h"
#include "metrics/peak.h"

namespace gemmscope::experiment {

ModelRequest model_request(std::vector<TimedKernel> variants, const catalog::Problem& problem,
                           const sm::SmConfig& device) {
  const metrics::SmLimits* limits = metrics::sm_limits(device.compute_capability);
  return {std::move(variants), problem, device, arch_of(device),
          limits == nullptr ? metrics::SmLimits{} : *limits};
}

LiveModel::LiveModel(std::function<void()> wake)
    : requests_(std::move(wake),
                [memory = std::make_shared<ModelMemory>()](const ModelRequest& request, auto& work) {
                  for (const TimedKernel& choice : request.variants) {
                    ModelledVariant modelled = memory->model(choice, request, work.cancelled());
                    if (!work.post([&](auto& all) { all.push_back(std::move(modelled)); })) return;
                  }
                }) {}

Timings modelled_timings(const sm::SmConfig& device, const catalog::Problem& problem,
                         const std::vector<ModelledVariant>& variants) {
  Timings timings;
  timings.provenance = Provenance::modelled;
  timings.problem = problem;
  TimedDevice& d = timings.device;
  const metrics::GpuShape shape{device.name, device.compute_capability, static_cast<int>(device.sms),
                                device.clock_mhz};
  d.name = device.name;
  d.compute_capability = device.compute_capability;
  d.sm_count = shape.sm_count;
  d.max_clock_mhz = device.clock_mhz;
  d.memory_gb_per_second = device.dram_gb_s;
  d.peak_fp32 = metrics::peak_fp32_flops(shape);
  d.peak_tf32 = metrics::peak_tf32_flops(shape);
  d.peak_bf16 = metrics::peak_bf16_flops(shape);
  for (const ModelledVariant& modelled : variants) {
    TimedVariant v;
    v.id = modelled.key.kernel;
    v.toggles = modelled.key.toggles;
    v.changes = modelled.key.changes;
    v.title = modelled.title;
    v.grade = modelled.grade;
    v.is_product = modelled.is_product;
    v.trouble = modelled.trouble;
    v.note = modelled.bound;
    if (modelled.milliseconds > 0) v.samples.push_back({0, modelled.milliseconds, device.clock_mhz});
    v.modelled_l2_bytes = modelled.l2_bytes;
    timings.variants.push_back(std::move(v));
  }
  return timings;
}

bool is_same_contest(const Timings& timings, const Timings& modelled) {
  const catalog::Problem &a = timings.problem, &b = modelled.problem;
  return timings.device.name == modelled.device.name && a.m == b.m && a.n == b.n && a.k == b.k &&
         a.beta == b.beta;
}

Timings with_modelled(Timings timings, const Timings& modelled, const std::vector<VariantKey>& racers) {
  if (!is_same_contest(timings, modelled) || timings.provenance == Provenance::modelled) return timings;
  for (const TimedVariant& m : modelled.variants) {
    const double ms = m.samples.empty() ? 0 : m.samples.front().ms;
    const VariantKey key = key_of(m);
    const auto found = std::ranges::find_if(
        timings.variants, [&](const TimedVariant& v) { return !v.is_library && key_of(v) == key; });
    if (found != timings.variants.end()) {
      found->modelled_ms = ms;
      found->modelled_l2_bytes = m.modelled_l2_bytes;
    } else if (ms > 0 && std::ranges::find(racers, key) != racers.end()) {
      timings.variants.push_back(m);
      timings.variants.back().samples.clear();
      timings.variants.back().modelled_ms = ms;
      timings.variants.back().note.clear();
    }
  }
  return timings;
}

}  // namespace gemmscope::experiment
