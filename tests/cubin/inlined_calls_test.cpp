// Tests inlined calls. Every multiplication of inlined.cu is found by its factor in the machine code and must
// have the chain of calls that the source shows. Other tests use hand-made line tables, including hostile
// ones.
#include <elf.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <string_view>

#include "cubin/cubin.h"
#include "small_cubin.h"

namespace gemmscope::cubin {
namespace {

std::vector<std::string> texts_of(const Cubin& cubin, const std::vector<SourceLine>& chain) {
  std::vector<std::string> texts;
  for (const SourceLine& line : chain) {
    const std::string& file = cubin.files[line.file];
    texts.push_back(file.substr(file.rfind('/') + 1) + ":" + std::to_string(line.line));
  }
  return texts;
}

// Returns the calls of the instruction that multiplies by `factor`; an immediate is the upper half of the
// first word.
std::vector<std::string> chain_of_factor(const Cubin& cubin, const char* kernel_name, float factor) {
  const KernelCode& kernel = *cubin.find(kernel_name);
  for (uint32_t i = 0; i < kernel.instruction_count(); ++i)
    if (static_cast<uint32_t>(kernel.words[2 * i] >> 32) == std::bit_cast<uint32_t>(factor))
      return texts_of(cubin, inline_chain(kernel, i * 16));
  ADD_FAILURE() << "nothing in " << kernel_name << " multiplies by " << factor;
  return {};
}

class InlinedCalls : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Archs, InlinedCalls, testing::Values("sm_86", "sm_90"),
                         [](const auto& test) { return std::string(test.param); });

TEST_P(InlinedCalls, LeadToTheKernelsOwnLine) {
  using Chain = std::vector<std::string>;
  const auto cubin = read_cubin(stored_cubin_bytes("inlined", GetParam()), "inlined.cubin");
  ASSERT_TRUE(cubin.has_value()) << cubin.error().message;
  EXPECT_EQ(chain_of_factor(*cubin, "shallow", 11), (Chain{"inlined.cuh:3", "inlined.cu:12"}));
  // Here ptxas leaves out the call at inlined.cuh:7.
  EXPECT_EQ(chain_of_factor(*cubin, "deep", 3), (Chain{"inlined.cuh:3", "inlined.cu:7", "inlined.cu:17"}));
  EXPECT_EQ(chain_of_factor(*cubin, "deep", 5),
            (Chain{"inlined.cuh:3", "inlined.cuh:8", "inlined.cu:7", "inlined.cu:17"}));
  EXPECT_EQ(chain_of_factor(*cubin, "deep", 7), (Chain{"inlined.cu:8", "inlined.cu:17"}));
  EXPECT_EQ(chain_of_factor(*cubin, "deep", 13), (Chain{"inlined.cuh:3", "inlined.cu:18"}));
  EXPECT_EQ(chain_of_factor(*cubin, "deep", 17), (Chain{"inlined.cu:19"}));
  EXPECT_TRUE(inline_chain(*cubin->find("deep"), cubin->find("deep")->code_bytes()).empty());
  EXPECT_TRUE(inline_chain(KernelCode{}, 0).empty());
}

TEST_P(InlinedCalls, AreKeptOnceEach) {
  const auto cubin = read_cubin(stored_cubin_bytes("inlined", GetParam()), "inlined.cubin");
  ASSERT_TRUE(cubin.has_value());
  EXPECT_EQ(cubin->find("shallow")->calls.size(), 1u);
  EXPECT_EQ(cubin->find("deep")->calls.size(), 4u);  // lines 17, 7, 18 and 8 of the header
}

// ---- line tables made by hand

// inlined.sm_90.cubin with another line program, which begins at address 0 of the kernel "deep" in file 1 and
// line 1. `program` follows the first operation of the original, which sets that address.
Result<Cubin> read_with_program(const std::string& program) {
  std::vector<std::byte> bytes = stored_cubin_bytes("inlined", "sm_90");
  Elf64_Ehdr header;
  std::memcpy(&header, bytes.data(), sizeof header);
  const auto section_at = [&](size_t i) { return header.e_shoff + i * sizeof(Elf64_Shdr); };
  const auto section = [&](size_t i) {
    Elf64_Shdr read;
    std::memcpy(&read, &bytes[section_at(i)], sizeof read);
    return read;
  };
  const size_t names = section(header.e_shstrndx).sh_offset;
  for (size_t i = 0; i < header.e_shnum; ++i) {
    Elf64_Shdr table = section(i);
    if (std::string_view(reinterpret_cast<const char*>(&bytes[names + table.sh_name])) != ".debug_line")
      continue;
    const std::string old(reinterpret_cast<const char*>(&bytes[table.sh_offset]), table.sh_size);
    const size_t first_rows = old.find(std::string("\x00\x09\x02", 3)) + 11;
    std::string unit = old.substr(0, first_rows) + program;
    // The program keeps its length because of its relocations: it is padded with operation 6, which only
    // toggles is_stmt.
    unit.resize(std::max(unit.size(), old.size()), '\x06');
    const auto unit_length = static_cast<uint32_t>(unit.size() - sizeof(uint32_t));
    std::memcpy(unit.data(), &unit_length, sizeof unit_length);
    table.sh_offset = bytes.size();
    table.sh_size = unit.size();
    std::memcpy(&bytes[section_at(i)], &table, sizeof table);
    const auto* begin = reinterpret_cast<const std::byte*>(unit.data());
    bytes.insert(bytes.end(), begin, begin + unit.size());
  }
  return read_cubin(bytes, "made.cubin");
}

std::string inlined_at(int row) { return {'\0', '\x03', '\x90', static_cast<char>(row), '\0'}; }
const std::string kNextLine = {'\x03', '\x01'}, kRow = {'\x01'};
const std::string kEnd = {'\0', '\x01', '\x01'};

std::vector<std::string> chain_with_program(const std::string& program) {
  const auto cubin = read_with_program(program);
  EXPECT_TRUE(cubin.has_value()) << cubin.error().message;
  return cubin ? texts_of(*cubin, inline_chain(*cubin->find("deep"), 0)) : std::vector<std::string>{};
}

TEST(InlinedCallsByHand, NameEarlierRows) {
  using Chain = std::vector<std::string>;
  EXPECT_EQ(chain_with_program(kRow + kEnd), (Chain{"inlined.cu:1"}));
  const std::string second = kRow + inlined_at(1) + kNextLine + kRow;
  EXPECT_EQ(chain_with_program(second + kEnd), (Chain{"inlined.cu:2", "inlined.cu:1"}));
  EXPECT_EQ(chain_with_program(second + inlined_at(2) + kNextLine + kRow + kEnd),
            (Chain{"inlined.cu:3", "inlined.cu:2", "inlined.cu:1"}));
  EXPECT_EQ(chain_with_program(second + inlined_at(0) + kNextLine + kRow + kEnd), (Chain{"inlined.cu:3"}));
}

// A reference to a later row, or to the row itself, could make a cycle.
TEST(InlinedCallsByHand, ReferencesToOtherRowsAreLeftOut) {
  using Chain = std::vector<std::string>;
  for (const int row : {1, 2, 100, 127})
    EXPECT_EQ(chain_with_program(inlined_at(row) + kRow + kEnd), (Chain{"inlined.cu:1"})) << row;
  EXPECT_EQ(chain_with_program(kRow + inlined_at(2) + kNextLine + kRow + kEnd), (Chain{"inlined.cu:2"}));
}

TEST(InlinedCallsByHand, AreLimitedInDepth) {
  std::string program = kRow;
  for (int row = 1; row <= 100; ++row) program += inlined_at(row) + kNextLine + kRow;
  const std::vector<std::string> chain = chain_with_program(program + kEnd);
  ASSERT_EQ(chain.size(), static_cast<size_t>(kMostInlinedCalls) + 1);
  EXPECT_EQ(chain.front(), "inlined.cu:101");  // where it was written
  EXPECT_EQ(chain.back(), "inlined.cu:1");     // the kernel's own line stays
  EXPECT_EQ(chain[1], "inlined.cu:64");
}

TEST(InlinedCallsByHand, TruncatedOnesAreDamage) {
  const auto cubin = read_with_program(kRow + std::string("\x00\x02\x90\x83", 4) + kRow + kEnd);
  ASSERT_FALSE(cubin.has_value());
  EXPECT_EQ(cubin.error().message,
            "made.cubin: the line table (.debug_line) is damaged: an inlined call is truncated");
}

}  // namespace
}  // namespace gemmscope::cubin
