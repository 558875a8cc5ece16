#include "experiment/memory_rates.h"

#include "metrics/roofline.h"

namespace gemmscope::experiment {
namespace {

double modelled_rate(MemoryLevel level, const sm::SmConfig& config) {
  const double cycles_per_second = config.clock_mhz * 1e6;
  switch (level) {
    case MemoryLevel::l1:
      return config.wavefront_cycles > 0 ? static_cast<double>(metrics::kWavefrontBytes) /
                                               config.wavefront_cycles * config.sms * cycles_per_second
                                         : 0;
    case MemoryLevel::l2:
      return config.l2_chip_bytes * cycles_per_second;
    case MemoryLevel::dram:
      return config.dram_gb_s * 1e9;
  }
  return 0;
}

double stated_rate(MemoryLevel level, const TimedDevice& device) {
  switch (level) {
    case MemoryLevel::l1:
      return device.l1_gb_per_second * 1e9;
    case MemoryLevel::l2:
      return device.l2_gb_per_second * 1e9;
    case MemoryLevel::dram:
      return device.memory_gb_per_second * 1e9;
  }
  return 0;
}

}  // namespace

const char* memory_name(MemoryLevel level) {
  switch (level) {
    case MemoryLevel::l1:
      return "L1 + shared";
    case MemoryLevel::l2:
      return "L2";
    case MemoryLevel::dram:
      return "DRAM";
  }
  return "";
}

MemoryRates memory_rates(const TimedDevice& device, Provenance provenance, const sm::SmConfig* config) {
  MemoryRates rates;
  for (const MemoryLevel level : {MemoryLevel::l1, MemoryLevel::l2, MemoryLevel::dram}) {
    MemoryRate& rate = rates.levels[static_cast<int>(level)];
    rate = {stated_rate(level, device), provenance};
    if (rate.bytes_per_second <= 0 && config != nullptr)
      rate = {modelled_rate(level, *config), Provenance::modelled};
  }
  return rates;
}

}  // namespace gemmscope::experiment
