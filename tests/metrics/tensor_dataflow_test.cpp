// Checks the map of a kernel with tensor cores: C(i, j) += A(i, k) * B(k, j) for each product of the block
// exactly once, with elements that came through cp.async and ldmatrix. Also checks its matrix loads in the
// banks.
#include <gtest/gtest.h>

#include <set>

#include "../isa/print_arch.h"
#include "../machine/tensor_gemm.h"
#include "compile/compiler.h"
#include "cubin/cubin.h"
#include "machine/record/trace.h"
#include "machine/translate/translate.h"
#include "metrics/bank_report.h"
#include "metrics/dataflow.h"

namespace gemmscope::metrics {
namespace {

constexpr uint32_t kSize = 64, kDepth = 96;

struct TracedKernel {
  machine::GlobalMemory memory;
  std::vector<isa::Instruction> instructions;
  machine::Trace trace;
  MatrixLayout layout;
};

std::unique_ptr<TracedKernel> trace_kernel(const std::string& source, isa::Arch arch, uint32_t factor_bytes,
                                           uint32_t result_bytes) {
  compile::CompileRequest request;
  request.source = source;
  request.source_path = "tensor_gemm.cu";
  request.arch = arch;
  const compile::CompileResult compiled = compile::compile_cubin(request);
  EXPECT_TRUE(compiled.has_value()) << compiled.error().message;
  if (!compiled) return nullptr;
  const Result<cubin::Cubin> cubin = cubin::read_cubin(compiled->bytes, "tensor_gemm.cu");
  EXPECT_TRUE(cubin.has_value());
  if (!cubin) return nullptr;
  auto traced = std::make_unique<TracedKernel>();
  const uint64_t a = traced->memory.allocate("a", size_t{factor_bytes} * kSize * kDepth),
                 b = traced->memory.allocate("b", size_t{factor_bytes} * kDepth * kSize),
                 c = traced->memory.allocate("c", size_t{result_bytes} * kSize * kSize);
  machine::LaunchConfig launch{{1, 1, 1}, {128, 1, 1}, 0, {}};
  for (const uint32_t size : {kSize, kSize, kDepth}) launch.arguments.push_back(machine::argument(size));
  for (const uint64_t buffer : {a, b, c}) launch.arguments.push_back(machine::argument(buffer));
  traced->layout.buffers = {{"A", a, kSize, kDepth, factor_bytes},
                            {"B", b, kDepth, kSize, factor_bytes},
                            {"C", c, kSize, kSize, result_bytes}};
  const Result<machine::Program> program =
      machine::translate(*cubin, *cubin->find("kernel"), launch, traced->memory);
  EXPECT_TRUE(program.has_value());
  if (!program) return nullptr;
  traced->instructions = program->instructions;
  auto trace = machine::trace_block(*program, traced->memory, {0, 0, 0}, {1'000'000});
  EXPECT_TRUE(trace.has_value()) << trace.error().what;
  if (!trace) return nullptr;
  traced->trace = std::move(*trace);
  return traced;
}

using Place = std::pair<int64_t, int64_t>;

class TensorDataflow : public testing::TestWithParam<isa::Arch> {};
INSTANTIATE_TEST_SUITE_P(Archs, TensorDataflow, testing::Values(isa::Arch::sm_80, isa::Arch::sm_90),
                         [](const auto& test) { return isa::arch_name(test.param); });

// `depth_of_product` is that of one matrix instruction.
void expect_every_product_once(const TracedKernel* traced, uint32_t depth_of_product) {
  ASSERT_NE(traced, nullptr);
  const Accumulators accumulators(traced->trace, traced->instructions, traced->layout);
  DataflowReplay replay(traced->trace, traced->instructions, traced->layout);
  std::map<std::tuple<int64_t, int64_t, int64_t>, int> shown;
  for (size_t r = 0; r < traced->trace.records.size(); ++r) {
    if (traced->instructions[traced->trace.records[r].instruction].opcode != isa::Opcode::hmma) continue;
    replay.seek(r);
    std::set<Place> of[3];
    std::array<std::set<int64_t>, 32> rows_of_a, rows_of_c;
    for (const Touch& touch : replay.touches(accumulators)) {
      const bool result = touch.kind == TouchKind::accumulate;
      ASSERT_EQ(result, touch.element.matrix == kMatrixC);
      ASSERT_TRUE(result || touch.kind == TouchKind::multiply);
      of[touch.element.matrix].insert({touch.element.row, touch.element.column});
      if (touch.element.matrix == kMatrixA) rows_of_a[touch.lane].insert(touch.element.row);
      if (result) rows_of_c[touch.lane].insert(touch.element.row);
    }
    ASSERT_EQ(of[kMatrixA].size(), 16u * depth_of_product) << "record " << r;
    ASSERT_EQ(of[kMatrixB].size(), 8u * depth_of_product) << "record " << r;
    ASSERT_EQ(of[kMatrixC].size(), 16u * 8u) << "record " << r;
    // A lane's fragments of A and C lie in the same two rows.
    for (size_t l = 0; l < 32; ++l) {
      ASSERT_EQ(rows_of_a[l].size(), 2u);
      ASSERT_EQ(rows_of_a[l], rows_of_c[l]) << "record " << r << " lane " << l;
    }
    for (const auto& [row, k] : of[kMatrixA])
      for (const auto& [depth, column] : of[kMatrixB]) {
        if (depth != k) continue;
        ASSERT_TRUE(of[kMatrixC].contains({row, column})) << "record " << r;
        ++shown[{row, column, k}];
      }
    ASSERT_GE(replay.depth_at_position(), 0);
  }
  EXPECT_EQ(shown.size(), size_t{kSize} * kSize * kDepth);
  for (const auto& [product, times] : shown) ASSERT_EQ(times, 1);
  EXPECT_EQ(owners_of_c(traced->trace, traced->layout).size(), size_t{kSize} * kSize);
}

TEST_P(TensorDataflow, EveryProductOfTheBlockIsShownExactlyOnce) {
  if (!compile::nvrtc_version()) GTEST_SKIP() << compile::nvrtc_version().error().message;
  expect_every_product_once(trace_kernel(machine::kBrainFloatGemm, GetParam(), 2, 4).get(), 16);
}

// C is bfloat16: the upper half of each sum.
TEST_P(TensorDataflow, ResultsOfTwoBytes) {
  if (!compile::nvrtc_version()) GTEST_SKIP() << compile::nvrtc_version().error().message;
  std::string source = machine::kBrainFloatGemm;
  const auto replace = [&](const std::string& what, const std::string& by) {
    ASSERT_NE(source.find(what), std::string::npos) << what;
    source.replace(source.find(what), what.size(), by);
  };
  replace("float* c)", "unsigned short* c)");
  replace("sum[i][j][e];", "static_cast<unsigned short>(__float_as_uint(sum[i][j][e]) >> 16);");
  expect_every_product_once(trace_kernel(source, GetParam(), 2, 2).get(), 16);
}

// The kernel rounds to TF32 in registers. It is unrolled, because an instruction shows one element of C for
// each of its registers.
constexpr const char* kRoundedGemm = R"(
__device__ unsigned rounded(float x) {
  unsigned bits;
  asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(bits) : "f"(x));
  return bits;
}
extern "C" __global__ void kernel(int m, int n, int k, const float* a, const float* b, float* c) {
  const int g = threadIdx.x % 32 / 4, t = threadIdx.x % 4, row = threadIdx.x / 32 * 16;
#pragma unroll
  for (int column = 0; column < 64; column += 8) {
    float s[4] = {};
    for (int d = 0; d < k; d += 8) {
      unsigned fa[4], fb[2];
      for (int i = 0; i < 4; ++i) fa[i] = rounded(a[(row + g + i % 2 * 8) * k + d + t + i / 2 * 4]);
      for (int i = 0; i < 2; ++i) fb[i] = rounded(b[(d + t + 4 * i) * n + column + g]);
      asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
                   "{%0, %1, %2, %3};"
                   : "+f"(s[0]), "+f"(s[1]), "+f"(s[2]), "+f"(s[3])
                   : "r"(fa[0]), "r"(fa[1]), "r"(fa[2]), "r"(fa[3]), "r"(fb[0]), "r"(fb[1]));
    }
    for (int e = 0; e < 4; ++e) c[(row + g + e / 2 * 8) * n + column + t * 2 + e % 2] = s[e];
  }
})";

TEST_P(TensorDataflow, RoundingToTf32KeepsTheElement) {
  if (!compile::nvrtc_version()) GTEST_SKIP() << compile::nvrtc_version().error().message;
  expect_every_product_once(trace_kernel(kRoundedGemm, GetParam(), 4, 4).get(), 8);
}

// In ldmatrix a lane receives other elements than those at its address: 8 or 4 each, and all of A and B
// together.
TEST_P(TensorDataflow, MatrixLoadsBringElementsToTheirLanes) {
  if (!compile::nvrtc_version()) GTEST_SKIP() << compile::nvrtc_version().error().message;
  const auto traced = trace_kernel(machine::kBrainFloatGemm, GetParam(), 2, 4);
  ASSERT_NE(traced, nullptr);
  DataflowReplay replay(traced->trace, traced->instructions, traced->layout);
  std::map<uint8_t, std::set<Place>> seen;
  for (size_t r = 0; r < traced->trace.records.size(); ++r) {
    if (traced->instructions[traced->trace.records[r].instruction].opcode != isa::Opcode::ldsm) continue;
    replay.seek(r);
    std::array<int, 32> elements{};
    for (const Touch& touch : replay.touches({})) {
      ASSERT_EQ(touch.kind, TouchKind::read_shared);
      ++elements[touch.lane];
      seen[touch.element.matrix].insert({touch.element.row, touch.element.column});
    }
    for (const int n : elements) ASSERT_EQ(n, 8) << "record " << r;
  }
  EXPECT_EQ(seen[kMatrixA].size(), size_t{kSize} * kDepth);
  EXPECT_EQ(seen[kMatrixB].size(), size_t{kDepth} * kSize);
}

// Padding keeps the eight rows of a matrix in different banks, so each matrix takes one wavefront.
TEST_P(TensorDataflow, PaddedRowsHaveNoBankConflicts) {
  if (!compile::nvrtc_version()) GTEST_SKIP() << compile::nvrtc_version().error().message;
  const std::string padded = machine::kBrainFloatGemm;
  std::string plain = padded;
  const size_t at = plain.find("as[2][64][40], bs[2][32][72]");
  ASSERT_NE(at, std::string::npos);
  plain.replace(at, 28, "as[2][64][32], bs[2][32][64]");
  for (const bool has_padding : {true, false}) {
    const auto traced = trace_kernel(has_padding ? padded : plain, GetParam(), 2, 4);
    ASSERT_NE(traced, nullptr);
    int loads = 0;
    for (const BankRow& row : bank_report(traced->trace)) {
      const isa::Instruction& instruction = traced->instructions[row.instruction];
      if (instruction.opcode != isa::Opcode::ldsm) continue;
      ++loads;
      EXPECT_EQ(row.minimum, 4 * row.executions);
      // Rows of 64 bytes put every second one into the same banks, rows of 128 bytes all of them.
      const uint64_t ways = has_padding ? 1 : instruction.has(isa::Modifier::mt88) ? 8 : 4;
      EXPECT_EQ(row.wavefronts, ways * 4 * row.executions);
      EXPECT_EQ(row.worst_degree, static_cast<int>(ways));
    }
    EXPECT_GE(loads, 4);
  }
}

}  // namespace
}  // namespace gemmscope::metrics
