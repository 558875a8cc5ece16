// Runs users' files in common styles: what is guessed, what must be given, and that the results are right.
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>

#include "ladder_run.h"
#include "own_kernel/open_kernel.h"

namespace gemmscope::experiment {
namespace {

const std::filesystem::path kKernels = std::filesystem::path(GEMMSCOPE_TEST_DATA) / "kernels";

struct Ran {
  std::shared_ptr<const CompiledKernel> compiled;
  std::shared_ptr<const GridResult> grid;
};
Ran run(const std::string& file, const catalog::Problem& problem, const catalog::Overrides& given = {}) {
  Ran result;
  const auto kernel = own_kernel::open_kernel(kKernels / file, given);
  EXPECT_TRUE(kernel) << kernel.error().message;
  if (!kernel) return result;
  const Experiment e = experiment_on(kernel->id, isa::Arch::sm_86, problem);
  const auto compiled = compile_kernel(*kernel, e);
  EXPECT_TRUE(compiled) << compiled.error().message;
  if (!compiled) return result;
  result.compiled = *compiled;
  const auto grid = run_whole_grid(*compiled, e, {});
  EXPECT_TRUE(grid) << grid.error().message;
  if (grid) result.grid = *grid;
  const auto block = run_block(*compiled, e, nullptr);
  EXPECT_TRUE(block) << block.error().message;
  return result;
}

class OwnKernels : public testing::Test {
 protected:
  void SetUp() override {
    if (!has_nvrtc()) GTEST_SKIP() << "no NVRTC: the prebuilt pack knows no other kernels";
  }
};

void expect_right(const Ran& ran, bool guessed_something) {
  ASSERT_NE(ran.grid, nullptr);
  EXPECT_TRUE(ran.grid->verification.checked()) << ran.grid->verification.unchecked;
  EXPECT_TRUE(ran.grid->verification.right()) << ran.grid->verification.wrong_elements << " wrong";
  EXPECT_GT(ran.grid->verification.largest_ratio, 0) << "nothing rounded: was anything computed?";
  EXPECT_EQ(!ran.compiled->kernel.guesses.empty(), guessed_something);
}

catalog::Overrides launch(std::vector<std::string> block, std::vector<std::string> grid) {
  catalog::Overrides given;
  given.block = std::move(block);
  given.grid = std::move(grid);
  return given;
}

TEST_F(OwnKernels, BlasOrderIsGuessedWithItsLaunch) {
  const Ran ran = run("naive_blas_order.cu", {37, 45, 19, 1.25f, 0.5f});
  expect_right(ran, true);
  EXPECT_EQ(ran.compiled->launch.block, (std::array<uint32_t, 3>{32, 8, 1}));
  EXPECT_EQ(ran.compiled->launch.grid, (std::array<uint32_t, 3>{2, 5, 1}));
}

TEST_F(OwnKernels, ATemplateIsInstantiatedAsItsHostDoes) {
  const Ran ran = run("template_tiles.cu", {70, 33, 20, 1.0f, 0.0f});
  expect_right(ran, true);
  EXPECT_EQ(ran.compiled->kernel.entry, "gemm_tiles<float, 32, 32, 8, 4>");
  EXPECT_EQ(ran.compiled->launch.grid, (std::array<uint32_t, 3>{2, 3, 1}));
}

TEST_F(OwnKernels, TypesThatTheLauncherNamesAreTemplateArguments) {
  const Ran ran = run("shapes_of_types.cu", {72, 100, 20, 1.5f, 0.25f});
  expect_right(ran, true);
  EXPECT_EQ(ran.compiled->kernel.entry,
            "gemm<shapes::Shape<32, 64, 8>, shapes::Shape<8, 16>, shapes::Shape<4, 4>>");
  EXPECT_EQ(ran.compiled->launch.block, (std::array<uint32_t, 3>{128, 1, 1}));
  EXPECT_EQ(ran.compiled->launch.grid, (std::array<uint32_t, 3>{2, 3, 1}));
}

TEST_F(OwnKernels, ATemplateIsInstantiatedAsTheUserSays) {
  catalog::Overrides given = launch({"16 * 16 / 2"}, {"ceil_div(N, 16)", "ceil_div(M, 16)"});
  given.entry = "gemm_tiles<float, 16, 16, 4, 2>";
  const Ran ran = run("template_tiles.cu", {70, 33, 20, 1.0f, 0.0f}, given);
  expect_right(ran, true);
  EXPECT_EQ(ran.compiled->launch.block[0], 128u);
}

TEST_F(OwnKernels, NamespacesHelpersAndAHeaderBesideWork) {
  expect_right(
      run("vector_helpers.cu", {128, 64, 24, 1.0f, 0.0f}, launch({"256"}, {"N / kTile", "M / kTile"})), true);
}

TEST_F(OwnKernels, ColumnMajorWithGapsIsDeclared) {
  expect_right(run("column_major.cu", {21, 34, 13, 1.5f, 0.75f}), false);
}

TEST_F(OwnKernels, HalfFactorsAreVerifiedInTheirOwnRounding) {
  // Without HADD2.F32 in the machine there is nothing to verify.
  const auto kernel = own_kernel::open_kernel(
      kKernels / "half_inputs.cu", launch({"TILE", "TILE"}, {"ceil_div(N, TILE)", "ceil_div(M, TILE)"}));
  ASSERT_TRUE(kernel);
  const Experiment e = experiment_on(kernel->id, isa::Arch::sm_86, {33, 20, 50, 1.0f, 0.0f});
  const auto compiled = compile_kernel(*kernel, e);
  ASSERT_TRUE(compiled) << compiled.error().message;
  if (const auto block = run_block(*compiled, e, nullptr);
      !block && block.error().message.find("does not model this operation yet") != std::string::npos)
    GTEST_SKIP() << block.error().message;
  const Ran ran = run("half_inputs.cu", {33, 20, 50, 1.0f, 0.0f},
                      launch({"TILE", "TILE"}, {"ceil_div(N, TILE)", "ceil_div(M, TILE)"}));
  expect_right(ran, true);
}

TEST_F(OwnKernels, AWholeProgramRunsWithoutItsMain) {
  const Ran ran = run("whole_program.cu", {48, 48, 48, 1.0f, 0.0f});
  expect_right(ran, true);
  EXPECT_EQ(ran.compiled->launch.grid, (std::array<uint32_t, 3>{3, 3, 1}));
  // The kernel takes a single size. Another shape is refused, not computed wrongly.
  const auto kernel = own_kernel::open_kernel(kKernels / "whole_program.cu");
  ASSERT_TRUE(kernel);
  EXPECT_FALSE(catalog::launch_for(*kernel, {48, 64, 48, 1.0f, 0.0f}, {}));
}

TEST_F(OwnKernels, AProgramThatChecksWithEigenRuns) {
  const Ran ran = run("checked_with_eigen.cu", {40, 33, 20, 1.5f, 0.25f});
  expect_right(ran, true);
  EXPECT_EQ(ran.compiled->launch.grid, (std::array<uint32_t, 3>{3, 3, 1}));
}

TEST_F(OwnKernels, ALaunchThroughAStructIsReadAndATransposedFactorFound) {
  const Ran square = run("launched_through_a_struct.cu", {24, 24, 24, 1.0f, 0.0f});
  ASSERT_NE(square.grid, nullptr);
  EXPECT_GT(square.grid->verification.wrong_elements, 500u);
  EXPECT_NE(square.grid->verification.hint.find("B column-major"), std::string::npos)
      << square.grid->verification.hint;
  catalog::Overrides given;
  for (const char* p : {"scalar=M", "scalar=N", "scalar=K", "matrix=A", "matrix=B,order=column", "matrix=C"})
    given.parameters.push_back(*catalog::parse_parameter(p));
  const Ran ran = run("launched_through_a_struct.cu", {21, 34, 13, 1.0f, 0.0f}, given);
  expect_right(ran, true);
  EXPECT_EQ(ran.compiled->launch.grid, (std::array<uint32_t, 3>{5, 3, 1}));
}

TEST_F(OwnKernels, ElementsThatNobodyWroteAreReported) {
  const Ran ran =
      run("launched_through_a_struct.cu", {24, 24, 24, 1.0f, 0.0f}, launch({"8", "8"}, {"3", "2"}));
  ASSERT_NE(ran.grid, nullptr);
  EXPECT_NE(ran.grid->verification.hint.find("192 of them"), std::string::npos)
      << ran.grid->verification.hint;
}

TEST_F(OwnKernels, AKernelThatIsNoGemmIsExecutedAndNotVerified) {
  const Ran ran = run("transpose.cu", {64, 32, 1, 1.0f, 0.0f});
  ASSERT_NE(ran.grid, nullptr);
  EXPECT_FALSE(ran.grid->verification.checked());
  EXPECT_GT(ran.grid->counters.executed.warps.size(), 0u);
  EXPECT_GT(ran.grid->summary.traffic.shared_load.excess_wavefronts(), 0u)
      << "a column of 32 words conflicts";
}

TEST_F(OwnKernels, ARowMajorKernelDeclaredColumnMajorIsReported) {
  catalog::Overrides given;
  given.column_major = true;
  const Ran ran = run("naive_blas_order.cu", {32, 32, 32, 1.0f, 0.0f}, given);
  ASSERT_NE(ran.grid, nullptr);
  EXPECT_GT(ran.grid->verification.wrong_elements, 900u);
  EXPECT_NE(ran.grid->verification.hint.find("row-major"), std::string::npos) << ran.grid->verification.hint;
}

TEST_F(OwnKernels, AParameterOfAnotherSizeIsNamed) {
  catalog::Overrides given;
  for (const char* text : {"name=in,buffer=M * N", "name=out,buffer=M * N", "name=rows,scalar=M,type=int64",
                           "name=columns,scalar=N"})
    given.parameters.push_back(*catalog::parse_parameter(text));
  const auto kernel = own_kernel::open_kernel(kKernels / "transpose.cu", given);
  ASSERT_TRUE(kernel);
  const auto compiled = compile_kernel(*kernel, experiment_on(kernel->id, isa::Arch::sm_86, {64, 64, 64}));
  ASSERT_FALSE(compiled);
  EXPECT_NE(compiled.error().message.find("parameter 3"), std::string::npos) << compiled.error().message;
}

TEST_F(OwnKernels, AnIncludedKernelIsFoundAndItsHostCodeLeftOut) {
  const Ran ran = run("kernel_in_header.cu", {64, 64, 64, 1.0f, 0.0f});
  expect_right(ran, true);
  EXPECT_EQ(ran.compiled->kernel.entry, "tiled<16>");
}

TEST_F(OwnKernels, MacrosOfAHeaderLaunchAndBranchesThatAreOffDoNot) {
  const Ran ran = run("launched_by_macros.cu", {37, 50, 19, 1.0f, 0.0f});
  expect_right(ran, true);
  EXPECT_EQ(ran.compiled->kernel.entry, "product_16x32<8>");
  EXPECT_EQ(ran.compiled->launch.block, (std::array<uint32_t, 3>{32, 16, 1}));
  EXPECT_EQ(ran.compiled->launch.grid, (std::array<uint32_t, 3>{2, 3, 1}));
}

TEST_F(OwnKernels, ALaunchThroughTheRuntimeIsReadAndItsClassLeftOut) {
  const Ran ran = run("launched_by_the_runtime.cu", {21, 50, 35, 1.0f, 0.0f});
  expect_right(ran, true);
  EXPECT_EQ(ran.compiled->kernel.entry, "demo::in_shared_memory<8, 32, 16>");
  EXPECT_EQ(ran.compiled->launch.block, (std::array<uint32_t, 3>{32, 8, 1}));
  EXPECT_EQ(ran.compiled->launch.grid, (std::array<uint32_t, 3>{2, 3, 1}));
  EXPECT_EQ(ran.compiled->launch.dynamic_shared_bytes, 40u * 16 * 4);
}

TEST_F(OwnKernels, AKernelThatABenchmarkTakesIsFound) {
  const Ran ran = run("timed_by_a_function.cu", {21, 50, 35, 1.0f, 0.0f});
  expect_right(ran, true);
  EXPECT_EQ(ran.compiled->kernel.entry, "one_element_each<96>");
  EXPECT_EQ(ran.compiled->launch.grid, (std::array<uint32_t, 3>{11, 1, 1}));
}

// The test changes the file as the message about a structure says, and nothing else.
TEST_F(OwnKernels, AStructureIsPassedAsTheMessageSays) {
  const std::filesystem::path path = std::filesystem::path(testing::TempDir()) / "structure.cu";
  std::string source =
      "typedef struct { int width, height; float *elements; } Matrix;\n"
      "__global__ void product(const Matrix A, const Matrix B, Matrix C) {\n"
      "  const int row = blockIdx.y * blockDim.y + threadIdx.y, column = blockIdx.x * blockDim.x + "
      "threadIdx.x;\n"
      "  if (row >= A.height || column >= B.width) return;\n"
      "  float sum = 0;\n"
      "  for (int k = 0; k < A.width; ++k) sum += A.elements[row * A.width + k] * B.elements[k * B.width + "
      "column];\n"
      "  C.elements[row * C.width + column] = sum;\n}\n"
      "void host(const Matrix d_A, const Matrix d_B, Matrix d_C) {\n"
      "  dim3 threads(16, 8), blocks((d_B.width + 15) / 16, (d_A.height + 7) / 8);\n"
      "  product<<<blocks, threads>>>(d_A, d_B, d_C);\n}\n";
  const auto open = [&] {
    std::ofstream(path) << source;
    return own_kernel::open_kernel(path);
  };
  const auto refused = open();
  ASSERT_FALSE(refused);
  const std::string& message = refused.error().message;
  const auto part = [&](const std::string& first, const std::string& last) {
    const size_t begin = message.find(first), end = message.find(last, begin);
    return begin == std::string::npos || end == std::string::npos ? "" : message.substr(begin, end - begin);
  };
  const std::string plain = part("__global__ void product_plain", "and write"),
                    lines = part("//! entry", "or on");
  ASSERT_FALSE(plain.empty() || lines.empty()) << message;
  source.replace(source.find("__global__"), 10, "__device__");
  source = lines + source + plain;
  const auto kernel = open();
  std::filesystem::remove(path);
  ASSERT_TRUE(kernel) << kernel.error().message;
  const Experiment e = experiment_on(kernel->id, isa::Arch::sm_86, {21, 50, 35, 1.0f, 0.0f});
  const auto compiled = compile_kernel(*kernel, e);
  ASSERT_TRUE(compiled) << compiled.error().message;
  EXPECT_EQ((*compiled)->launch.block, (std::array<uint32_t, 3>{16, 8, 1}));
  const auto grid = run_whole_grid(*compiled, e, {});
  ASSERT_TRUE(grid) << grid.error().message;
  expect_right({*compiled, *grid}, true);
}

// ---- data, compared with the definition

TEST(DeclaredData, EveryFillIsWhatItsNameSays) {
  catalog::Kernel kernel;
  for (const char* text :
       {"name=a,buffer=7,type=float16,fill=iota", "name=b,buffer=M * 100,type=uint8,below=3",
        "name=c,buffer=5,type=float64,fill=zero", "name=d,buffer=4,fill=uninitialised",
        "name=e,buffer=1000,type=int16", "name=f,scalar=-2.5,type=float32",
        "name=g,scalar=ceil_div(N,K),type=int64"}) {
    const auto p = catalog::parse_parameter(text);
    ASSERT_TRUE(p) << p.error().message;
    kernel.parameters.push_back(*p);
  }
  auto data = make_problem_data(kernel, {3, 10, 4, 1.0f, 0.0f}, {});
  ASSERT_TRUE(data) << data.error().message;
  EXPECT_FALSE(data->layout.is_gemm());
  const auto at = [&](const char* name, catalog::ElementType type, uint64_t i) {
    return element_value(data->memory.bytes(std::string("parameter ") + name), type, i);
  };
  using enum catalog::ElementType;
  std::array<int, 3> drawn{};
  for (uint64_t i = 0; i < 300; ++i) {
    const double value = at("b", uint8, i);
    ASSERT_LT(value, 3);
    ++drawn[static_cast<size_t>(value)];
  }
  for (const int count : drawn) EXPECT_GT(count, 60);
  for (uint64_t i = 0; i < 7; ++i) EXPECT_EQ(at("a", float16, i), static_cast<double>(i));
  for (uint64_t i = 0; i < 5; ++i) EXPECT_EQ(at("c", float64, i), 0.0);
  for (uint64_t i = 0; i < 4; ++i) EXPECT_TRUE(std::isnan(at("d", float32, i)));
  double least = 0, most = 0;
  for (uint64_t i = 0; i < 1000; ++i)
    least = std::min(least, at("e", int16, i)), most = std::max(most, at("e", int16, i));
  EXPECT_EQ(least, -8);
  EXPECT_EQ(most, 7);
  EXPECT_EQ(element_value(data->arguments[5], float32, 0), -2.5);
  EXPECT_EQ(element_value(data->arguments[6], int64, 0), 3);
}

TEST(DeclaredData, AScalarThatDoesNotFitIsAnError) {
  for (const char* text : {"name=x,scalar=300,type=int8", "name=x,scalar=0 - 1,type=uint32",
                           "name=x,scalar=0.5,type=int32", "name=x,buffer=M - 3"}) {
    catalog::Kernel kernel;
    kernel.parameters.push_back(*catalog::parse_parameter(text));
    EXPECT_FALSE(make_problem_data(kernel, {3, 3, 3, 1.0f, 0.0f}, {})) << text;
  }
}

}  // namespace
}  // namespace gemmscope::experiment
