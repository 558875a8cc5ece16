//! title   = "Tensor cores, TF32"
//! entry   = "gemm_tensor_tf32"
//! block   = ["256", "1", "1"]
//! grid    = ["ceil_div(N, 128)", "ceil_div(M, 256)", "1"]
//! shared  = "STAGES * 32 * (256 + 136) * 4"
//! changed = """mma.sync: a warp multiplies a 16x8 by an 8x8 matrix in one instruction. Of each float
//!              only 10 bits of the fraction count (TF32)."""
//! why     = """One instruction does 1024 multiply-adds instead of 32. Feeding it becomes the work: a
//!              warp's 64x64 tile, ldmatrix, and asynchronous copies. Where shared memory allows, take
//!              more stages."""
//! look_at = """HMMA in the code and how few instructions surround it. The largest error: a thousand
//!              times that of FP32, half of it with ROUND."""
//! architecture = 80
//! factors = "tf32"
//! factors_rounded = "ROUND"
//! [tile]
//! block_m = 256
//! block_n = 128
//! block_k = 32
//! warp_m = 64
//! warp_n = 64
//! thread_m = 16
//! thread_n = 8
//! [divisibility]
//! N = 4
//! K = 4
//! [[toggles]]
//! name = "STAGES"
//! title = "Stages"
//! values = [2, 3, 4]
//! default = 2
//! [[toggles]]
//! name = "ROUND"
//! title = "Round to TF32, do not cut"
//! values = [0, 1]
//! default = 0

#ifndef STAGES
#define STAGES 2
#endif
#ifndef ROUND
#define ROUND 0
#endif

#include "async_copy.cuh"
#include "tensor_core.cuh"

constexpr int kBlockM = 256;
constexpr int kBlockN = 128;
constexpr int kBlockK = 32;
constexpr int kThreads = 256;  // 8 warps: 4 along m, 2 along n; a warp's tile of C is 64x64
constexpr int kRowsTogether = 4;

// A stage in shared memory, in bytes: A's tile, then B's. A row of A's is 8 pieces of 16 bytes; piece p of
// row r lies at p ^ (r % 8), so that 8 rows at one k lie in different banks. Rows of B's are 8 floats longer
// than needed for the same end.
constexpr int kRowBytesA = kBlockK * 4;
constexpr int kRowBytesB = (kBlockN + 8) * 4;
constexpr int kTileBytesA = kBlockM * kRowBytesA;
constexpr int kStageBytes = kTileBytesA + kBlockK * kRowBytesB;

// What a warp multiplies at 8 k. mma's first matrix is 16 columns of B, its second 8 rows of A: C is made
// transposed, since this way the floats that a lane needs of B lie side by side.
struct Fragments {
  unsigned a[8][2];  // 8 times 8 rows of A
  unsigned b[4][4];  // 4 times 16 columns of B

  __device__ void round() {
#if ROUND
    for (auto& piece : a)
      for (unsigned& word : piece) asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(word) : "f"(__uint_as_float(word)));
    for (auto& piece : b)
      for (unsigned& word : piece) asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(word) : "f"(__uint_as_float(word)));
#endif
  }
};

// C = alpha * A(MxK) * B(KxN) + beta * C(MxN), row-major.
extern "C" __global__ void __launch_bounds__(kThreads)
    gemm_tensor_tf32(const float* A, const float* B, float* C, float alpha, float beta, int M, int N, int K) {
  extern __shared__ __align__(128) char shared[];
  const unsigned stages = shared_address(shared);
  const unsigned thread = threadIdx.x, warp = thread / 32, lane = thread % 32;

  // Blocks go four rows of blocks at a time, column by column: those that run together share more of A and B
  // in the L2 cache.
  const int block = blockIdx.y * gridDim.x + blockIdx.x;
  const int group = block / (kRowsTogether * gridDim.x) * kRowsTogether;
  const int rows_here = min((int)gridDim.y - group, kRowsTogether);
  const int in_group = block % (kRowsTogether * gridDim.x);
  const int first_row = (group + in_group % rows_here) * kBlockM;
  const int first_column = in_group / rows_here * kBlockN;

  // Global to shared, 16 bytes a copy: 8 threads bring a row of A, a warp a row of B. Threads beyond the edge
  // of M or N copy the last row or quad once more: what comes of it is not stored.
  constexpr int kCopiesA = kBlockM / (kThreads / 8), kCopiesB = kBlockK / (kThreads / 32);
  const int a_row = thread / 8, a_piece = thread % 8;
  const int b_k = thread / 32, b_column = thread % 32 * 4;
  unsigned a_offset[kCopiesA];
#pragma unroll
  for (int i = 0; i < kCopiesA; ++i)
    a_offset[i] = (unsigned)min(first_row + a_row + i * 32, M - 1) * K + a_piece * 4;
  const unsigned b_offset = (unsigned)b_k * N + min(first_column + b_column, N - 4);
  const unsigned a_target = a_row * kRowBytesA + (a_piece ^ (a_row % 8)) * 16;
  const unsigned b_target = kTileBytesA + b_k * kRowBytesB + b_column * 4;

  int k_left = K;
  unsigned filled = stages;
  const auto fetch_tile = [&] {
    if (k_left > 0) {
#pragma unroll
      for (int i = 0; i < kCopiesA; ++i)
        copy_16_async(filled + a_target + i * 32 * kRowBytesA, A + a_offset[i], a_piece * 4 < k_left);
#pragma unroll
      for (int i = 0; i < kCopiesB; ++i)
        copy_16_async(filled + b_target + i * 8 * kRowBytesB, B + (b_offset + (unsigned)(i * 8) * N),
                      b_k + i * 8 < k_left);
      A += kBlockK;
      B += (size_t)kBlockK * N;
      k_left -= kBlockK;
    }
    commit_copies();
    filled = filled == stages + (STAGES - 1) * kStageBytes ? stages : filled + kStageBytes;
  };

  // Shared to registers. ldmatrix fetches rows 0-7 and 8-15 of A at k 0-3 and 4-7: two pairs of registers. Of
  // B a lane reads two neighbouring columns at k l % 4 and l % 4 + 4: they play rows g and g + 8 of mma.
  const int warp_row = warp / 2 * 64, warp_column = warp % 2 * 64;
  const unsigned a_lane_row = warp_row + lane % 8 + lane / 16 * 8;
  const unsigned b_source = kTileBytesA + lane % 4 * kRowBytesB + (warp_column + lane / 4 * 2) * 4;
  const auto load = [&](Fragments& f, unsigned stage, int step) {
    const unsigned piece = (step * 2 + lane / 8 % 2) ^ (a_lane_row % 8);
#pragma unroll
    for (int i = 0; i < 8; i += 2)
      load_matrices(f.a[i][0], f.a[i][1], f.a[i + 1][0], f.a[i + 1][1],
                    stage + (a_lane_row + i * 8) * kRowBytesA + piece * 16);
#pragma unroll
    for (int j = 0; j < 4; ++j) {
#pragma unroll
      for (int half = 0; half < 2; ++half)
        asm volatile("ld.shared.v2.b32 {%0,%1}, [%2];"
                     : "=r"(f.b[j][2 * half]), "=r"(f.b[j][2 * half + 1])
                     : "r"(stage + b_source + (step * 8 + half * 4) * kRowBytesB + j * 16 * 4));
    }
    f.round();
  };

  float sums[4][8][4] = {};
  // Back and forth: each product shares a fragment with the one before it.
  const auto multiply = [&](const Fragments& f) {
#pragma unroll
    for (int i = 0; i < 8; ++i) {
#pragma unroll
      for (int j = 0; j < 4; ++j) {
        const int column = i % 2 ? 3 - j : j;
        multiply_add_tf32(sums[column][i], f.b[column], f.a[i]);
      }
    }
  };

#pragma unroll
  for (int s = 0; s < STAGES - 1; ++s) fetch_tile();
  wait_for_copies<STAGES - 2>();
  __syncthreads();
  Fragments fragments[2];
  load(fragments[0], stages, 0);

  constexpr int kSteps = kBlockK / 8;
  unsigned current = stages;
  for (int tiles_left = (K + kBlockK - 1) / kBlockK; tiles_left > 0; --tiles_left) {
#pragma unroll
    for (int step = 0; step < kSteps - 1; ++step) {
      load(fragments[(step + 1) % 2], current, step + 1);
      if (step == 0) fetch_tile();
      multiply(fragments[step % 2]);
    }
    wait_for_copies<STAGES - 2>();
    __syncthreads();
    current = current == stages + (STAGES - 1) * kStageBytes ? stages : current + kStageBytes;
    if (tiles_left > 1) load(fragments[0], current, 0);
    multiply(fragments[(kSteps - 1) % 2]);
  }

  // A lane holds, of each 16 columns and 8 rows, two neighbouring columns of two neighbouring rows.
#pragma unroll
  for (int i = 0; i < 8; ++i) {
#pragma unroll
    for (int half = 0; half < 2; ++half) {
      const int row = first_row + warp_row + i * 8 + lane % 4 * 2 + half;
#pragma unroll
      for (int j = 0; j < 4; ++j) {
        const int column = first_column + warp_column + j * 16 + lane / 4 * 2;
        if (row >= M || column >= N) continue;
        float2* c = reinterpret_cast<float2*>(C + (size_t)row * N + column);
        float2 result = make_float2(alpha * sums[j][i][half], alpha * sums[j][i][2 + half]);
        if (beta != 0.0f) {
          const float2 old = *c;
          result.x += beta * old.x;
          result.y += beta * old.y;
        }
        *c = result;
      }
    }
  }
}
