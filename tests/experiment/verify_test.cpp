// The verification itself: it must see an error of a few units in the last place beyond the bound, and
// nothing else.
#include "experiment/verify.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "base/random_element.h"
#include "experiment/problem_data.h"

namespace gemmscope::experiment {
namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

// The definition, in long double and one element after the other.
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

// The float nearest to `value`, then `ulps` floats further up.
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

}  // namespace
}  // namespace gemmscope::experiment
