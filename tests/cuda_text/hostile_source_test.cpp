// Reads sources that nobody writes by hand. Recursion must stay within the stack, and all reading within
// seconds.
#include <gtest/gtest.h>

#include <algorithm>

#include "cuda_text/source_outline.h"
#include "own_kernel/guess.h"

namespace gemmscope::own_kernel {

using namespace catalog;
using namespace cuda_text;

namespace {

constexpr size_t kLong = 1'000'000;  // characters; a file may have 4 MiB

const std::string kKernel = "__global__ void kernel(float* A, float* B, float* C, int N) { }\n";

GuessedLaunch guess(const std::string& source) {
  const SourceOutline outline = outline_of(source);
  const auto entry = choose_entry(outline, "kernel");
  EXPECT_TRUE(entry.has_value());
  Values names(outline.constants.begin(), outline.constants.end());
  for (const char* size : {"M", "N", "K"}) names[size] = 0;
  return entry ? guess_launch(outline, *entry, names, false) : GuessedLaunch{};
}

std::string repeated(const std::string& part, size_t count) {
  std::string text;
  for (size_t i = 0; i < count; ++i) text += part;
  return text;
}

TEST(HostileSource, LongStatementsAreLeftOut) {
  for (const char* start :
       {"#define LONG ", "const int ", "using ", "using T = ", "typedef float ", "struct T dim3 "}) {
    const std::string source = kKernel + start + std::string(kLong, 'a') + ";\nconst int TILE = 16;\n" +
                               "void host() { dim3 block(TILE, TILE); kernel<<<N, block>>>(a, b, c, n); }\n";
    const SourceOutline outline = outline_of(source);
    EXPECT_EQ(outline.constants.count("TILE"), 1u) << start;
    EXPECT_EQ(guess(source).block[0], "16") << start;
    EXPECT_NE(without_host_code(source).find("__global__"), std::string::npos) << start;
  }
}

// White space does not count, however much there is.
TEST(HostileSource, ALongCommentWithinAStatement) {
  const std::string source = kKernel + "const /*" + std::string(kLong, '*') + "*/ int TILE = 16;\n";
  EXPECT_EQ(outline_of(source).constants.count("TILE"), 1u);
}

TEST(HostileSource, LongLinesHideNoInclude) {
  const std::string line = "#include \"" + std::string(kLong, 'a') + "\"\n";
  EXPECT_TRUE(included_sources(line + "#include \"there_is_none.h\"\n", "kernel.cu").empty());
}

// A macro's parameters are replaced only if they are names.
TEST(HostileSource, AMacroWithInvalidParameters) {
  for (const char* parameters : {"*a", "(", "[", "a+, b", "...", "\\"}) {
    const std::string source =
        kKernel + "#define BLOCKS(" + parameters + ") (*a)\nvoid host() { kernel<<<BLOCKS(N), 32>>>(); }\n";
    const GuessedLaunch launch = guess(source);
    EXPECT_EQ(launch.grid_place, "") << parameters;
    EXPECT_EQ(launch.block[0], "32") << parameters;
  }
}

TEST(HostileSource, NamespacesWithinNamespaces) {
  const size_t depth = 100'000;
  const std::string source = repeated("namespace a {", depth) + kKernel + repeated("}", depth);
  EXPECT_TRUE(outline_of(source).functions.empty());
  EXPECT_EQ(outline_of(repeated("namespace a {", 20) + kKernel + repeated("}", 20)).functions.size(), 1u);
}

// Each line doubles the value of the line before.
TEST(HostileSource, AnExpressionThatGrowsWithoutEnd) {
  std::string variables = "int v0 = N;\n", macros = "#define F(x) x + x + x + x\n", call = "N";
  for (int i = 1; i < 40; ++i) {
    const std::string before = "v" + std::to_string(i - 1);
    variables += "int v" + std::to_string(i) + " = " + before + " + " + before + " + " + before + ";\n";
    call = "F(" + call + ")";
  }
  for (const std::string& grid : {std::string("v12"), std::string("v39"), call}) {
    const GuessedLaunch launch =
        guess(macros + kKernel + "void host() {\n" + variables + "kernel<<<" + grid + ", 32>>>(); }\n");
    EXPECT_EQ(launch.grid_place, "") << grid;
    EXPECT_EQ(launch.block[0], "32");
  }
}

// Each macro doubles the one before, calls are nested, brackets stay open, files include themselves.
TEST(HostileSource, MacrosThatGrowWithoutEnd) {
  std::string doubling = "#define F0 kernel<<<N, 32>>>();\n", call = "N";
  for (int i = 1; i < 60; ++i) {
    const std::string before = "F" + std::to_string(i - 1);
    doubling += "#define F" + std::to_string(i) + " " + before + " " + before + "\n";
    call = "G(" + call + ")";
  }
  const std::string sources[] = {
      kKernel + doubling + "void host() { F59 }\n",
      kKernel + "#define G(x) {x x x}\nvoid host() { " + call + " }\n",
      kKernel + "#define G(x) {x}\n" + repeated("G(", 200'000),
      kKernel + "#define G(x) {x}\nvoid host() { " + repeated("G(1) ", 100'000) + "}\n",
      kKernel + "#define A B;\n#define B C;\n#define C A;\nvoid host() { " + repeated("A ", 50'000) + "}\n",
      repeated("#define G(x) {x}\n#undef G\n", 50'000) + kKernel,
      "#define A " + repeated("{", kLong) + "\n" + kKernel + "A\n",
      repeated("#if A\n", 100'000) + kKernel,
      repeated("#else\n#endif\n#elif 1\n", 100'000) + kKernel,
      "#if " + repeated("(", kLong) + "\n" + kKernel,
      "#if " + repeated("defined A && ", 100'000) + "1\n" + kKernel,
      "#define A " + repeated("A + ", 400) + "1\n#if " + repeated("A + ", 400) + " 1\n" + kKernel +
          "#endif\n"};
  for (const std::string& source : sources) {
    const SourceOutline outline = program_outline(source, {{"a.cuh", source}});
    EXPECT_EQ(std::count(outline.clean.begin(), outline.clean.end(), '\n'),
              std::count(source.begin(), source.end(), '\n'))
        << source.substr(0, 200);
    EXPECT_LT(outline.clean.size(), source.size() + 10'000'000);
  }
  const std::string itself = "#include \"a.cuh\"\n" + kKernel;
  EXPECT_EQ(program_outline(itself, {{"a.cuh", itself}}).functions.size(), 2u);
}

TEST(HostileSource, CallsOfManyLaunchers) {
  const std::string launchers = repeated("template <int T> void f(int k) { k<<<1, T>>>(k); }\n", 1000);
  const std::string calls = "void host() { " + repeated("f<1>(kernel); ", 50'000) + "}\n";
  EXPECT_LE(program_outline(kKernel + launchers + calls, {}).launches.size(), 1200u);
  const std::string lambdas = repeated("auto f = [](auto k) { k<<<1, 2>>>(); ", 20'000);
  EXPECT_LE(program_outline(kKernel + lambdas, {}).launches.size(), 1200u);
  EXPECT_LE(program_outline(kKernel + repeated("cudaLaunchKernel(kernel, 1, 2, a);\n", 100'000), {})
                .launches.size(),
            1200u);
}

TEST(HostileSource, ManyLaunchesAndFunctions) {
  EXPECT_LE(outline_of(repeated("k<<<1,1>>>();", 100'000)).launches.size(), 1000u);
  EXPECT_TRUE(outline_of(repeated("<<<", 300'000) + ">>>").launches.size() <= 1000u);
  EXPECT_LE(outline_of(repeated("int f(){}\n", 100'000)).functions.size(), 2000u);
}

}  // namespace
}  // namespace gemmscope::own_kernel
