// Checks which parts of a file remain for the device's compiler.
#include <gtest/gtest.h>

#include <algorithm>

#include "../own_kernel/open_text.h"
#include "catalog/catalog.h"
#include "cuda_text/source_outline.h"

namespace gemmscope::own_kernel {

using namespace catalog;
using namespace cuda_text;

namespace {

namespace fs = std::filesystem;

TEST(HostCode, IsBlankedAndLinesStay) {
  const std::string source =
      "#include <vector>\n__device__ int g(int x) { return x; }\nint helper(int x) { return x + 1; } // \"{\n"
      "void print(const std::vector<int>& v) {\n  for (int i : v) show(i);\n}\n"
      "__global__ void k(int* p) { *p = helper(g(1)); }\n"
      "template <typename T>\nvoid launch(T* p) {\n  k<<<1, 1>>>(p);\n}\nvoid twice() { launch(p); }\nint "
      "main() {}\n";
  const std::string kept = without_host_code(source);
  EXPECT_EQ(std::count(kept.begin(), kept.end(), '\n'), std::count(source.begin(), source.end(), '\n'));
  for (const char* there : {"__device__ int g", "int helper", "__global__ void k"})
    EXPECT_TRUE(contains(kept, there)) << there;
  for (const char* gone : {"print", "launch", "template", "twice", "main"})
    EXPECT_FALSE(contains(kept, gone)) << gone;
  EXPECT_EQ(kept.find("__global__"), source.find("__global__"));
}

TEST(HostCode, StatementsBetweenFunctionsGoToo) {
  const std::string source =
      "void launch(cublasHandle_t handle, int n);\nstd::vector<int> all();\nconst std::string path = \"a\";\n"
      "REGISTER(1, launch)\n__global__ void k(int* p) { *p = kSize; }\n__constant__ float table[4];\n"
      "constexpr int kSize = 4;\n__host__ void show(int n) { print(n); }\nusing namespace std;\n"
      "void launch(cublasHandle_t handle, int n) { k<<<1, 1>>>(p); }\nREGISTER(2, launch)\n";
  const std::string kept = without_host_code(source);
  for (const char* there : {"__global__ void k", "__constant__ float table", "kSize = 4", "using namespace"})
    EXPECT_TRUE(contains(kept, there)) << there;
  for (const char* gone : {"launch", "vector", "string", "show", "REGISTER"})
    EXPECT_FALSE(contains(kept, gone)) << gone;
}

TEST(HostCode, VariablesOfTheHostGoWithWhatUsesThem) {
  const std::string source =
      "std::mt19937 generator(2);\nstatic float big[1 << 28], *other;\nconst int kept = 3;\n"
      "void fill(float* p) { p[0] = generator(); }\nfloat first() { return big[0]; }\n"
      "int use() { return kept; }\n__device__ float on_device;\nstruct Tile { int m; };\n"
      "#define T 4\nint counter;\n__global__ void k() {}\n";
  const std::string left = without_host_code(source);
  for (const char* there : {"kept = 3", "int use", "on_device", "struct Tile", "#define T 4", "void k()"})
    EXPECT_TRUE(contains(left, there)) << there;
  for (const char* gone : {"generator", "big", "fill", "first", "counter"})
    EXPECT_FALSE(contains(left, gone)) << gone;
}

TEST(HostCode, TheLadderHasNone) {
  const Catalog ladder = read_catalog(fs::path(GEMMSCOPE_SOURCE_DIR) / "kernels" / "ladder");
  for (const Kernel& kernel : ladder.kernels)
    EXPECT_EQ(without_host_code(kernel.source), kernel.source) << kernel.id;
}

// Each of these is left out for one sign of host code alone.
TEST(HostCode, EachSignOfTheHostIsEnough) {
  for (const char* sign :
       {"k<<<1, 1>>>(p)", "k<< <1, 1>> >(p)", "cudaMalloc(&p, 4)", "cublasHandle_t h", "curandGenerator_t g",
        "cudnnHandle_t h", "std::cout", "std::vector<int> v", "std::unique_ptr<int> v", "std::ofstream f",
        "std::uniform_real_distribution<float> d", "malloc(4)", "exit (1)", "getenv(name)", "fprintf(f, s)",
        "torch::zeros(3)", "TORCH_CHECK(true)"})
    EXPECT_FALSE(contains(without_host_code(fmt::format("void f() {{ {}; }}\n", sign)), "f")) << sign;
  for (const char* neutral : {"my_malloc(4)", "exits(1)", "std::min(1, 2)", "std::vectorize v", "a < b",
                              "accuda()", "printf(s)", "assert(true)"})
    EXPECT_TRUE(contains(without_host_code(fmt::format("void f() {{ {}; }}\n", neutral)), "f")) << neutral;
  EXPECT_FALSE(contains(without_host_code("__host__ int f() { return 1; }\n"), "f"));
  EXPECT_TRUE(contains(without_host_code("__host__ __device__ int f() { return 1; }\n"), "f"));
  EXPECT_TRUE(contains(without_host_code("__device__ int f() { return cudaSuccess; }\n"), "f"));
}

TEST(HostCode, CallersOfHostCodeGoHoweverIndirect) {
  const std::string kept = without_host_code(
      "namespace a { void last() { cudaFree(p); } }\nvoid third() { a::last(); }\nvoid second() { third(); "
      "}\n"
      "void first() { second(); }\nint apart() { return 1; }\n__device__ int on_device() { return 2; }\n");
  for (const char* gone : {"last", "third", "second", "first"}) EXPECT_FALSE(contains(kept, gone)) << gone;
  EXPECT_TRUE(contains(kept, "apart"));
  EXPECT_TRUE(contains(kept, "on_device"));
}

TEST(HostCode, MacrosThatUseTheHostMarkHostCode) {
  const std::string source =
      "#define RUN(k) k<<<1, 1>>>(p)\n#define RUN_TWICE(k) RUN(k), RUN(k)\n#define BY(f) f(p)\n"
      "#define SIZE 4\nvoid launch() { RUN_TWICE(k); }\nint size() { return SIZE; }\n"
      "void other() { FROM_HEADER(1); }\n__global__ void k(float* p) {}\n";
  const std::string kept =
      without_host_code(source, {{"a.cuh", "#define FROM_HEADER(x) \\\n  cudaFree(x)\n"}});
  for (const char* there : {"#define RUN(k)", "int size", "void k("})
    EXPECT_TRUE(contains(kept, there)) << there;
  for (const char* gone : {"launch", "other"}) EXPECT_FALSE(contains(kept, gone)) << gone;
  EXPECT_TRUE(contains(without_host_code(source), "other")) << "the header was not given";
}

TEST(HostCode, ClassesOfTheHostGo) {
  const std::string source =
      "class Runner : Base {\n  void run() { k<<<1, 1>>>(p); }\n};\n"
      "template <typename T> struct Buffer { Buffer() { cudaMalloc(&p, 4); } T* p; } buffer;\n"
      "void use(Runner& r) { r.run(); }\nstruct Plain { int m; };\n"
      "struct Passed { float* A; cudaStream_t stream; };\nstruct OnDevice { __device__ int f() { cudaX(); } "
      "};\n"
      "enum class Kind { cudaKind };\n__global__ void k(Passed p) {}\n";
  const std::string kept = without_host_code(source);
  for (const char* there : {"struct Plain", "struct Passed", "struct OnDevice", "enum class Kind", "void k("})
    EXPECT_TRUE(contains(kept, there)) << there;
  for (const char* gone : {"Runner", "Base", "Buffer", "buffer", "use"})
    EXPECT_FALSE(contains(kept, gone)) << gone;
  EXPECT_EQ(std::count(kept.begin(), kept.end(), '\n'), std::count(source.begin(), source.end(), '\n'));
}

TEST(HostCode, EachVariableOfAListIsTheHosts) {
  const std::string kept = without_host_code(
      "static float big[4], *other;\nfloat second() { return other[0]; }\nWORD;\nint uses() { int WORD = 1; "
      "return WORD; }\n");
  for (const char* gone : {"big", "other", "second"}) EXPECT_FALSE(contains(kept, gone)) << gone;
  EXPECT_TRUE(contains(kept, "int uses()"));
}

TEST(HostCode, StatementsOfTheDeviceStayWhateverTheyName) {
  const std::string kept = without_host_code(
      "void step() { cudaFree(p); }\n__device__ int next(int step);\n__device__ cudaTextureObject_t "
      "texture;\n"
      "__constant__ cudaExtent extent;\n");
  for (const char* there : {"int next(int step)", "texture", "extent"})
    EXPECT_TRUE(contains(kept, there)) << there;
}

// Removing a statement must not remove a directive after it.
TEST(HostCode, DirectivesWithinAStatementStay) {
  const std::string kept = without_host_code("std::vector<int> v\n#define T 4\n;\n__global__ void k() {}\n");
  EXPECT_TRUE(contains(kept, "#define T 4"));
  EXPECT_FALSE(contains(kept, "vector"));
}

}  // namespace
}  // namespace gemmscope::own_kernel
