// The map of a kernel with tensor cores: C(i, j) += A(i, k) * B(k, j) for each product of the block exactly
// once, with elements that came through cp.async and ldmatrix. And its matrix loads in the banks.
#include <gtest/gtest.h>

#include <set>

#include "../machine/tensor_gemm.h"
#include "compile/compiler.h"
#include "cubin/cubin.h"
#include "machine/trace.h"
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

std::unique_ptr<TracedKernel> trace_kernel(const std::string& source, isa::Arch arch, uint32_t threads,
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
  const uint64_t a = traced->memory.allocate("a", 2 * kSize * kDepth),
                 b = traced->memory.allocate("b", 2 * kDepth * kSize),
                 c = traced->memory.allocate("c", result_bytes * kSize * kSize);
  machine::LaunchConfig launch{{1, 1, 1}, {threads, 1, 1}, 0, {}};
  for (const uint32_t size : {kSize, kSize, kDepth}) launch.arguments.push_back(machine::argument(size));
  for (const uint64_t buffer : {a, b, c}) launch.arguments.push_back(machine::argument(buffer));
  traced->layout.buffers = {
      {"A", a, kSize, kDepth, 2}, {"B", b, kDepth, kSize, 2}, {"C", c, kSize, kSize, result_bytes}};
  const Result<machine::Program> program =
      machine::translate(*cubin, *cubin->find("kernel"), launch, traced->memory);
  EXPECT_TRUE(program.has_value());
  if (!program) return nullptr;
  traced->instructions = program->instructions;
  auto trace = machine::trace_block(*program, traced->memory, {0, 0, 0}, 1'000'000, {});
  EXPECT_TRUE(trace.has_value()) << trace.error().what;
  if (!trace) return nullptr;
  traced->trace = std::move(*trace);
  return traced;
}

using Place = std::pair<int64_t, int64_t>;

class TensorDataflow : public testing::TestWithParam<isa::Arch> {};
INSTANTIATE_TEST_SUITE_P(Archs, TensorDataflow, testing::Values(isa::Arch::sm_80, isa::Arch::sm_90),
                         [](const auto& test) { return isa::arch_name(test.param); });

TEST_P(TensorDataflow, EveryProductOfTheBlockIsShownExactlyOnce) {
  if (!compile::nvrtc_version()) GTEST_SKIP() << compile::nvrtc_version().error().message;
  const auto traced = trace_kernel(machine::kBrainFloatGemm, GetParam(), 128, 4);
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
    ASSERT_EQ(of[kMatrixA].size(), 16u * 16u) << "record " << r;
    ASSERT_EQ(of[kMatrixB].size(), 16u * 8u) << "record " << r;
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

// Lanes read from shared memory what ldmatrix gives them, not what they name: 8 or 4 elements each, all of A
// and B.
TEST_P(TensorDataflow, MatrixLoadsBringElementsToTheirLanes) {
  if (!compile::nvrtc_version()) GTEST_SKIP() << compile::nvrtc_version().error().message;
  const auto traced = trace_kernel(machine::kBrainFloatGemm, GetParam(), 128, 4);
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

// Padding keeps the eight rows of a matrix in different banks: one wavefront a matrix.
TEST_P(TensorDataflow, PaddedRowsHaveNoBankConflicts) {
  if (!compile::nvrtc_version()) GTEST_SKIP() << compile::nvrtc_version().error().message;
  const std::string padded = machine::kBrainFloatGemm;
  std::string plain = padded;
  const size_t at = plain.find("as[2][64][40], bs[2][32][72]");
  ASSERT_NE(at, std::string::npos);
  plain.replace(at, 28, "as[2][64][32], bs[2][32][64]");
  for (const bool has_padding : {true, false}) {
    const auto traced = trace_kernel(has_padding ? padded : plain, GetParam(), 128, 4);
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
