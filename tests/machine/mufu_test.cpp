// Compares the function unit with recordings of an H200 (mufu/README.md), by a checksum over the outputs of
// all recorded inputs.
#include "machine/lanes/mufu.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <fstream>
#include <numeric>
#include <string>
#include <vector>

namespace gemmscope::machine {
namespace {

struct Recording {
  std::string function, what;
  size_t count = 0;
  uint64_t checksum = 0;
  std::vector<uint32_t> samples;
};

std::vector<Recording> read_recordings() {
  std::ifstream in(GEMMSCOPE_SOURCE_DIR "/tests/machine/mufu/recorded.txt");
  std::string line;
  std::getline(in, line);  // the origin
  std::vector<Recording> recordings;
  Recording r;
  for (size_t samples = 0;
       in >> r.function >> r.what >> std::dec >> r.count >> std::hex >> r.checksum >> std::dec >> samples;) {
    r.samples.assign(samples, 0);
    for (uint32_t& word : r.samples) in >> std::hex >> word;
    recordings.push_back(r);
  }
  return recordings;
}

// Makes the inputs as record_mufu does. Every sign and exponent with the first, the last and pseudo-random
// mantissas:
std::vector<uint32_t> sweep(uint32_t& random, int mantissa_bits, uint32_t count, uint32_t edges) {
  std::vector<uint32_t> words;
  const uint32_t last = (1u << mantissa_bits) - 1;
  for (uint32_t top = 0; top < 1u << (32 - mantissa_bits); ++top)
    for (uint32_t i = 0; i < count; ++i) {
      random = random * 1664525u + 1013904223u;
      const uint32_t mantissa = i < edges       ? i
                                : i < 2 * edges ? last - (i - edges)
                                                : random >> (32 - mantissa_bits);
      words.push_back(top << mantissa_bits | mantissa);
    }
  return words;
}
std::vector<uint32_t> inputs(const Recording& r) {
  const bool is_double = r.function.ends_with("64h");
  if (r.what == "sweep") {
    uint32_t random = 12345;
    std::vector<uint32_t> floats = sweep(random, 23, 1024, 8), doubles = sweep(random, 20, 64, 4);
    return is_double ? doubles : floats;
  }
  const uint32_t top = r.what == "all" ? 0 : static_cast<uint32_t>(std::stoul(r.what));
  std::vector<uint32_t> words(r.count);
  std::iota(words.begin(), words.end(), top << (is_double ? 20 : 23));
  return words;
}

float half_value(uint32_t half) {
  const auto mantissa = static_cast<float>(half & 0x3ff);
  const int exponent = half >> 10 & 31;
  const float magnitude = exponent == 31  ? (mantissa == 0 ? INFINITY : NAN)
                          : exponent == 0 ? std::ldexp(mantissa, -24)
                                          : std::ldexp(mantissa + 1024, exponent - 25);
  return (half & 0x8000) != 0 ? -magnitude : magnitude;
}

struct Function {
  const char* name;
  uint32_t (*result)(uint32_t);
};
void PrintTo(const Function& function, std::ostream* out) { *out << function.name; }
template <MufuFunction function>
uint32_t of_float(uint32_t in) {
  return mufu_in_format(function, FloatFormat::f32, in);
}
template <MufuFunction function>
uint32_t of_double(uint32_t in) {
  return mufu_double_high(function, in);
}
template <MufuFunction function>
uint32_t of_half(uint32_t in) {
  return mufu_in_format(function, FloatFormat::f16, std::bit_cast<uint32_t>(half_value(in)));
}
template <MufuFunction function>
uint32_t of_brain(uint32_t in) {
  return mufu_in_format(function, FloatFormat::bf16, in << 16);
}
using F = MufuFunction;
constexpr Function kFunctions[] = {
    {"rcp", of_float<F::rcp>},        {"rsq", of_float<F::rsq>},   {"sqrt", of_float<F::sqrt>},
    {"lg2", of_float<F::lg2>},        {"ex2", of_float<F::ex2>},   {"sin", of_float<F::sin>},
    {"cos", of_float<F::cos>},        {"tanh", of_float<F::tanh>}, {"rcp64h", of_double<F::rcp64h>},
    {"rsq64h", of_double<F::rsq64h>}, {"ex2h", of_half<F::ex2>},   {"tanhh", of_half<F::tanh>},
    {"ex2b", of_brain<F::ex2>},       {"tanhb", of_brain<F::tanh>}};

// Sums splitmix64's finalizer of (position, word), as pack_recordings.py does.
uint64_t checksum(const Function& function, const std::vector<uint32_t>& in) {
  uint64_t sum = 0;
  for (size_t i = 0; i < in.size(); ++i) {
    uint64_t x = static_cast<uint64_t>(i) << 32 | function.result(in[i]);
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9;
    x = (x ^ x >> 27) * 0x94d049bb133111eb;
    sum += x ^ x >> 31;
  }
  return sum;
}

// The sanitizers check only the samples, because all 260 million inputs would take several minutes.
#ifdef __SANITIZE_ADDRESS__
constexpr bool kEveryInput = false;
#else
constexpr bool kEveryInput = true;
#endif

class MufuRecorded : public testing::TestWithParam<Function> {};

TEST_P(MufuRecorded, GivesTheBitsOfTheGpu) {
  const Function& function = GetParam();
  size_t recordings = 0;
  for (const Recording& r : read_recordings()) {
    if (r.function != function.name) continue;
    ++recordings;
    const std::vector<uint32_t> in = inputs(r);
    ASSERT_EQ(in.size(), r.count);
    const size_t step = r.count / r.samples.size();
    for (size_t s = 0; s < r.samples.size(); ++s) {
      const uint32_t x = in[s * step + s * 40503 % step];
      ASSERT_EQ(function.result(x), r.samples[s]) << r.function << " of " << std::hex << x;
    }
    if (kEveryInput) {
      EXPECT_EQ(checksum(function, in), r.checksum) << r.function << " " << r.what;
    }
  }
  EXPECT_GE(recordings, 1u);
}
INSTANTIATE_TEST_SUITE_P(All, MufuRecorded, testing::ValuesIn(kFunctions),
                         [](const auto& test) { return std::string(test.param.name); });

}  // namespace
}  // namespace gemmscope::machine
