// Compares the pack in assets/pack with the kernels' current sources: the hash of each source and the list of
// its variants for all files, the machine code itself for a sample. After a change to a kernel or to a file
// that it includes, run gemmscope-pack and commit the pack with it.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "catalog/packed_variants.h"
#include "compile/pack.h"
#include "compile_fixture.h"
#include "cubin/blank_debug_text.h"
#include "cubin/cubin.h"

namespace gemmscope::compile {
namespace {

const std::filesystem::path kSource = GEMMSCOPE_SOURCE_DIR, kPack = kSource / "assets" / "pack";
constexpr uint64_t kMostPackBytes = 16u << 20;  // of the repository

const catalog::Catalog& kernels() {
  static const auto catalog = catalog::read_catalog(kSource / "kernels");
  return catalog;
}

CompileRequest pack_request(const catalog::Kernel& kernel, isa::Arch arch) {
  CompileRequest request;
  request.source = kernel.source;
  request.source_path = kernel.path;
  request.include_folders = {kSource / "kernels" / "include"};
  request.arch = arch;
  request.pack_folder = kPack;
  for (const catalog::Toggle& toggle : kernel.toggles)
    request.macros[toggle.name] = std::to_string(toggle.default_value);
  for (const catalog::Input& input : kernel.inputs)
    request.macros[input.name] = *catalog::checked_input(input, input.default_value);
  return request;
}

CompileRequest with_toggles(CompileRequest request, const catalog::ToggleValues& toggles) {
  for (const auto& [name, value] : toggles) request.macros[name] = std::to_string(value);
  return request;
}

struct Packed {
  const catalog::Kernel* kernel;
  isa::Arch arch;
  std::vector<catalog::ToggleValues> variants;
  std::filesystem::path path() const { return pack_path(kPack, kernel->path, arch); }
};

std::vector<Packed> expected_files() {
  std::vector<Packed> files;
  for (const catalog::Kernel& kernel : kernels().kernels)
    for (const isa::Arch arch : isa::kAllArchs)
      if (auto variants = catalog::packed_variants(kernel, isa::sm_number(arch)); !variants.empty())
        files.push_back({&kernel, arch, std::move(variants)});
  return files;
}

TEST(Pack, HoldsEveryVariantOfEveryKernelAsItIsNow) {
  ASSERT_TRUE(kernels().errors.empty()) << kernels().errors.front().message;
  ASSERT_FALSE(expected_files().empty());
  for (const Packed& packed : expected_files()) {
    SCOPED_TRACE(packed.path().filename());
    const CompileRequest request = pack_request(*packed.kernel, packed.arch);
    const auto offer = PackOffer::find(request, request.include_folders);
    EXPECT_TRUE(offer.has_value()) << offer.error().message << "\nRun gemmscope-pack and commit assets/pack.";
    if (!offer) continue;
    for (const catalog::ToggleValues& toggles : packed.variants) {
      const auto served = offer->serves(with_toggles(request, toggles).macros);
      EXPECT_TRUE(served.has_value()) << served.error().message;
    }
    EXPECT_EQ((*PackFile::open(packed.path()))->variants().size(), packed.variants.size());
  }
}

TEST(Pack, TheFirstAndTheLastVariantAreMachineCodeOfTheKernel) {
  for (const Packed& packed : expected_files())
    for (const catalog::ToggleValues& toggles : {packed.variants.front(), packed.variants.back()}) {
      const catalog::Kernel& kernel = *packed.kernel;
      SCOPED_TRACE(packed.path().filename());
      const auto output =
          compile_with(with_toggles(pack_request(kernel, packed.arch), toggles), no_nvrtc(), kNoCache);
      ASSERT_TRUE(output.has_value()) << output.error().message;
      const auto cubin = cubin::read_cubin(output->bytes, kernel.id);
      ASSERT_TRUE(cubin.has_value()) << cubin.error().message;
      EXPECT_EQ(cubin->arch, packed.arch);
      // "/ladder/NN_name.cu" or "/name.cuh": no path of the computer that made it
      for (const std::string& file : cubin->files)
        EXPECT_TRUE(file.starts_with("/ladder/") || file.starts_with("/workbench/") ||
                    file.starts_with("/labs/") || file.rfind('/') == 0)
            << file;
      const cubin::KernelCode* code = cubin->find(kernel.entry);
      ASSERT_NE(code, nullptr);
      EXPECT_FALSE(code->lines.empty());
      const auto ptxas = std::ranges::find(output->ptxas, kernel.entry, &PtxasInfo::kernel);
      ASSERT_NE(ptxas, output->ptxas.end());
      EXPECT_EQ(ptxas->registers, code->registers);
    }
}

// One variant of each kernel, each for another architecture. Another version of NVRTC makes other code.
TEST(Pack, HoldsWhatNvrtcMakes) {
  NEED_NVRTC();
  const std::filesystem::path before = std::filesystem::current_path();
  size_t turn = 0;
  for (const catalog::Kernel& kernel : kernels().kernels) {
    const isa::Arch arch = isa::kAllArchs[(2 + turn++) % isa::kAllArchs.size()];
    const auto variants = catalog::packed_variants(kernel, isa::sm_number(arch));
    if (variants.empty()) continue;
    SCOPED_TRACE(kernel.id + " " + isa::arch_name(arch));
    const CompileRequest request =
        with_toggles(pack_request(kernel, arch), variants[(variants.size() - 1) / 2]);
    const auto packed = compile_with(request, no_nvrtc(), kNoCache);
    ASSERT_TRUE(packed.has_value()) << packed.error().message;
    if (packed->compiler != "NVRTC " + nvrtc_library()->version())
      GTEST_SKIP() << "the pack is of " << packed->compiler << ", here is NVRTC "
                   << nvrtc_library()->version();
    std::filesystem::current_path("/");  // see make_pack_entry
    auto made = make_pack_entry(request, *nvrtc_library());
    std::filesystem::current_path(before);
    ASSERT_TRUE(made.has_value()) << made.error().message;
    ASSERT_TRUE(cubin::blank_debug_text(made->cubin, kernel.id).has_value());
    EXPECT_TRUE(made->cubin == packed->bytes) << "run gemmscope-pack --all and commit assets/pack";
  }
}

TEST(Pack, HoldsNothingElseAndIsSmall) {
  std::set<std::filesystem::path> expected;
  for (const Packed& packed : expected_files()) expected.insert(packed.path());
  uint64_t bytes = 0;
  for (const auto& place : std::filesystem::directory_iterator(kPack)) {
    bytes += place.file_size();
    EXPECT_TRUE(expected.contains(place.path())) << place.path() << " has no kernel; run gemmscope-pack";
  }
  EXPECT_LE(bytes, kMostPackBytes);
}

}  // namespace
}  // namespace gemmscope::compile
