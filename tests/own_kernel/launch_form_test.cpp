// The form of a launch: what it is filled with, what it says of wrong texts, and that a file opens with it.
#include "own_kernel/launch_form.h"

#include <gtest/gtest.h>

#include "open_text.h"

namespace gemmscope::own_kernel {
namespace {

// A file that is there while the test runs.
class File {
 public:
  explicit File(const std::string& source)
      : path_(std::filesystem::path(testing::TempDir()) / fmt::format("form_{}.cuh", getpid())) {
    std::ofstream(path_, std::ios::binary) << source;
  }
  ~File() { std::filesystem::remove(path_); }
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  LaunchForm form(const Overrides& given = {}) const {
    const Result<LaunchForm> filled = fill_form(path_, given);
    EXPECT_TRUE(filled) << filled.error().message;
    return filled.value_or(LaunchForm{});
  }
  Result<Kernel> open(const LaunchForm& form) const { return open_kernel(path_, overrides_of(form)); }

 private:
  std::filesystem::path path_;
};

// A kernel as ladders in headers have it: a template without a launch.
constexpr const char* kTiled =
    "#pragma once\n"
    "template <const int BM, const int BN, const int BK, const int TM, const int TN>\n"
    "__global__ void __launch_bounds__((BM * BN) / (TM * TN), 1)\n"
    "    tiled(int M, int N, int K, float alpha, const float *A, const float *B, float beta, float *C) {\n"
    "  const unsigned row = blockIdx.y, column = blockIdx.x;\n"
    "}\n";
constexpr const char* kLaunched =
    "__global__ void f(const float* a, const float* b, float* c, int m, int n, int k) {}\n"
    "__global__ void g(float* p, float* q, float* r, int count, float s) { int i = threadIdx.y; }\n"
    "void host(float* a, float* b, float* c, int m, int n, int k) {\n"
    "  f<<<dim3((n + 15) / 16, m), 16, 64>>>(a, b, c, m, n, k);\n}\n";

TEST(LaunchForm, ShowsWhatTheFileGivesAndAsksForNothingMore) {
  const File file(kLaunched);
  const LaunchForm form = file.form();
  EXPECT_EQ(form.kernels, (std::vector<std::string>{"f", "g"}));
  EXPECT_EQ(form.entry, "f");
  EXPECT_EQ(form.block.text, "16");
  EXPECT_EQ(form.block.origin, "as launched on line 4");
  EXPECT_EQ(form.grid.text, "(N + 15) / 16, M");
  EXPECT_EQ(form.shared.text, "64");
  ASSERT_EQ(form.parameters.size(), 6u);
  EXPECT_EQ(form.parameters[0].declared, "const float* a");
  EXPECT_EQ(form.parameters[0].field.text, "A");
  EXPECT_EQ(form.parameters[5].field.text, "K");
  EXPECT_TRUE(is_right(form));
  const Overrides given = overrides_of(form);
  EXPECT_TRUE(given.block.empty() && given.grid.empty() && given.shared.empty() && given.parameters.empty());
  EXPECT_TRUE(file.open(form));
}

TEST(LaunchForm, AKernelWithoutALaunchNeedsItsArgumentsOnly) {
  const File file(kTiled);
  LaunchForm form = file.form();
  EXPECT_EQ(form.template_parameters, (std::vector<std::string>{"BM", "BN", "BK", "TM", "TN"}));
  EXPECT_EQ(form.arguments.error, "Write 5 values, one for each of BM, BN, BK, TM, TN, with commas between.");
  EXPECT_EQ(form.block.text, "(BM * BN) / (TM * TN)");
  EXPECT_EQ(form.block.origin, "of __launch_bounds__");
  EXPECT_EQ(form.grid.text, "ceil_div(N, BN), ceil_div(M, BM)");
  EXPECT_EQ(form.block.error + form.grid.error + form.shared.error, "") << "one mistake, one sentence";
  EXPECT_FALSE(is_right(form));
  form.arguments.text = "128, 64, 8, 8 x, 4";
  check_form(form);
  EXPECT_EQ(form.arguments.error, "\"8 x\" for TM is neither a number nor a type.");
  EXPECT_EQ(form.block.error, "");
  form.arguments.text = "128, 64, 8, 8, 4";
  check_form(form);
  ASSERT_TRUE(is_right(form));
  const auto kernel = file.open(form);
  ASSERT_TRUE(kernel) << kernel.error().message;
  EXPECT_EQ(kernel->entry, "tiled<128, 64, 8, 8, 4>");
  const auto launch = launch_for(*kernel, {256, 320, 64, 1.0f, 0.0f}, {});
  ASSERT_TRUE(launch) << launch.error().message;
  EXPECT_EQ(launch->block, (std::array<uint32_t, 3>{256, 1, 1}));
  EXPECT_EQ(launch->grid, (std::array<uint32_t, 3>{5, 2, 1}));
}

TEST(LaunchForm, AnotherKernelOfTheFileIsSuggestedALaunch) {
  const File file(kLaunched);
  Overrides given;
  given.entry = "g";
  LaunchForm form = file.form(given);
  EXPECT_EQ(form.entry, "g");
  EXPECT_EQ(form.block.text, "16, 16");
  EXPECT_EQ(form.block.origin, "a suggestion: check it");
  ASSERT_EQ(form.parameters.size(), 5u);
  EXPECT_EQ(form.parameters[2].field.text, "C") << "three pointers";
  EXPECT_EQ(form.parameters[3].field.text, "");
  EXPECT_EQ(form.parameters[3].field.error,
            "Write M, N, K, alpha, beta, a number, or an expression of these.");
  form.parameters[0].field.text = "buffer 2 * N, fill=zero";
  form.parameters[1].field.text = "B, column, leading_dimension=K + 4";
  form.parameters[3].field.text = "2 * N";
  form.parameters[4].field.text = "0.5";
  check_form(form);
  ASSERT_TRUE(is_right(form));
  const auto kernel = file.open(form);
  ASSERT_TRUE(kernel) << kernel.error().message;
  EXPECT_EQ(kernel->entry, "g");
  EXPECT_EQ(kernel->parameters[0].count, "2 * N");
  EXPECT_EQ(kernel->parameters[0].fill, Fill::zero);
  EXPECT_TRUE(kernel->parameters[1].column_major);
  EXPECT_EQ(kernel->parameters[1].leading_dimension, "K + 4");
  EXPECT_EQ(kernel->parameters[4].value, "0.5");
  // What was typed fills the form the next time.
  const LaunchForm again = file.form(kernel->overrides);
  EXPECT_EQ(again.parameters[0].field.text, "buffer 2 * N, fill=zero");
  EXPECT_EQ(again.parameters[1].field.text, "B, column, leading_dimension=K + 4");
  EXPECT_EQ(again.block.text, "16, 16");
}

TEST(LaunchForm, AWrongTextIsASentenceAtItsField) {
  const File file(kLaunched);
  const LaunchForm right = file.form();
  struct Case {
    void (*spoil)(LaunchForm&);
    const FormField& (*field)(const LaunchForm&);
    const char* says;
  };
  const Case kCases[] = {
      {[](LaunchForm& f) { f.block.text = ""; },
       [](const LaunchForm& f) -> const FormField& { return f.block; }, "one to three expressions"},
      {[](LaunchForm& f) { f.block.text = "1,1,1,1"; },
       [](const LaunchForm& f) -> const FormField& { return f.block; }, "one to three expressions"},
      {[](LaunchForm& f) { f.grid.text = "ceil_div(N, TILE)"; },
       [](const LaunchForm& f) -> const FormField& { return f.grid; }, "TILE"},
      {[](LaunchForm& f) { f.shared.text = "4 *"; },
       [](const LaunchForm& f) -> const FormField& { return f.shared; }, "missing at the end"},
      {[](LaunchForm& f) { f.parameters[0].field.text = "D"; },
       [](const LaunchForm& f) -> const FormField& { return f.parameters[0].field; }, "A, B or C"},
      {[](LaunchForm& f) { f.parameters[0].field.text = "A, columns"; },
       [](const LaunchForm& f) -> const FormField& { return f.parameters[0].field; }, "\"columns\""},
      {[](LaunchForm& f) { f.parameters[3].field.text = "A"; },
       [](const LaunchForm& f) -> const FormField& { return f.parameters[3].field; }, "m is a number"},
      {[](LaunchForm& f) { f.parameters[3].field.text = "rows"; },
       [](const LaunchForm& f) -> const FormField& { return f.parameters[3].field; }, "rows"}};
  for (const Case& c : kCases) {
    LaunchForm form = right;
    c.spoil(form);
    check_form(form);
    EXPECT_FALSE(is_right(form)) << c.says;
    const std::string& error = c.field(form).error;
    EXPECT_TRUE(contains(error, c.says)) << error;
    EXPECT_TRUE(error.ends_with('.')) << error;
  }
}

TEST(LaunchForm, AFileWithoutAFormSaysWhy) {
  for (const auto& [source, says] :
       {std::pair("int x;\n", "No __global__ function"),
        {"struct S { float* p; };\n__global__ void f(S a) {}\n", "write __device__ instead of __global__"}}) {
    const std::filesystem::path path =
        std::filesystem::path(testing::TempDir()) / fmt::format("no_form_{}.cu", getpid());
    std::ofstream(path) << source;
    const Result<LaunchForm> form = fill_form(path, {});
    std::filesystem::remove(path);
    ASSERT_FALSE(form);
    EXPECT_TRUE(contains(form.error().message, says)) << form.error().message;
  }
}

}  // namespace
}  // namespace gemmscope::own_kernel
