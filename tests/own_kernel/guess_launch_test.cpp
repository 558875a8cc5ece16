// Reads the launch of a kernel from host code in many styles.
#include <gtest/gtest.h>

#include "open_text.h"

namespace gemmscope::own_kernel {

using namespace catalog;
using namespace cuda_text;

namespace {

TEST(GuessLaunch, LaunchesAreReadInTermsOfTheSizes) {
  struct Case {
    const char *host, *block, *grid, *shared;
  };
  const Case kCases[] = {
      {"f<<<dim3((n + 31) / 32, (m + 31) / 32), dim3(32, 32)>>>(a, b, c, m, n, k);", "32,32,1", "4,2,1", "0"},
      {"const int T = 16; dim3 t(T, T), g(CEIL(n, t.x), CEIL(m, t.y)); f<<<g, t, 2 * T * T * "
       "sizeof(float)>>>(a);",
       "16,16,1", "7,4,1", "2048"},
      {"int threads = 128; int blocks = std::ceil((float)(m * n) / threads); f<<<blocks, threads>>>(a);",
       "128,1,1", "47,1,1", "0"},
      {"dim3 g; dim3 t = {8, 8}; g = dim3(n, m); f<<<dim3{unsigned(n) / 2, unsigned(m)}, t, 0, stream>>>(a);",
       "8,8,1", "50,60,1", "0"},
      {"f<<<up(n, 64), 64>>>(a);", "64,1,1", "2,1,1", "0"},
      {"f << <dim3(n / 2, m), 64 >> > (a);", "64,1,1", "50,60,1", "0"}};
  for (const Case& c : kCases) {
    const auto kernel = open_text(
        fmt::format("#define CEIL(x, y) (((x) + (y) - 1) / (y))\n"
                    "inline int up(int x, int y) {{ return (x + y - 1) / y; }}\n"
                    "__global__ void f(const float* a, const float* b, float* c, int m, int n, int k) {{}}\n"
                    "void host(float* a, float* b, float* c, int m, int n, int k) {{ {} }}\n",
                    c.host));
    ASSERT_TRUE(kernel) << c.host << "\n" << kernel.error().message;
    const auto launch = launch_for(*kernel, {60, 100, 20, 1.0f, 0.0f}, {});
    ASSERT_TRUE(launch) << launch.error().message;
    const auto text = [](const std::array<uint32_t, 3>& d) {
      return fmt::format("{},{},{}", d[0], d[1], d[2]);
    };
    EXPECT_EQ(text(launch->block), c.block) << c.host;
    EXPECT_EQ(text(launch->grid), c.grid) << c.host;
    EXPECT_EQ(std::to_string(launch->dynamic_shared_bytes), c.shared) << c.host;
  }
}

// Sizes that are members of types: of an alias in the launching function, of one of the whole file, of a type
// as written; members that use others, default arguments and enumerators.
TEST(GuessLaunch, ConstantsOfTypesAreRead) {
  constexpr const char* kTypes =
      "namespace t { template <int m_, int n_, int k_ = 4> struct Shape {\n"
      "  static constexpr int m = m_, n = n_; static constexpr int area = m * n;\n"
      "  enum { k = k_ }; }; }\n"
      "struct Plain { static const int threads = 96; };\n"
      "using Outer = t::Shape<10, 3>;\n"
      "template <typename T>\n"
      "__global__ void f(const float* a, const float* b, float* c, int m, int n, int k) {}\n"
      "void other() { using Tile = t::Shape<7, 7>; }\n";
  struct Case {
    const char *host, *block, *grid, *entry;
  };
  const Case kCases[] = {
      {"using Tile = t::Shape<32, 20>; f<Tile><<<n / Tile::n, Tile::m>>>(a, b, c, m, n, k);", "32,1", "5,1",
       "f<t::Shape<32, 20>>"},
      {"typedef t::Shape<32, 20> Tile; dim3 g(n / Tile::n, m / Tile::k); f<Tile><<<g, Tile::area>>>(a, b, c, "
       "m, n, k);",
       "640,1", "5,15", "f<t::Shape<32, 20>>"},
      {"const int T = 16; using Tile = t::Shape<T, 2 * T>; using Same = Tile; f<Same><<<(n + Same::m - 1) / "
       "Same::m, Same::n>>>(a, b, c, m, n, k);",
       "32,1", "7,1", "f<t::Shape<16, 32>>"},
      {"f<Outer><<<n / Outer::m, Plain::threads>>>(a, b, c, m, n, k);", "96,1", "10,1", "f<Outer>"},
      {"f<t::Shape<8, 5>><<<m / t::Shape<8, 5>::n, t::Shape<8, 5>::m>>>(a, b, c, m, n, k);", "8,1", "12,1",
       "f<t::Shape<8, 5>>"}};
  for (const Case& c : kCases) {
    const auto kernel = open_text(fmt::format(
        "{}void host(float* a, float* b, float* c, int m, int n, int k) {{ {} }}\n", kTypes, c.host));
    ASSERT_TRUE(kernel) << c.host << "\n" << kernel.error().message;
    EXPECT_EQ(kernel->entry, c.entry) << c.host;
    const auto launch = launch_for(*kernel, {60, 100, 20, 1.0f, 0.0f}, {});
    ASSERT_TRUE(launch) << c.host << "\n" << launch.error().message;
    EXPECT_EQ(fmt::format("{},{}", launch->block[0], launch->block[1]), c.block) << c.host;
    EXPECT_EQ(fmt::format("{},{}", launch->grid[0], launch->grid[1]), c.grid) << c.host;
  }
}

// An alias of another function says nothing, and types that refer to themselves end.
TEST(GuessLaunch, TypesThatAreNotKnownAreNotGuessed) {
  constexpr const char* kKernel =
      "template <int m_> struct Shape { static constexpr int m = m_; static constexpr int x = y, y = x; };\n"
      "template <typename T>\n"
      "__global__ void f(const float* a, const float* b, float* c, int m, int n, int k) {}\n"
      "void other() { using Mine = Shape<7>; }\n";
  for (const char* launch : {"f<Shape<8>><<<n, Shape<8>::nothing>>>(a, b, c, m, n, k);",
                             "f<Shape<8>><<<n, Shape<8>::x>>>(a, b, c, m, n, k);",
                             "using A = B; using B = A; f<Shape<8>><<<n, A::m>>>(a, b, c, m, n, k);"}) {
    const std::string error = error_of(fmt::format(
        "{}void host(float* a, float* b, float* c, int m, int n, int k) {{ {} }}\n", kKernel, launch));
    EXPECT_TRUE(contains(error, "the key \"block\"")) << launch << "\n" << error;
  }
}

// Aliases and constants that name each other twice would grow without end.
TEST(GuessLaunch, TypesThatNameEachOtherManyTimesEndSoon) {
  std::string types = "template <typename A, typename B> struct P { static constexpr int v = ", aliases;
  for (int i = 0; i < 16; ++i) {
    types += fmt::format("v{0} + v{0} + v{0}, v{0} = ", i);
    aliases += fmt::format("using T{} = P<T{}, T{}>; ", i + 1, i, i);
  }
  const std::string source = fmt::format(
      "{}w; }};\ntemplate <typename T>\n"
      "__global__ void f(const float* a, const float* b, float* c, int m, int n, int k) {{}}\n"
      "void host(float* a, float* b, float* c, int m, int n, int k) {{ {} f<T16><<<n, T16::v>>>(a, b, c, m, "
      "n, "
      "k); }}\n",
      types, aliases);
  EXPECT_TRUE(contains(error_of(source), "the key \"block\""));
}

// The host's names may differ from the kernel's; their positions in the launch say what they are.
TEST(GuessLaunch, NamesOfTheHostAreReadByTheirPlaceInTheLaunch) {
  const char* const kHosts[] = {
      "void host(const Sizes& s) { f<<<dim3((s.n + 15) / 16, s.m), 16>>>(s.a, s.b, s.c, s.m, s.n, s.k); }",
      "void host(Sizes* s) { dim3 g((s->n + 15) / 16, s->m); f<<<g, 16>>>(s->a, 0, 0, s->m, s->n, s->k); }",
      "void host(int N, int M, int P) { f<<<dim3((M + 15) / 16, N), 16>>>(a, b, c, N, M, P); }",
      "void host(int* M, int* N, int* K) { f<<<dim3((*M - 1) / 16 + 1, *N), 16>>>(b, a, c, *N, *M, *K); }"};
  for (const char* host : kHosts) {
    const auto kernel = open_text(fmt::format(
        "__global__ void f(const float* a, const float* b, float* c, int m, int n, int k) {{}}\n{}\n", host));
    ASSERT_TRUE(kernel) << host << "\n" << kernel.error().message;
    const auto launch = launch_for(*kernel, {60, 100, 20, 1.0f, 0.0f}, {});
    ASSERT_TRUE(launch) << launch.error().message;
    EXPECT_EQ(launch->grid, (std::array<uint32_t, 3>{7, 60, 1})) << host;
  }
}

TEST(GuessLaunch, TemplateArgumentsThatAreGivenStandForTheLaunchesNames) {
  const std::string source =
      "template <int BM, int BN, int THREADS>\n"
      "__global__ void f(const float* A, const float* B, float* C, int M, int N, int K) {}\n"
      "template <typename Config> void host(int M, int N, int K) {\n"
      "  const int BM = Config::BM, BN = Config::BN, THREADS = Config::THREADS;\n"
      "  dim3 grid((N + BN - 1) / BN, (M + BM - 1) / BM);\n"
      "  f<BM, BN, THREADS><<<grid, THREADS>>>(a, b, c, M, N, K);\n}\n";
  const std::string error = error_of(source);
  EXPECT_TRUE(contains(error, "line 6")) << error;
  EXPECT_TRUE(contains(error, "BM, BN, THREADS")) << error;
  EXPECT_TRUE(contains(error, "--entry \"f<…>\"")) << error;
  Overrides given;
  given.entry = "f<32, 16, 128>";
  const auto kernel = open_text(source, given);
  ASSERT_TRUE(kernel) << kernel.error().message;
  const auto launch = launch_for(*kernel, {60, 100, 20, 1.0f, 0.0f}, {});
  ASSERT_TRUE(launch) << launch.error().message;
  EXPECT_EQ(launch->block[0], 128u);
  EXPECT_EQ(launch->grid, (std::array<uint32_t, 3>{7, 2, 1}));
}

TEST(GuessLaunch, ABooleanConstantIsATemplateArgument) {
  const auto kernel = open_text(
      "template <int T, bool TWICE> __global__ void f(const float* A, const float* B, float* C, int N) {}\n"
      "int main() { const int T = 8; const bool TWICE = false; f<T, TWICE><<<N / T, T>>>(a, b, c, N); }\n");
  ASSERT_TRUE(kernel) << kernel.error().message;
  EXPECT_EQ(kernel->entry, "f<8, 0>");
}

TEST(GuessLaunch, ALaunchThatCannotBeReadIsShown) {
  const std::string error = error_of(
      "__global__ void f(const float* A, const float* B, float* C, int N) {}\n"
      "void host(int tiles) { dim3 g(tiles * 2);\n f<<<g, 32>>>(a, b, c, n); }\n");
  EXPECT_TRUE(contains(error, "the launch on line 3 says \"g\"")) << error;
  EXPECT_TRUE(contains(error, "the value of tiles is not known")) << error;
}

// Returns "block / grid / shared" of a launch of f with M 60, N 100 and K 20, or the error message.
std::string launch_of(const std::string& host, const std::string& entry = "") {
  Overrides given;
  given.entry = entry;
  const auto kernel = open_text(
      "template <int T> __global__ void g(const float* A, const float* B, float* C, int M, int N, int K) {}\n"
      "__global__ void f(const float* A, const float* B, float* C, int M, int N, int K) {}\n" +
          host,
      given);
  if (!kernel) return kernel.error().message;
  const auto launch = launch_for(*kernel, {60, 100, 20, 1.0f, 0.0f}, {});
  if (!launch) return launch.error().message;
  const auto text = [](const std::array<uint32_t, 3>& d) {
    return fmt::format("{} {} {}", d[0], d[1], d[2]);
  };
  return fmt::format("{}: {} / {} / {}", kernel->entry, text(launch->block), text(launch->grid),
                     launch->dynamic_shared_bytes);
}

TEST(GuessLaunch, ThroughMacros) {
  const std::pair<const char*, const char*> kHosts[] = {
      {"#define RUN(k) k<<<grid, block>>>(a, b, c, M, N, K)\n"
       "void h() { dim3 block(8, 4); dim3 grid((N + 7) / 8, M / 4); RUN(f); }\n",
       "f: 8 4 1 / 13 15 1 / 0"},
      {"#define LAUNCH(k, g, b, ...) \\\n  do { \\\n    k<<<g, b>>>(__VA_ARGS__); \\\n  } while (0)\n"
       "void h() { LAUNCH(f, dim3(N, M), 64, a, b, c, M, N, K); }\n",
       "f: 64 1 1 / 100 60 1 / 0"},
      {"#define CONFIG <<<M, 32, 4 * K>>>\nvoid h() { f CONFIG (a, b, c, M, N, K); }\n",
       "f: 32 1 1 / 60 1 1 / 80"},
      {"#define NAME f\n#define BLOCK (4 * WARP)\n#define WARP 32\nvoid h() { NAME<<<M, BLOCK>>>(); }\n",
       "f: 128 1 1 / 60 1 1 / 0"},
      {"#define T 16\n#define RUN(t) g<t><<<M, t * 2>>>(a, b, c, M, N, K)\nvoid h() { RUN(T); }\n",
       "g<16>: 32 1 1 / 60 1 1 / 0"},
      {"#define RUN(k) k<<<M, 32>>>()\nvoid h() { RUN((g<3>)); }\n", "g<3>: 32 1 1 / 60 1 1 / 0"}};
  for (const auto& [host, wanted] : kHosts) EXPECT_EQ(launch_of(host), wanted) << host;
}

// Each case has one way of writing a size.
TEST(GuessLaunch, EachWayOfWritingASizeIsRead) {
  const std::pair<const char*, const char*> kHosts[] = {
      {"void h() { f<<<M, 64L>>>(); }\n", "64 1 1 / 60 1 1 / 0"},
      {"void h() { f<<<ceilf(N / 16.0f), 0100 * 0 + 32>>>(); }\n", "32 1 1 / 7 1 1 / 0"},
      {"void h() { f<<<std::min(M, 40), max(32, 16)>>>(); }\n", "32 1 1 / 40 1 1 / 0"},
      {"inline int half(int x) { return x / 2; }\nvoid h() { f<<<half(M + N), 32>>>(); }\n",
       "32 1 1 / 80 1 1 / 0"},
      {"#define HALF(x) (x / 2)\nvoid h() { f<<<HALF(M + N), 32>>>(); }\n", "32 1 1 / 110 1 1 / 0"},
      {"void h() { int t = M + 4; f<<<t / 2, 32>>>(); }\n", "32 1 1 / 32 1 1 / 0"},
      {"void h() { dim3 b(8, 4); f<<<M * b.z, b>>>(); }\n", "8 4 1 / 60 1 1 / 0"},
      {"void h() { f<<<dim3(d_B.width, A->height), 32>>>(); }\n", "32 1 1 / 100 60 1 / 0"},
      {"void h() { f<<<dim3(s.second, s.first), 32>>>(a, b, c, s.first, s.second, s.third); }\n",
       "32 1 1 / 100 60 1 / 0"},
      {"void h(int* N) { f<<<M + *N, 32>>>(); }\n", "32 1 1 / 160 1 1 / 0"},
      {"void h() { f<<<M, 32, sizeof(float4) + sizeof(int2) + sizeof(uint16_t) + sizeof(double)>>>(); }\n",
       "32 1 1 / 60 1 1 / 34"},
      {"void h() { f<<<M, 32>>>(); f<<<N, 64, 4>>>(); }\n", "32 1 1 / 60 1 1 / 4"},
      {"void h() { cudaLaunchKernel(f, M, 32, nullptr); f<<<N, 64>>>(); }\n", "32 1 1 / 60 1 1 / 0"},
      {"void h() { g<1><<<N, 128>>>(); f<<<M, 32>>>(); }\n", "32 1 1 / 60 1 1 / 0"}};
  for (const auto& [host, wanted] : kHosts)
    EXPECT_EQ(launch_of(host, "f"), fmt::format("f: {}", wanted)) << host;
}

TEST(GuessLaunch, ContradictionsAndUnknownSizesAreNotGuessed) {
  const char* const kHosts[] = {"void h(int x) { f<<<x, 32>>>(a, b, c, x, x, K); }\n",
                                "void h() { f<<<dim3(1, 2, 3, 4), 32>>>(); }\n",
                                "void h() { f<<<other.x, 32>>>(); }\n",
                                "void h() { f<<<0x10, 32>>>(); }\n",
                                "void h() { f<<<M << 1, 32>>>(); }\n",
                                "void h() { f<<<ceil(N / 16.5f), 32>>>(); }\n"};
  for (const char* host : kHosts)
    EXPECT_TRUE(contains(launch_of(host, "f"), "key \"grid\"")) << launch_of(host, "f");
}

TEST(GuessLaunch, ADivisionThatRoundsUpBecomesCeilDiv) {
  const auto kernel = open_text(
      "#define UP(a, b) (((a) + (b)-1) / (b))\n__global__ void f(const float* A, const float* B, float* C, "
      "int N) {}\n"
      "void h() { f<<<UP(N, 16), 16>>>(); }\n");
  ASSERT_TRUE(kernel) << kernel.error().message;
  EXPECT_EQ(kernel->grid_expressions[0], "ceil_div(N, 16)");
}

TEST(GuessLaunch, OneSizeHasManyNames) {
  const auto kernel = open_text(
      "namespace n { __global__ void f(const float* A, const float* B, float* C, int width) {}\n"
      "void h(int size) { auto kernel = f; kernel<<<size / 4, 32>>>(a, b, c, length); } }\n");
  ASSERT_TRUE(kernel) << kernel.error().message;
  EXPECT_EQ(kernel->grid_expressions[0], "N / 4");
}

// A toggle may take any of its values, so what depends on one cannot be guessed.
TEST(GuessLaunch, LaunchesThatDependOnAToggleAreNotGuessed) {
  const std::string source =
      "//! [[toggles]]\n//! name = \"MODE\"\n//! title = \"Mode\"\n//! values = [0, 1]\n//! default = 1\n"
      "#if MODE\n#define T 64\n#else\n#define T 8\n#endif\n"
      "__global__ void f(const float* A, const float* B, float* C, int N) {}\nvoid h() { f<<<N, T>>>(); }\n";
  EXPECT_TRUE(contains(error_of(source), "key \"block\"")) << error_of(source);
}

TEST(GuessLaunch, VagueNamesAreSizesWhereTheyArePassedAsSuch) {
  EXPECT_EQ(launch_of("void h(int h, int w, int i) { f<<<dim3(w, h), 32>>>(a, b, c, h, w, i); }\n"),
            "f: 32 1 1 / 100 60 1 / 0");
  EXPECT_EQ(launch_of("void h() { const int w = 32, h = 4; f<<<M, w * h>>>(a, b, c, M, N, K); }\n"),
            "f: 128 1 1 / 60 1 1 / 0");
}

TEST(GuessLaunch, OnlyInBranchesThatAreOn) {
  const std::pair<const char*, const char*> kHosts[] = {
      {"void h() {\n#if 0\n  g<2><<<N, 1>>>();\n#else\n  f<<<M, 32>>>();\n#endif\n}\n",
       "f: 32 1 1 / 60 1 1 / 0"},
      {"#define FAST 1\nvoid h() {\n#if FAST\n  f<<<M, 64>>>();\n#else\n  f<<<M, 32>>>();\n#endif\n}\n",
       "f: 64 1 1 / 60 1 1 / 0"},
      {"void h() {\n#ifdef __CUDA_ARCH__\n  f<<<M, 64>>>();\n#endif\n  f<<<M, 32>>>();\n}\n",
       "f: 32 1 1 / 60 1 1 / 0"},
      {"#ifdef BIG\n#define T 64\n#else\n#define T 8\n#endif\nvoid h() { f<<<M, T>>>(); }\n",
       "f: 8 1 1 / 60 1 1 / 0"}};
  for (const auto& [host, wanted] : kHosts) EXPECT_EQ(launch_of(host), wanted) << host;
}

TEST(GuessLaunch, MacrosThatAreGivenDecideTheBranch) {
  const std::string source =
      "__global__ void f(const float* A, const float* B, float* C, int N) {}\nvoid h() {\n#if MODE == 2\n"
      "  f<<<N, 64>>>();\n#else\n  f<<<N, 32>>>();\n#endif\n}\n";
  Overrides given;
  given.defines["MODE"] = 2;
  EXPECT_EQ(open_text(source, given)->block_expressions[0], "64");
  EXPECT_EQ(open_text("//! [defines]\n//! MODE = 2\n" + source)->block_expressions[0], "64");
  EXPECT_EQ(open_text(source)->block_expressions[0], "32");
}

TEST(GuessLaunch, ThroughTheRuntimesFunctions) {
  const std::pair<const char*, const char*> kHosts[] = {
      {"void h(int P) { void* args[] = {&a, &b, &c, &P, &N, (void*)&K};\n"
       "cudaLaunchKernel((void*)f, dim3(P), dim3(32, 2), args, 48, 0); }\n",
       "f: 32 2 1 / 60 1 1 / 48"},
      {"void h() { cudaLaunchCooperativeKernel(reinterpret_cast<const void*>(&g<5>), N, 64, nullptr); }\n",
       "g<5>: 64 1 1 / 100 1 1 / 0"},
      {"void h() { cudaLaunchConfig_t c = {}; c.gridDim = M; c.blockDim = dim3(16, 2); c.dynamicSmemBytes = "
       "64;\n"
       "cudaLaunchKernelEx(&c, f, a, b, c, M, N, K); }\n",
       "f: 16 2 1 / 60 1 1 / 64"},
      {"void h() { cudaLaunchConfig_t c{dim3(N, 2), {32, 3}, 16, 0}; cudaLaunchKernelEx(&c, g<1>, a); }\n",
       "g<1>: 32 3 1 / 100 2 1 / 16"},
      {"void h(int P) { cudaLaunchConfig_t c = {.gridDim = P, .blockDim = 96}; void* v[6] = {&a, &b, &d, &P, "
       "&N, "
       "&K};\ncudaLaunchKernelExC(&c, (const void *)f, v); }\n",
       "f: 96 1 1 / 60 1 1 / 0"}};
  for (const auto& [host, wanted] : kHosts) EXPECT_EQ(launch_of(host), wanted) << host;
}

TEST(GuessLaunch, ThroughVariablesAndFunctionsThatTakeTheKernel) {
  const std::pair<const char*, const char*> kHosts[] = {
      {"void h() { auto kernel = g<7>; kernel<<<M, 32>>>(); }\n", "g<7>: 32 1 1 / 60 1 1 / 0"},
      {"void h() { void (*kernel)(int) = &f; kernel<<<M, 32>>>(); }\n", "f: 32 1 1 / 60 1 1 / 0"},
      {"template <typename F> void run(const char* name, F kernel, dim3 grid, int block) {\n"
       "  kernel<<<grid, block>>>();\n}\nvoid h() { dim3 blocks(N, 3); run(\"f\", f, blocks, 48); }\n",
       "f: 48 1 1 / 100 3 1 / 0"},
      {"template <typename F, typename... As> void run(F kernel, As... as) { dim3 g(5, 6); kernel<<<g, "
       "32>>>(as...); }\n"
       "void h() { run<int>(g<4>, a, b, c, M, N, K); }\n",
       "g<4>: 32 1 1 / 5 6 1 / 0"},
      {"template <typename F, typename... As> void run(F kernel, int blocks, As... as) { kernel<<<blocks, "
       "32>>>(as...); }\n"
       "void h(int P) { run(f, P, a, b, c, P, N, K); }\n",
       "f: 32 1 1 / 60 1 1 / 0"},
      {"template <typename F> void run(F kernel) { dim3 g(5, 6); kernel<<<g, 32>>>(); }\n"
       "void h() { dim3 g(1, 2); run(f); }\n",
       "f: 32 1 1 / 5 6 1 / 0"},
      {"void h() { const auto run = [&](auto kernel, dim3 blocks, dim3 threads) { kernel<<<blocks, "
       "threads>>>(); };\n"
       "  run(f, M, dim3(4, 4)); }\n",
       "f: 4 4 1 / 60 1 1 / 0"},
      {"template <int T, int U = 2> void run() { g<T><<<M / U, T>>>(); }\nvoid h() { run<32>(); }\n",
       "g<32>: 32 1 1 / "},
      {"template <int T> void run() { dim3 b(T, 2); g<T><<<M, b>>>(); }\nvoid h() { run<16>(); }\n",
       "g<16>: 16 2 1 / 60 1 1 / 0"}};
  for (const auto& [host, wanted] : kHosts)
    EXPECT_TRUE(contains(launch_of(host), wanted)) << host << launch_of(host);
}

TEST(GuessLaunch, AnIncludedLaunchIsPlaced) {
  const std::filesystem::path folder =
      std::filesystem::path(testing::TempDir()) / fmt::format("beside_{}", getpid());
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "launch.cuh") << "\nvoid h() { f<<<N, 2 * T>>>(a, b, c, N); }\n";
  std::ofstream(folder / "main.cu")
      << "__global__ void f(const float* A, const float* B, float* C, int N) {}\n"
         "#define T 16\n#include \"launch.cuh\"\n";
  const auto kernel = open_kernel(folder / "main.cu");
  std::filesystem::remove_all(folder);
  ASSERT_TRUE(kernel) << kernel.error().message;
  EXPECT_EQ(kernel->block_expressions[0], "2 * T");
  EXPECT_TRUE(contains(kernel->guesses.back(), "as launched on line 2 of launch.cuh"))
      << kernel->guesses.back();
}

}  // namespace
}  // namespace gemmscope::own_kernel
