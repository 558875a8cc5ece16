#include "device.h"

#include <cstdlib>
#include <filesystem>

#include "gpu/find_runner.h"

namespace gemmscope::gpu {
namespace {

std::string environment(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? "" : value;
}

Device open_device() {
  Device device;
  const Result<std::vector<std::string>> command = find_runner();
  if (!command) {
    device.facts = runner_error(ErrorKind::cannot_start, "{}", command.error().message);
    return device;
  }
  ClientSettings settings;
  settings.command = *command;
  settings.start_timeout = std::chrono::seconds(120);
  device.client = std::make_unique<Client>(settings);
  device.facts = device.client->hello();
  return device;
}

}  // namespace

Result<std::vector<std::string>> find_runner() {
  std::error_code error;
  const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", error);
  return runner_command(environment("GEMMSCOPE_GPU_RUNNER"), program.parent_path().parent_path(),
                        environment("PATH"));
}

const Device& device() {
  static const Device opened = open_device();
  return opened;
}

void OnGpu::SetUp() {
  if (!device().facts) GTEST_SKIP() << device().facts.error().message;
  const auto arch = isa::arch_from_number(device().facts->compute_capability);
  if (!arch)
    GTEST_SKIP() << fmt::format("this program does not know the machine code of {} (sm_{})",
                                device().facts->name, device().facts->compute_capability);
  arch_ = *arch;
}

}  // namespace gemmscope::gpu
