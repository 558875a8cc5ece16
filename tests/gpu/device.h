// Gives tests the GPU of this computer.
#pragma once

#include <gtest/gtest.h>

#include "gpu/client.h"
#include "isa/arch.h"

namespace gemmscope::gpu {

struct Device {
  std::unique_ptr<Client> client;
  Outcome<DeviceFacts> facts = runner_error(ErrorKind::cannot_start, "it was not asked");
};

// All tests of a program share one client, because a context on the device takes long to create.
const Device& device();

// Skips its tests if there is no GPU whose machine code this program knows.
class OnGpu : public testing::Test {
 protected:
  void SetUp() override;

  isa::Arch arch_ = isa::Arch::sm_90;
};

// Returns the runner beside the tests' folder, or the command line in GEMMSCOPE_GPU_RUNNER.
Result<std::vector<std::string>> find_runner();

}  // namespace gemmscope::gpu
