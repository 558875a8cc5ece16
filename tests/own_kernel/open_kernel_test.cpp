// Tests what is guessed from a file without a description, and the messages about what cannot be guessed.
#include <gtest/gtest.h>

#include "open_text.h"

namespace gemmscope::own_kernel {

using namespace catalog;
using namespace cuda_text;

namespace {

// Returns the parameters as "A=A B=B n=N".
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
      {"const float* m, const float* n, float* out, int h, int w, int k",
       "m=A:float32 n=B:float32 out=C:float32 h=M:int32 w=N:int32 k=K:int32"},
      {"const float* a, int lda, const float4* b, int ldb, float c[], int ldc, int numARows, int numBColumns",
       "a=A:float32 lda=K:int32 b=B:float32 ldb=N:int32 c=C:float32 ldc=N:int32 numARows=M:int32 "
       "numBColumns=N:int32"}};
  for (const auto& [signature, wanted] : kSignatures) {
    const auto kernel = open_text(fmt::format("__global__ void f({}) {{}}\n", signature), launched());
    ASSERT_TRUE(kernel) << kernel.error().message;
    EXPECT_EQ(summary(*kernel), wanted);
  }
}

TEST(OpenKernel, AmbiguousNamesAreNotGuessed) {
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
  EXPECT_TRUE(contains(error, "write __device__ instead of __global__ before f")) << error;
}

TEST(OpenKernel, ATensorMapIsAskedForWithLinesToPaste) {
  const std::string kernel =
      "struct CUtensorMap { int opaque[32]; };\n"
      "__global__ void f(const __grid_constant__ CUtensorMap map_a, const __grid_constant__ CUtensorMap "
      "map_b,\n"
      "                  float* C, int M, int N, int K) {}\n";
  const std::string error = error_of(kernel, launched());
  EXPECT_TRUE(contains(error, "parameter map_a of f is a tensor map")) << error;
  EXPECT_FALSE(contains(error, "f_plain")) << error;
  const size_t begin = error.find("//! parameters"), end = error.find("//! ]\n");
  ASSERT_TRUE(begin != std::string::npos && end != std::string::npos) << error;
  const auto opened = open_text(error.substr(begin, end + 6 - begin) + kernel, launched());
  ASSERT_TRUE(opened) << opened.error().message;
  EXPECT_EQ(summary(*opened), "map_a=A:float32 map_b=B:float32 C=C:float32 M=M:int32 N=N:int32 K=K:int32");
  EXPECT_EQ(opened->parameters[0].box_rows, "64");
  EXPECT_TRUE(opened->parameters[1].is_tensor_map());
  EXPECT_FALSE(opened->parameters[2].is_tensor_map());
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

TEST(OpenKernel, VersionsOfOneKernelAreOneName) {
  const std::string two =
      "#if __has_include(<mma.h>)\n__global__ void f(const float* A, const float* B, float* C, int N) "
      "{}\n#else\n"
      "__global__ void f(const float* A, const float* B, float* C, int N) {}\n#endif\n";
  EXPECT_TRUE(open_text(two, launched()));
  const std::string error = error_of(two + "__global__ void other() {}\n", launched());
  EXPECT_TRUE(contains(error, "2 kernels (f, other)")) << error;
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

// Returns the lines "//!" of a message.
std::string lines_to_paste(const std::string& message) {
  std::string lines;
  for (size_t at = message.find("\n//!"); at != std::string::npos; at = message.find("\n//!", at + 1))
    lines += message.substr(at + 1, message.find('\n', at + 1) - at);
  return lines;
}

TEST(OpenKernel, AllMissingKeysAreListedAtOnceAndCanBePasted) {
  struct Case {
    const char *source, *lines;
  };
  const Case kCases[] = {
      {"__global__ void f(const float* A, const float* B, float* C, int N) { int i = threadIdx.x; }\n",
       "//! block = [256]\n//! grid = [\"ceil_div(M * N, 256)\"]\n"},
      {"__global__ void f(const float* A, const float* B, float* C, int N) { int i = threadIdx.y; }\n",
       "//! block = [16, 16]\n//! grid = [\"ceil_div(N, 16)\", \"ceil_div(M, 16)\"]\n"},
      {"__global__ void f(const float* A, const float* B, float* C, int N) { int i = blockIdx.y; }\n"
       "void h(int x) { f<<<x, dim3(32, 8)>>>(); }\n",
       "//! grid = [\"ceil_div(N, 32)\", \"ceil_div(M, 8)\"]\n"},
      {"__global__ void f(const float* A, const float* B, float* C, int N) {}\nvoid h(int x) { f<<<N, x, 2 * "
       "x>>>(); }\n",
       "//! shared = \"4 * 2 * 16 * 16\"\n//! block = [256]\n"},
      {"__global__ void f(const float* in, double* out, float beta, int rows) {}\n",
       "//! parameters = [\n"
       "//!   { name = \"in\", buffer = \"M * N\", type = \"float32\" },\n"
       "//!   { name = \"out\", buffer = \"M * N\", type = \"float64\" },\n"
       "//!   { name = \"beta\", scalar = \"beta\", type = \"float32\" },\n"
       "//!   { name = \"rows\", scalar = \"M\", type = \"int32\" },\n//! ]\n"
       "//! block = [256]\n//! grid = [\"ceil_div(M * N, 256)\"]\n"},
      {"template <typename T> __global__ void f(const T* A, const T* B, T* C, int N) {}\n"
       "template <typename T> void h() { f<T><<<N, 32>>>(); }\n",
       "//! entry = \"f<float>\"\n"}};
  for (const Case& c : kCases) {
    const std::string message = error_of(c.source), lines = lines_to_paste(message);
    EXPECT_EQ(lines, c.lines) << message;
    const auto pasted = open_text(lines + c.source);
    EXPECT_TRUE(pasted) << pasted.error().message;
  }
}

TEST(OpenKernel, MissingKeysAreShownForTheCommandLineAndForAnExistingDescription) {
  const std::string kernel = "__global__ void f(const float* A, const float* B, float* C, int N) {}\n";
  EXPECT_TRUE(contains(error_of(kernel), "--block-dim 256 --grid-dim \"ceil_div(M * N, 256)\""))
      << error_of(kernel);
  EXPECT_TRUE(contains(error_of(kernel), "Write at the top of the file, for example")) << error_of(kernel);
  const std::string described = error_of("//! block = 64\n" + kernel);
  EXPECT_TRUE(contains(described, "Write among the lines //! at the top of the file")) << described;
  EXPECT_TRUE(contains(described, "ceil_div(M * N, 64)")) << described;
  EXPECT_FALSE(contains(described, "key \"block\"")) << described;
}

// Once the arguments are given, the launch supplies the rest, so the message does not ask for it.
TEST(OpenKernel, OnlyTheArgumentsOfATemplateAreMissing) {
  const std::string source =
      "template <int BM, int BN> __global__ void f(const float* A, const float* B, float* C, int N) {}\n"
      "template <class P> void h() { const int BM = P::m, BN = P::n; f<BM, BN><<<N / BN, BM>>>(); }\n";
  const std::string message = error_of(source);
  EXPECT_EQ(lines_to_paste(message), "//! entry = \"f<…>\"\n") << message;
  EXPECT_TRUE(contains(message, "does not say what BM, BN stands for")) << message;
}

TEST(OpenKernel, AStructuresMembersBecomeParameters) {
  const std::string one = error_of(
      "struct P { const float *A, *B; float* C; int M, N, K; };\n__global__ void f(P p, float alpha) {}\n"
      "void h(P p) { f<<<(p.N + 31) / 32, 32>>>(p, 1); }\n");
  EXPECT_TRUE(
      contains(one,
               "f_plain(const float* p_A, const float* p_B, float* p_C, int p_M, int p_N, int p_K, float "
               "alpha) {\n  f(P{p_A, p_B, p_C, p_M, p_N, p_K}, alpha);\n}"))
      << one;
  const std::string only = error_of(
      "namespace n { struct P { const float *A, *B; float *C; int N; };\n__global__ void f(P p) {}\n"
      "void h(P p) { f<<<(p.N + 31) / 32, 32>>>(p); } }\n");
  EXPECT_TRUE(
      contains(only,
               "\nnamespace n {\n__global__ void f_plain(const float* A, const float* B, float* C, int N) {\n"
               "  f(P{A, B, C, N});\n}\n}\n"))
      << only;
  EXPECT_EQ(lines_to_paste(only),
            "//! entry = \"n::f_plain\"\n//! block = [32]\n//! grid = [\"(N + 31) / 32\"]\n");
  EXPECT_TRUE(contains(only, "--entry n::f_plain --block-dim 32 --grid-dim \"(N + 31) / 32\"")) << only;
  const std::string matrices = error_of(
      "typedef struct { int width; float* data; } Matrix;\n__global__ void f(Matrix A, Matrix C) {}\n");
  EXPECT_TRUE(contains(matrices,
                       "f_plain(int A_width, float* A, int C_width, float* C) {\n  f(Matrix{A_width, A}, "
                       "Matrix{C_width, C});"))
      << matrices;
  // If the structure's members are not known, the rest of the message still appears.
  const std::string unseen = error_of("__global__ void f(Unseen u, int n) {}\n");
  EXPECT_TRUE(contains(unseen, "f_plain(… what Unseen holds: u, int n) {\n  f(Unseen{…}, n);")) << unseen;
  EXPECT_FALSE(contains(unseen, "parameters = [")) << unseen;
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

TEST(OpenKernel, TheDescriptionWinsOverTheLaunch) {
  const auto kernel = open_text(
      "//! block = 32\nnamespace n { __global__ void f(const float* A, const float* B, float* C, int N) {} "
      "}\n"
      "__global__ void g() {}\nvoid h() { n::f<<<N, 64>>>(); g<<<1, 1>>>(); }\n",
      [] {
        Overrides given;
        given.entry = "f";
        return given;
      }());
  ASSERT_TRUE(kernel) << kernel.error().message;
  EXPECT_EQ(kernel->entry, "n::f");
  EXPECT_EQ(kernel->block_expressions[0], "32");
  EXPECT_EQ(kernel->grid_expressions[0], "N");
}

TEST(OpenKernel, ASizeThatIsAMacroIsEnforced) {
  const auto kernel = open_text(
      "#define N (64)  // side\n#if 0\n#define N 32\n#endif\n__global__ void f(const float* A, const float* "
      "B, float* C) {}\n",
      launched());
  ASSERT_TRUE(kernel) << kernel.error().message;
  EXPECT_TRUE(launch_for(*kernel, {64, 64, 64, 1, 0}, {}));
  EXPECT_FALSE(launch_for(*kernel, {64, 32, 64, 1, 0}, {}));
}

TEST(ParameterKeys, MistakesAreNamed) {
  const std::pair<const char*, const char*> kWrong[] = {{"name=A", "exactly one"},
                                                        {"matrix=A,buffer=3", "exactly one"},
                                                        {"matrix=D", "\"matrix\""},
                                                        {"matrix=A,order=up", "\"order\""},
                                                        {"matrix=A,fill=zero", "\"fill\""},
                                                        {"buffer=3,type=text", "\"type\""},
                                                        {"buffer=3,fill=odd", "\"fill\""},
                                                        {"buffer=3,fill=zero,below=2", "\"fill\""},
                                                        {"matrix=A,accumulate=float32", "\"accumulate\""},
                                                        {"matrix=C,box_rows=8", "\"box_rows\""},
                                                        {"matrix=A,order=column,box_rows=8", "\"box_rows\""},
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
  const auto boxes = parse_parameter("matrix=B,type=bfloat16,box_rows=BK * 2");
  ASSERT_TRUE(boxes);
  EXPECT_EQ(boxes->box_rows, "BK * 2");
  EXPECT_EQ(boxes->argument_bytes(), 128u);
  EXPECT_EQ(p->argument_bytes(), 8u);
}

}  // namespace
}  // namespace gemmscope::own_kernel
