#include "session/device_choice.h"

#include <algorithm>
#include <string_view>

#include "experiment/devices.h"

namespace gemmscope::session {
namespace {

std::vector<RunnableDevice> read_all() {
  const sm::DeviceList files = experiment::shipped_devices();
  std::vector<RunnableDevice> devices;
  for (const sm::SmConfig& file : files.devices) {
    const isa::Arch arch = experiment::arch_of(file);
    const sm::SmConfig* usual = experiment::device_of_arch(files, arch);
    devices.push_back({file.id, file.name, arch, usual != nullptr && usual->id == file.id});
  }
  return devices;
}

}  // namespace

const std::vector<RunnableDevice>& runnable_devices() {
  static const std::vector<RunnableDevice> devices = read_all();
  return devices;
}

std::string chosen_device(const ViewState& state) {
  const auto& devices = runnable_devices();
  const auto found = std::ranges::find(devices, state.timings.choice.model_device, &RunnableDevice::id);
  return found == devices.end() || found->arch != state.experiment.arch ? "" : found->id;
}

const RunnableDevice* device_shown(const ViewState& state) {
  const std::string chosen = chosen_device(state);
  const auto& devices = runnable_devices();
  const auto found = std::ranges::find_if(devices, [&](const RunnableDevice& device) {
    return chosen.empty() ? device.usual && device.arch == state.experiment.arch : device.id == chosen;
  });
  return found == devices.end() ? nullptr : &*found;
}

std::string device_asked(const ViewState& state) {
  const experiment::TimingChoice& choice = state.timings.choice;
  return choice.modelled ? choice.model_device : chosen_device(state);
}

std::string why_not(const ViewState& state, isa::Arch arch) {
  const experiment::Experiment& e = state.experiment;
  const catalog::Kernel* kernel = state.catalog->find(e.kernel);
  if (kernel == nullptr) return "there is no kernel";
  if (isa::sm_number(arch) < kernel->architecture) return "the kernel needs a newer one";
  const bool asks = state.offer != nullptr && state.offer->is_of(*kernel, e);
  return asks ? state.offer->why_not(arch, e.toggles) : "";
}

std::string short_name(const RunnableDevice& device) {
  std::string name = device.name;
  for (const std::string_view maker : {"NVIDIA ", "GeForce "})
    if (name.starts_with(maker)) name.erase(0, maker.size());
  return name;
}

}  // namespace gemmscope::session
