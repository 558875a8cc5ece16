// The GPU of this computer, for the tests that need one.
#pragma once

#include <gtest/gtest.h>

#include "gpu/client.h"
#include "isa/arch.h"

namespace gemmscope::gpu {

struct Device {
  std::unique_ptr<Client> client;
  Outcome<DeviceFacts> facts = runner_error(ErrorKind::cannot_start, "it was not asked");
};

// One client for all tests of a program: a context on the device takes a while to make.
const Device& device();

// Skips its tests where there is no GPU whose machine code this program knows.
class OnGpu : public testing::Test {
 protected:
  void SetUp() override;

  isa::Arch arch_ = isa::Arch::sm_90;
};

// The runner beside the tests' folder; GEMMSCOPE_GPU_RUNNER names another command line.
Result<std::vector<std::string>> find_runner();

}  // namespace gemmscope::gpu
