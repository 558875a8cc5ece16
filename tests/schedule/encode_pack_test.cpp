// Every instruction of the pack comes back from the encoder as it was, and every cubin from the writer.
#include <gtest/gtest.h>

#include <filesystem>

#include "compile/pack_file.h"
#include "cubin/cubin.h"
#include "cubin/write_cubin.h"
#include "isa/encode.h"

namespace gemmscope::schedule {
namespace {

struct Counts {
  size_t cubins = 0, instructions = 0, unknown = 0, different = 0;
};

void check(const std::vector<std::byte>& bytes, const std::string& name, Counts& counts) {
  const auto cubin = cubin::read_cubin(bytes, name);
  ASSERT_TRUE(cubin) << cubin.error().message;
  ++counts.cubins;
  for (const cubin::KernelCode& kernel : cubin->kernels) {
    cubin::CodeChange change{kernel.name, {}, kernel.registers};
    for (uint32_t i = 0; i < kernel.instruction_count(); ++i) {
      const uint64_t lo = kernel.words[2 * i], hi = kernel.words[2 * i + 1];
      const auto word = isa::encode(isa::decode(lo, hi, i * isa::kInstructionBytes, cubin->arch));
      ++counts.instructions;
      counts.unknown += word ? 0 : 1;
      counts.different += word && (word->lo != lo || word->hi != hi) ? 1 : 0;
      change.words.push_back(word ? word->lo : lo);
      change.words.push_back(word ? word->hi : hi);
    }
    const auto written = cubin::write_cubin(bytes, change, name);
    ASSERT_TRUE(written) << written.error().message;
    EXPECT_TRUE(*written == bytes) << name << " " << kernel.name;
  }
}

TEST(EncodePack, EveryVariantComesBack) {
  Counts counts;
  for (const auto& entry :
       std::filesystem::directory_iterator(std::filesystem::path(GEMMSCOPE_SOURCE_DIR) / "assets" / "pack")) {
    const auto file = compile::PackFile::open(entry.path());
    ASSERT_TRUE(file) << file.error().message;
    for (const compile::MacroValues& changes : (*file)->variants()) {
      const auto found = (*file)->find(changes);
      ASSERT_TRUE(found) << found.error().message;
      check(found->cubin, entry.path().filename().string(), counts);
    }
  }
  EXPECT_GT(counts.cubins, 100u);
  EXPECT_GT(counts.instructions, 100'000u);
  EXPECT_EQ(counts.unknown, 0u);
  EXPECT_EQ(counts.different, 0u);
  std::printf("%zu cubins, %zu instructions\n", counts.cubins, counts.instructions);
}

}  // namespace
}  // namespace gemmscope::schedule
