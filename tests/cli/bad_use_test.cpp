// A wrong command line exits with 2, a failure with 1. The reason is on stderr, and stdout stays empty.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "command.h"

namespace gemmscope::cli {
namespace {

using Words = std::vector<std::string>;

struct Case {
  const char* name;
  Words arguments;
  std::string part;  // of the message
};
void PrintTo(const Case& c, std::ostream* out) { *out << c.name; }
std::string case_name(const testing::TestParamInfo<Case>& test) { return test.param.name; }

class BadUse : public testing::TestWithParam<Case> {};
INSTANTIATE_TEST_SUITE_P(
    CommandLines, BadUse,
    testing::Values(
        Case{"unknown_command", {"fly"}, "fly"}, Case{"unknown_option", {"run", "--speed"}, "--speed"},
        Case{"unknown_kernel", {"run", "99_warp_drive"}, "99_warp_drive"},
        Case{"two_kernels", {"run", "01_naive_rows", "07_register_tile"}, "07_register_tile"},
        Case{"unknown_arch", {"run", "--arch", "sm_70"}, "sm_70"},
        Case{"arch_is_text", {"disasm", "--arch", "hopper"}, "hopper"},
        Case{"size_zero", {"run", "01_naive_rows", "--m", "0"}, "M"},
        Case{"size_negative", {"counters", "01_naive_rows", "--n", "-4"}, "N"},
        Case{
            "beta_infinite", {"run", "01_naive_rows", "--beta", "-inf"}, "beta is -inf; it must be a finite"},
        Case{"alpha_not_a_number", {"counters", "01_naive_rows", "--alpha=nan"}, "alpha is nan; it must be"},
        Case{"beta_beyond_float", {"time", "01_naive_rows", "--beta", "1e400"}, "beta is inf; it must be"},
        Case{"size_is_text", {"run", "--k", "many"}, "many"},
        Case{"size_beyond_64_bits", {"run", "--k", "99999999999999999999"}, "--k: 99999999999999999999 is"},
        Case{"size_with_exponent",
             {"run", "--m", "1e9"},
             "--m: expected a whole number, such as 256, not 1e9"},
        Case{"size_is_a_fraction", {"--n", "1.5"}, "--n: expected a whole number, such as 256, not 1.5"},
        Case{"alpha_is_text", {"run", "--alpha", "one"}, "--alpha: expected a number, such as 0.5, not one"},
        Case{"too_many_elements", {"run", "01_naive_rows", "--m", "65536", "--n", "65536"}, "C"},
        Case{"product_overflows", {"banks", "01_naive_rows", "--m", "4611686018427387904", "--k", "4"}, "A"},
        Case{"unknown_toggle", {"run", "01_naive_rows", "--toggle", "TURBO=1"}, "TURBO"},
        Case{"illegal_toggle_value", {"run", "09_conflict_free", "--toggle", "LAYOUT=7"}, "LAYOUT"},
        Case{"toggle_without_value", {"run", "09_conflict_free", "--toggle", "LAYOUT"}, "NAME=VALUE"},
        Case{"toggle_is_no_number", {"run", "09_conflict_free", "--toggle", "LAYOUT=yes"}, "yes"},
        Case{
            "occupancy_of_unknown_capability", {"occupancy", "--cc", "9.9"}, "--cc 9.9: expected one of 1.0"},
        Case{"occupancy_of_many_registers", {"occupancy", "--registers", "many"}, "--registers"},
        Case{"occupancy_of_no_threads", {"occupancy", "--threads", "0"}, "--threads"},
        Case{"occupancy_of_unknown_preset", {"occupancy", "--preset", "c2050"}, "--presets lists them"},
        Case{
            "occupancy_toggle_without_kernel", {"occupancy", "--toggle", "PAD=1"}, "--toggle needs a KERNEL"},
        Case{"occupancy_of_kernel_and_preset",
             {"occupancy", "01_naive_rows", "--preset", "c2050_21"},
             "exclude each other"},
        Case{"block_outside", {"banks", "01_naive_rows", "--block", "16", "0"}, "16"},
        Case{"block_is_negative", {"banks", "01_naive_rows", "--block", "-1"}, "-1"},
        Case{"block_of_four", {"banks", "--block", "0", "0", "0", "0", "--k", "8"}, "--block"}),
    case_name);

TEST_P(BadUse, GivesTwoAndTheReason) {
  const Case& c = GetParam();
  const CommandResult result = run_command(c.arguments);
  EXPECT_EQ(result.exit_code, 2) << result.err;
  EXPECT_EQ(result.out, "");
  EXPECT_NE(result.err.find(c.part), std::string::npos) << result.err;
  EXPECT_LE(std::count(result.err.begin(), result.err.end(), '\n'), 2)
      << "a sentence, and where there is help: " << result.err;
}

// Returns a kernel file in which `change` has edited the first lines.
std::string kernel_text(const std::string& from, const std::string& to) {
  std::string text = R"(//! title = "A test"
//! entry = "test"
//! block = ["32", "1", "1"]
//! grid = ["1", "1", "1"]
//! shared = "0"
//! changed = "x"
//! why = "x"
//! look_at = "x"
//! [tile]
//! block_m = 1
//! block_n = 1
//! block_k = 1
//! warp_m = 1
//! warp_n = 1
//! thread_m = 1
//! thread_n = 1
extern "C" __global__ void test(const float* A, const float* B, float* C, float alpha, float beta, int M, int N, int K) {
  for (int i = threadIdx.x; i < M * N; i += 32) {
    float sum = 0;
    for (int k = 0; k < K; ++k) sum += A[i / N * K + k] * B[k * N + i % N];
    C[i] = alpha * sum;
  }
}
)";
  if (!from.empty()) text.replace(text.find(from), from.size(), to);
  return text;
}

void expect_failure(const CommandResult& result, const Words& parts) {
  EXPECT_EQ(result.exit_code, 1) << result.err;
  EXPECT_EQ(result.out, "");
  for (const std::string& part : parts)
    EXPECT_NE(result.err.find(part), std::string::npos) << part << " is not in: " << result.err;
}

bool has_nvrtc() {
  const TemporaryFile kernel("fine.cu", kernel_text("", ""));
  return run_command({"disasm", kernel.path(), "--m", "4", "--n", "4", "--k", "4"}).exit_code == 0;
}

TEST(OldName, IsAnsweredWithTheNewOne) {
  const CommandResult result =
      run_command({"counters", "99_naive_rows", "--m", "16", "--n", "16", "--k", "16"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.err, "gemmscope: 99_naive_rows is now 01_naive_rows\n");
  for (const char* option : {"--only", "--also"}) {
    const CommandResult record = run_command({"record", option, "99_naive_rows"});
    EXPECT_EQ(record.exit_code, 2);
    EXPECT_NE(record.err.find("99_naive_rows is now 01_naive_rows"), std::string::npos) << record.err;
  }
}

TEST(Failure, AMissingKernelFile) {
  expect_failure(run_command({"run", "nowhere/kernel.cu"}), {"nowhere/kernel.cu"});
}

TEST(Failure, AMalformedKernelFile) {
  const TemporaryFile kernel("broken.cu", kernel_text("entry = \"test\"", "entry = 5"));
  expect_failure(run_command({"run", kernel.path()}), {"broken.cu:2", "entry"});
  for (const auto& file : std::filesystem::directory_iterator(GEMMSCOPE_TEST_DATA "/catalog/malformed"))
    expect_failure(run_command({"disasm", file.path().string()}), {file.path().filename().string()});
}

TEST(Failure, AKernelThatDoesNotCompile) {
  if (!has_nvrtc()) GTEST_SKIP() << "there is no NVRTC";
  const TemporaryFile kernel("broken.cu", kernel_text("float sum = 0;", "float sum = nonsense;"));
  expect_failure(run_command({"run", kernel.path()}), {"broken.cu", "nonsense", ":19:"});
}

TEST(Failure, AKernelThatFaults) {
  if (!has_nvrtc()) GTEST_SKIP() << "there is no NVRTC";
  const TemporaryFile kernel("stray.cu", kernel_text("C[i] =", "C[i + 1] ="));
  expect_failure(run_command({"run", kernel.path(), "--m", "8", "--n", "4", "--k", "4"}),
                 {"stray.cu:21: ", "STG.E", "past the end of C", "block (0, 0, 0), warp 0, lane 31"});
}

// What the checks found before the fault is reported too.
TEST(Failure, AKernelThatReadsGarbageAndThenFaults) {
  if (!has_nvrtc()) GTEST_SKIP() << "there is no NVRTC";
  const TemporaryFile kernel(
      "garbage.cu", kernel_text("C[i] =",
                                "__shared__ float hole[32]; if (i != 5) hole[i] = 0.0f; __syncthreads(); "
                                "C[i + 1] = hole[31 - i] +"));
  const std::vector<std::string> arguments = {"run", kernel.path(), "--m", "8", "--n", "4", "--k", "4"};
  const CommandResult text = run_command(arguments);
  EXPECT_EQ(text.exit_code, 1);
  for (const char* part : {"past the end of C", "MISTAKES of the kernel", "garbage.cu:21: LDS",
                           "to which no thread of the block has written", "warp 0, lane 26"})
    EXPECT_NE(text.err.find(part), std::string::npos) << part << " is not in: " << text.err;
  std::vector<std::string> as_json = arguments;
  as_json.emplace_back("--json");
  const CommandResult result = run_command(as_json);
  EXPECT_EQ(result.exit_code, 1);
  const auto json = nlohmann::json::parse(result.out);
  EXPECT_EQ(json["fault"]["lane"], 31);
  ASSERT_EQ(json["findings"].size(), 1u);
  EXPECT_EQ(json["findings"][0]["kind"], "uninitialised_shared");
  EXPECT_EQ(json["findings"][0]["lane"], 26);
}

// The kernel runs, so the report is printed. The text, the JSON and the exit code all say that the result is
// wrong.
TEST(Failure, AKernelThatComputesSomethingElse) {
  if (!has_nvrtc()) GTEST_SKIP() << "there is no NVRTC";
  const TemporaryFile kernel("wrong.cu", kernel_text("alpha * sum", "alpha * sum * 1.001f"));
  const CommandResult text = run_command({"run", kernel.path(), "--m", "8", "--n", "4", "--k", "4"});
  EXPECT_EQ(text.exit_code, 1);
  EXPECT_NE(text.out.find("C is WRONG: 32 elements"), std::string::npos) << text.out;
  const CommandResult json_text =
      run_command({"run", kernel.path(), "--m", "8", "--n", "4", "--k", "4", "--json"});
  EXPECT_EQ(json_text.exit_code, 1);
  EXPECT_EQ(nlohmann::json::parse(json_text.out)["verification"]["wrong_elements"], 32);
}

TEST(Failure, AMissingFileOfRows) {
  expect_failure(run_command({"disasm", "--vectors", "nowhere.csv"}), {"nowhere.csv"});
  expect_failure(run_command({"banks", "--patterns", "nowhere.csv"}), {"nowhere.csv"});
}

TEST(Failure, AMalformedVectorIsNamedAndTheOthersAreDecoded) {
  const std::string good = "86,0x0,0x00000a00ff017624,0x000fe400078e00ff\n";
  const std::string text = "IMAD.MOV.U32 R1, RZ, RZ, c[0x0][0x28] ;\n";
  for (const auto& [row, part] :
       {std::pair("86,0x0,0x1", "lo,hi"), {"70,0,1,2", "70"}, {"86,zero,1,2", "hexadecimal"}}) {
    const TemporaryFile rows("rows.csv", good + row + "\n" + good);
    const CommandResult result = run_command({"disasm", "--vectors", rows.path()});
    EXPECT_EQ(result.exit_code, 1);
    EXPECT_EQ(result.out, text + "\n" + text);
    EXPECT_NE(result.err.find("rows.csv:2: "), std::string::npos) << result.err;
    EXPECT_NE(result.err.find(part), std::string::npos) << result.err;
    EXPECT_EQ(run_command({"disasm", "--vectors", rows.path(), "--json"}).exit_code, 1);
  }
}

// The rows before the malformed one are not printed either.
TEST(Failure, AMalformedPatternIsNamed) {
  std::string words;
  for (int l = 0; l < 32; ++l) words += fmt::format(",{}", l);
  for (const auto& [row, part] : {std::pair(std::string("lds,1,ffffffff,0,0,1,2,3"), "found 8 fields"),
                                  {"ldx,1,ffffffff,0,0" + words, "ldx"},
                                  {"lds,3,ffffffff,0,0" + words, "width \"3\""},
                                  {"lds,1,fffffffff,0,0" + words, "fffffffff"},
                                  {"lds,1,ffffffff,0,0" + words + "x", "31x"}}) {
    const TemporaryFile rows("rows.csv", row + "\n");
    expect_failure(run_command({"banks", "--patterns", rows.path()}), {"rows.csv:1: ", part});
  }
}

}  // namespace
}  // namespace gemmscope::cli
