// The machine computes what C++ defines. Both compilers compile the same functions, for every architecture,
// as optimized code and as debug code. Debug code keeps variables in local memory and inlines nothing.
#include <fmt/format.h>

#include "compiled_kernel.h"
#include "elementwise_functions.h"

namespace gemmscope::machine {
namespace {

using elementwise::Function;

std::vector<Function> all_functions() {
  std::vector<Function> all;
  for (const auto& some : {elementwise::integer_functions(), elementwise::control_functions(),
                           elementwise::float_functions(), elementwise::double_functions()})
    all.insert(all.end(), some.begin(), some.end());
  return all;
}

enum class Code { optimized, plain };
const char* name_of(Code code) { return code == Code::plain ? "plain" : "optimized"; }
void PrintTo(Code code, std::ostream* out) { *out << name_of(code); }

class Elementwise : public testing::TestWithParam<std::tuple<Function, isa::Arch, Code>> {};
std::string test_name(const testing::TestParamInfo<Elementwise::ParamType>& test) {
  const auto& [function, arch, code] = test.param;
  return fmt::format("{}_{}_{}", function.name, isa::arch_name(arch), name_of(code));
}
INSTANTIATE_TEST_SUITE_P(Functions, Elementwise,
                         testing::Combine(testing::ValuesIn(all_functions()),
                                          testing::ValuesIn(isa::kAllArchs),
                                          testing::Values(Code::optimized, Code::plain)),
                         test_name);

// Returns small numbers, bit patterns of floats and large numbers, alternately.
std::vector<uint32_t> inputs(size_t count) {
  std::vector<uint32_t> values;
  uint32_t x = 12345;
  for (size_t i = 0; i < count; ++i) {
    x = x * 1664525u + 1013904223u;
    const uint32_t hard[] = {0,          1,          0x80000000, 0x7fffffff, 0xffffffff,
                             0x7f800000, 0x7fc00000, 0x00000001, 0x007fffff, 0xff800000};
    values.push_back(i % 4 == 0   ? x >> 22
                     : i % 4 == 1 ? x
                     : i % 4 == 2 ? 0x3f000000 + (x >> 8)
                                  : hard[(x >> 16) % std::size(hard)]);
  }
  return values;
}

TEST_P(Elementwise, EqualsTheHost) {
  NEED_NVRTC();
  const auto& [function, arch, code] = GetParam();
  const std::string source = elementwise::kDeviceHelpers + function.device_text + R"(
extern "C" __global__ void kernel(const uint32_t* in, uint32_t* out, uint32_t count) {
  const uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) out[i] = compute(i, in[i]);
}
)";
  std::vector<std::string> options = {"-fmad=false"};
  if (code == Code::plain) options.emplace_back("--ptxas-options=-O0");
  const auto compiled = compile_source(source, arch, options);
  ASSERT_NE(compiled, nullptr);
  const std::vector<uint32_t> in = inputs(200);
  Launch launch;
  launch.grid = {4, 1, 1};
  launch.block = {56, 1, 1};  // the last warp of a block is not full
  launch.buffer("in", in)
      .buffer("out", std::vector<uint32_t>(in.size(), 0xdeadbeef))
      .scalar(static_cast<uint32_t>(in.size()));
  ASSERT_EQ(launch.run(*compiled), "");
  const auto out = launch.values<uint32_t>("out");
  for (uint32_t i = 0; i < in.size(); ++i)
    ASSERT_EQ(out[i], function.host(i, in[i])) << "thread " << i << " input " << std::hex << in[i];
}

}  // namespace
}  // namespace gemmscope::machine
