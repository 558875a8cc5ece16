// A matrix product on tensor cores as a library would write it: cp.async, ldmatrix, mma.sync.
#pragma once

namespace gemmscope::machine {

// C = A * B with A m x k and B k x n in bfloat16, C in float32: tiles of 64 x 64 x 32 in two stages of shared
// memory, four warps of 32 x 32. Rows of the tiles are padded by 16 bytes against bank conflicts.
inline constexpr const char* kBrainFloatGemm = R"(
__device__ unsigned shared_address(const void* p) { return static_cast<unsigned>(__cvta_generic_to_shared(p)); }
__device__ void copy(void* to, const void* from) {
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(shared_address(to)), "l"(from) : "memory");
}
extern "C" __global__ void __launch_bounds__(128)
    kernel(int m, int n, int k, const unsigned short* a, const unsigned short* b, float* c) {
  __shared__ __align__(16) unsigned short as[2][64][40], bs[2][32][72];
  const int t = threadIdx.x, lane = t % 32, warp = t / 32;
  const int row = blockIdx.y * 64, column = blockIdx.x * 64, warp_row = warp / 2 * 32, warp_column = warp % 2 * 32;
  const auto fetch = [&](int stage, int depth) {
    for (int i = t; i < 256; i += 128) {
      copy(&as[stage][i / 4][i % 4 * 8], a + (row + i / 4) * k + depth + i % 4 * 8);
      copy(&bs[stage][i / 8][i % 8 * 8], b + (depth + i / 8) * n + column + i % 8 * 8);
    }
    asm volatile("cp.async.commit_group;");
  };
  float sum[2][4][4] = {};
  fetch(0, 0);
  for (int depth = 0, stage = 0; depth < k; depth += 32, stage ^= 1) {
    if (depth + 32 < k) {
      fetch(stage ^ 1, depth + 32);
      asm volatile("cp.async.wait_group 1;" ::: "memory");
    } else {
      asm volatile("cp.async.wait_group 0;" ::: "memory");
    }
    __syncthreads();
#pragma unroll
    for (int step = 0; step < 32; step += 16) {
      unsigned fa[2][4], fb[4][2];
#pragma unroll
      for (int i = 0; i < 2; ++i)
        asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                     : "=r"(fa[i][0]), "=r"(fa[i][1]), "=r"(fa[i][2]), "=r"(fa[i][3])
                     : "r"(shared_address(&as[stage][warp_row + i * 16 + lane % 16][step + lane / 16 * 8])) : "memory");
#pragma unroll
      for (int j = 0; j < 4; j += 2)
        asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
                     : "=r"(fb[j][0]), "=r"(fb[j][1]), "=r"(fb[j + 1][0]), "=r"(fb[j + 1][1])
                     : "r"(shared_address(&bs[stage][step + lane % 16][warp_column + j * 8 + lane / 16 * 8])) : "memory");
#pragma unroll
      for (int i = 0; i < 2; ++i)
#pragma unroll
        for (int j = 0; j < 4; ++j)
          asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
                       "{%0, %1, %2, %3};"
                       : "+f"(sum[i][j][0]), "+f"(sum[i][j][1]), "+f"(sum[i][j][2]), "+f"(sum[i][j][3])
                       : "r"(fa[i][0]), "r"(fa[i][1]), "r"(fa[i][2]), "r"(fa[i][3]), "r"(fb[j][0]), "r"(fb[j][1]));
    }
    __syncthreads();
  }
#pragma unroll
  for (int i = 0; i < 2; ++i)
#pragma unroll
    for (int j = 0; j < 4; ++j)
#pragma unroll
      for (int e = 0; e < 4; ++e)
        c[(row + warp_row + i * 16 + lane / 4 + e / 2 * 8) * n + column + warp_column + j * 8 + lane % 4 * 2 + e % 2] = sum[i][j][e];
})";

}  // namespace gemmscope::machine
