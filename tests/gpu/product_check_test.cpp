// Compares the runner's matrices and its check of products with those of the room `experiment`, which
// implements both independently.
#include "gpu_runner/product_check.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <cstring>
#include <random>

#include "experiment/problem_data.h"
#include "experiment/verify.h"
#include "gpu_runner/matrices.h"
#include "gpu_runner/parallel.h"

namespace gemmscope::gpu {
namespace {

TEST(InParallel, EveryIndexOnce) {
  for (const int64_t count : {0, 1, 2, 7, 100, 1000}) {
    std::vector<std::atomic<int>> seen(static_cast<size_t>(count));
    in_parallel(count, 3, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) ++seen[static_cast<size_t>(i)];
    });
    for (const std::atomic<int>& times : seen) EXPECT_EQ(times, 1) << count;
  }
}

TEST(Bfloat16, RoundsToTheNearestAndTiesToEven) {
  // A bfloat16 is the upper half of a float32, so its neighbours are the next integers.
  std::mt19937 random(1);
  for (int i = 0; i < 100'000; ++i) {
    const float value = matrix_element('A', false, random());
    const float rounded = bfloat16_value(bfloat16_bits(value));
    const float below = bfloat16_value(static_cast<uint16_t>(bfloat16_bits(rounded) - 1)),
                above = bfloat16_value(static_cast<uint16_t>(bfloat16_bits(rounded) + 1));
    EXPECT_LE(std::abs(value - rounded), std::abs(value - below));
    EXPECT_LE(std::abs(value - rounded), std::abs(value - above));
  }
  EXPECT_EQ(bfloat16_bits(1.0f + 0x1p-8f), 0x3f80) << "a tie, down to even";
  EXPECT_EQ(bfloat16_bits(1.0f + 0x1p-7f + 0x1p-8f), 0x3f82) << "a tie, up to even";
  EXPECT_EQ(bfloat16_bits(-0.0f), 0x8000);
}

TEST(Matrices, HoldTheNumbersOfTheCpusExecution) {
  const catalog::Problem problem{67, 35, 130, 1.25f, 0.5f};
  const experiment::ProblemData data = experiment::make_problem_data(problem);
  for (size_t i = 0; i < 3; ++i) {
    const machine::GlobalMemory::Buffer& buffer = data.memory.buffers()[i];
    std::vector<std::byte> ours(buffer.bytes.size());
    fill_matrix(buffer.name[0], false, 0, ours);
    EXPECT_TRUE(std::ranges::equal(ours, buffer.bytes)) << buffer.name;
    std::vector<double> wide(ours.size() / 4 - 5);
    fill_float64(buffer.name[0], true, true, 5, wide);
    std::vector<std::byte> narrow(wide.size() * 2);
    fill_matrix(buffer.name[0], true, 5, narrow);
    for (size_t k = 0; k < wide.size(); ++k) {
      const double element = experiment::element_value(buffer.bytes, catalog::ElementType::float32, k + 5);
      const auto rounded = bfloat16_bits(static_cast<float>(element));
      EXPECT_EQ(experiment::element_value(narrow, catalog::ElementType::bfloat16, k),
                bfloat16_value(rounded));
      EXPECT_EQ(wide[k], std::abs(bfloat16_value(rounded)));
    }
  }
}

// Returns the result of a kernel that sums in float32 in the usual order.
std::vector<float> float_product(const Gemm& g, const std::function<float(char, uint64_t)>& element) {
  std::vector<float> c(static_cast<size_t>(g.m * g.n));
  for (int64_t row = 0; row < g.m; ++row)
    for (int64_t column = 0; column < g.n; ++column) {
      float sum = 0;
      for (int64_t k = 0; k < g.k; ++k)
        sum += element('A', static_cast<uint64_t>(row * g.k + k)) *
               element('B', static_cast<uint64_t>(k * g.n + column));
      const auto at = static_cast<uint64_t>(row * g.n + column);
      c[at] = g.beta == 0 ? g.alpha * sum : g.alpha * sum + g.beta * element('C', at);
    }
  return c;
}
float as_float32(char role, uint64_t index) { return matrix_element(role, false, index); }
float as_bfloat16(char role, uint64_t index) { return matrix_element(role, role != 'C', index); }
float as_tf32(char role, uint64_t index) {
  const float value = matrix_element(role, false, index);
  if (role == 'C') return value;
  return std::bit_cast<float>(std::bit_cast<uint32_t>(value) & ~0x1fffu);
}

GpuVerification check(const CheckedKernel& kernel, const std::vector<float>& c) {
  return check_product(kernel, cpu_reference(kernel.gemm, kernel.types), std::as_bytes(std::span(c)));
}

TEST(ProductCheck, AgreesWithTheCheckOfTheCpusExecution) {
  std::mt19937 random(7);
  const Gemm gemms[] = {{1, 1, 1, 1, 0},         {67, 35, 130, 1.25f, 0.5f}, {130, 66, 34, -3, 0},
                        {3, 300, 500, 1, -0.1f}, {200, 5, 64, 0, 1},         {65, 257, 3, 0.3f, 2}};
  for (const Gemm& g : gemms) {
    const catalog::Problem problem{g.m, g.n, g.k, g.alpha, g.beta};
    std::vector<float> c = float_product(g, as_float32);
    for (int damage = 0; damage < 4; ++damage) {
      const auto theirs = experiment::verify_gemm(problem, c);
      const GpuVerification ours = check({g, {}, false, Precision::fp32}, c);
      EXPECT_TRUE(ours.checked);
      EXPECT_EQ(ours.against, "float64 on the CPU");
      EXPECT_EQ(ours.wrong_elements, theirs.wrong_elements);
      EXPECT_NEAR(ours.largest_error, theirs.largest_error, 1e-13);
      EXPECT_NEAR(ours.largest_ratio, theirs.largest_ratio, 1e-6 * (1 + theirs.largest_ratio));
      EXPECT_EQ(ours.wrong_elements == 0, damage == 0) << damage;
      float& element = c[random() % c.size()];
      element = damage == 0 ? NAN : damage == 1 ? element + 1e-3f : INFINITY;
      c[0] = damage == 2 ? 17 : c[0];
      c.back() += 1e-3f;
    }
  }
}

TEST(ProductCheck, TheBoundIncludesExactlyTheFactorsRounding) {
  const Gemm g{64, 64, 48, 1.25f, 0.5f};
  const std::vector<float> tf32 = float_product(g, as_tf32), exact = float_product(g, as_float32);
  EXPECT_GT(check({g, {}, false, Precision::fp32}, tf32).wrong_elements, 1000u);
  const GpuVerification right = check({g, {}, false, Precision::tf32}, tf32);
  EXPECT_EQ(right.wrong_elements, 0u);
  EXPECT_GT(right.largest_ratio, 0.02) << "the bound says nothing";
  EXPECT_LT(right.largest_ratio, 1);
  EXPECT_EQ(check({g, {}, false, Precision::tf32}, exact).wrong_elements, 0u);
  std::vector<float> off = tf32;
  off[99] += 0.125f;
  EXPECT_EQ(check({g, {}, false, Precision::tf32}, off).wrong_elements, 1u);
}

TEST(ProductCheck, ProductsOfBfloat16AreExact) {
  const Gemm g{64, 64, 48, 1.25f, 0.5f};
  const std::vector<float> bf16 = float_product(g, as_bfloat16);
  const FactorTypes both{true, true};
  EXPECT_EQ(check({g, both, false, Precision::bf16}, bf16).wrong_elements, 0u);
  EXPECT_LT(check({g, both, false, Precision::bf16}, bf16).largest_error, 1e-5);
  std::vector<float> off = bf16;
  off[7] += 1e-3f;
  EXPECT_EQ(check({g, both, false, Precision::bf16}, off).wrong_elements, 1u);
  // The kernel itself rounds the float32.
  EXPECT_EQ(check({g, {}, false, Precision::bf16}, bf16).wrong_elements, 0u);
  const Gemm outer{64, 64, 1, 1, 0};  // sums of one product: the bound is close
  const std::vector<float> rounded = float_product(outer, as_bfloat16);
  EXPECT_EQ(check({outer, {}, false, Precision::bf16}, rounded).wrong_elements, 0u);
  EXPECT_GT(check({outer, {}, false, Precision::tf32}, rounded).wrong_elements, 100u);
}

TEST(ProductCheck, ABfloat16CAllowsItsOwnRoundingToo) {
  const Gemm g{40, 30, 20, 1, 0.5f};
  std::vector<float> c =
      float_product(g, [](char role, uint64_t i) { return matrix_element(role, true, i); });
  std::vector<std::byte> narrow(c.size() * 2);
  const auto store = [&](size_t i, float value) {
    const uint16_t bits = bfloat16_bits(value);
    std::memcpy(&narrow[2 * i], &bits, sizeof bits);
  };
  for (size_t i = 0; i < c.size(); ++i) store(i, c[i]);
  const CheckedKernel kernel{g, {true, true}, true, Precision::bf16};
  const ProductReference reference = cpu_reference(g, kernel.types);
  EXPECT_EQ(check_product(kernel, reference, narrow).wrong_elements, 0u);
  store(11, c[11] * 1.02f);
  EXPECT_EQ(check_product(kernel, reference, narrow).wrong_elements, 1u);
}

TEST(ProductCheck, ChecksTheFirstTheLastAndSomeRowsOfALargeProblem) {
  const Gemm g{500, 4096, 8192, 1, 0};
  const ProductReference reference = cpu_reference(g, {});
  EXPECT_EQ(reference.row_count, 64);
  EXPECT_EQ(reference.against, "float64 on the CPU, 64 of 500 rows");
  EXPECT_EQ(reference.row(0), 0);
  EXPECT_EQ(reference.row(63), 499);
  for (const auto& [i, column] : {std::pair{int64_t{0}, int64_t{0}}, {31, 4095}, {63, 300}}) {
    double sum = 0, size = 0;
    for (int64_t k = 0; k < g.k; ++k) {
      const double product = double{as_float32('A', static_cast<uint64_t>(reference.row(i) * g.k + k))} *
                             double{as_float32('B', static_cast<uint64_t>(k * g.n + column))};
      sum += product;
      size += std::abs(product);
    }
    EXPECT_NEAR(reference.product[static_cast<size_t>(i * g.n + column)], sum, 1e-9);
    EXPECT_NEAR(reference.magnitude[static_cast<size_t>(i * g.n + column)], size, 1e-9);
  }
}

}  // namespace
}  // namespace gemmscope::gpu
