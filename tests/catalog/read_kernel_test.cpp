#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>
#include <regex>
#include <sstream>

#include "catalog/catalog.h"

namespace gemmscope::catalog {
namespace {

namespace fs = std::filesystem;

const fs::path kData = fs::path(GEMMSCOPE_TEST_DATA) / "catalog";

std::vector<std::string> lines_of(const fs::path& path) {
  std::ifstream file(path);
  std::vector<std::string> lines;
  for (std::string line; std::getline(file, line);) lines.push_back(line);
  return lines;
}

// A kernel file that exists as long as the test runs.
class TemporaryKernel {
 public:
  explicit TemporaryKernel(const std::string& source)
      : path_(fs::path(testing::TempDir()) / fmt::format("kernel_{}.cu", getpid())) {
    std::ofstream(path_, std::ios::binary) << source;
  }
  ~TemporaryKernel() { fs::remove(path_); }
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

std::string joined(const std::vector<std::string>& lines, const char* line_end = "\n") {
  std::string text;
  for (const std::string& line : lines) text += line + line_end;
  return text;
}

void expect_complete(const Kernel& kernel) {
  EXPECT_EQ(kernel.title, "Every key");
  EXPECT_EQ(kernel.entry, "every_key");
  EXPECT_EQ(kernel.changed, "A sentence that goes on.");
  EXPECT_EQ(kernel.why, "Because.");
  EXPECT_EQ(kernel.look_at, "Here.");
  EXPECT_EQ(kernel.block_expressions, (std::array<std::string, 3>{"32", "4 * WIDE", "1"}));
  EXPECT_EQ(kernel.grid_expressions,
            (std::array<std::string, 3>{"ceil_div(N, 128)", "ceil_div(M, TILE_M)", "1"}));
  EXPECT_EQ(kernel.shared_expression, "4 * TILE_M * (8 + PAD)");
  EXPECT_EQ(kernel.architecture, 80);
  EXPECT_TRUE(kernel.tf32);
  EXPECT_EQ(kernel.rounded_expression, "WIDE - 1");
  EXPECT_EQ(declared_grade(kernel), Grade::tf32);
  EXPECT_EQ(kernel.tile_expressions.size(), 7u);
  EXPECT_EQ(kernel.tile_expressions.at("thread_m"), "TILE_M / 16");
  EXPECT_EQ(kernel.divisibility, (std::map<std::string, std::string>{{"K", "8"}, {"N", "4 * WIDE"}}));
  ASSERT_EQ(kernel.toggles.size(), 3u);
  EXPECT_EQ(kernel.toggles[0].name, "TILE_M");
  EXPECT_EQ(kernel.toggles[1].title, "Two rows of warps");
  EXPECT_EQ(kernel.toggles[2].values, (std::vector<int64_t>{0, -4, 4}));
  EXPECT_EQ(kernel.toggles[0].default_value, 128);
}

TEST(ReadKernel, EveryKey) {
  const auto kernel = read_kernel(kData / "complete.cu");
  ASSERT_TRUE(kernel) << kernel.error().message;
  EXPECT_EQ(kernel->id, "complete");
  EXPECT_EQ(kernel->path, kData / "complete.cu");
  EXPECT_EQ(kernel->source, joined(lines_of(kData / "complete.cu")));
  expect_complete(*kernel);
}

TEST(ReadKernel, LinesMayEndAsOnWindows) {
  const TemporaryKernel file(joined(lines_of(kData / "complete.cu"), "\r\n"));
  const auto kernel = read_kernel(file.path());
  ASSERT_TRUE(kernel) << kernel.error().message;
  expect_complete(*kernel);
}

TEST(ReadKernel, DescriptionMayBeTheWholeFile) {
  std::vector<std::string> lines = lines_of(kData / "complete.cu");
  while (lines.back().rfind("//!", 0) != 0) lines.pop_back();
  std::string source = joined(lines);
  source.pop_back();  // no line end behind the last line
  const TemporaryKernel file(source);
  const auto kernel = read_kernel(file.path());
  ASSERT_TRUE(kernel) << kernel.error().message;
  expect_complete(*kernel);
}

// Returns the first line of complete.cu with `key`, and the number of lines of its value.
struct KeyPlace {
  const char* full_key;
  int line, count;
  int named_line;  // where the error must point: at the table that lacks the key
};
const KeyPlace kRequiredKeys[] = {{"title", 1, 1, 1},
                                  {"entry", 2, 1, 1},
                                  {"block", 3, 1, 1},
                                  {"grid", 4, 1, 1},
                                  {"shared", 5, 1, 1},
                                  {"changed", 6, 2, 1},
                                  {"why", 8, 1, 1},
                                  {"look_at", 9, 1, 1},
                                  {"tile.block_m", 14, 1, 13},
                                  {"tile.block_n", 15, 1, 13},
                                  {"tile.block_k", 16, 1, 13},
                                  {"tile.warp_m", 17, 1, 13},
                                  {"tile.warp_n", 18, 1, 13},
                                  {"tile.thread_m", 19, 1, 13},
                                  {"tile.thread_n", 20, 1, 13},
                                  {"tile", 13, 8, 1},
                                  {"toggles.name", 35, 1, 34},
                                  {"toggles.title", 36, 1, 34},
                                  {"toggles.values", 37, 1, 34},
                                  {"toggles.default", 38, 1, 34}};

TEST(ReadKernel, EachMissingKeyIsNamedWithItsLine) {
  for (const KeyPlace& place : kRequiredKeys) {
    std::vector<std::string> lines = lines_of(kData / "complete.cu");
    const std::string key = std::string(place.full_key).substr(std::string(place.full_key).rfind('.') + 1);
    ASSERT_NE(lines[place.line - 1].find(key), std::string::npos) << place.full_key;
    lines.erase(lines.begin() + place.line - 1, lines.begin() + place.line - 1 + place.count);
    const TemporaryKernel file(joined(lines));
    const auto kernel = read_kernel(file.path());
    ASSERT_FALSE(kernel) << place.full_key;
    const std::string wanted =
        fmt::format("{}:{}: key \"{}\" is missing", file.path().string(), place.named_line, place.full_key);
    EXPECT_EQ(kernel.error().message.rfind(wanted, 0), 0u) << kernel.error().message << "\nwanted " << wanted;
  }
}

TEST(ReadKernel, OptionalKeysMayBeMissing) {
  const std::vector<std::string> lines = lines_of(kData / "complete.cu");
  std::vector<std::string> some(lines.begin(), lines.begin() + 20);  // up to the end of [tile]
  some.erase(some.begin() + 9, some.begin() + 12);                   // architecture, factors, factors_rounded
  const std::string required = joined(some);
  const TemporaryKernel file(std::regex_replace(required, std::regex("TILE_M|WIDE|PAD"), "4"));
  const auto kernel = read_kernel(file.path());
  ASSERT_TRUE(kernel) << kernel.error().message;
  EXPECT_TRUE(kernel->toggles.empty());
  EXPECT_TRUE(kernel->divisibility.empty());
  EXPECT_EQ(kernel->architecture, 0);
  EXPECT_EQ(declared_grade(*kernel), Grade::fp32);
}

// Each file of malformed/ has lines "// expect: …", which its error must contain.
TEST(ReadKernel, MalformedFilesGiveTheErrorsTheyExpect) {
  int files = 0;
  for (const fs::directory_entry& entry : fs::directory_iterator(kData / "malformed")) {
    ++files;
    const auto kernel = read_kernel(entry.path());
    ASSERT_FALSE(kernel) << entry.path() << " was read";
    const std::string& message = kernel.error().message;
    EXPECT_EQ(message.rfind(entry.path().string() + ":", 0), 0u) << message;
    int expectations = 0;
    for (const std::string& line : lines_of(entry.path())) {
      const std::string mark = "// expect: ";
      if (line.rfind(mark, 0) != 0) continue;
      ++expectations;
      EXPECT_NE(message.find(line.substr(mark.size())), std::string::npos) << message << "\nlacks " << line;
    }
    EXPECT_GE(expectations, 2) << entry.path();
  }
  EXPECT_GE(files, 40);
}

TEST(ReadKernel, EveryPrefixOfAFileGivesAKernelOrAnError) {
  const std::string source = joined(lines_of(kData / "complete.cu"));
  int kernels = 0;
  for (size_t length = 0; length < source.size(); ++length) {
    const TemporaryKernel file(source.substr(0, length));
    const auto kernel = read_kernel(file.path());
    if (kernel) {
      ++kernels;
    } else {
      EXPECT_FALSE(kernel.error().message.empty());
    }
  }
  EXPECT_GT(kernels, 0);
}

TEST(ReadKernel, FilesThatCannotBeRead) {
  const auto missing = read_kernel(kData / "absent.cu");
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().message, (kData / "absent.cu").string() + ": there is no such file.");
  EXPECT_FALSE(read_kernel(kData));
  EXPECT_FALSE(read_kernel(""));
  const TemporaryKernel huge(std::string(5 << 20, '/'));
  const auto refused = read_kernel(huge.path());
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().message.find("4 MiB"), std::string::npos);
}

}  // namespace
}  // namespace gemmscope::catalog
