// A whole kernel whose tiles come by bulk copies with 128-byte swizzle: one warp's thread starts them,
// barrier objects say when a stage is full and when it is empty. The machine gives the same bits as for a
// kernel that loads its fragments from global memory and multiplies in the same order.
#include <bit>
#include <random>

#include "compiled_kernel.h"
#include "machine/state/tensor_map.h"

namespace gemmscope::machine {
namespace {

const std::string kShared = R"(
#if BF16
typedef unsigned short Element;
#else
typedef float Element;
#endif
constexpr int kElementBytes = sizeof(Element), kBlockM = 256, kBlockN = 128, kBlockK = 128 / kElementBytes;

__device__ void multiply_add(float (&d)[4], const unsigned (&a)[4], unsigned b0, unsigned b1) {
#if BF16
  asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 "
#else
  asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 "
#endif
      "{%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}
)";

// In TF32 mma's first matrix is 16 columns of B, its second 8 rows of A, so C comes out transposed. Which
// columns is free: those of pieces that lie in different banks for the four k of a load.
const std::string kKernel = kShared + R"(
constexpr int kStages = 3, kWarps = 8;
constexpr unsigned kTileA = kBlockM * 128, kTileB = kBlockN * 128, kStage = kTileA + kTileB;

struct alignas(64) TensorMap { unsigned char bytes[128]; };
__device__ unsigned at(const void* p) { return (unsigned)__cvta_generic_to_shared(p); }
__device__ void wait(unsigned object, unsigned parity) {
  asm volatile("{\n.reg .pred p;\nagain:\nmbarrier.try_wait.parity.shared.b64 p, [%0], %1;\n@!p bra again;\n}"
               ::"r"(object), "r"(parity) : "memory");
}
__device__ void copy_box(unsigned to, const TensorMap* map, int column, int row, unsigned object) {
  asm volatile(
      "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], [%4];"
      ::"r"(to), "l"(map), "r"(column), "r"(row), "r"(object) : "memory");
}
__device__ unsigned swizzled(unsigned tile, unsigned row, unsigned piece) {
  return tile + row * 128 + (piece ^ row % 8) * 16;
}

extern "C" __global__ void __launch_bounds__(256) kernel(const __grid_constant__ TensorMap a,
                                                         const __grid_constant__ TensorMap b, float* c, int n,
                                                         int tiles) {
  extern __shared__ __align__(1024) char shared[];
  __shared__ __align__(8) unsigned long long full[kStages], empty[kStages];
  const unsigned warp = __shfl_sync(~0u, threadIdx.x / 32, 0), lane = threadIdx.x % 32;
  if (threadIdx.x == 0)
    for (int s = 0; s < kStages; ++s) {
      asm volatile("mbarrier.init.shared.b64 [%0], 1;" ::"r"(at(&full[s])) : "memory");
      asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(at(&empty[s])), "r"(kWarps) : "memory");
    }
  asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
  __syncthreads();
  unsigned elected;
  asm volatile("{\n.reg .pred p;\nelect.sync _|p, 0xffffffff;\nselp.u32 %0, 1, 0, p;\n}" : "=r"(elected));

  const auto fetch = [&](int tile) {
    if (warp != 0 || tile >= tiles) return;
    const int s = tile % kStages;
    if (tile >= kStages) wait(at(&empty[s]), (tile / kStages - 1) % 2);
    if (elected) {
      const unsigned object = at(&full[s]), to = at(shared) + s * kStage;
      asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], %1;" ::"r"(object), "r"(kStage) : "memory");
      copy_box(to, &a, tile * kBlockK, blockIdx.y * kBlockM, object);
      for (int x = 0; x < kBlockN / kBlockK; ++x)
        copy_box(to + kTileA + x * kBlockK * 128, &b, blockIdx.x * kBlockN + x * kBlockK, tile * kBlockK, object);
    }
    __syncwarp();
  };

  const unsigned row = warp / 2 * 64, column = warp % 2 * 64, g = lane / 4, t = lane % 4;
  float sums[4][8][4] = {};
  for (int s = 0; s < kStages - 1; ++s) fetch(s);
  for (int tile = 0; tile < tiles; ++tile) {
    const unsigned tile_a = at(shared) + tile % kStages * kStage, tile_b = tile_a + kTileA;
    wait(at(&full[tile % kStages]), tile / kStages % 2);
    fetch(tile + kStages - 1);
#pragma unroll 1
    for (unsigned step = 0; step < 4; ++step) {
#if BF16
      unsigned of_a[4][4], of_b[8][2];
      for (int i = 0; i < 4; ++i)
        asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
                     : "=r"(of_a[i][0]), "=r"(of_a[i][1]), "=r"(of_a[i][2]), "=r"(of_a[i][3])
                     : "r"(swizzled(tile_a, row + i * 16 + lane % 16, step * 2 + lane / 16)));
      for (int j = 0; j < 8; j += 2)
        asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0,%1,%2,%3}, [%4];"
                     : "=r"(of_b[j][0]), "=r"(of_b[j][1]), "=r"(of_b[j + 1][0]), "=r"(of_b[j + 1][1])
                     : "r"(swizzled(tile_b + column * 128, step * 16 + lane % 16, j + lane / 16)));
      for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 8; ++j) multiply_add(sums[i][j], of_a[i], of_b[j][0], of_b[j][1]);
#else
      unsigned of_a[8][2], of_b[4][4];
      for (int i = 0; i < 8; i += 2)
        asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
                     : "=r"(of_a[i][0]), "=r"(of_a[i][1]), "=r"(of_a[i + 1][0]), "=r"(of_a[i + 1][1])
                     : "r"(swizzled(tile_a, row + i * 8 + lane / 16 * 8 + lane % 8, step * 2 + lane / 8 % 2)));
      for (int j = 0; j < 4; ++j)
        for (int half = 0; half < 2; ++half)
          asm volatile("ld.shared.v2.b32 {%0,%1}, [%2];"
                       : "=r"(of_b[j][2 * half]), "=r"(of_b[j][2 * half + 1])
                       : "r"(swizzled(tile_b + (column + j / 2 * 32) * 128, step * 8 + half * 4 + t,
                                      j % 2 * 2 + g / 4 + g / 2 % 2 * 4) +
                             g % 2 * 8));
      for (int i = 0; i < 8; ++i)
        for (int j = 0; j < 4; ++j) multiply_add(sums[j][i], of_b[j], of_a[i][0], of_a[i][1]);
#endif
    }
    __syncwarp();
    if (elected) asm volatile("mbarrier.arrive.shared.b64 _, [%0];" ::"r"(at(&empty[tile % kStages])) : "memory");
  }
  c += blockIdx.y * kBlockM * n + blockIdx.x * kBlockN;
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 8; ++j)
      for (int word = 0; word < 4; ++word) {
#if BF16
        c[(row + i * 16 + word / 2 * 8 + g) * n + column + j * 8 + t * 2 + word % 2] = sums[i][j][word];
#else
        c[(row + j * 8 + t * 2 + word % 2) * n + column + i / 2 * 32 + (i % 2 * 2 + g / 4 + g / 2 % 2 * 4) * 4 +
          g % 2 * 2 + word / 2] = sums[i][j][word];
#endif
      }
})";

// One warp multiplies 16 x 8 of C; as above, in TF32 mma's rows are columns of B.
const std::string kPlain = kShared + R"(
extern "C" __global__ void kernel(const Element* a, const Element* b, float* c, int n, int k) {
  const int g = threadIdx.x / 4, t = threadIdx.x % 4;
  float sums[4] = {};
#if BF16
  const int row = blockIdx.y * 16, column = blockIdx.x * 8;
  for (int first = 0; first < k; first += 16) {
    const auto of_a = [&](int r, int x) { return *(const unsigned*)&a[(row + r) * k + first + x]; };
    const auto of_b = [&](int x) {
      const Element* const two = &b[(first + x) * n + column + g];
      return two[0] | (unsigned)two[n] << 16;
    };
    multiply_add(sums, {of_a(g, 2 * t), of_a(g + 8, 2 * t), of_a(g, 2 * t + 8), of_a(g + 8, 2 * t + 8)},
                 of_b(2 * t), of_b(2 * t + 8));
  }
  for (int word = 0; word < 4; ++word)
    c[(row + g + word / 2 * 8) * n + column + 2 * t + word % 2] = sums[word];
#else
  const int row = blockIdx.y * 8, column = blockIdx.x * 16;
  for (int first = 0; first < k; first += 8) {
    const auto of_a = [&](int x) { return __float_as_uint(a[(row + g) * k + first + x]); };
    const auto of_b = [&](int r, int x) { return __float_as_uint(b[(first + x) * n + column + r]); };
    multiply_add(sums, {of_b(g, t), of_b(g + 8, t), of_b(g, t + 4), of_b(g + 8, t + 4)}, of_a(t), of_a(t + 4));
  }
  for (int word = 0; word < 4; ++word)
    c[(row + 2 * t + word % 2) * n + column + g + word / 2 * 8] = sums[word];
#endif
})";

constexpr int kM = 512, kN = 256, kDepth = 448;  // of bfloat16; half of it of float

class BulkGemm : public testing::TestWithParam<bool> {};
INSTANTIATE_TEST_SUITE_P(Types, BulkGemm, testing::Bool(),
                         [](const auto& test) { return test.param ? "bf16" : "tf32"; });

template <typename T>
std::vector<T> elements(size_t count, uint32_t seed) {
  std::mt19937 random(seed);
  std::vector<T> values(count);
  for (T& value : values) {
    const float f = static_cast<float>(random() >> 8) * 0x1p-23f - 1.0f;
    if constexpr (sizeof(T) == 2)
      value = static_cast<T>(std::bit_cast<uint32_t>(f) >> 16);
    else
      value = f;
  }
  return values;
}

template <typename T>
void expect_equal_bits() {
  constexpr auto kBytes = static_cast<uint32_t>(sizeof(T));
  constexpr int kK = kDepth / static_cast<int>(kBytes / 2), kBlockK = 128 / static_cast<int>(kBytes);
  const std::vector<std::string> options = {kBytes == 2 ? "-DBF16=1" : "-DBF16=0"};
  const auto bulk = compile_source(kKernel, isa::Arch::sm_90, options),
             plain = compile_source(kPlain, isa::Arch::sm_90, options);
  ASSERT_TRUE(bulk != nullptr && plain != nullptr);
  EXPECT_TRUE(bulk->has("UTMALDG.2D") && bulk->has("HMMA")) << bulk->text;
  const auto a = elements<T>(size_t{kM} * kK, 1), b = elements<T>(size_t{kK} * kN, 2);
  const std::vector<float> c(size_t{kM} * kN);

  GlobalMemory same;  // gives the addresses that the launch's buffers have
  const uint64_t at_a = same.allocate("a", a.size() * kBytes), at_b = same.allocate("b", b.size() * kBytes);
  Launch with_copies;
  with_copies.grid = {kN / 128, kM / 256, 1};
  with_copies.block = {256, 1, 1};
  with_copies.dynamic_shared_bytes = 3 * (256 + 128) * 128;
  with_copies.scalar(tensor_map_bytes(matrix_map(at_a, kBytes, kM, kK, kK * kBytes, 256)));
  with_copies.scalar(tensor_map_bytes(matrix_map(at_b, kBytes, kK, kN, kN * kBytes, kBlockK)));
  with_copies.hidden_buffer("a", a).hidden_buffer("b", b).buffer("c", c).scalar(kN).scalar(kK / kBlockK);
  ASSERT_EQ(with_copies.run(*bulk), "");
  EXPECT_TRUE(with_copies.findings.empty()) << with_copies.finding_texts.front();

  Launch without;
  without.grid =
      kBytes == 2 ? std::array<uint32_t, 3>{kN / 8, kM / 16, 1} : std::array<uint32_t, 3>{kN / 16, kM / 8, 1};
  without.buffer("a", a).buffer("b", b).buffer("c", c).scalar(kN).scalar(kK);
  ASSERT_EQ(without.run(*plain), "");
  EXPECT_EQ(with_copies.values<uint32_t>("c"), without.values<uint32_t>("c"));
}

TEST_P(BulkGemm, GivesTheBitsOfAKernelWithoutCopies) {
  NEED_NVRTC();
  if (GetParam())
    expect_equal_bits<uint16_t>();
  else
    expect_equal_bits<float>();
}

}  // namespace
}  // namespace gemmscope::machine
