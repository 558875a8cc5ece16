// The GPU of this computer, for the tests that need one.
#pragma once

#include "gpu/client.h"

namespace gemmscope::gpu {

struct Device {
  std::unique_ptr<Client> client;
  Outcome<DeviceFacts> facts = runner_error(ErrorKind::cannot_start, "it was not asked");
};

// One client for all tests of a program: a context on the device takes a while to make.
const Device& device();

// The runner beside the tests' folder; GEMMSCOPE_GPU_RUNNER names another command line.
Result<std::vector<std::string>> find_runner();

}  // namespace gemmscope::gpu
