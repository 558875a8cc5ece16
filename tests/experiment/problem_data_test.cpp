// The matrices are the same on every machine. A separate Python program computed these values from the
// published definition of SplitMix64's finalizer.
#include "experiment/problem_data.h"

#include <gtest/gtest.h>

#include <Eigen/Core>
#include <cmath>
#include <cstring>

#include "base/random_element.h"

namespace gemmscope::experiment {
namespace {

template <typename T>
T argument_value(const ProblemData& data, size_t i) {
  T value{};
  EXPECT_EQ(data.arguments[i].size(), sizeof value);
  std::memcpy(&value, data.arguments[i].data(), sizeof value);
  return value;
}

TEST(ProblemData, GoldenElements) {
  struct Golden {
    int which;
    uint64_t i;
    int times_2_to_23;
  };
  constexpr Golden kGolden[] = {
      {0, 0, -7736835}, {0, 1, 5340111},  {0, 2, 6826947},  {0, 65535, -8134260}, {0, 123456789, -2253090},
      {1, 0, 5823499},  {1, 1, 3282738},  {1, 2, -2895054}, {1, 65535, -280607},  {1, 123456789, -4548288},
      {2, 0, -4536408}, {2, 1, -2247286}, {2, 2, 2822669},  {2, 65535, 1493151},  {2, 123456789, -2330264}};
  for (const Golden& g : kGolden)
    EXPECT_EQ(random_element(g.which, g.i), std::ldexp(static_cast<float>(g.times_2_to_23), -23))
        << "matrix " << g.which << " element " << g.i;
}

TEST(ProblemData, ElementsFillTheRangeEvenly) {
  for (int which = 0; which < 3; ++which) {
    constexpr int kCount = 1 << 16;
    double sum = 0, squares = 0;
    float least = 2, most = -2;
    for (uint64_t i = 0; i < kCount; ++i) {
      const float x = random_element(which, i);
      sum += x, squares += static_cast<double>(x) * x;
      least = std::min(least, x), most = std::max(most, x);
    }
    EXPECT_GE(least, -1.0f);
    EXPECT_LT(most, 1.0f);
    EXPECT_LT(least, -0.999f);
    EXPECT_GT(most, 0.999f);
    EXPECT_NEAR(sum / kCount, 0.0, 5 / std::sqrt(3.0 * kCount));  // five standard errors
    EXPECT_NEAR(squares / kCount, 1.0 / 3, 0.01);
  }
}

TEST(ProblemData, LaysOutTheThreeMatricesAndTheArguments) {
  ProblemData data = make_problem_data({3, 5, 7, 1.25f, 0.5f});
  ASSERT_EQ(data.layout.buffers.size(), 3u);
  const int64_t rows[] = {3, 7, 3}, columns[] = {7, 5, 5};
  const char* const names[] = {"A", "B", "C"};
  ASSERT_EQ(data.arguments.size(), 8u);
  for (size_t b = 0; b < 3; ++b) {
    const metrics::MatrixBuffer& buffer = data.layout.buffers[b];
    EXPECT_EQ(buffer.name, names[b]);
    EXPECT_EQ(buffer.rows, rows[b]);
    EXPECT_EQ(buffer.columns, columns[b]);
    EXPECT_EQ(argument_value<uint64_t>(data, b), buffer.address);
    const std::span<const float> elements = as_floats(data.memory.bytes(names[b]));
    ASSERT_EQ(elements.size(), static_cast<size_t>(rows[b] * columns[b]));
    for (size_t i = 0; i < elements.size(); ++i)
      EXPECT_EQ(elements[i], random_element(static_cast<int>(b), i));
  }
  EXPECT_EQ(argument_value<float>(data, 3), 1.25f);
  EXPECT_EQ(argument_value<float>(data, 4), 0.5f);
  EXPECT_EQ(argument_value<int32_t>(data, 5), 3);
  EXPECT_EQ(argument_value<int32_t>(data, 6), 5);
  EXPECT_EQ(argument_value<int32_t>(data, 7), 7);
}

TEST(ProblemData, CIsPoisonedExactlyIfBetaIsZero) {
  ProblemData poisoned = make_problem_data({4, 4, 4, 1.0f, 0.0f}),
              kept = make_problem_data({4, 4, 4, 1.0f, 0.5f});
  for (const float x : as_floats(poisoned.memory.bytes("C"))) EXPECT_TRUE(std::isnan(x));
  for (const float x : as_floats(kept.memory.bytes("C"))) EXPECT_FALSE(std::isnan(x));
}

// Compares every bit pattern of the narrow floats with Eigen's types.
TEST(ProblemData, ValuesOfNarrowFloats) {
  for (uint32_t pattern = 0; pattern < 1 << 16; ++pattern) {
    const auto bits = static_cast<uint16_t>(pattern);
    const std::span<const std::byte> bytes = std::as_bytes(std::span(&bits, 1));
    const auto expect = [&](double value, double expected) {
      if (std::isnan(expected))
        EXPECT_TRUE(std::isnan(value)) << pattern;
      else
        EXPECT_EQ(value, expected) << pattern;
    };
    expect(element_value(bytes, catalog::ElementType::float16, 0),
           static_cast<double>(Eigen::numext::bit_cast<Eigen::half>(bits)));
    expect(element_value(bytes, catalog::ElementType::bfloat16, 0),
           static_cast<double>(Eigen::numext::bit_cast<Eigen::bfloat16>(bits)));
  }
}

}  // namespace
}  // namespace gemmscope::experiment
