// Tests the claims themselves: which sentences contain a number, and that a missing, outdated or false claim
// fails.
#include "claims.h"

#include <gtest/gtest-spi.h>
#include <gtest/gtest.h>

#include <stdexcept>

namespace gemmscope::claims {
namespace {

using Sentences = std::vector<std::string>;

TEST(SentencesWithNumbers, HoldDigitsOrNumberWords) {
  for (const std::string sentence :
       {"It takes 16 sectors.", "It is 93.8 % fewer.", "A 128-bit load.", "A tile of 4x4.",
        "Rows of [32][33].", "Half as many.", "It takes two.", "A sixteenth is left.",
        "Served by half-warps.", "Once a block.", "With 0 there is nothing.", "It does 2mn operations.",
        "Divide by 4, then add.", "It more than halves it.", "On sm_86 it is 7.",
        "A ladder of fifteen steps.", "n++, then 3 more.", "Status 1 means that it failed."})
    EXPECT_EQ(sentences_with_numbers(sentence), Sentences{sentence}) << sentence;
}

TEST(SentencesWithNumbers, AreNoneWhereOnlyNamesHoldDigits) {
  for (const std::string sentence :
       {"It is loaded as float4.", "LDG.E.128 is issued.", "It came with sm_80.", "Compiled as C++17.",
        "As fast as in step 2.", "On Debian 12 it runs.", "Compiled by CUDA 13.0.", "F1 shows all keys.",
        "It is the L2 cache.", "K2 is divided by K1.", "With TF32 and bfloat16.", "An H200 says so.",
        "A double buffer hides it.", "Double buffering hides it.", "One thread, one element.",
        "HMMA.1688.F32.TF32 multiplies.", "A GeForce RTX 3080 has them.", "11_prefetch hides it.",
        "Use mma.sync and cp.async.m16n8k8."})
    EXPECT_EQ(sentences_with_numbers(sentence), Sentences{}) << sentence;
}

TEST(SentencesWithNumbers, EndAtFullStopsBeforeASpace) {
  EXPECT_EQ(sentences_with_numbers("It takes 2.5 times as long. Why? Because of 3 things! And so on: 4"),
            (Sentences{"It takes 2.5 times as long.", "Because of 3 things!", "And so on: 4"}));
  EXPECT_EQ(sentences_with_numbers("In step 2, 8 loads fed many. In steps, 4 did."),
            (Sentences{"In step 2, 8 loads fed many.", "In steps, 4 did."}));
  EXPECT_EQ(sentences_with_numbers(""), Sentences{});
}

const std::map<std::string, std::string> kTexts = {{"a text", "It has 3 parts. They are named."}};

TEST(CheckClaims, PassesWhereEachIsClaimedAndTrue) {
  bool checked = false;
  check_claims(kTexts, {{"It has 3 parts.", [&] { checked = true; }}});
  EXPECT_TRUE(checked);
}

TEST(CheckClaims, FailsForASentenceThatNothingChecks) {
  EXPECT_NONFATAL_FAILURE(check_claims(kTexts, {}),
                          "a text has a number that nothing checks: It has 3 parts.");
}

TEST(CheckClaims, FailsForAClaimThatStandsNowhere) {
  EXPECT_NONFATAL_FAILURE(check_claims(kTexts, {{"It has 3 parts.", [] {}}, {"It has 4 parts.", [] {}}}),
                          "this claim stands nowhere any more: It has 4 parts.");
}

TEST(CheckClaims, FailsForAFalseFigure) {
  EXPECT_NONFATAL_FAILURE(check_claims(kTexts, {{"It has 3 parts.", [] { EXPECT_EQ(2 + 2, 3); }}}),
                          "It has 3 parts.");
}

TEST(CheckClaims, FailsWhereTheProgramGivesNoFigure) {
  EXPECT_NONFATAL_FAILURE(
      check_claims(kTexts, {{"It has 3 parts.", [] { throw std::runtime_error("there is no kernel x"); }}}),
      "there is no kernel x");
}

}  // namespace
}  // namespace gemmscope::claims
