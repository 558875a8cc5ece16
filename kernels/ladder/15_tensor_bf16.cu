//! title   = "Tensor cores, bfloat16"
//! entry   = "gemm_tensor_bf16"
//! block   = ["256", "1", "1"]
//! grid    = ["ceil_div(N, 128)", "ceil_div(M, 256)", "1"]
//! shared  = "STAGES * 64 * (256 + 128) * 2"
//! changed = """A and B hold bfloat16, two to a register: half the bytes, and each mma.sync covers 16 k
//!              instead of 8. C stays float."""
//! why     = """The same number of instructions does twice the multiply-adds, and every byte of
//!              bandwidth, from memory to registers, carries twice the elements."""
//! look_at = """HMMA.16816 against HMMA.1688 of the step before, and ldmatrix for both matrices: it turns
//!              B's pieces on the way. The error: 8 bits of a float remain."""
//! architecture = 80
//! parameters = [
//!   { name = "A", matrix = "A", type = "bfloat16" },
//!   { name = "B", matrix = "B", type = "bfloat16" },
//!   { name = "C", matrix = "C", type = "float32" },
//!   { name = "alpha", scalar = "alpha" },
//!   { name = "beta", scalar = "beta" },
//!   { name = "M", scalar = "M" },
//!   { name = "N", scalar = "N" },
//!   { name = "K", scalar = "K" },
//! ]
//! [tile]
//! block_m = 256
//! block_n = 128
//! block_k = 64
//! warp_m = 64
//! warp_n = 64
//! thread_m = 8
//! thread_n = 16
//! [divisibility]
//! N = 8
//! K = 8
//! [[toggles]]
//! name = "STAGES"
//! title = "Stages"
//! values = [2, 3, 4]
//! default = 2

#ifndef STAGES
#define STAGES 2
#endif

#include "async_copy.cuh"
#include "tensor_core.cuh"

typedef unsigned short bfloat16;  // its bits; only the tensor cores calculate with it

constexpr int kBlockM = 256;
constexpr int kBlockN = 128;
constexpr int kBlockK = 64;
constexpr int kThreads = 256;  // 8 warps: 4 along m, 2 along n; a warp's tile of C is 64x64
constexpr int kRowsTogether = 4;

// A stage in shared memory, in bytes: A's tile, then B's. Pieces of 16 bytes: piece p of row r lies at
// p ^ (r % 8), in both tiles.
constexpr int kRowBytesA = kBlockK * 2;
constexpr int kRowBytesB = kBlockN * 2;
constexpr int kTileBytesA = kBlockM * kRowBytesA;
constexpr int kStageBytes = kTileBytesA + kBlockK * kRowBytesB;

// What a warp multiplies at 16 k.
struct Fragments {
  unsigned a[4][4];  // 4 times 16 rows of A
  unsigned b[8][2];  // 8 times 8 columns of B
};

// C = alpha * A(MxK) * B(KxN) + beta * C(MxN), row-major.
extern "C" __global__ void __launch_bounds__(kThreads)
    gemm_tensor_bf16(const bfloat16* A, const bfloat16* B, float* C, float alpha, float beta, int M, int N,
                     int K) {
  extern __shared__ __align__(128) char shared[];
  const unsigned stages = shared_address(shared);
  const unsigned thread = threadIdx.x, warp = thread / 32, lane = thread % 32;

  // Blocks go four rows of blocks at a time, as in the step before.
  const int block = blockIdx.y * gridDim.x + blockIdx.x;
  const int group = block / (kRowsTogether * gridDim.x) * kRowsTogether;
  const int rows_here = min((int)gridDim.y - group, kRowsTogether);
  const int in_group = block % (kRowsTogether * gridDim.x);
  const int first_row = (group + in_group % rows_here) * kBlockM;
  const int first_column = in_group / rows_here * kBlockN;

  // Global to shared, 16 bytes a copy: 8 threads bring a row of A, 16 a row of B. Threads beyond the edge of
  // M or N copy the last row or piece once more: what comes of it is not stored.
  constexpr int kCopiesA = kBlockM / (kThreads / 8), kCopiesB = kBlockK / (kThreads / 16);
  const int a_row = thread / 8, a_piece = thread % 8;
  const int b_k = thread / 16, b_piece = thread % 16;
  unsigned a_offset[kCopiesA];
#pragma unroll
  for (int i = 0; i < kCopiesA; ++i)
    a_offset[i] = (unsigned)min(first_row + a_row + i * 32, M - 1) * K + a_piece * 8;
  const unsigned b_offset = (unsigned)b_k * N + min(first_column + b_piece * 8, N - 8);
  const unsigned a_target = a_row * kRowBytesA + (a_piece ^ (a_row % 8)) * 16;
  const unsigned b_target = kTileBytesA + b_k * kRowBytesB + (b_piece ^ (b_k % 8)) * 16;

  int k_left = K;
  unsigned filled = stages;
  const auto fetch_tile = [&] {
    if (k_left > 0) {
#pragma unroll
      for (int i = 0; i < kCopiesA; ++i)
        copy_16_async(filled + a_target + i * 32 * kRowBytesA, A + a_offset[i], a_piece * 8 < k_left);
#pragma unroll
      for (int i = 0; i < kCopiesB; ++i)
        copy_16_async(filled + b_target + i * 16 * kRowBytesB, B + (b_offset + (unsigned)(i * 16) * N),
                      b_k + i * 16 < k_left);
      A += kBlockK;
      B += (size_t)kBlockK * N;
      k_left -= kBlockK;
    }
    commit_copies();
    filled = filled == stages + (STAGES - 1) * kStageBytes ? stages : filled + kStageBytes;
  };

  // Shared to registers: lane l gives the address of row l % 16 (of B: k l % 16) and piece l / 16.
  const int warp_row = warp / 2 * 64, warp_column = warp % 2 * 64;
  const unsigned a_source = (warp_row + lane % 16) * kRowBytesA;
  const unsigned b_source = kTileBytesA + lane % 16 * kRowBytesB;
  const auto load = [&](Fragments& f, unsigned stage, int step) {
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      const unsigned piece = (step * 2 + lane / 16) ^ (lane % 8);
      load_matrices(f.a[i][0], f.a[i][1], f.a[i][2], f.a[i][3],
                    stage + a_source + i * 16 * kRowBytesA + piece * 16);
    }
#pragma unroll
    for (int j = 0; j < 8; j += 2) {
      const unsigned piece = (warp_column / 8 + j + lane / 16) ^ (lane % 8);
      load_matrices_transposed(f.b[j][0], f.b[j][1], f.b[j + 1][0], f.b[j + 1][1],
                               stage + b_source + step * 16 * kRowBytesB + piece * 16);
    }
  };

  float sums[4][8][4] = {};
  // Back and forth: each product shares a fragment with the one before it.
  const auto multiply = [&](const Fragments& f) {
#pragma unroll
    for (int i = 0; i < 4; ++i) {
#pragma unroll
      for (int j = 0; j < 8; ++j) {
        const int column = i % 2 ? 7 - j : j;
        multiply_add_bf16(sums[i][column], f.a[i], f.b[column]);
      }
    }
  };

#pragma unroll
  for (int s = 0; s < STAGES - 1; ++s) fetch_tile();
  wait_for_copies<STAGES - 2>();
  __syncthreads();
  Fragments fragments[2];
  load(fragments[0], stages, 0);

  constexpr int kSteps = kBlockK / 16;
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

  // A lane holds, of each 16 rows and 8 columns, two neighbouring columns of two rows 8 apart.
#pragma unroll
  for (int i = 0; i < 4; ++i) {
#pragma unroll
    for (int half = 0; half < 2; ++half) {
      const int row = first_row + warp_row + i * 16 + half * 8 + lane / 4;
#pragma unroll
      for (int j = 0; j < 8; ++j) {
        const int column = first_column + warp_column + j * 8 + lane % 4 * 2;
        if (row >= M || column >= N) continue;
        float2* c = reinterpret_cast<float2*>(C + (size_t)row * N + column);
        float2 result = make_float2(alpha * sums[i][j][2 * half], alpha * sums[i][j][2 * half + 1]);
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
