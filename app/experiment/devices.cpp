#include "experiment/devices.h"

#include <algorithm>

#include "catalog/catalog.h"

namespace gemmscope::experiment {

std::filesystem::path devices_folder() { return catalog::assets_folder() / "devices"; }

Result<sm::SmConfig> find_device(const std::string& name) {
  if (name.ends_with(".toml") || name.find('/') != std::string::npos) return sm::read_device(name);
  const std::filesystem::path file = devices_folder() / (name + ".toml");
  if (!name.empty() && std::filesystem::is_regular_file(file)) return sm::read_device(file);
  std::vector<std::string> ids;
  for (const sm::SmConfig& device : shipped_devices().devices) ids.push_back(device.id);
  std::ranges::sort(ids);
  std::string known;
  for (const std::string& id : ids) known += (known.empty() ? "" : ", ") + id;
  return fail("there is no device \"{}\"; the program has {} (or give the path of a .toml file)", name,
              known);
}

sm::DeviceList shipped_devices() { return sm::read_devices(devices_folder()); }

const sm::SmConfig* device_named(const sm::DeviceList& devices, const std::string& name) {
  const auto found = std::ranges::find(devices.devices, name, &sm::SmConfig::name);
  return found == devices.devices.end() ? nullptr : &*found;
}

const sm::SmConfig* device_of_arch(const sm::DeviceList& devices, isa::Arch arch) {
  const auto fits = [&](const sm::SmConfig& device) {
    return device.compute_capability == isa::sm_number(arch);
  };
  if (const sm::SmConfig* h200 = devices.find("h200"); h200 != nullptr && fits(*h200)) return h200;
  const auto found = std::ranges::find_if(devices.devices, fits);
  return found == devices.devices.end() ? nullptr : &*found;
}

const sm::SmConfig* device_for(const sm::DeviceList& devices, isa::Arch arch, std::string_view id) {
  return id.empty() ? device_of_arch(devices, arch) : devices.find(id);
}

Result<sm::SmConfig> choose_device(const sm::DeviceList& devices, isa::Arch arch, std::string_view id) {
  const sm::SmConfig* device = device_for(devices, arch, id);
  if (device == nullptr && id.empty()) device = devices.find("h200");
  if (device != nullptr) return *device;
  return fail("There is no device{} in {}{}", id.empty() ? "" : fmt::format(" \"{}\"", id),
              devices_folder().string(), devices.errors.empty() ? "." : ": " + devices.errors[0].message);
}

isa::Arch arch_of(const sm::SmConfig& device) {
  isa::Arch arch = isa::Arch::sm_75;
  for (const isa::Arch known : isa::kAllArchs)
    if (isa::sm_number(known) <= device.compute_capability) arch = known;
  return arch;
}

}  // namespace gemmscope::experiment
