// Each machine instruction has a small test: a kernel in a file, seeded input, and the output that an H200
// gave (expected/). A file may hold several similar cases. README.md says how to write and record one.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "isa/arch.h"

namespace gemmscope::instructions {

inline constexpr size_t kInputWords = 4096;

struct InstructionCase {
  std::string id;  // "float/fadd", which also names the recording
  std::string source;
  std::map<std::string, std::string> macros;  // defined for this case; empty in a file of one case
  std::vector<std::string> uses;  // opcodes that must occur in the sm_90 code, "FADD" or "HMMA.16816"
  std::vector<isa::Arch> archs;   // that it runs on
  uint32_t blocks = 1, threads = 32;
  size_t output_words = 256;
  std::string input = "integer";  // which kind of values, see make_input
};

// The cases are sorted by id, which is unique. Errors name the file and the line that is not understood.
Result<std::vector<InstructionCase>> read_cases(const std::filesystem::path& folder);

// Returns kInputWords words: special values of the kind, small ones, and random ones. The kinds are integer,
// float32, float64 (pairs of words), float16, bfloat16 (pairs in a word), and small32, small16, smallb16 (no
// special values, magnitude below 4, for sums of products).
std::vector<uint32_t> make_input(const std::string& kind);

struct Expected {
  std::string origin;  // first line: device, driver, date
  std::vector<uint32_t> words;
};
std::filesystem::path expected_file(const std::filesystem::path& folder, const std::string& id);
Result<Expected> read_expected(const std::filesystem::path& file);
void write_expected(const std::filesystem::path& file, const Expected& expected);

// Says which words differ; empty if none do.
std::string compare_words(const std::vector<uint32_t>& got, const std::vector<uint32_t>& expected);

}  // namespace gemmscope::instructions
