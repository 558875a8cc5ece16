// read_cubin may accept or refuse damaged input, but must not crash, read out of bounds or allocate absurd
// amounts of memory. The test should also run with GEMMSCOPE_SANITIZE.
#include <elf.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <random>

#include "cubin/cubin.h"
#include "small_cubin.h"

namespace gemmscope::cubin {
namespace {

// Reads `bytes` from a block of exactly their size, so that the sanitizer sees a read past the end.
Result<Cubin> read_exactly(const std::vector<std::byte>& bytes) {
  const std::vector<std::byte> copy(bytes.begin(), bytes.end());
  return read_cubin(copy, "damaged.cubin");
}

// Uses an accepted cubin as the program does.
void walk(const Cubin& cubin) {
  for (const KernelCode& kernel : cubin.kernels) {
    EXPECT_EQ(kernel.words.size() % 2, 0u);
    EXPECT_LE(kernel.registers, 255);
    for (const LineEntry& entry : kernel.lines) {
      EXPECT_LT(entry.address, kernel.code_bytes());
      EXPECT_LT(entry.file, cubin.files.size());
    }
    for (uint32_t address = 0; address < kernel.code_bytes(); address += 16) {
      const std::vector<SourceLine> chain = inline_chain(kernel, address);
      EXPECT_LE(chain.size(), static_cast<size_t>(kMostInlinedCalls) + 1);
      for (const SourceLine& line : chain) EXPECT_LT(line.file, cubin.files.size());
    }
  }
  for (const AddressRelocation& relocation : cubin.relocations) {
    using Place = AddressRelocation::Place;
    const auto& changed = relocation.place == Place::constant3   ? cubin.constant3
                          : relocation.place == Place::constant4 ? cubin.constant4
                                                                 : cubin.global_image;
    EXPECT_LE(relocation.offset + 8, changed.size());
  }
  for (const GlobalVariable& variable : cubin.globals)
    EXPECT_LE(variable.offset + variable.size, cubin.global_image.size()) << variable.name;
}

std::string message_of(const std::vector<std::byte>& bytes) {
  const auto cubin = read_exactly(bytes);
  return cubin ? "accepted" : cubin.error().message;
}

TEST(MalformedCubin, EveryTruncationIsRefused) {
  const auto whole = small_cubin_bytes("sm_90");
  Elf64_Ehdr header;
  std::memcpy(&header, whole.data(), sizeof header);
  for (size_t length = 0; length < whole.size(); ++length) {
    const auto cubin = read_exactly({whole.begin(), whole.begin() + static_cast<ptrdiff_t>(length)});
    if (cubin) walk(*cubin);
    // The program headers are last in the file, and nothing here needs them.
    EXPECT_EQ(cubin.has_value(), length >= header.e_phoff) << "truncated to " << length << " bytes";
  }
}

class FlippedBits : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Archs, FlippedBits, testing::Values("sm_86", "sm_90"),
                         [](const auto& test) { return std::string(test.param); });

TEST_P(FlippedBits, NeverCrash) {
  const auto whole = small_cubin_bytes(GetParam());
  std::mt19937_64 random(1);
  int refused = 0;
  for (int round = 0; round < 20'000; ++round) {
    auto damaged = whole;
    const int flips = 1 + static_cast<int>(random() % 8);
    for (int i = 0; i < flips; ++i) damaged[random() % damaged.size()] ^= std::byte{1} << random() % 8;
    const auto cubin = read_exactly(damaged);
    if (cubin) walk(*cubin);
    if (!cubin) ++refused;
  }
  EXPECT_GT(refused, 1000);  // otherwise the loop would test nothing
}

// Damages only the line table, so that calls name missing rows, later rows and themselves.
TEST_P(FlippedBits, LineTable) {
  const auto whole = stored_cubin_bytes("inlined", GetParam());
  const std::string_view text(reinterpret_cast<const char*>(whole.data()), whole.size());
  const size_t table = text.find("inlined.cu");  // in the list of files, right before the programs
  ASSERT_NE(table, std::string_view::npos);
  std::mt19937_64 random(3);
  int accepted = 0;
  for (int round = 0; round < 20'000; ++round) {
    auto damaged = whole;
    for (uint64_t changes = 1 + random() % 3; changes > 0; --changes)
      damaged[table + random() % 200] = static_cast<std::byte>(random() % 16);
    const auto cubin = read_exactly(damaged);
    if (!cubin) continue;
    walk(*cubin);
    ++accepted;
  }
  EXPECT_GT(accepted, 1000);
}

// The headers are a small part of the file, so this test damages only them.
TEST_P(FlippedBits, HeadersAndTables) {
  const auto whole = small_cubin_bytes(GetParam());
  Elf64_Ehdr header;
  std::memcpy(&header, whole.data(), sizeof header);
  const size_t table_bytes = header.e_shnum * sizeof(Elf64_Shdr);
  std::mt19937_64 random(2);
  for (int round = 0; round < 20'000; ++round) {
    auto damaged = whole;
    const size_t place = random() % (sizeof header + table_bytes);
    const size_t offset = place < sizeof header ? place : header.e_shoff + place - sizeof header;
    damaged[offset] = static_cast<std::byte>(random());
    if (const auto cubin = read_exactly(damaged)) walk(*cubin);
  }
}

TEST(MalformedCubin, SaysWhatIsWrong) {
  EXPECT_EQ(message_of({}), "damaged.cubin is too short (0 bytes) for a cubin");
  EXPECT_EQ(message_of(std::vector<std::byte>(100)),
            "damaged.cubin is not an ELF file, so it is not a cubin");
  auto bytes = small_cubin_bytes("sm_86");
  Elf64_Ehdr header;
  std::memcpy(&header, bytes.data(), sizeof header);
  const auto with = [&](auto change) {
    Elf64_Ehdr changed = header;
    change(changed);
    std::memcpy(bytes.data(), &changed, sizeof changed);
    return message_of(bytes);
  };
  EXPECT_EQ(with([](auto& h) { h.e_machine = EM_X86_64; }),
            "damaged.cubin is an ELF file for machine 62, not for CUDA (190)");
  EXPECT_EQ(with([](auto& h) { h.e_flags = 0x4604; }),
            "damaged.cubin is machine code for sm_70, which the program does not know; compile it for sm_75, "
            "80, 86, "
            "89 or 90");
  EXPECT_EQ(
      with([](auto& h) { h.e_type = ET_REL; }),
      "damaged.cubin is a cubin that is not linked (ELF type 1); compile it without relocatable device code");
  EXPECT_EQ(with([](auto&) {}), "accepted");
}

// Older ABIs keep the architecture in the lowest byte of e_flags.
TEST(MalformedCubin, OldAbiIsNoDamage) {
  auto bytes = small_cubin_bytes("sm_86");
  Elf64_Ehdr header;
  std::memcpy(&header, bytes.data(), sizeof header);
  header.e_ident[EI_ABIVERSION] = 7;
  header.e_flags = 0x00560556;
  std::memcpy(bytes.data(), &header, sizeof header);
  const auto cubin = read_exactly(bytes);
  ASSERT_TRUE(cubin.has_value()) << cubin.error().message;
  EXPECT_EQ(cubin->arch, isa::Arch::sm_86);
}

// A launch finds its arguments by the parameters' ordinals.
TEST(MalformedCubin, ParametersAreNumberedFromZero) {
  auto bytes = small_cubin_bytes("sm_86");
  // A record of a parameter: format 4, attribute 0x17, 12 bytes, of which the first four are an index that is
  // 0.
  constexpr std::array<std::byte, 8> kRecord = {std::byte{4}, std::byte{0x17}, std::byte{12}};
  const auto record = std::search(bytes.begin(), bytes.end(), kRecord.begin(), kRecord.end());
  ASSERT_NE(record, bytes.end());
  record[8] = std::byte{77};
  const std::string message = message_of(bytes);
  EXPECT_NE(message.find(" are not numbered from 0: number 77 is in the place of 0"), std::string::npos)
      << message;
}

TEST(MalformedCubin, HugeVariablesAreNotAllocated) {
  auto bytes = small_cubin_bytes("sm_86");
  Elf64_Ehdr header;
  std::memcpy(&header, bytes.data(), sizeof header);
  for (int i = 0; i < header.e_shnum; ++i) {
    const size_t offset = header.e_shoff + static_cast<size_t>(i) * sizeof(Elf64_Shdr);
    Elf64_Shdr section;
    std::memcpy(&section, &bytes[offset], sizeof section);
    if (section.sh_type == SHT_NOBITS && section.sh_size == 20)
      section.sh_size = uint64_t{1} << 60;  // .nv.global
    std::memcpy(&bytes[offset], &section, sizeof section);
  }
  EXPECT_EQ(message_of(bytes),
            "damaged.cubin: its __device__ variables take more than 256 MiB, which is more than the program "
            "can hold");
}

}  // namespace
}  // namespace gemmscope::cubin
