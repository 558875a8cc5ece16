#include "experiment/board.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace gemmscope::experiment {
namespace {

constexpr double kWavefrontBytes = 128;

int rounded(int value, float factor, int unit) {
  const double steps = std::round(value * static_cast<double>(factor) / unit);
  return std::max(1, static_cast<int>(steps)) * unit;
}

}  // namespace

const char* knob_title(Knob knob) {
  constexpr std::array<const char*, kKnobs> kTitles = {"SMs",          "SM clock",        "DRAM bandwidth",
                                                       "L2 bandwidth", "L2 size",         "Shared memory",
                                                       "Latencies",    "Registers an SM", "Warps an SM"};
  return kTitles[static_cast<size_t>(knob)];
}

const char* knob_id(Knob knob) {
  constexpr std::array<const char*, kKnobs> kIds = {
      "sms", "clock", "dram", "l2_bandwidth", "l2_size", "shared", "latency", "registers", "warps"};
  return kIds[static_cast<size_t>(knob)];
}

BoardDevice turn_knobs(const BoardDevice& device, const KnobFactors& factors) {
  BoardDevice turned = device;
  sm::SmConfig& c = turned.config;
  const auto factor = [&](Knob knob) { return static_cast<double>(factors[static_cast<size_t>(knob)]); };
  c.sms = rounded(static_cast<int>(c.sms), factors[static_cast<size_t>(Knob::sms)], 1);
  c.clock_mhz *= factor(Knob::clock);
  c.dram_gb_s *= factor(Knob::dram);
  for (double* bytes :
       {&c.l2_sm_bytes, &c.l2_chip_bytes, &c.store_sm_bytes, &c.store_chip_bytes, &c.store_chip_line_bytes})
    *bytes *= factor(Knob::l2_bandwidth);
  c.l2_mib *= factor(Knob::l2_size);
  c.wavefront_cycles /= factor(Knob::shared_rate);
  for (double* cycles : {&c.shared_latency, &c.l1_hit_latency, &c.l2_near_latency, &c.l2_far_latency,
                         &c.dram_latency, &c.dram_spread})
    *cycles *= factor(Knob::latency);
  metrics::SmLimits& l = turned.limits;
  // An SM's registers are split among its sub-partitions, and allocated in units.
  l.registers = rounded(l.registers, factors[static_cast<size_t>(Knob::registers)],
                        std::max(1, l.register_unit * std::max(1, l.sub_partitions)));
  const float warps = factors[static_cast<size_t>(Knob::warps)];
  if (warps != 1) {
    l.warps = rounded(l.warps, warps, std::max(1, l.sub_partitions));
    l.blocks = rounded(l.blocks, warps, 1);
    l.threads = l.warps * 32;
  }
  return turned;
}

std::string knob_value(const BoardDevice& device, Knob knob) {
  const sm::SmConfig& c = device.config;
  switch (knob) {
    case Knob::sms:
      return fmt::format("{:.0f}", c.sms);
    case Knob::clock:
      return fmt::format("{:.0f} MHz", c.clock_mhz);
    case Knob::dram:
      return fmt::format("{:.0f} GB/s", c.dram_gb_s);
    case Knob::l2_bandwidth:
      return fmt::format("{:.0f} GB/s", c.l2_chip_bytes * c.clock_mhz * 1e-3);
    case Knob::l2_size:
      return c.l2_mib < 1 ? fmt::format("{:.0f} KiB", c.l2_mib * 1024) : fmt::format("{:.1f} MiB", c.l2_mib);
    case Knob::shared_rate:
      return fmt::format("{:.0f} bytes/cycle", kWavefrontBytes / c.wavefront_cycles);
    case Knob::latency:
      return fmt::format("{:.0f} cycles to L2", (c.l2_near_latency + c.l2_far_latency) / 2);
    case Knob::registers:
      return fmt::format("{}", device.limits.registers);
    case Knob::warps:
      return fmt::format("{}", device.limits.warps);
  }
  return "";
}

std::string knob_source(const BoardDevice& device, Knob knob) {
  constexpr std::array<const char*, kKnobs> kParameters = {
      "sms", "clock_mhz", "dram_gb_s", "l2_chip_bytes", "l2_mib", "wavefront_cycles", "l2_near_latency",
      "",    ""};
  const auto found = device.config.sources.find(kParameters[static_cast<size_t>(knob)]);
  return found == device.config.sources.end() ? "" : found->second;
}

}  // namespace gemmscope::experiment
