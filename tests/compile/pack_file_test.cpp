// Tests the format of the pack's files.
#include "compile/pack_file.h"

#include <gtest/gtest.h>

#include "compile/packed_cubin.h"
#include "compile/raw_lzma.h"
#include "compile_fixture.h"

namespace gemmscope::compile {
namespace {

using Bytes = std::vector<std::byte>;

// Bytes that differ by `seed`, with a long run of zeros between them.
Bytes sample_cubin(int seed) {
  Bytes cubin;
  for (int i = 0; i < 500; ++i) cubin.push_back(static_cast<std::byte>(i * i + (i % 7 == 0 ? seed : 0)));
  cubin.insert(cubin.end(), 2000, std::byte{0});
  cubin.push_back(static_cast<std::byte>(seed + 1));
  return cubin;
}

std::string sample_log(int seed) { return "log of " + std::to_string(seed) + "\n"; }

MacroValues sample_changes(int number) {
  return number == 0 ? MacroValues{} : MacroValues{{"TILE", std::to_string(number)}};
}

const PackHead kHead{"0123", "sm_86", "NVRTC 13.0", {"--fmad=false"}, {{"TILE", "0"}, {"STEPS", "2"}}};

// The last variant has the cubin of the first.
Bytes sample_file(int variants) {
  PackWriter writer(kHead);
  for (int i = 0; i < variants; ++i) writer.add(sample_changes(i), sample_cubin(i), sample_log(i));
  writer.add(sample_changes(variants), sample_cubin(0), sample_log(0));
  return writer.finish();
}

class PackFileTest : public testing::Test {
 protected:
  void store(std::span<const std::byte> bytes) const {
    write_text(path(), {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  }
  std::filesystem::path path() const { return folder_.path() / "kernel.sm_86.pack"; }
  // Empty, or the error of opening the file or of reading a variant.
  std::string error_of(std::span<const std::byte> bytes, int variants) const {
    store(bytes);
    const auto file = PackFile::open(path());
    if (!file) return file.error().message;
    for (int i = 0; i <= variants; ++i)
      if (const auto entry = (*file)->find(sample_changes(i)); !entry) return entry.error().message;
    return "";
  }

  TemporaryFolder folder_;
};

TEST_F(PackFileTest, GivesEveryVariantAsItWasAdded) {
  constexpr int kVariants = 150;  // several blocks
  store(sample_file(kVariants));
  const auto file = PackFile::open(path());
  ASSERT_TRUE(file.has_value()) << file.error().message;
  EXPECT_EQ((*file)->head().key, kHead.key);
  EXPECT_EQ((*file)->head().macros, kHead.macros);
  EXPECT_EQ((*file)->variants().size(), kVariants + 1u);
  for (const int i : {149, 0, 65, 64, 1}) {
    const auto entry = (*file)->find(sample_changes(i));
    ASSERT_TRUE(entry.has_value()) << entry.error().message;
    EXPECT_EQ(entry->cubin, sample_cubin(i)) << i;
    EXPECT_EQ(entry->log, sample_log(i));
    EXPECT_EQ(entry->macros, (MacroValues{{"TILE", std::to_string(i)}, {"STEPS", "2"}}));
    EXPECT_EQ(entry->compiler, "NVRTC 13.0");
    EXPECT_EQ(entry->options, kHead.options);
  }
  EXPECT_EQ((*file)->find(sample_changes(kVariants))->cubin, sample_cubin(0));
  EXPECT_FALSE((*file)->has({{"TILE", "151"}}));
  EXPECT_FALSE((*file)->find({{"TILE", "151"}}).has_value());
}

TEST_F(PackFileTest, AlikeCubinsTakeLittleRoom) {
  PackWriter one(kHead), many(kHead);
  one.add({}, sample_cubin(0), "");
  for (int i = 0; i < 60; ++i) many.add(sample_changes(i), sample_cubin(i), "");
  EXPECT_LT(many.finish().size(), 10 * one.finish().size());
}

TEST_F(PackFileTest, EveryTruncationAndFlipIsRefused) {
  constexpr int kVariants = 3;
  const Bytes whole = sample_file(kVariants);
  EXPECT_EQ(error_of(whole, kVariants), "");
  for (size_t length = 0; length < whole.size(); length += 7)
    EXPECT_NE(error_of(std::span(whole).first(length), kVariants), "") << length;
  for (size_t i = 0; i < whole.size(); ++i) {
    Bytes damaged = whole;
    damaged[i] ^= std::byte{1} << i % 8;
    EXPECT_NE(error_of(damaged, kVariants), "") << i;
  }
}

TEST_F(PackFileTest, SaysWhatIsWrong) {
  const std::string name = path().string();
  EXPECT_EQ(error_of(Bytes(10), 0), name + " is truncated: 10 bytes");
  EXPECT_EQ(error_of(Bytes(100), 0), name + " is not a file of GEMMscope's prebuilt machine code");
  Bytes damaged = sample_file(2);
  damaged.back() ^= std::byte{1};
  EXPECT_EQ(error_of(damaged, 2), name + " is damaged: block 1 does not match its checksum");
}

TEST(PackedCubin, DamagedBlocksAreRefused) {
  const Bytes block = store_cubin(sample_cubin(1), "log");
  ASSERT_TRUE(take_cubin(block, 0).has_value());
  EXPECT_LT(block.size(), sample_cubin(1).size() - 1900) << "zeros are stored";
  EXPECT_FALSE(take_cubin(block, 1).has_value());
  for (size_t length = 0; length < block.size(); ++length)
    EXPECT_FALSE(take_cubin(std::span(block).first(length), 0).has_value()) << length;
  for (size_t i = 0; i < 20; ++i)  // sizes and runs of nonsense
    for (const int value : {0x00, 0x7f, 0xff}) {
      Bytes damaged = block;
      damaged[i] = static_cast<std::byte>(value);
      const auto taken = take_cubin(damaged, 0);
      EXPECT_LE(taken ? taken->cubin.size() : 0, size_t{1} << 28);
    }
}

TEST(RawLzma, NeedsItsDictionaryAndSize) {
  const Bytes bytes = sample_cubin(3), dictionary = sample_cubin(4);
  const Bytes packed = pack_bytes(bytes, dictionary);
  EXPECT_EQ(unpack_bytes(packed, bytes.size(), dictionary), bytes);
  EXPECT_NE(unpack_bytes(packed, bytes.size(), sample_cubin(9)), bytes);
  EXPECT_FALSE(unpack_bytes(packed, bytes.size() - 1, dictionary).has_value());
  EXPECT_FALSE(unpack_bytes(packed, bytes.size() + 1, dictionary).has_value());
  EXPECT_LT(packed.size(), pack_bytes(bytes).size());
  Bytes noise(5000);
  for (size_t i = 0; i < noise.size(); ++i) noise[i] = static_cast<std::byte>(i * i * i >> 5 ^ i * 37);
  EXPECT_EQ(unpack_bytes(pack_bytes(noise), noise.size()), noise);
}

}  // namespace
}  // namespace gemmscope::compile
