#include "gpu_runner/nvml.h"

#include <dlfcn.h>

#include <map>

namespace gemmscope::gpu {
namespace {

// Declared by hand from NVIDIA's NVML reference, so that no header is needed. A result of 0 is success.
using Device = void*;
constexpr int kClockSm = 1;  // NVML_CLOCK_SM

struct Nvml {
  int (*init)() = nullptr;
  int (*driver_version)(char*, unsigned) = nullptr;
  int (*device_at)(unsigned, Device*) = nullptr;
  int (*device_of_bus)(const char*, Device*) = nullptr;
  int (*clock)(Device, int, unsigned*) = nullptr;
  bool started = false;
};

Nvml load_nvml() {
  Nvml nvml;
  void* const library = dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) return nvml;
  const auto find = [&](auto& function, const char* name) {
    function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(dlsym(library, name));
  };
  find(nvml.init, "nvmlInit_v2");
  find(nvml.driver_version, "nvmlSystemGetDriverVersion");
  find(nvml.device_at, "nvmlDeviceGetHandleByIndex_v2");
  find(nvml.device_of_bus, "nvmlDeviceGetHandleByPciBusId_v2");
  find(nvml.clock, "nvmlDeviceGetClockInfo");
  nvml.started = nvml.init != nullptr && nvml.init() == 0;
  return nvml;
}

const Nvml& nvml() {
  static const Nvml loaded = load_nvml();
  return loaded;
}

Device find_device(const std::string& pci_bus_id) {
  Device device = nullptr;
  if (!pci_bus_id.empty() && nvml().device_of_bus != nullptr)
    return nvml().device_of_bus(pci_bus_id.c_str(), &device) == 0 ? device : nullptr;
  if (nvml().device_at == nullptr || nvml().device_at(0, &device) != 0) return nullptr;
  return device;
}

}  // namespace

std::string nvml_driver_version() {
  char text[96] = "";
  if (!nvml().started || nvml().driver_version == nullptr ||
      nvml().driver_version(text, sizeof text - 1) != 0)
    return "";
  return text;
}

double nvml_sm_clock_mhz(const std::string& pci_bus_id) {
  if (!nvml().started || nvml().clock == nullptr) return 0;
  static std::map<std::string, Device> devices;
  const auto [found, is_new] = devices.try_emplace(pci_bus_id, nullptr);
  if (is_new) found->second = find_device(pci_bus_id);
  unsigned mhz = 0;
  if (found->second == nullptr || nvml().clock(found->second, kClockSm, &mhz) != 0) return 0;
  return mhz;
}

}  // namespace gemmscope::gpu
