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
  for (const sm::SmConfig& device : sm::read_devices(devices_folder()).devices) ids.push_back(device.id);
  std::ranges::sort(ids);
  std::string known;
  for (const std::string& id : ids) known += (known.empty() ? "" : ", ") + id;
  return fail("there is no device \"{}\"; the program has {} (or give the path of a .toml file)", name,
              known);
}

isa::Arch arch_of(const sm::SmConfig& device) {
  isa::Arch arch = isa::Arch::sm_75;
  for (const isa::Arch known : isa::kAllArchs)
    if (isa::sm_number(known) <= device.compute_capability) arch = known;
  return arch;
}

}  // namespace gemmscope::experiment
