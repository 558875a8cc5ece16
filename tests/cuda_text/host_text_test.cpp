// Tests the preprocessor's branches, macros and included files, as the host's compiler sees them.
#include "cuda_text/host_text.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "catalog/catalog.h"
#include "cuda_text/macros.h"
#include "cuda_text/source_text.h"

namespace gemmscope::own_kernel {

using namespace catalog;
using namespace cuda_text;

namespace {

HostText of(const std::string& source, Pass pass = Pass::host,
            const std::map<std::string, int64_t>& given = {}, const std::set<std::string>& undecided = {}) {
  return host_text(source, {}, pass, given, undecided);
}

// Returns which branches of "#if condition … #else … #endif" are on.
std::string branches_of(const std::string& condition, Pass pass = Pass::host) {
  const std::string source =
      "#define ONE 1\n#define TWO (ONE + 1)\n#define EMPTY\n#define LESS(a, b) ((a) < (b))\n" + condition +
      "\nint first;\n#else\nint second;\n#endif\n";
  const HostText host = of(source, pass, {{"GIVEN", 3}}, {"TOGGLE"});
  const bool first = has_word(host.text, "first"), second = has_word(host.text, "second");
  return first && second ? "both" : first ? "first" : second ? "second" : "none";
}

TEST(HostText, ConditionsAreEvaluated) {
  const std::pair<const char*, const char*> kConditions[] = {{"#if 1", "first"},
                                                             {"#if 0", "second"},
                                                             {"#  if  0 // off", "second"},
                                                             {"#ifdef ONE", "first"},
                                                             {"#ifdef EMPTY", "first"},
                                                             {"#ifdef THREE", "second"},
                                                             {"#ifndef THREE", "first"},
                                                             {"#ifndef ONE", "second"},
                                                             {"#if defined(ONE) && !defined THREE", "first"},
                                                             {"#if defined (THREE) || TWO == 3", "second"},
                                                             {"#if TWO >= 0x2 && ONE < 2u", "first"},
                                                             {"#if THREE", "second"},
                                                             {"#if LESS(TWO, ONE)", "second"},
                                                             {"#if LESS(ONE, \\\n  TWO)", "first"},
                                                             {"#if GIVEN == 3", "first"},
                                                             {"#ifdef __CUDACC__", "first"},
                                                             {"#ifdef __CUDA_ARCH__", "second"},
                                                             {"#ifdef __CUDACC_RTC__", "second"},
                                                             {"#if CUDART_VERSION >= 11080", "first"},
                                                             {"#if TWO > 1 ? 0 : 1", "second"},
                                                             {"#if TWO > 1 ?: 1", "both"},  // not understood
                                                             {"#if __has_include(<mma.h>)", "both"},
                                                             {"#if 1 / ONE / 0", "both"},
                                                             {"#if TOGGLE > 2", "both"},
                                                             {"#if ONE && TOGGLE > 2", "both"},
                                                             {"#ifdef TOGGLE", "first"},
                                                             {"#if", "both"}};
  for (const auto& [condition, wanted] : kConditions) EXPECT_EQ(branches_of(condition), wanted) << condition;
}

TEST(HostText, TheDevicePassHasAnArchitecture) {
  EXPECT_EQ(branches_of("#ifdef __CUDA_ARCH__", Pass::device), "first");
  EXPECT_EQ(branches_of("#ifdef __CUDACC_RTC__", Pass::device), "first");
  EXPECT_EQ(branches_of("#if __CUDA_ARCH__ >= 800", Pass::device), "both") << "it may be any";
}

TEST(HostText, OneBranchOfAChainIsOn) {
  const auto chosen = [](int value) {
    const std::string text =
        of("#define V " + std::to_string(value) +
           "\n#if V == 1\none\n#elif V == 2\ntwo\n#elif V == 3\nthree\n#else\nelse\n#endif\n"
           "#if V < 9\nouter\n#if 0\n#if 1\ninner\n#else\ninner\n#endif\n#elif 1\nlast\n#endif\n"
           "#endif\n")
            .text;
    return squeezed(text);
  };
  EXPECT_EQ(chosen(1), "one outer last");
  EXPECT_EQ(chosen(2), "two outer last");
  EXPECT_EQ(chosen(3), "three outer last");
  EXPECT_EQ(chosen(4), "else outer last");
  EXPECT_EQ(chosen(9), "else");
}

TEST(HostText, DefinitionsCountFromTheirPlaceOn) {
  const HostText host =
      of("#ifdef A\nearly\n#endif\n#define A\n#ifdef A\nwithin\n#endif\n#undef A\n#ifdef A\nlate\n#endif\n"
         "#if 0\n#define A\n#undef B\n#endif\n#ifdef A\nnever\n#endif\n");
  EXPECT_EQ(squeezed(host.text), "within");
  EXPECT_EQ(host.definitions, std::vector<std::string>{"#define A"});
}

TEST(HostText, LinesKeepTheirNumbers) {
  const std::string source =
      "#define LAUNCH(k, ...) \\\n  k<<<1, 2>>>(__VA_ARGS__); \\\n  check()\n#if 0\nint off;\n#endif\n"
      "/* a\n   b */ int first;\nvoid f() {\n  LAUNCH(g,\n         a,\n         b);\n  int second;\n}\n";
  const HostText host = of(source);
  EXPECT_EQ(std::count(host.text.begin(), host.text.end(), '\n'),
            std::count(source.begin(), source.end(), '\n'));
  for (const char* name : {"first", "second"})
    EXPECT_EQ(line_of(host.text, host.text.find(name)), line_of(source, source.find(name))) << name;
  EXPECT_EQ(line_of(host.text, host.text.find("<<<")), line_of(source, source.find("LAUNCH(g")));
  EXPECT_EQ(host.text.find("off"), std::string::npos);
}

std::string expanded(const std::vector<std::string>& definitions, const std::string& text, bool all = true) {
  Macros macros;
  for (const std::string& definition : definitions) macros.define(definition);
  std::string result = squeezed(all ? macros.expanded(text) : macros.structure_expanded(text));
  std::erase(result, ' ');
  return result;
}

TEST(Macros, AreReplacedAsThePreprocessorDoes) {
  EXPECT_EQ(expanded({"A 1"}, "A + BA + A2 + 1A"), "1+BA+A2+1A");
  EXPECT_EQ(expanded({"F(x, y) x-y"}, "F(a, (b, c)) F (1,2) F"), "a-(b,c)1-2F");
  EXPECT_EQ(expanded({"F(x) [x]"}, "F(F(F(1)))"), "[[[1]]]");
  EXPECT_EQ(expanded({"F(x) x + G(x)", "G(y) y * A", "A F(2)"}, "F(1)"), "1+1*F(2)") << "none within itself";
  EXPECT_EQ(expanded({"A A + 1"}, "A"), "A+1");
  EXPECT_EQ(expanded({"F() f"}, "F() F( )"), "ff");
  EXPECT_EQ(expanded({"F(x) f(x)"}, "F()"), "f()");
  EXPECT_EQ(expanded({"F(x, y) f(x)"}, "F(1) F(1, 2, 3)"), "F(1)F(1,2,3)") << "another number of arguments";
  EXPECT_EQ(expanded({"F(x) f(x)"}, "F(1"), "F(1") << "it stays open";
  EXPECT_EQ(expanded({"F(f, ...) f(__VA_ARGS__)"}, "F(g, 1, 2) F(g)"), "g(1,2)g()");
  EXPECT_EQ(expanded({"F(f, rest...) f(0, ##rest)"}, "F(g, 1, 2) F(g)"), "g(0,1,2)g(0)");
  EXPECT_EQ(expanded({"F(a, b) k_##a##x##b(a)", "N 8"}, "F(N, 4)"), "k_Nx4(8)") << "pasted as it is written";
  EXPECT_EQ(expanded({"F(x) f(#x, x)"}, "F(a)"), "f(,a)");
  EXPECT_EQ(expanded({"A 1", "A 2"}, "A"), "2");
  EXPECT_EQ(expanded({"F(x y) 1", "G(... , a) 2", "1A 3", "F(", ""}, "F(a) G(a) 1A"), "F(a)G(a)1A");
}

TEST(Macros, OnlyThoseThatHideALaunchAreReplacedInCode) {
  const std::vector<std::string> definitions = {"SIZE 16",
                                                "DOUBLE (2 * SIZE)",
                                                "REAL float",
                                                "UP(a, b) (((a) + (b)-1) / (b))",
                                                "BLOCKS UP(N, SIZE)",
                                                "GRID dim3(BLOCKS, 1)",
                                                "RUN(k) k<<<GRID, SIZE>>>(N)",
                                                "RUN_IT RUN(gemm)",
                                                "LIST a, b",
                                                "NOTHING",
                                                "CHECK(x) do { x; } while (0)",
                                                "AT(i, j) ((i) * N + (j))"};
  for (const char* kept : {"SIZE", "DOUBLE", "REAL", "UP(N,2)", "AT(1,2)"})
    EXPECT_EQ(expanded(definitions, kept, false), kept);
  EXPECT_EQ(expanded(definitions, "BLOCKS", false), "UP(N,SIZE)");
  EXPECT_EQ(expanded(definitions, "RUN_IT;", false), "gemm<<<dim3(UP(N,SIZE),1),SIZE>>>(N);");
  EXPECT_EQ(expanded(definitions, "f(LIST) NOTHING CHECK(g())", false), "f(a,b)do{g();}while(0)");
}

TEST(HostText, IncludedFilesStandInTheirPlaceOnce) {
  const std::vector<IncludedSource> files = {
      {"a.cuh", "#pragma once\n#include \"b.cuh\"\n#define A 2\nint in_a;\n"},
      {"b.cuh", "int in_b;\n#if A == 2\nint wrong;\n#endif\n"}};
  const std::string source =
      "int before;\n#define LONG 1 + \\\n  2\n#include \"a.cuh\"\n#include \"a.cuh\"\n#include "
      "\"none.cuh\"\n#if A == 2\nint "
      "after;\n#endif\n";
  SourceOutline outline = program_outline(source, files);
  const auto place = [&](const char* name) { return outline.place_of(outline.clean.find(name)); };
  EXPECT_EQ(place("before"), "line 1");
  EXPECT_EQ(place("in_b"), "line 1 of b.cuh");
  EXPECT_EQ(place("in_a"), "line 4 of a.cuh");
  EXPECT_EQ(place("after"), "line 8");
  EXPECT_EQ(outline.clean.find("wrong"), std::string::npos);
  EXPECT_EQ(outline.clean.find("in_a"), outline.clean.rfind("in_a"));
  EXPECT_EQ(outline.constants.count("A"), 1u);
}

TEST(HostText, KernelsThatOnlyTheDeviceSeesAreFound) {
  const SourceOutline outline = program_outline(
      "#ifdef __CUDACC_RTC__\n__global__ void for_rtc(int n) {}\n#endif\n#if 0\n__global__ void off() {}\n"
      "#endif\n__global__ void always() {}\n",
      {});
  std::set<std::string> names;
  for (const OutlineFunction* f : outline.kernels()) names.insert(f->name);
  EXPECT_EQ(names, (std::set<std::string>{"for_rtc", "always"}));
}

}  // namespace
}  // namespace gemmscope::own_kernel
