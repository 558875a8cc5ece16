// Registers, shared memory, barriers and spills read from the machine code equal the figures of ptxas.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "experiment/pipeline.h"

namespace gemmscope::experiment {
namespace {

constexpr const char* kHeader = R"(//! title = "Spills"
//! entry = "spills"
//! block = ["1024", "1", "1"]
//! grid = ["1", "1", "1"]
//! shared = "0"
//! changed = "nothing"
//! why = "it must spill"
//! look_at = "STL and LDL"
//! [tile]
//! block_m = 0
//! block_n = 0
//! block_k = 0
//! warp_m = 0
//! warp_n = 0
//! thread_m = 0
//! thread_n = 0
)";

std::string read_file(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

TEST(Resources, EqualWhatPtxasSays) {
  if (const Result<std::string> nvrtc = compile::nvrtc_version(); !nvrtc)
    GTEST_SKIP() << nvrtc.error().message;
  const std::filesystem::path path =
      std::filesystem::path(testing::TempDir()) / "gemmscope_resources_spills.cu";
  std::ofstream(path) << kHeader << read_file(std::string(GEMMSCOPE_TEST_DATA) + "/compile/spills.cu");
  const Result<catalog::Kernel> kernel = catalog::read_kernel(path);
  ASSERT_TRUE(kernel.has_value()) << kernel.error().message;
  bool spilled = false;
  for (const isa::Arch arch : isa::kAllArchs) {
    Experiment e;
    e.kernel = kernel->id;
    e.arch = arch;
    const auto compiled = compile_kernel(*kernel, e);
    ASSERT_TRUE(compiled.has_value()) << compiled.error().message;
    compile::CompileRequest request;
    request.source = kernel->source;
    request.source_path = path;
    request.arch = arch;
    const compile::CompileResult direct = compile::compile_cubin(request);
    ASSERT_TRUE(direct.has_value()) << direct.error().message;
    ASSERT_EQ(direct->ptxas.size(), 1u);
    const compile::PtxasInfo& said = direct->ptxas[0];
    const Resources& read = (*compiled)->resources;
    EXPECT_EQ(read.registers, said.registers) << isa::arch_name(arch);
    EXPECT_EQ(read.barriers, said.barriers) << isa::arch_name(arch);
    EXPECT_EQ(static_cast<int>(read.static_shared_bytes), said.shared_bytes) << isa::arch_name(arch);
    EXPECT_EQ(static_cast<int>(read.spill_store_bytes), said.spill_store_bytes) << isa::arch_name(arch);
    EXPECT_EQ(static_cast<int>(read.spill_load_bytes), said.spill_load_bytes) << isa::arch_name(arch);
    spilled |= said.spill_store_bytes > 0;
  }
  EXPECT_TRUE(spilled) << "the test kernel no longer spills";
  std::filesystem::remove(path);
}

}  // namespace
}  // namespace gemmscope::experiment
