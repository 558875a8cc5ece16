// Tests the verification itself: it must find an error a few units in the last place beyond the bound, and
// nothing else.
#include "experiment/verify.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>

#include "base/random_element.h"
#include "experiment/problem_data.h"

namespace gemmscope::experiment {
namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

// Computes the definition in long double, one element after the other.
struct Reference {
  std::vector<long double> exact, bound;
  std::vector<float> rounded;
};
Reference reference(const catalog::Problem& p) {
  Reference result;
  const long double u = std::ldexp(1.0L, -24), steps = static_cast<long double>(p.k + 3);
  const long double gamma = steps * u / (1 - steps * u);
  for (int64_t i = 0; i < p.m; ++i)
    for (int64_t j = 0; j < p.n; ++j) {
      long double sum = 0, magnitude = 0;
      for (int64_t k = 0; k < p.k; ++k) {
        const long double product =
            static_cast<long double>(random_element(0, static_cast<uint64_t>(i * p.k + k))) *
            random_element(1, static_cast<uint64_t>(k * p.n + j));
        sum += product;
        magnitude += std::abs(product);
      }
      const long double old = p.beta == 0 ? 0.0L : random_element(2, static_cast<uint64_t>(i * p.n + j));
      result.exact.push_back(p.alpha * sum + p.beta * old);
      result.bound.push_back(gamma * (std::abs(p.alpha) * magnitude + std::abs(p.beta * old)));
      result.rounded.push_back(static_cast<float>(result.exact.back()));
    }
  return result;
}

// Returns the float that is `ulps` floats above the one nearest to `value`.
float above(long double value, int ulps) {
  auto x = static_cast<float>(value);
  for (int i = 0; i < ulps; ++i) x = std::nextafter(x, std::numeric_limits<float>::infinity());
  for (int i = 0; i > ulps; --i) x = std::nextafter(x, -std::numeric_limits<float>::infinity());
  return x;
}

constexpr catalog::Problem kProblem{19, 23, 41, 1.25f, 0.5f};

TEST(Verify, AcceptsTheRoundedExactResult) {
  for (const catalog::Problem& p :
       {kProblem, catalog::Problem{7, 5, 300, -2.0f, 0.0f}, catalog::Problem{1, 1, 1, 1.0f, 0.0f}}) {
    const Verification v = verify_gemm(p, reference(p).rounded);
    EXPECT_TRUE(v.right());
    EXPECT_EQ(v.wrong_elements, 0u);
    EXPECT_LE(v.largest_ratio, 0.5) << "rounding once is within half of the first step of the bound";
  }
}

TEST(Verify, RejectsOneElementFewUlpsBeyondTheBound) {
  const Reference r = reference(kProblem);
  for (const size_t at : {size_t{0}, size_t{22}, size_t{200}, r.exact.size() - 1}) {
    std::vector<float> c = r.rounded;
    c[at] = above(r.exact[at] + r.bound[at], 3);
    const Verification wrong = verify_gemm(kProblem, c);
    EXPECT_FALSE(wrong.right()) << "element " << at;
    EXPECT_EQ(wrong.wrong_elements, 1u);
    EXPECT_GT(wrong.largest_ratio, 1.0);
    EXPECT_NEAR(wrong.largest_error, static_cast<double>(std::abs(c[at] - r.exact[at])), 1e-12);
    c[at] = above(r.exact[at] + r.bound[at], -3);
    EXPECT_TRUE(verify_gemm(kProblem, c).right()) << "element " << at;
    c[at] = above(r.exact[at] - r.bound[at], -3);
    EXPECT_EQ(verify_gemm(kProblem, c).wrong_elements, 1u) << "element " << at;
    c[at] = above(r.exact[at] - r.bound[at], 3);
    EXPECT_TRUE(verify_gemm(kProblem, c).right()) << "element " << at;
  }
}

TEST(Verify, RejectsWhatIsNoNumber) {
  const Reference r = reference(kProblem);
  for (const float bad :
       {kNan, -kNan, std::numeric_limits<float>::infinity(), -std::numeric_limits<float>::infinity()}) {
    std::vector<float> c = r.rounded;
    c[5] = bad;
    c[77] = bad;
    const Verification v = verify_gemm(kProblem, c);
    EXPECT_EQ(v.wrong_elements, 2u) << bad;
    EXPECT_FALSE(v.right());
    EXPECT_TRUE(std::isfinite(v.largest_error));
  }
}

TEST(Verify, RejectsAResultOfAnotherShape) {
  std::vector<float> c = reference(kProblem).rounded;
  c.pop_back();
  EXPECT_FALSE(verify_gemm(kProblem, c).right()) << "an element is missing";
}

// The reference is computed for some rows at a time: here in three bands, of which the last is not full.
TEST(Verify, LooksAtAllRowsOfALargeResult) {
  const catalog::Problem p{150, 1 << 14, 3, 1.0f, 0.5f};
  const Reference r = reference(p);
  EXPECT_TRUE(verify_gemm(p, r.rounded).right());
  std::vector<float> c = r.rounded;
  for (const int64_t row : {0, 63, 64, 127, 128, 149}) {
    const auto at = static_cast<size_t>(row * p.n + 7 * row);
    c[at] = above(r.exact[at] + r.bound[at], 4);
  }
  EXPECT_EQ(verify_gemm(p, c).wrong_elements, 6u);
}

// A deep product is summed in parts, and B is read in parts of its columns: here two of each.
TEST(Verify, LooksAtAllPartsOfADeepProduct) {
  const catalog::Problem p{2, 80, 70'000, 1.5f, 0.25f};
  const Reference r = reference(p);
  const Verification right = verify_gemm(p, r.rounded);
  EXPECT_TRUE(right.right());
  EXPECT_LE(right.largest_ratio, 0.01) << "a part of the sum is missing";
  std::vector<float> c = r.rounded;
  for (const size_t at : {size_t{0}, size_t{63}, size_t{64}, size_t{159}})
    c[at] = above(r.exact[at] + r.bound[at], 4);
  EXPECT_EQ(verify_gemm(p, c).wrong_elements, 4u);
}

TEST(Verify, RejectsTheWrongAlphaBetaAndLayout) {
  EXPECT_FALSE(
      verify_gemm(kProblem, reference({kProblem.m, kProblem.n, kProblem.k, 1.2501f, 0.5f}).rounded).right());
  EXPECT_FALSE(
      verify_gemm(kProblem, reference({kProblem.m, kProblem.n, kProblem.k, 1.25f, 0.0f}).rounded).right());
  const Reference r = reference(kProblem);
  std::vector<float> transposed(r.rounded.size());
  for (int64_t i = 0; i < kProblem.m; ++i)
    for (int64_t j = 0; j < kProblem.n; ++j)
      transposed[static_cast<size_t>(j * kProblem.m + i)] =
          r.rounded[static_cast<size_t>(i * kProblem.n + j)];
  EXPECT_GT(verify_gemm(kProblem, transposed).wrong_elements, 400u);
}

// ---- factors that tensor cores truncate or round to TF32

// Returns C after each factor has moved by `relative` of itself, in the direction in which all products
// increase C.
std::vector<long double> moved(const catalog::Problem& p, long double relative) {
  std::vector<long double> result;
  for (int64_t i = 0; i < p.m; ++i)
    for (int64_t j = 0; j < p.n; ++j) {
      long double sum = 0, change = 0;
      for (int64_t k = 0; k < p.k; ++k) {
        const long double product =
            static_cast<long double>(random_element(0, static_cast<uint64_t>(i * p.k + k))) *
            random_element(1, static_cast<uint64_t>(k * p.n + j));
        sum += product;
        change += std::abs(product) * ((1 + relative) * (1 + relative) - 1);
      }
      const long double old = p.beta == 0 ? 0.0L : random_element(2, static_cast<uint64_t>(i * p.n + j));
      result.push_back(p.alpha * (sum + change) + p.beta * old);
    }
  return result;
}

ProblemData tf32_data(const catalog::Problem& problem, bool rounded) {
  catalog::Kernel kernel;
  kernel.tf32 = true;
  kernel.toggles = {{"ROUND", "", {0, 1}, 0}};
  kernel.rounded_expression = "ROUND";
  return *make_problem_data(kernel, problem, {{"ROUND", rounded ? 1 : 0}});
}

Verification verify_tf32(const catalog::Problem& p, const std::vector<long double>& c, bool rounded) {
  std::vector<float> floats;
  for (const long double x : c) floats.push_back(static_cast<float>(x));
  return verify_data(p, tf32_data(p, rounded), std::as_bytes(std::span(floats)));
}

// With all products moved the same way by the most that f allows, C is just inside the bound; a little more
// is outside.
TEST(VerifyTf32, TheBoundIsThatOfTheFactors) {
  for (const bool rounded : {false, true}) {
    SCOPED_TRACE(rounded ? "rounded" : "truncated");
    const long double f = rounded ? 0x1p-11L : 0x1p-10L;
    const Verification inside = verify_tf32(kProblem, moved(kProblem, f), rounded);
    EXPECT_TRUE(inside.right());
    EXPECT_GT(inside.largest_ratio, 0.98);
    const Verification outside = verify_tf32(kProblem, moved(kProblem, f * 1.02L), rounded);
    EXPECT_EQ(outside.wrong_elements, static_cast<uint64_t>(kProblem.m * kProblem.n));
    EXPECT_LT(outside.largest_ratio, 1.03);
  }
}

// Rounding allows half of the error of truncation, and float32 allows neither.
TEST(VerifyTf32, TruncatedFactorsAreWrongWhereTheyShouldBeRounded) {
  const auto truncated = moved(kProblem, -0x1p-10L * 0.99L);
  EXPECT_TRUE(verify_tf32(kProblem, truncated, false).right());
  EXPECT_FALSE(verify_tf32(kProblem, truncated, true).right());
  std::vector<float> floats(truncated.begin(), truncated.end());
  EXPECT_FALSE(verify_gemm(kProblem, floats).right());
}

// The factors are as in hardware: 13 bits of the fraction are truncated, or rounded to nearest.
TEST(VerifyTf32, FactorsTruncatedOrRoundedAsInHardwareAreRight) {
  const auto to_tf32 = [](float x, bool rounded) {
    return std::bit_cast<float>((std::bit_cast<uint32_t>(x) + (rounded ? 0x1000u : 0u)) & 0xffffe000u);
  };
  for (const bool rounded : {false, true}) {
    const catalog::Problem p{33, 29, 500, 1.0f, 0.0f};
    std::vector<long double> c;
    for (int64_t i = 0; i < p.m; ++i)
      for (int64_t j = 0; j < p.n; ++j) {
        long double sum = 0;
        for (int64_t k = 0; k < p.k; ++k)
          sum += static_cast<long double>(
                     to_tf32(random_element(0, static_cast<uint64_t>(i * p.k + k)), rounded)) *
                 to_tf32(random_element(1, static_cast<uint64_t>(k * p.n + j)), rounded);
        c.push_back(sum);
      }
    const Verification v = verify_tf32(p, c, rounded);
    EXPECT_TRUE(v.right());
    EXPECT_GT(v.largest_error, 1e-4) << "this data shows that factors are not exact";
  }
}

// An element of C that was never written is wrong with any bound.
TEST(VerifyTf32, NotANumberIsWrong) {
  auto c = moved(kProblem, 0);
  c[3] = std::numeric_limits<long double>::quiet_NaN();
  EXPECT_EQ(verify_tf32(kProblem, c, false).wrong_elements, 1u);
}

}  // namespace
}  // namespace gemmscope::experiment
