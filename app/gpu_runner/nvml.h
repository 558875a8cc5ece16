// What NVIDIA's management library alone knows; without the library, nothing.
#pragma once

#include <string>

namespace gemmscope::gpu {

std::string nvml_driver_version();  // "580.159.04"; empty: not told
// The clock of a GPU's SMs right now; 0: not told. An empty id stands for the first GPU.
double nvml_sm_clock_mhz(const std::string& pci_bus_id);

}  // namespace gemmscope::gpu
