// Facts that only NVIDIA's management library (NVML) reports. Without the library they are unknown.
#pragma once

#include <string>

namespace gemmscope::gpu {

std::string nvml_driver_version();  // "580.159.04"; empty: not known
// The current clock of a GPU's SMs; 0: not known. An empty id means the first GPU.
double nvml_sm_clock_mhz(const std::string& pci_bus_id);

}  // namespace gemmscope::gpu
