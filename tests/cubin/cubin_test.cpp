// Reads cubins whose source is known. The expected registers, sizes and barriers are from the ptxas log of
// the compilation; lines and relocations were checked with binutils' readelf.
#include "cubin/cubin.h"

#include <gtest/gtest.h>

#include "small_cubin.h"

namespace gemmscope::cubin {
namespace {

Cubin small_cubin(const std::string& arch) {
  auto cubin = read_cubin(small_cubin_bytes(arch), "small." + arch + ".cubin");
  EXPECT_TRUE(cubin.has_value()) << cubin.error().message;
  return cubin ? *cubin : Cubin{};
}

struct Expected {
  const char* kernel;
  int registers_sm_86, registers_sm_90, barriers;
  uint32_t shared_bytes, stack_bytes, parameter_bytes;
};
constexpr Expected kExpected[] = {
    {"prints", 24, 24, 0, 0, 8, 4}, {"no_parameters", 8, 10, 0, 0, 0, 0}, {"small", 18, 18, 2, 512, 0, 36}};

class CubinTest : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Archs, CubinTest, testing::Values("sm_86", "sm_90"),
                         [](const auto& test) { return std::string(test.param); });

TEST_P(CubinTest, KernelsHaveWhatPtxasReported) {
  const Cubin cubin = small_cubin(GetParam());
  const bool hopper = cubin.arch == isa::Arch::sm_90;
  EXPECT_EQ(isa::arch_name(cubin.arch), GetParam());
  ASSERT_EQ(cubin.kernels.size(), std::size(kExpected));
  for (const Expected& expected : kExpected) {
    SCOPED_TRACE(expected.kernel);
    const KernelCode* kernel = cubin.find(expected.kernel);
    ASSERT_NE(kernel, nullptr);
    EXPECT_EQ(kernel->registers, hopper ? expected.registers_sm_90 : expected.registers_sm_86);
    EXPECT_EQ(kernel->barriers, expected.barriers);
    EXPECT_EQ(kernel->static_shared_bytes, expected.shared_bytes);
    EXPECT_EQ(kernel->reserved_shared_bytes, hopper ? 1024u : 0u);
    EXPECT_EQ(kernel->stack_bytes, expected.stack_bytes);
    EXPECT_EQ(kernel->parameter_bytes, expected.parameter_bytes);
    EXPECT_EQ(kernel->parameter_base, hopper ? 0x210u : 0x160u);
  }
  EXPECT_EQ(cubin.find("absent"), nullptr);
}

TEST_P(CubinTest, ParametersByOrdinal) {
  const Cubin cubin = small_cubin(GetParam());
  const KernelCode& kernel = *cubin.find("small");
  // float*, const float*, struct { double; int; }, int
  const uint32_t expected[][2] = {{0, 8}, {8, 8}, {16, 16}, {32, 4}};
  ASSERT_EQ(kernel.parameters.size(), 4u);
  for (uint32_t i = 0; i < 4; ++i) {
    EXPECT_EQ(kernel.parameters[i].ordinal, i);
    EXPECT_EQ(kernel.parameters[i].offset, expected[i][0]);
    EXPECT_EQ(kernel.parameters[i].size, expected[i][1]);
  }
  EXPECT_EQ(kernel.max_threads, (std::array<uint32_t, 3>{128, 1, 1}));
  EXPECT_EQ(cubin.find("prints")->max_threads, (std::array<uint32_t, 3>{0, 0, 0}));
}

TEST_P(CubinTest, CodeIsWholeInstructions) {
  const Cubin cubin = small_cubin(GetParam());
  const KernelCode& kernel = *cubin.find("small");
  EXPECT_EQ(kernel.code_bytes(), cubin.arch == isa::Arch::sm_90 ? 0x400u : 0x380u);
  EXPECT_EQ(kernel.instruction_count() * 16, kernel.code_bytes());
  // Every kernel's first instruction loads the stack pointer: MOV or LDC R1, c[0x0][0x28].
  EXPECT_EQ(kernel.words[0] >> 16 & 0xff, 1u);
}

TEST_P(CubinTest, GlobalVariables) {
  const Cubin cubin = small_cubin(GetParam());
  ASSERT_EQ(cubin.global_image.size(), 72u);  // "72 bytes gmem": 52 initialized, 20 zeroes
  const auto find = [&](std::string_view name) -> const GlobalVariable& {
    for (const GlobalVariable& variable : cubin.globals)
      if (variable.name == name) return variable;
    ADD_FAILURE() << name << " is missing";
    return cubin.globals.front();
  };
  EXPECT_EQ(find("third").offset, 0u);
  EXPECT_EQ(find("third").size, 8u);
  EXPECT_EQ(find("table").offset, 8u);
  EXPECT_EQ(find("table").size, 40u);
  EXPECT_EQ(find("zeroes").offset, 52u);
  EXPECT_EQ(find("zeroes").size, 20u);
  const int first_three[] = {1, 2, 3};
  EXPECT_EQ(std::memcmp(&cubin.global_image[8], first_three, sizeof first_three), 0);
  const float factors[] = {1, 2, 3, 4};
  ASSERT_EQ(cubin.constant3.size(), 24u);
  EXPECT_EQ(std::memcmp(cubin.constant3.data(), factors, sizeof factors), 0);
  EXPECT_EQ(cubin.constant4.size(), 40u);
}

TEST_P(CubinTest, AddressesToFillIn) {
  using Place = AddressRelocation::Place;
  using Target = AddressRelocation::Target;
  const Cubin cubin = small_cubin(GetParam());
  const auto expect = [&](Place place, uint64_t offset, Target target, uint64_t target_offset,
                          std::string_view name) {
    for (const AddressRelocation& relocation : cubin.relocations) {
      if (relocation.place != place || relocation.offset != offset) continue;
      EXPECT_EQ(relocation.target, target) << name;
      EXPECT_EQ(relocation.target_name, name);
      EXPECT_EQ(relocation.target_offset, target_offset) << name;
      return;
    }
    ADD_FAILURE() << "no relocation for " << name;
  };
  EXPECT_EQ(cubin.relocations.size(), 7u);
  expect(Place::constant4, 0x00, Target::external, 0, "vprintf");
  expect(Place::constant4, 0x08, Target::global_image, 8, "table");
  expect(Place::constant4, 0x10, Target::global_image, 0, "third");
  expect(Place::constant4, 0x18, Target::global_image, 52, "zeroes");
  expect(Place::constant3, 0x10, Target::global_image, 8 + 2 * 4, "table");     // second = &table[2]
  expect(Place::global_image, 0x00, Target::global_image, 8 + 3 * 4, "table");  // third = &table[3]
}

TEST_P(CubinTest, LinesOfAKernel) {
  const Cubin cubin = small_cubin(GetParam());
  const KernelCode& kernel = *cubin.find("small");
  ASSERT_EQ(cubin.files.size(), 2u);
  const auto at = [&](uint32_t address) {
    const LineEntry* entry = line_at(kernel, address);
    return entry == nullptr ? std::string("none")
                            : cubin.files[entry->file] + ":" + std::to_string(entry->line);
  };
  EXPECT_EQ(at(0x000), "/data/small.cu:15");
  EXPECT_EQ(at(0x010), "/data/small.cu:17");
  EXPECT_EQ(at(0x020), "/data/small.cu:17");  // the row of 0x10 still applies
  // The multiply-add of scaled(), inlined into line 17, belongs to the line where it is written.
  EXPECT_EQ(at(cubin.arch == isa::Arch::sm_90 ? 0x110 : 0xd0), "/small.cuh:3");
  // Here the table has a row for line 17 and then one for the inlined line; the last one counts.
  EXPECT_EQ(at(cubin.arch == isa::Arch::sm_90 ? 0x50 : 0x80), "/small.cuh:3");
  EXPECT_EQ(at(cubin.arch == isa::Arch::sm_90 ? 0x130 : 0x100), "/data/small.cu:18");  // __syncthreads
  EXPECT_EQ(at(kernel.code_bytes() - 16), "/data/small.cu:22");
  EXPECT_EQ(at(kernel.code_bytes()), "none");
  EXPECT_EQ(line_at(KernelCode{}, 0), nullptr);
}

}  // namespace
}  // namespace gemmscope::cubin
