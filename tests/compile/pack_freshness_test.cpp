// Compares the pack in assets/pack with the kernels' current sources. After a change to a kernel or to a file
// that it includes, run gemmscope-pack and commit the pack with it.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "catalog/catalog.h"
#include "compile/pack.h"
#include "compile_fixture.h"
#include "cubin/cubin.h"

namespace gemmscope::compile {
namespace {

const std::filesystem::path kSource = GEMMSCOPE_SOURCE_DIR;

CompileRequest pack_request(const catalog::Kernel& kernel, isa::Arch arch) {
  CompileRequest request;
  request.source = kernel.source;
  request.source_path = kernel.path;
  request.include_folders = {kSource / "kernels" / "include"};
  request.arch = arch;
  request.pack_folder = kSource / "assets" / "pack";
  for (const catalog::Toggle& toggle : kernel.toggles)
    request.macros[toggle.name] = std::to_string(toggle.default_value);
  for (const catalog::Input& input : kernel.inputs)
    request.macros[input.name] = *catalog::checked_input(input, input.default_value);
  return request;
}

TEST(Pack, HoldsEveryKernelAsItIsNow) {
  const auto catalog = catalog::read_catalog(kSource / "kernels");
  ASSERT_FALSE(catalog.kernels.empty());
  EXPECT_TRUE(catalog.errors.empty()) << catalog.errors.front().message;
  for (const catalog::Kernel& kernel : catalog.kernels)
    for (const isa::Arch arch : kPackArchs) {
      SCOPED_TRACE(kernel.id + " " + isa::arch_name(arch));
      const auto output = compile_with(pack_request(kernel, arch), no_nvrtc(), kNoCache);
      EXPECT_TRUE(output.has_value())
          << output.error().message << "\nRun gemmscope-pack and commit assets/pack.";
      if (!output) continue;
      const auto cubin = cubin::read_cubin(output->bytes, kernel.id);
      EXPECT_TRUE(cubin.has_value()) << cubin.error().message;
      if (!cubin) continue;
      EXPECT_EQ(cubin->arch, arch);
      const cubin::KernelCode* code = cubin->find(kernel.entry);
      ASSERT_NE(code, nullptr);
      EXPECT_FALSE(code->lines.empty());
      const auto ptxas = std::find_if(output->ptxas.begin(), output->ptxas.end(),
                                      [&](const PtxasInfo& info) { return info.kernel == kernel.entry; });
      ASSERT_NE(ptxas, output->ptxas.end());
      EXPECT_EQ(ptxas->registers, code->registers);
    }
}

TEST(Pack, HoldsNothingElseAndNoPathOfTheBuilder) {
  std::set<std::filesystem::path> expected;
  for (const catalog::Kernel& kernel : catalog::read_catalog(kSource / "kernels").kernels)
    for (const isa::Arch arch : kPackArchs)
      expected.insert(pack_path(kSource / "assets" / "pack", kernel.path, arch));
  for (const auto& place : std::filesystem::directory_iterator(kSource / "assets" / "pack")) {
    if (place.path().extension() != ".gsc") continue;
    EXPECT_TRUE(expected.contains(place.path())) << place.path() << " has no kernel; run gemmscope-pack";
    const auto text = read_file(place.path());
    const auto entry = decode_entry(as_bytes(text.value_or("")), place.path().string());
    ASSERT_TRUE(entry.has_value()) << entry.error().message;
    const auto cubin = cubin::read_cubin(entry->cubin, place.path().string());
    ASSERT_TRUE(cubin.has_value()) << cubin.error().message;
    // "/ladder/NN_name.cu" or "/name.cuh"
    for (const std::string& file : cubin->files)
      EXPECT_TRUE(file.starts_with("/ladder/") || file.starts_with("/workbench/") ||
                  file.starts_with("/labs/") || file.rfind('/') == 0)
          << file;
  }
}

}  // namespace
}  // namespace gemmscope::compile
