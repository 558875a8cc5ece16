// Tests each headless command, as text and as JSON, against results worked out by hand.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "command.h"

namespace gemmscope::cli {
namespace {

using nlohmann::json;

// Expects success and an empty stderr.
CommandResult fine(const std::vector<std::string>& arguments) {
  CommandResult result = run_command(arguments);
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.err, "");
  return result;
}
bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}
size_t line_count(const std::string& text) {
  return static_cast<size_t>(std::count(text.begin(), text.end(), '\n'));
}
void expect_keys(const json& object, const std::vector<std::string>& keys) {
  for (const std::string& key : keys)
    EXPECT_TRUE(object.contains(key)) << key << " is missing in " << object.dump();
}

TEST(Kernels, AreListed) {
  const CommandResult text = fine({"kernels"});
  for (const char* id : {"01_naive_rows", "07_register_tile", "11_prefetch"})
    EXPECT_TRUE(contains(text.out, id));
  const json list = json_of(fine({"kernels", "--json"}));
  ASSERT_GE(list.size(), 15u);
  for (const json& kernel : list)
    expect_keys(kernel, {"id", "title", "entry", "changed", "why", "look_at", "toggles"});
  EXPECT_EQ(list[0]["id"], "01_naive_rows");
  EXPECT_EQ(list[0]["toggles"], json::array());
  EXPECT_EQ(list[8]["id"], "09_conflict_free");
  ASSERT_EQ(list[8]["toggles"].size(), 1u);
  EXPECT_EQ(list[8]["toggles"][0]["name"], "LAYOUT");
  EXPECT_EQ(list[8]["toggles"][0]["values"], json({0, 1, 2}));
}

TEST(Run, SaysThatCIsRight) {
  const CommandResult text = fine({"run", "07_register_tile", "--m", "40", "--n", "36", "--k", "20"});
  EXPECT_TRUE(contains(text.out, "C is right"));
  EXPECT_TRUE(contains(text.out, "M 40 N 36 K 20"));
  const json result = json_of(fine({"run", "07_register_tile", "--m", "40", "--n", "36", "--k", "20",
                                    "--alpha", "1.25", "--beta", "0.5", "--arch", "sm_90", "--json"}));
  expect_keys(result, {"experiment", "resources", "verification", "warp_instructions", "execute_seconds"});
  expect_keys(result["resources"], {"registers", "barriers", "static_shared_bytes", "spill_store_bytes"});
  EXPECT_EQ(result["verification"]["right"], true);
  EXPECT_EQ(result["verification"]["wrong_elements"], 0);
  EXPECT_EQ(result["experiment"]["m"], 40);
  EXPECT_EQ(result["experiment"]["arch"], "sm_90");
  EXPECT_EQ(result["experiment"]["beta"], 0.5);
  EXPECT_EQ(result["resources"]["static_shared_bytes"], 2 * 128 * 16 * 4);
}

// The kernel reads shared memory before anything is written to it. It is right on a machine that starts with
// zeroes, and wrong on a GPU.
TEST(Run, MistakesHaveAnExitStatusOfTheirOwn) {
  const TemporaryFile kernel("reads_unset.cu", R"cuda(//! title   = "Reads what nobody wrote"
//! entry   = "reads_unset"
//! block   = ["32", "1", "1"]
//! grid    = ["ceil_div(N, 32)", "M", "1"]
//! shared  = "0"
extern "C" __global__ void reads_unset(const float* A, const float* B, float* C, float alpha, float beta, int M,
                                       int N, int K) {
    __shared__ float unset[32];
    const int column = blockIdx.x * 32 + threadIdx.x, row = blockIdx.y;
    if (K < 0) unset[threadIdx.x] = 1;
    const float old = unset[31 - threadIdx.x];
    if (column >= N) return;
    float sum = 0;
    for (int k = 0; k < K; ++k) sum += A[row * K + k] * B[k * N + column];
    C[row * N + column] = alpha * sum + beta * C[row * N + column] + (old == 1 ? old : 0);
}
)cuda");
  const std::vector<std::string> arguments = {"run", kernel.path(), "--m", "4", "--n", "40", "--k", "3"};
  const CommandResult wrong = run_command(arguments);
  if (contains(wrong.err, "NVRTC")) GTEST_SKIP() << wrong.err;
  EXPECT_EQ(wrong.exit_code, 3) << wrong.out << wrong.err;
  EXPECT_TRUE(contains(wrong.out, "C is right")) << wrong.out;
  EXPECT_TRUE(contains(wrong.out, "MISTAKES of the kernel")) << wrong.out;
  EXPECT_TRUE(contains(wrong.out, "  reads_unset.cu:11: ")) << wrong.out;
  std::vector<std::string> as_json = arguments;
  as_json.push_back("--json");
  const json result = json::parse(run_command(as_json).out);
  ASSERT_EQ(result["findings"].size(), 1u);
  EXPECT_EQ(result["findings"][0]["kind"], "uninitialised_shared");
  EXPECT_FALSE(contains(fine({"run", "01_naive_rows", "--m", "4"}).out, "MISTAKES"));
  EXPECT_TRUE(contains(fine({"run", "--help"}).out, "3 C is right"));
}

// The shown launch makes no mistakes. The other launch's mistakes are reported with its title, because its
// code is not shown.
TEST(Run, MistakesOfALaunchThatIsNotShownAreReported) {
  const TemporaryFile kernel("two_launches.cu", R"cuda(//! title   = "Two launches"
//! [[launches]]
//! title = "the product"
//! entry = "product"
//! block = ["32", "1", "1"]
//! grid  = ["ceil_div(N, 32)", "M", "1"]
//! [[launches]]
//! title = "the careless copy"
//! entry = "careless"
//! block = ["32", "1", "1"]
//! grid  = ["1", "1", "1"]
extern "C" __global__ void product(const float* A, const float* B, float* C, float alpha, float beta, int M, int N,
                                   int K) {
    const int column = blockIdx.x * 32 + threadIdx.x, row = blockIdx.y;
    if (column >= N) return;
    float sum = 0;
    for (int k = 0; k < K; ++k) sum += A[row * K + k] * B[k * N + column];
    C[row * N + column] = alpha * sum + beta * C[row * N + column];
}
extern "C" __global__ void careless(const float* A, const float* B, float* C, float alpha, float beta, int M, int N,
                                    int K) {
    __shared__ float unset[32];
    if (K < 0) unset[threadIdx.x] = 1;
    if (unset[31 - threadIdx.x] == 1) C[0] = 0;
}
)cuda");
  std::vector<std::string> arguments = {"run", kernel.path(), "--m", "4", "--n", "40", "--k", "3"};
  const CommandResult text = run_command(arguments);
  if (contains(text.err, "NVRTC")) GTEST_SKIP() << text.err;
  EXPECT_EQ(text.exit_code, 3) << text.out << text.err;
  EXPECT_TRUE(contains(text.out, "  in the launch \"the careless copy\": two_launches.cu:24: ")) << text.out;
  arguments.push_back("--json");
  const json result = json::parse(run_command(arguments).out);
  ASSERT_EQ(result["findings"].size(), 1u);
  EXPECT_EQ(result["findings"][0]["launch"], "the careless copy");
  EXPECT_EQ(result["findings"][0]["place"], "two_launches.cu:24");
  arguments.insert(arguments.end(), {"--launch", "2"});
  EXPECT_EQ(json::parse(run_command(arguments).out)["findings"][0]["launch"], "the careless copy");
}

// The third launch faults. The mistakes of the first and the third before that are reported, although neither
// is shown.
TEST(Run, MistakesBeforeAFaultOfAnotherLaunchAreReported) {
  const TemporaryFile kernel("then_faults.cu", R"cuda(//! title   = "Three launches"
//! parameters = [{ name = "C", matrix = "C" }]
//! [[launches]]
//! title = "careless"
//! entry = "careless"
//! block = [32]
//! grid  = [1]
//! [[launches]]
//! title = "shown"
//! entry = "shown"
//! block = [32]
//! grid  = [1]
//! [[launches]]
//! title = "last"
//! entry = "last"
//! block = [32]
//! grid  = [1]
extern "C" __global__ void careless(float* C) {
    __shared__ float unset[32];
    if (C == nullptr) unset[threadIdx.x] = 1;
    if (unset[31 - threadIdx.x] == 1) C[0] = 0;
}
extern "C" __global__ void shown(float* C) { C[threadIdx.x] = 1; }
extern "C" __global__ void last(float* C) {
    __shared__ float unset[64];
    if (C == nullptr) unset[threadIdx.x] = 1;
    C[(unset[63 - threadIdx.x] == 1 ? 0 : 100000) + threadIdx.x] = 1;
}
)cuda");
  std::vector<std::string> arguments = {"run", kernel.path(), "--m", "4",        "--n",
                                        "8",   "--k",         "4",   "--launch", "2"};
  const CommandResult text = run_command(arguments);
  if (contains(text.err, "NVRTC")) GTEST_SKIP() << text.err;
  EXPECT_EQ(text.exit_code, 1) << text.out << text.err;
  for (const char* part :
       {"gemmscope: in the launch \"last\": ", "MISTAKES of the kernel",
        "  in the launch \"careless\": then_faults.cu:21: ", "  in the launch \"last\": then_faults.cu:27: "})
    EXPECT_TRUE(contains(text.err, part)) << part << " is not in: " << text.err;
  arguments.emplace_back("--json");
  const json result = json::parse(run_command(arguments).out);
  EXPECT_TRUE(result["fault"].is_null());
  ASSERT_EQ(result["findings"].size(), 2u);
  EXPECT_EQ(result["findings"][1]["launch"], "last");
}

// The shown launch makes a mistake, and another launch, which makes none, faults.
TEST(Run, MistakesOfTheShownLaunchAreReportedWhereAnotherFaults) {
  const TemporaryFile kernel("another_faults.cu", R"cuda(//! title   = "Two launches"
//! parameters = [{ name = "C", matrix = "C" }]
//! [[launches]]
//! title = "careless"
//! entry = "careless"
//! block = [32]
//! grid  = [1]
//! [[launches]]
//! title = "outside"
//! entry = "outside"
//! block = [32]
//! grid  = [1]
extern "C" __global__ void careless(float* C) {
    __shared__ float unset[32];
    if (C == nullptr) unset[threadIdx.x] = 1;
    C[threadIdx.x] = unset[31 - threadIdx.x];
}
extern "C" __global__ void outside(float* C) { C[threadIdx.x + 100000] = 1; }
)cuda");
  std::vector<std::string> arguments = {"run", kernel.path(), "--m", "4",        "--n",
                                        "8",   "--k",         "4",   "--launch", "1"};
  const CommandResult text = run_command(arguments);
  if (contains(text.err, "NVRTC")) GTEST_SKIP() << text.err;
  EXPECT_EQ(text.exit_code, 1) << text.out << text.err;
  for (const char* part :
       {"gemmscope: in the launch \"outside\": ", "MISTAKES of the kernel", "  another_faults.cu:16: LDS"})
    EXPECT_TRUE(contains(text.err, part)) << part << " is not in: " << text.err;
  arguments.emplace_back("--json");
  const json result = json::parse(run_command(arguments).out);
  EXPECT_TRUE(result["fault"].is_null());
  ASSERT_EQ(result["findings"].size(), 1u);
  EXPECT_EQ(result["findings"][0]["launch"], "careless");
}

// What textbooks write: sizes as members of types, aliases of them as template arguments, vectors and
// matrices as classes, a product of matrices in an unnamed namespace, and the launch in a function of the
// host. Opens unaided.
TEST(Run, OpensAFileWhoseSizesAreTypes) {
  const TemporaryFile kernel("shapes.cu", R"cuda(
namespace parts {
template <int rows_, int columns_, int depth_ = 1>
struct Shape {
  static constexpr int rows = rows_, columns = columns_;
  static constexpr int depth = depth_;
};
struct __builtin_align__(16) Quad {
  float at[4];
  __host__ __device__ float operator[](unsigned i) const { return at[i]; }
  __host__ __device__ float& operator[](unsigned i) { return at[i]; }
  __host__ __device__ Quad operator*(float s) const { return {at[0] * s, at[1] * s, at[2] * s, at[3] * s}; }
  __host__ __device__ Quad operator+(const Quad& o) const {
    return {at[0] + o.at[0], at[1] + o.at[1], at[2] + o.at[2], at[3] + o.at[3]};
  }
};
template <typename T>
class View {
 public:
  template <typename From>
  __device__ View(From&& from, unsigned rows, unsigned columns)
      : data_{reinterpret_cast<T*>(from)}, rows_{rows}, columns_{columns} {}
  __device__ void move(int row, int column) { row_ += row, column_ += column; }
  __device__ bool holds(int row, int column) const { return row_ + row < rows_ && column_ + column < columns_; }
  __device__ T& operator()(int row, int column) const {
    return data_[(row_ + row) * columns_ + column_ + column];
  }

 private:
  T* const data_;
  const unsigned rows_, columns_;
  unsigned row_{0}, column_{0};
};
}  // namespace parts

namespace {
template <typename Tile, typename Block, typename Thread>
__global__ void product(const float* __restrict__ A, const float* __restrict__ B, float* __restrict__ C,
                        float alpha, float beta, unsigned M, unsigned N, unsigned K) {
  constexpr unsigned ratio = sizeof(parts::Quad) / sizeof(float);
  using Quads = parts::Shape<Thread::rows, Thread::columns / ratio>;
  __shared__ parts::Quad tile[Tile::depth][Tile::columns / ratio];
  const unsigned row = threadIdx.x / Block::columns * Thread::rows;
  const unsigned column = threadIdx.x % Block::columns * Quads::columns;
  parts::View<const float> a{A, M, K};
  a.move(Tile::rows * blockIdx.y + row, 0);
  parts::View<const parts::Quad> b{B, K, N / ratio};
  b.move(0, Tile::columns / ratio * blockIdx.x);
  parts::View<parts::Quad> c{C, M, N / ratio};
  c.move(Tile::rows * blockIdx.y + row, Tile::columns / ratio * blockIdx.x + column);
  parts::Quad sums[Thread::rows][Quads::columns];
  memset(sums, 0, sizeof(sums));
  for (unsigned first = 0; first < K; first += Tile::depth) {
    for (unsigned i = threadIdx.x; i < Tile::depth * Tile::columns / ratio; i += Block::rows * Block::columns) {
      const unsigned k = i / (Tile::columns / ratio), j = i % (Tile::columns / ratio);
      tile[k][j] = b.holds(first + k, j) ? b(first + k, j) : parts::Quad{};
    }
    __syncthreads();
    for (unsigned k = 0; k < Tile::depth; ++k)
#pragma unroll
      for (unsigned i = 0; i < Thread::rows; ++i)
#pragma unroll
        for (unsigned j = 0; j < Quads::columns; ++j)
          if (a.holds(i, first + k)) sums[i][j] = sums[i][j] + tile[k][column + j] * a(i, first + k);
    __syncthreads();
  }
  for (auto& of_row : sums)
    for (auto& sum : of_row) sum = sum * alpha;
#pragma unroll
  for (unsigned i = 0; i < Thread::rows; ++i)
#pragma unroll
    for (unsigned j = 0; j < Quads::columns; ++j) {
      if (!c.holds(i, j)) continue;
      if (beta != 0) sums[i][j] = sums[i][j] + c(i, j) * beta;
      c(i, j) = sums[i][j];
    }
}
}  // namespace

void multiply(const float* deviceA, const float* deviceB, float* deviceC, float alpha, float beta, unsigned M,
              unsigned N, unsigned K) {
  using Tile = parts::Shape<32, 64, 8>;
  using Block = parts::Shape<16, 8>;
  using Thread = parts::Shape<2, 8>;
  dim3 block(Block::rows * Block::columns);
  dim3 grid((N - 1) / Tile::columns + 1, (M - 1) / Tile::rows + 1);
  product<Tile, Block, Thread><<<grid, block>>>(deviceA, deviceB, deviceC, alpha, beta, M, N, K);
}
)cuda");
  const std::vector<std::string> arguments = {"run", kernel.path(), "--m", "70",     "--n",
                                              "132", "--k",         "20",  "--beta", "0.5"};
  const CommandResult ran = run_command(arguments);
  if (contains(ran.err, "NVRTC")) GTEST_SKIP() << ran.err;
  EXPECT_EQ(ran.exit_code, 0) << ran.out << ran.err;
  EXPECT_TRUE(contains(ran.out, "C is right")) << ran.out;
  EXPECT_TRUE(contains(ran.out, "the block is 16 * 8")) << ran.out;
}

TEST(Run, TakesThePathOfAKernelFile) {
  const json result =
      json_of(fine({"run", GEMMSCOPE_SOURCE_DIR "/kernels/ladder/01_naive_rows.cu", "--m", "16", "--json"}));
  EXPECT_EQ(result["experiment"]["kernel"], "01_naive_rows");
}

TEST(Disasm, PrintsCodeWithItsPlaces) {
  const CommandResult text = fine({"disasm", "01_naive_rows"});
  EXPECT_TRUE(contains(text.out, "FFMA"));
  EXPECT_TRUE(contains(text.out, "EXIT"));
  EXPECT_TRUE(contains(text.out, "01_naive_rows.cu:"));
  const json result = json_of(fine({"disasm", "01_naive_rows", "--json"}));
  expect_keys(result, {"experiment", "resources", "code"});
  ASSERT_EQ(result["code"].size(), line_count(text.out));
  for (size_t i = 0; i < result["code"].size(); ++i) {
    expect_keys(result["code"][i], {"address", "text", "control", "place", "calls"});
    EXPECT_EQ(result["code"][i]["address"], 16 * i);
  }
}

// Code of a header's function has the header's line and names the kernel's line that called it.
TEST(Disasm, NamesTheCallThatWasInlined) {
  const CommandResult text = fine({"disasm", "08_transposed_tile"});
  EXPECT_TRUE(contains(text.out, "// register_tile.cuh:22 (called from 08_transposed_tile.cu:107)"))
      << text.out;
  const json result = json_of(fine({"disasm", "08_transposed_tile", "--json"}));
  for (const json& row : result["code"]) {
    if (row["place"] != "register_tile.cuh:22") continue;
    EXPECT_EQ(row["calls"], json({"08_transposed_tile.cu:107"}));
  }
  const CommandResult banks = fine({"banks", "08_transposed_tile", "--k", "16"});
  EXPECT_TRUE(contains(banks.out, "register_tile.cuh:34 (called from 08_transposed_tile.cu:106)"))
      << banks.out;
}

// The rows are the decoder's golden data, whose last column is what NVIDIA's disassembler prints.
TEST(Disasm, DecodesVectorsOfAFile) {
  const TemporaryFile rows("rows.csv",
                           "arch,address,lo,hi\n"
                           "86,0x0,0x00000a00ff017624,0x000fe400078e00ff\n"
                           "# a comment\n\n"
                           "sm_86,0x10,0x000000000000794d,0x000fea0003800000\n");
  const CommandResult text = fine({"disasm", "--vectors", rows.path()});
  EXPECT_EQ(text.out, "IMAD.MOV.U32 R1, RZ, RZ, c[0x0][0x28] ;\nEXIT ;\n");
  const json result = json_of(fine({"disasm", "--vectors", rows.path(), "--json"}));
  ASSERT_EQ(result.size(), 2u);
  EXPECT_EQ(result[1]["text"], "EXIT ;");
}

TEST(Disasm, ReadsVectorsAsSpreadsheetsWriteThem) {
  const TemporaryFile rows("rows.csv",
                           "\xef\xbb\xbf\"arch\",\"address\",\"lo\",\"hi\",\"text\"\r\n\r\n"
                           "\"86\",\"10\",\"000000000000794d\",\"000fea0003800000\",\"EXIT ;\",\"a, b\"\r\n");
  EXPECT_EQ(fine({"disasm", "--vectors", rows.path()}).out, "EXIT ;\n");
}

TEST(Counters, CountTheWholeGrid) {
  const CommandResult text = fine({"counters", "01_naive_rows", "--m", "64", "--n", "64", "--k", "8"});
  EXPECT_TRUE(contains(text.out, "warp instructions"));
  EXPECT_TRUE(contains(text.out, "global load"));
  const json result =
      json_of(fine({"counters", "01_naive_rows", "--m", "64", "--n", "64", "--k", "8", "--json"}));
  expect_keys(result, {"experiment", "scope", "counters"});
  const json& counters = result["counters"];
  expect_keys(counters, {"warp_instructions", "thread_instructions", "by_opcode", "ffma", "fadd", "fmul",
                         "flops", "global_load", "global_store", "shared_load", "shared_store"});
  EXPECT_EQ(result["scope"], "grid");
  EXPECT_EQ(counters["ffma"], 64 * 64 * 8);
  // There are two loads for each product and one store for each element; a warp is 16 rows and 2 columns.
  EXPECT_EQ(counters["global_load"]["requests"], 2 * 64 * 64 * 8 / 32);
  EXPECT_EQ(counters["global_store"]["requests"], 64 * 64 / 32);
  EXPECT_EQ(counters["global_store"]["sectors"], 64 * 64 / 32 * 16);
  EXPECT_EQ(counters["shared_load"]["requests"], 0);
}

TEST(Counters, UnderTheNamesOfNsightCompute) {
  const std::vector<std::string> kernel = {"counters", "01_naive_rows", "--m", "64", "--n", "64", "--k", "8"};
  const auto with = [&](const char* flag) {
    std::vector<std::string> arguments = kernel;
    arguments.emplace_back(flag);
    return fine(arguments);
  };
  const json ncu = json_of(with("--json"))["counters"]["ncu"];
  EXPECT_EQ(ncu["smsp__sass_thread_inst_executed_op_ffma_pred_on.sum"], 64 * 64 * 8);
  EXPECT_EQ(ncu["l1tex__t_requests_pipe_lsu_mem_global_op_st.sum"], 64 * 64 / 32);
  const std::string csv = with("--csv").out, names = with("--ncu-names").out;
  EXPECT_EQ(line_count(csv), ncu.size() + 1);
  EXPECT_EQ(line_count(names), 2u);
  for (const auto& [name, value] : ncu.items()) {
    EXPECT_TRUE(contains(csv, fmt::format(",{},{}\n", name, value.get<uint64_t>()))) << name;
    EXPECT_TRUE(contains(names, fmt::format("\"{}\"", name))) << name;
  }
}

// There are too many instructions to execute, so the counters are sums over classes of blocks.
TEST(Counters, ALargeGridIsASumOverClasses) {
  const std::vector<std::string> kernel = {
      "counters", "07_register_tile", "--m", "2048", "--n", "2048", "--k", "4096"};
  EXPECT_TRUE(contains(fine(kernel).out, "whole grid: sum over 9 block classes, exact"));
  std::vector<std::string> arguments = kernel;
  arguments.emplace_back("--json");
  const json result = json_of(fine(arguments));
  expect_keys(result["coverage"], {"text", "blocks", "executed_blocks", "classes"});
  EXPECT_EQ(result["coverage"]["blocks"], 256);
  EXPECT_EQ(result["coverage"]["classes"], 9);
  EXPECT_EQ(result["counters"]["global_store"]["sectors"], 2048 * 2048 / 8);
}

TEST(Counters, CountTheTracedBlockOnlyOnRequest) {
  const json result = json_of(fine({"counters", "01_naive_rows", "--m", "64", "--n", "64", "--k", "8",
                                    "--block-only", "--block", "1", "2", "--json"}));
  EXPECT_EQ(result["scope"], "block");
  EXPECT_EQ(result["counters"]["ffma"], 16 * 16 * 8);
  EXPECT_EQ(result["experiment"]["block"], json({1, 2, 0}));
}

TEST(Banks, AreCountedForAKernel) {
  const CommandResult text = fine({"banks", "07_register_tile", "--k", "16"});
  EXPECT_TRUE(contains(text.out, "LDS.128"));
  EXPECT_TRUE(contains(text.out, "conflicts"));
  const json result = json_of(fine({"banks", "07_register_tile", "--k", "16", "--json"}));
  expect_keys(result, {"experiment", "scope", "instructions"});
  ASSERT_FALSE(result["instructions"].empty());
  for (const json& row : result["instructions"]) {
    expect_keys(row, {"address", "text", "place", "calls", "direction", "width_bytes", "executions",
                      "wavefronts", "minimum", "conflicts", "worst_degree"});
    EXPECT_EQ(row["conflicts"], row["wavefronts"].get<int>() - row["minimum"].get<int>());
  }
  EXPECT_TRUE(contains(fine({"banks", "01_naive_rows"}).out, "does not access shared memory"));
}

std::string pattern(const std::string& head, int stride) {
  std::string row = head;
  for (int l = 0; l < 32; ++l) row += "," + std::to_string(l * stride);
  return row + "\n";
}

TEST(Banks, AreCountedForPatternsInAFile) {
  const TemporaryFile rows("rows.csv", "op,width,mask\n" + pattern("lds,1,ffffffff,0,0", 32) +
                                           pattern("sts,1,ffffffff,0,0", 33) +
                                           pattern("lds,4,0xffffffff,0,0", 4) +
                                           pattern("ldsm,4,ffffffff,0,0", 32) + pattern("lds,2,0,0,0", 1));
  EXPECT_EQ(fine({"banks", "--patterns", rows.path()}).out, "32,31\n1,0\n4,0\n32,28\n0,0\n");
  const json result = json_of(fine({"banks", "--patterns", rows.path(), "--json"}));
  ASSERT_EQ(result.size(), 5u);
  EXPECT_EQ(result[0], json({{"wavefronts", 32}, {"conflicts", 31}}));
}

TEST(Lessons, NameACommandThatTheWindowLacks) {
  const TemporaryFile file("mine.toml",
                           "title = \"Mine\"\nsummary = \"One page.\"\n[[page]]\nid = \"first\"\n"
                           "title = \"A page\"\ntext = \"Look.\"\nkernel = \"01_naive_rows\"\n"
                           "show = [\"picture.show_banks\", \"picture.show_bank\", \"recording:H200\"]\n");
  const CommandResult result = run_command({"lessons", file.path()});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_TRUE(contains(result.out, "page \"first\": picture.show_bank is no command")) << result.out;
  EXPECT_FALSE(contains(result.out, "picture.show_banks is no command")) << result.out;
  EXPECT_TRUE(contains(result.out, "1 thing does not hold")) << result.out;
}

TEST(Help, IsNoError) {
  for (const std::vector<std::string>& arguments :
       {std::vector<std::string>{"--help"}, {"run", "--help"}, {"banks", "-h"}}) {
    const CommandResult help = fine(arguments);
    EXPECT_TRUE(contains(help.out, "Usage"));
  }
}

}  // namespace
}  // namespace gemmscope::cli
