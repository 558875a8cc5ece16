// What a file says without a description, and what is said where it does not.
#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>

#include "catalog/catalog.h"
#include "catalog/guess.h"

namespace gemmscope::catalog {
namespace {

namespace fs = std::filesystem;

Result<Kernel> open_text(const std::string& source, const Overrides& given = {}) {
  const fs::path path = fs::path(testing::TempDir()) / fmt::format("own_{}.cu", getpid());
  std::ofstream(path, std::ios::binary) << source;
  Result<Kernel> kernel = open_kernel(path, given);
  fs::remove(path);
  return kernel;
}

std::string error_of(const std::string& source, const Overrides& given = {}) {
  const Result<Kernel> kernel = open_text(source, given);
  EXPECT_FALSE(kernel);
  return kernel ? "" : kernel.error().message;
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

// "A=A B=B n=N" of the parameters.
std::string summary(const Kernel& kernel) {
  std::string text;
  for (const Parameter& p : kernel.parameters)
    text += fmt::format("{}{}={}:{}", text.empty() ? "" : " ", p.name,
                        p.role != 0 ? std::string(1, p.role) : p.value, type_name(p.type));
  return text;
}

Overrides launched() {
  Overrides given;
  given.block = {"256"};
  given.grid = {"N"};
  return given;
}

TEST(OpenKernel, ParametersAreGuessedByNameAndType) {
  const std::pair<const char*, const char*> kSignatures[] = {
      {"int M, int N, int K, float alpha, const float *A, const float *B, float beta, float *C",
       "M=M:int32 N=N:int32 K=K:int32 alpha=alpha:float32 A=A:float32 B=B:float32 beta=beta:float32 "
       "C=C:float32"},
      {"float* C, float* A, float* B, int wA, int wB",
       "C=C:float32 A=A:float32 B=B:float32 wA=K:int32 wB=N:int32"},
      {"const half* __restrict__ d_A, const half* __restrict__ d_B, float* d_C, size_t n",
       "d_A=A:float16 d_B=B:float16 d_C=C:float32 n=N:uint64"},
      {"float *M, float *N, float *P, int Width", "M=A:float32 N=B:float32 P=C:float32 Width=N:int32"},
      {"const double *x, const double *w, double *y, unsigned int m, unsigned int n, unsigned int k",
       "x=A:float64 w=B:float64 y=C:float64 m=M:uint32 n=N:uint32 k=K:uint32"},
      {"const float* a, int lda, const float4* b, int ldb, float c[], int ldc, int numARows, int numBColumns",
       "a=A:float32 lda=K:int32 b=B:float32 ldb=N:int32 c=C:float32 ldc=N:int32 numARows=M:int32 "
       "numBColumns=N:int32"}};
  for (const auto& [signature, wanted] : kSignatures) {
    const auto kernel = open_text(fmt::format("__global__ void f({}) {{}}\n", signature), launched());
    ASSERT_TRUE(kernel) << kernel.error().message;
    EXPECT_EQ(summary(*kernel), wanted);
  }
}

TEST(OpenKernel, WhatIsAmbiguousIsNotGuessed) {
  for (const char* signature : {"float* p, float* q, float* r, int n", "const float* A, float* C, int n",
                                "float* A, float* B, float* C, float* bias, int n",
                                "float* A, float* B, float* C, int n, int what"}) {
    const std::string error = error_of(fmt::format("__global__ void f({}) {{}}\n", signature), launched());
    EXPECT_TRUE(contains(error, "parameters = [")) << error;
    EXPECT_TRUE(contains(error, "--parameter")) << error;
  }
}

TEST(OpenKernel, AStructByValueIsRefusedWithWhatToDo) {
  const std::string error =
      error_of("struct Matrix { float* p; int w; };\n__global__ void f(Matrix A, Matrix B, Matrix C) {}\n",
               launched());
  EXPECT_TRUE(contains(error, "parameter A of f is passed by value as \"Matrix\"")) << error;
  EXPECT_TRUE(contains(error, "write __device__ for __global__ before f")) << error;
}

TEST(OpenKernel, ExamplesOfErrorsCanBePasted) {
  const std::string kernel = "__global__ void f(const float* in, float* out, int n, float scale) {}\n";
  const std::string error = error_of(kernel, launched());
  const size_t begin = error.find("//! parameters"), end = error.find("//! ]\n");
  ASSERT_TRUE(begin != std::string::npos && end != std::string::npos) << error;
  const auto pasted = open_text(error.substr(begin, end + 6 - begin) + kernel, launched());
  ASSERT_TRUE(pasted) << pasted.error().message;
  EXPECT_EQ(pasted->parameters.size(), 4u);
}

TEST(OpenKernel, LaunchesAreReadInTermsOfTheSizes) {
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

// The host's names may be others than the kernel's; what they are follows from their places in the launch.
TEST(OpenKernel, NamesOfTheHostAreReadByTheirPlaceInTheLaunch) {
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

TEST(OpenKernel, TemplateArgumentsThatAreGivenStandForTheLaunchesNames) {
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

TEST(OpenKernel, ABooleanConstantIsATemplateArgument) {
  const auto kernel = open_text(
      "template <int T, bool TWICE> __global__ void f(const float* A, const float* B, float* C, int N) {}\n"
      "int main() { const int T = 8; const bool TWICE = false; f<T, TWICE><<<N / T, T>>>(a, b, c, N); }\n");
  ASSERT_TRUE(kernel) << kernel.error().message;
  EXPECT_EQ(kernel->entry, "f<8, 0>");
}

TEST(OpenKernel, VersionsOfOneKernelAreOneName) {
  const std::string two =
      "#ifdef FAST\n__global__ void f(const float* A, const float* B, float* C, int N) {}\n#else\n"
      "__global__ void f(const float* A, const float* B, float* C, int N) {}\n#endif\n";
  EXPECT_TRUE(open_text(two, launched()));
  const std::string error = error_of(two + "__global__ void other() {}\n", launched());
  EXPECT_TRUE(contains(error, "2 kernels (f, other)")) << error;
}

TEST(OpenKernel, ALaunchThatCannotBeReadIsShown) {
  const std::string error = error_of(
      "__global__ void f(const float* A, const float* B, float* C, int N) {}\n"
      "void host(int tiles) { dim3 g(tiles * 2);\n f<<<g, 32>>>(a, b, c, n); }\n");
  EXPECT_TRUE(contains(error, "the launch on line 3 says \"g\"")) << error;
  EXPECT_TRUE(contains(error, "the value of tiles is not known")) << error;
}

TEST(OpenKernel, MissingKeysAreNamedWithAnExample) {
  const std::string kernel = "__global__ void f(const float* A, const float* B, float* C, int N) {}\n";
  EXPECT_TRUE(contains(error_of(kernel), "key \"block\""));
  EXPECT_TRUE(contains(error_of(kernel), "--block-dim 256"));
  Overrides given;
  given.block = {"16", "16"};
  EXPECT_TRUE(contains(error_of(kernel, given), "key \"grid\""));
  const std::string unreadable = "void h(int x) { f<<<N, 32, x>>>(a); }\n";
  EXPECT_TRUE(contains(error_of(kernel + unreadable), "key \"shared\""));
  EXPECT_TRUE(contains(error_of("int x;\n"), "no __global__ function"));
  EXPECT_TRUE(contains(error_of("__global__ void a() {}\n__global__ void b() {}\n"), "(a, b)"));
  EXPECT_TRUE(contains(error_of("template <int T> __global__ void a() {}\n"), "a<"));
}

TEST(OpenKernel, TheCommandLineWinsOverTheDescription) {
  const std::string source =
      "//! block = 32\n//! grid = [\"N\"]\n//! [defines]\n//! BM = 8\n"
      "__global__ void f(const float* A, const float* B, float* C, int N) {}\n";
  const auto plain = open_text(source);
  ASSERT_TRUE(plain) << plain.error().message;
  EXPECT_EQ(plain->block_expressions[0], "32");
  EXPECT_EQ(plain->defines.at("BM"), 8);
  Overrides given;
  given.block = {"BM * 4"};
  given.defines = {{"BM", 16}};
  const auto other = open_text(source, given);
  ASSERT_TRUE(other) << other.error().message;
  EXPECT_EQ(launch_for(*other, {8, 8, 8, 1, 0}, {})->block[0], 64u);
}

TEST(OpenKernel, ASizeThatIsAMacroIsHeldTo) {
  const auto kernel =
      open_text("#define N 64\n__global__ void f(const float* A, const float* B, float* C) {}\n", launched());
  ASSERT_TRUE(kernel) << kernel.error().message;
  EXPECT_TRUE(launch_for(*kernel, {64, 64, 64, 1, 0}, {}));
  EXPECT_FALSE(launch_for(*kernel, {64, 32, 64, 1, 0}, {}));
}

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

TEST(ParameterKeys, WhatIsWrongIsNamed) {
  const std::pair<const char*, const char*> kWrong[] = {{"name=A", "exactly one"},
                                                        {"matrix=A,buffer=3", "exactly one"},
                                                        {"matrix=D", "\"matrix\""},
                                                        {"matrix=A,order=up", "\"order\""},
                                                        {"matrix=A,fill=zero", "\"fill\""},
                                                        {"buffer=3,type=text", "\"type\""},
                                                        {"buffer=3,fill=odd", "\"fill\""},
                                                        {"buffer=3,fill=zero,below=2", "\"fill\""},
                                                        {"matrix=A,accumulate=float32", "\"accumulate\""},
                                                        {"scalar=", "\"scalar\""},
                                                        {"matrix", "KEY=VALUE"}};
  for (const auto& [text, part] : kWrong) {
    const auto p = parse_parameter(text);
    ASSERT_FALSE(p) << text;
    EXPECT_TRUE(contains(p.error().message, part)) << p.error().message;
  }
  const auto p = parse_parameter("name=A,matrix=A,type=half,leading_dimension=max(M, 8)");
  ASSERT_TRUE(p);
  EXPECT_EQ(p->leading_dimension, "max(M, 8)");
  EXPECT_EQ(p->type, ElementType::float16);
}

}  // namespace
}  // namespace gemmscope::catalog
