// Runs the fuzz targets in every build, without libFuzzer, on valid inputs, inputs that once broke something,
// and damaged ones. The inputs are the same in every run: the fuzzer finds new mistakes, this test keeps the
// old ones from returning.
#include <gtest/gtest.h>

#include <random>

#include "seeds.h"
#include "targets.h"

namespace gemmscope::fuzz {
namespace {

constexpr size_t kMostSeeds = 60, kRounds = 1200;

// Copies the input into a block of exactly its size, so that the sanitizer sees a read past the end.
void run(const Target& target, const std::string& bytes, const std::string& what) {
  const std::vector<char> exact(bytes.begin(), bytes.end());
  try {
    target.run(std::as_bytes(std::span(exact)));
  } catch (const std::exception& error) {
    FAIL() << target.name << ", " << what << ": " << error.what();
  }
}

class Corpus : public testing::TestWithParam<Target> {
 protected:
  // Returns seeds of a useful length, spread over all of them.
  static std::vector<Input> seeds() {
    std::vector<Input> all = seeds_of(GetParam().name), chosen;
    std::erase_if(all, [](const Input& input) { return input.bytes.size() > GetParam().longest; });
    const size_t step = (all.size() + kMostSeeds - 1) / kMostSeeds;
    for (size_t i = 0; i < all.size(); i += step) chosen.push_back(all[i]);
    return chosen;
  }
};
INSTANTIATE_TEST_SUITE_P(Targets, Corpus, testing::ValuesIn(kTargets),
                         [](const auto& test) { return std::string(test.param.name); });

TEST_P(Corpus, SeedsAreAccepted) {
  const auto all = seeds();
  ASSERT_GE(all.size(), 2u);
  for (const Input& seed : all) run(GetParam(), seed.bytes, seed.name);
}

TEST_P(Corpus, InputsThatOnceBrokeAreHandled) {
  for (const Input& input : stored_inputs(GetParam().name)) run(GetParam(), input.bytes, input.name);
}

TEST_P(Corpus, TruncatedSeedsAreHandled) {
  std::mt19937_64 random(3);
  for (const Input& seed : seeds())
    for (int round = 0; round < 10; ++round) {
      const size_t length = random() % (seed.bytes.size() + 1);
      run(GetParam(), seed.bytes.substr(0, length), seed.name + " truncated to " + std::to_string(length));
    }
}

std::string damaged(std::string bytes, std::mt19937_64& random) {
  const size_t flips = 1 + random() % 8;
  for (size_t i = 0; i < flips && !bytes.empty(); ++i)
    bytes[random() % bytes.size()] ^= static_cast<char>(1 << random() % 8);
  return bytes;
}

TEST_P(Corpus, FlippedBitsAreHandled) {
  const auto all = seeds();
  std::mt19937_64 random(4);
  for (size_t round = 0; round < kRounds; ++round) {
    const Input& seed = all[round % all.size()];
    run(GetParam(), damaged(seed.bytes, random), seed.name + " in round " + std::to_string(round));
  }
}

// A piece of one seed replaces a piece of another, so parts that belong together no longer match.
TEST_P(Corpus, SplicedSeedsAreHandled) {
  const auto all = seeds();
  std::mt19937_64 random(5);
  for (size_t round = 0; round < kRounds / 2; ++round) {
    std::string bytes = all[random() % all.size()].bytes;
    const std::string& other = all[random() % all.size()].bytes;
    if (bytes.empty() || other.empty()) continue;
    const size_t at = random() % bytes.size(), from = random() % other.size();
    bytes.replace(at, random() % 64, other.substr(from, random() % 64));
    run(GetParam(), bytes, "splice " + std::to_string(round));
  }
}

}  // namespace
}  // namespace gemmscope::fuzz
