#include "catalog/lab.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <random>
#include <regex>
#include <set>
#include <sstream>

#include "catalog/catalog.h"

namespace gemmscope::catalog {
namespace {

namespace fs = std::filesystem;

Input swizzle() { return {"SWIZZLE", "Place", "column", {"row", "column"}}; }

TEST(TypedInput, ExpressionsComeOutTokenByToken) {
  const std::pair<const char*, const char*> cases[] = {
      {"column", "(column)"},
      {"column^row", "(column ^ row)"},
      {" ( row+1 )*0x1F % 32 ", "(( row + 1 ) * 0x1F % 32)"},
      {"row<4?column:column^1", "(row < 4 ? column : column ^ 1)"},
      {"--row", "(- - row)"},
      {"row<<2>>1 && !column || ~row != 3", "(row << 2 >> 1 && ! column || ~ row != 3)"},
      {"2147483647", "(2147483647)"}};
  for (const auto& [text, expected] : cases) {
    const Result<std::string> checked = checked_input(swizzle(), text);
    ASSERT_TRUE(checked) << text << ": " << checked.error().message;
    EXPECT_EQ(*checked, expected);
  }
}

TEST(TypedInput, MistakesAreSentencesThatSayWhatToType) {
  const std::pair<const char*, const char*> cases[] = {{"", "it is empty"},
                                                       {"colum", "there is no colum here"},
                                                       {"row +", "missing at the end"},
                                                       {"row column", "an operator is missing before column"},
                                                       {"* row", "missing before *"},
                                                       {"(row", "a ) is missing"},
                                                       {"row)", "an operator is missing before )"},
                                                       {"row ? column", "a ? has no :"},
                                                       {"row; column", "; is not allowed in it"},
                                                       {"row = 3", "= is not allowed in it"},
                                                       {"row++", "missing at the end"},
                                                       {"row, column", ", is not allowed in it"},
                                                       {"asm(\"\")", "\" is not allowed in it"},
                                                       {"threadIdx", "there is no threadIdx here"},
                                                       {"threadIdx.x", ". is not allowed in it"},
                                                       {"1.5", ". is not allowed in it"},
                                                       {"017", "017 is not a whole number"},
                                                       {"12ab", "12ab is not a whole number"},
                                                       {"2147483648", "is not a whole number below 2^31"},
                                                       {"row\ncolumn", "byte 0x0a is not allowed in it"},
                                                       {"row // x", "missing before /"},
                                                       {"row /* x", "missing before *"},
                                                       {"row\\", "\\ is not allowed in it"},
                                                       {"sp\xc3\xa4t", "byte 0xc3 is not allowed in it"}};
  for (const auto& [text, expected] : cases) {
    const Result<std::string> checked = checked_input(swizzle(), text);
    ASSERT_FALSE(checked) << text;
    EXPECT_NE(checked.error().message.find(expected), std::string::npos) << checked.error().message;
    EXPECT_NE(checked.error().message.find("of row and column as in C, such as column"), std::string::npos);
  }
  EXPECT_FALSE(checked_input(swizzle(), std::string(kMostInputLength + 1, '1')));
  EXPECT_FALSE(checked_input(swizzle(), std::string(60, '(') + "1" + std::string(60, ')')));
}

// Any typed text gives an error, or one balanced parenthesis of known tokens that is itself accepted.
TEST(TypedInput, NothingElseIsAccepted) {
  std::mt19937 random(7);
  const std::string alphabet = "rowclumn 0123456789x+-*/%<>=!&|^~?:(){};,.\"'\\#\n\t@$[]";
  int accepted = 0;
  for (int i = 0; i < 200'000; ++i) {
    std::string text;
    for (size_t n = random() % 12; n-- > 0;)
      text += random() % 3 == 0 ? std::string(random() % 2 == 0 ? "row" : "column")
                                : std::string(1, alphabet[random() % alphabet.size()]);
    const Result<std::string> checked = checked_input(swizzle(), text);
    if (!checked) continue;
    ++accepted;
    ASSERT_EQ(checked->find_first_of("{};,.\"'\\#\n\t@$[]"), std::string::npos) << text;
    ASSERT_EQ(checked->find("//"), std::string::npos) << text;
    ASSERT_EQ(checked->find("/*"), std::string::npos) << text;
    int depth = 0;
    for (size_t at = 0; at < checked->size(); ++at) {
      depth += (*checked)[at] == '(' ? 1 : (*checked)[at] == ')' ? -1 : 0;
      ASSERT_TRUE(depth > 0 || at + 1 == checked->size()) << *checked;
    }
    ASSERT_EQ(depth, 0) << *checked;
    ASSERT_TRUE(checked_input(swizzle(), *checked)) << *checked;
  }
  EXPECT_GT(accepted, 1000);
}

// A description with every key of a lab.
constexpr const char* kLab = R"(//! title = "A lab"
//! changed = "This."
//! why = "Because."
//! look_at = "Here."
//! picture = "traffic"
//! parameters = [ { name = "x", buffer = "M" }, { name = "y", buffer = "M" } ]
//! [check]
//! entry = "plain"
//! block = [32]
//! grid = ["M / 32"]
//! compare = ["y"]
//! tolerance = 0.25
//! [[launches]]
//! title = "one"
//! entry = "one"
//! block = [64]
//! grid = ["M / 64", 2]
//! when = "1 - FUSED"
//! [[launches]]
//! title = "two"
//! entry = "two"
//! block = [32]
//! grid = ["M / 32"]
//! shared = "4 * M"
//! [[toggles]]
//! name = "FUSED"
//! title = "Fused"
//! values = [0, 1]
//! default = 0
//! [[inputs]]
//! name = "INDEX"
//! title = "Index"
//! names = ["i"]
//! default = "i + 1"
)";

Result<Kernel> read(const std::string& source) {
  const fs::path path = fs::path(testing::TempDir()) / fmt::format("lab_{}.cu", getpid());
  std::ofstream(path, std::ios::binary) << source;
  Result<Kernel> kernel = read_kernel(path);
  fs::remove(path);
  return kernel;
}

std::string with(const std::string& old_text, const std::string& new_text) {
  std::string source = kLab;
  const size_t at = source.find(old_text);
  EXPECT_NE(at, std::string::npos) << old_text;
  return source.replace(at, old_text.size(), new_text);
}

TEST(Lab, EveryKeyIsRead) {
  const Result<Kernel> kernel = read(kLab);
  ASSERT_TRUE(kernel) << kernel.error().message;
  EXPECT_EQ(kernel->picture, Picture::traffic);
  EXPECT_EQ(kernel->entry, "one");
  ASSERT_EQ(kernel->inputs.size(), 1u);
  EXPECT_EQ(kernel->inputs[0].default_value, "i + 1");
  EXPECT_EQ(kernel->check.entry, "plain");
  EXPECT_EQ(kernel->check.tolerance, 0.25);
  EXPECT_EQ(kernel->check.compare, std::vector<std::string>{"y"});
  const auto both = launches_for(*kernel, {.m = 128}, {}),
             fused = launches_for(*kernel, {.m = 128}, {{"FUSED", 1}});
  ASSERT_TRUE(both && fused);
  ASSERT_EQ(both->size(), 2u);
  EXPECT_EQ((*both)[0].launch.grid, (std::array<uint32_t, 3>{2, 2, 1}));
  EXPECT_EQ((*both)[1].launch.dynamic_shared_bytes, 512u);
  ASSERT_EQ(fused->size(), 1u);
  EXPECT_EQ((*fused)[0].entry, "two");
  EXPECT_EQ(launch_for(*kernel, {.m = 128}, {{"FUSED", 1}})->block[0], 32u);
  EXPECT_EQ(check_launch_for(*kernel, {.m = 128}, {})->grid[0], 4u);
}

TEST(Lab, MistakesNameTheKey) {
  const std::pair<std::string, const char*> cases[] = {
      {with("picture = \"traffic\"", "picture = \"trafic\""), "\"picture\" must be banks, sectors"},
      {with("title = \"A lab\"", "title = \"A lab\"\n//! entry = \"one\""),
       "is already given in [[launches]]"},
      {with("compare = [\"y\"]", "compare = [\"z\"]"), "compares z, but no buffer has this name"},
      {with("compare = [\"y\"]", "compare = []"), "\"compare\" must name the buffers"},
      {with("tolerance = 0.25", "tolerance = 2"), "\"tolerance\" must be a number from 0"},
      {with("default = \"i + 1\"", "default = \"j\""), "there is no j here"},
      {with("names = [\"i\"]", "names = []"), "\"names\" must be a list"},
      {with("name = \"INDEX\"", "name = \"FUSED\""), "a name that is taken already: FUSED"},
      {with("when = \"1 - FUSED\"", "when = \"1 - FUSE\""), "FUSE"},
      {with("when = \"1 - FUSED\"", "wenn = \"1\""), "\"wenn\" is unknown"},
      {with("entry = \"two\"", "entry = \"2two\""), "\"entry\" must be a C identifier"},
      {with("block = [64]", "block = [64, 1, 1, 1]"), "\"block\" must be a list of one to three"}};
  for (const auto& [source, expected] : cases) {
    const Result<Kernel> kernel = read(source);
    ASSERT_FALSE(kernel) << expected;
    EXPECT_NE(kernel.error().message.find(expected), std::string::npos) << kernel.error().message;
  }
  const Result<Kernel> kernel = read(with("//! shared = \"4 * M\"", "//! when = \"1 - FUSED\""));
  ASSERT_TRUE(kernel);
  const auto none = launches_for(*kernel, {.m = 128}, {{"FUSED", 1}});
  ASSERT_FALSE(none);
  EXPECT_NE(none.error().message.find("no launch is left"), std::string::npos);
}

// The catalogue is grouped by folders: the ladder first, the labs last.
TEST(Lab, TheShippedLabsAreReadAndComeLast) {
  const Catalog catalog = read_catalog(fs::path(GEMMSCOPE_SOURCE_DIR) / "kernels");
  for (const Error& error : catalog.errors) ADD_FAILURE() << error.message;
  std::vector<std::string> folders;
  for (const Kernel& kernel : catalog.kernels) {
    if (folders.empty() || folders.back() != kernel.folder) folders.push_back(kernel.folder);
    if (kernel.folder != "labs") continue;
    EXPECT_NE(kernel.picture, Picture::none) << kernel.id;
    EXPECT_TRUE(kernel.check.given()) << kernel.id;
  }
  ASSERT_GE(folders.size(), 2u);
  EXPECT_EQ(folders.front(), "ladder");
  EXPECT_EQ(folders.back(), "labs");
  EXPECT_EQ(std::set<std::string>(folders.begin(), folders.end()).size(), folders.size());
}

// A toggle's default is in the description and also in the code, so that nvcc can compile the file alone. A
// toggle without a line in the code affects only the launches, and the code does not name it.
TEST(Lab, DefaultsOfTogglesAgreeWithTheSource) {
  for (const Kernel& kernel : read_catalog(fs::path(GEMMSCOPE_SOURCE_DIR) / "kernels").kernels) {
    if (kernel.folder == "ladder") continue;  // Ladder.EntriesAndDefaultsStandInTheSource
    std::string code;
    std::istringstream lines(kernel.source);
    for (std::string line; std::getline(lines, line);)
      if (!line.starts_with("//")) code += line + "\n";
    for (const Toggle& toggle : kernel.toggles) {
      const std::string definition =
          fmt::format("#ifndef {0}\n#define {0} {1}\n#endif\n", toggle.name, toggle.default_value);
      const bool named = std::regex_search(code, std::regex("\\b" + toggle.name + "\\b"));
      EXPECT_TRUE(!named || code.find(definition) != std::string::npos) << kernel.id << " lacks\n"
                                                                        << definition;
    }
  }
}

}  // namespace
}  // namespace gemmscope::catalog
