// Runs kernels with tensor cores from source to result: matrix loads and stores, their faults and what an
// observer sees of them, and whole products with ldmatrix, cp.async and mma.sync.
#include <cmath>
#include <random>

#include "compiled_kernel.h"
#include "tensor_gemm.h"

namespace gemmscope::machine {
namespace {

std::vector<uint32_t> random_words(size_t count, uint32_t seed) {
  std::mt19937 engine(seed);
  std::vector<uint32_t> words(count);
  for (uint32_t& word : words) word = static_cast<uint32_t>(engine());
  return words;
}

std::string arch_of(const testing::TestParamInfo<isa::Arch>& test) { return isa::arch_name(test.param); }

class MatrixAccess : public testing::TestWithParam<isa::Arch> {};
INSTANTIATE_TEST_SUITE_P(Archs, MatrixAccess, testing::ValuesIn(isa::kAllArchs), arch_of);

// Loads `count` matrices. Row i is at the offset that lane i reads from `rows`.
std::string load_kernel(int count, bool transposed) {
  const std::string registers[] = {"{%0}", "{%0, %1}", "", "{%0, %1, %2, %3}"};
  std::string outputs;
  for (int i = 0; i < count; ++i)
    outputs += (i == 0 ? "\"=r\"(d[" : ", \"=r\"(d[") + std::to_string(i) + "])";
  return "extern \"C\" __global__ void kernel(const unsigned* in, const unsigned* rows, unsigned* out) {\n"
         "  __shared__ __align__(16) unsigned s[256];\n"
         "  for (int i = threadIdx.x; i < 256; i += 32) s[i] = in[i];\n"
         "  __syncthreads();\n"
         "  const unsigned address = static_cast<unsigned>(__cvta_generic_to_shared(s)) + "
         "rows[threadIdx.x];\n"
         "  unsigned d[" +
         std::to_string(count) +
         "];\n"
         "  asm volatile(\"ldmatrix.sync.aligned.m8n8.x" +
         std::to_string(count) + (transposed ? ".trans" : "") + ".shared.b16 " + registers[count - 1] +
         ", [%" + std::to_string(count) + "];\" : " + outputs +
         " : \"r\"(address) : \"memory\");\n"
         "  for (int i = 0; i < " +
         std::to_string(count) +
         "; ++i) out[32 * i + threadIdx.x] = d[i];\n"
         "}\n";
}

TEST_P(MatrixAccess, LoadsRowsOrColumns) {
  NEED_NVRTC();
  const std::vector<uint32_t> words = random_words(256, 1), random = random_words(32, 2);
  std::vector<uint32_t> rows;  // bytes
  for (const uint32_t r : random) rows.push_back(r % 64 * 16);
  const auto half_at = [&](uint32_t row, uint32_t place) {
    return words[row / 4 + place / 2] >> (16 * (place % 2)) & 0xffff;
  };
  for (const int count : {1, 2, 4})
    for (const bool transposed : {false, true}) {
      const auto compiled = compile_source(load_kernel(count, transposed), GetParam());
      ASSERT_NE(compiled, nullptr);
      EXPECT_TRUE(compiled->has(transposed ? "LDSM.16.MT88" : "LDSM.16.M88")) << compiled->text;
      Launch launch;
      launch.buffer("in", words)
          .buffer("rows", rows)
          .buffer("out", std::vector<uint32_t>(32u * static_cast<uint32_t>(count)));
      ASSERT_EQ(launch.run(*compiled), "");
      const auto out = launch.values<uint32_t>("out");
      for (uint32_t i = 0; i < out.size(); ++i) {
        const uint32_t matrix = i / 32, g = i % 32 / 4, t = i % 4 * 2;
        const auto element = [&](uint32_t row, uint32_t column) {
          return half_at(rows[8 * matrix + row], column);
        };
        const uint32_t low = transposed ? element(t, g) : element(g, t);
        const uint32_t high = transposed ? element(t + 1, g) : element(g, t + 1);
        ASSERT_EQ(out[i], low | high << 16) << count << (transposed ? " transposed, word " : ", word ") << i;
      }
    }
}

TEST_P(MatrixAccess, AWrongRowNamesItsLane) {
  NEED_NVRTC();
  const struct {
    uint32_t lane, offset;
    FaultKind kind;
    const char* part;
  } wrong[] = {{11, 1024, FaultKind::out_of_bounds, "outside the block's 1024 bytes"},
               {14, 8, FaultKind::misaligned, "not a multiple of 16"}};
  const auto compiled = compile_source(load_kernel(2, false), GetParam());
  ASSERT_NE(compiled, nullptr);
  for (const auto& w : wrong) {
    std::vector<uint32_t> rows(32);
    rows[w.lane] = w.offset;
    rows[20] = 4096;  // of a lane whose address a load of two matrices does not use
    Launch launch;
    launch.buffer("in", std::vector<uint32_t>(256))
        .buffer("rows", rows)
        .buffer("out", std::vector<uint32_t>(64));
    const std::string text = launch.run(*compiled);
    ASSERT_TRUE(launch.fault.has_value());
    EXPECT_EQ(launch.fault->kind, w.kind);
    EXPECT_EQ(launch.fault->lane, static_cast<int>(w.lane));
    for (const char* part : {w.part, "a load of 16 bytes at the shared address", "LDSM"})
      EXPECT_NE(text.find(part), std::string::npos) << part << " is not in: " << text;
  }
}

TEST_P(MatrixAccess, AnObserverSeesTheLanesThatGiveRows) {
  NEED_NVRTC();
  for (const int count : {1, 2, 4}) {
    const auto compiled = compile_source(load_kernel(count, false), GetParam());
    ASSERT_NE(compiled, nullptr);
    std::vector<uint32_t> rows;
    for (uint32_t l = 0; l < 32; ++l) rows.push_back(16 * (31 - l));
    Launch launch;
    launch.buffer("in", std::vector<uint32_t>(256))
        .buffer("rows", rows)
        .buffer("out", std::vector<uint32_t>(128));
    const auto trace = launch.trace(*compiled);
    ASSERT_TRUE(trace.has_value());
    int seen = 0;
    for (const TraceAccess& access : trace->accesses) {
      if (access.path != Path::matrix) continue;
      ++seen;
      EXPECT_EQ(access.space, Space::shared);
      EXPECT_EQ(access.direction, Direction::load);
      EXPECT_EQ(access.width_bytes, 16);
      EXPECT_EQ(access.mask, count == 4 ? kAllLanes : (1u << (8 * count)) - 1);
      for (size_t l = 1; l < 8; ++l) EXPECT_EQ(access.addresses[l], access.addresses[0] - 16 * l);
    }
    EXPECT_EQ(seen, 1);
  }
}

TEST(MatrixStore, WritesRowsOrColumns) {
  NEED_NVRTC();
  for (const bool transposed : {false, true}) {
    const std::string trans = transposed ? ".trans" : "";
    const auto compiled = compile_source(R"(
extern "C" __global__ void kernel(const unsigned* in, unsigned* out) {
  __shared__ __align__(16) unsigned s[128];
  const unsigned row = (threadIdx.x * 5 + 3) % 32;
  const unsigned address = static_cast<unsigned>(__cvta_generic_to_shared(s + 4 * row));
  asm volatile("stmatrix.sync.aligned.m8n8.x4)" +
                                             trans + R"(.shared.b16 [%0], {%1, %2, %3, %4};" ::"r"(address),
               "r"(in[threadIdx.x]), "r"(in[32 + threadIdx.x]), "r"(in[64 + threadIdx.x]), "r"(in[96 + threadIdx.x])
               : "memory");
  __syncthreads();
  for (int i = threadIdx.x; i < 128; i += 32) out[i] = s[i];
})",
                                         isa::Arch::sm_90);
    ASSERT_NE(compiled, nullptr);
    EXPECT_TRUE(compiled->has("STSM")) << compiled->text;
    const std::vector<uint32_t> words = random_words(128, 3);
    Launch launch;
    launch.buffer("in", words).buffer("out", std::vector<uint32_t>(128));
    ASSERT_EQ(launch.run(*compiled), "");
    const auto out = launch.values<uint16_t>("out");
    for (uint32_t matrix = 0; matrix < 4; ++matrix)
      for (uint32_t row = 0; row < 8; ++row)
        for (uint32_t column = 0; column < 8; ++column) {
          const uint32_t r = transposed ? column : row, c = transposed ? row : column;
          const uint32_t register_word = words[32 * matrix + 4 * r + c / 2];
          const uint32_t line = ((8 * matrix + row) * 5 + 3) % 32;
          ASSERT_EQ(out[8 * line + column], register_word >> (16 * (c % 2)) & 0xffff)
              << matrix << ' ' << row << ' ' << column;
        }
  }
}

float brain_value(uint16_t bits) { return std::bit_cast<float>(static_cast<uint32_t>(bits) << 16); }

class TensorGemm : public testing::TestWithParam<isa::Arch> {};
INSTANTIATE_TEST_SUITE_P(Archs, TensorGemm, testing::Values(isa::Arch::sm_80, isa::Arch::sm_90), arch_of);

// In each of the k / 16 sums, truncating the terms loses less than 17 units of 2^(e − 25), and truncating the
// result one unit in the last place. 2^e is at most the largest product or partial sum in it.
TEST_P(TensorGemm, IsCloseToFloat64) {
  NEED_NVRTC();
  constexpr uint32_t kM = 128, kN = 192, kK = 160;
  std::mt19937 engine(4);
  std::normal_distribution<float> normal;
  const auto matrix = [&](size_t count) {
    std::vector<uint16_t> values(count);
    for (uint16_t& v : values) v = static_cast<uint16_t>(std::bit_cast<uint32_t>(normal(engine)) >> 16);
    return values;
  };
  const std::vector<uint16_t> a = matrix(kM * kK), b = matrix(kK * kN);
  const auto compiled = compile_source(kBrainFloatGemm, GetParam());
  ASSERT_NE(compiled, nullptr);
  for (const char* part : {"HMMA.16816.F32.BF16", "LDSM.16.M88.4", "LDSM.16.MT88.4", "LDGSTS"})
    EXPECT_TRUE(compiled->has(part)) << part;
  Launch launch;
  launch.grid = {kN / 64, kM / 64, 1};
  launch.block = {128, 1, 1};
  launch.scalar(static_cast<int>(kM)).scalar(static_cast<int>(kN)).scalar(static_cast<int>(kK));
  launch.buffer("a", a).buffer("b", b).buffer("c", std::vector<float>(kM * kN, NAN));
  ASSERT_EQ(launch.run(*compiled), "");
  const auto c = launch.values<float>("c");
  for (size_t row = 0; row < kM; ++row)
    for (size_t column = 0; column < kN; ++column) {
      double exact = 0, largest = 0;
      for (size_t k = 0; k < kK; ++k) {
        const double product = static_cast<double>(brain_value(a[row * kK + k])) *
                               static_cast<double>(brain_value(b[k * kN + column]));
        exact += product;
        largest = std::max({largest, std::abs(product), std::abs(exact)});
      }
      const double bound = kK / 16.0 * (17 * 0x1p-25 + 0x1p-23) * 2 * largest;
      ASSERT_NEAR(static_cast<double>(c[row * kN + column]), exact, bound) << row << ", " << column;
    }
}

}  // namespace
}  // namespace gemmscope::machine
