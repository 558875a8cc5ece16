//! title   = "Tiles in shared memory"
//! entry   = "gemm_shared_tile"
//! block   = ["TILE", "TILE", "1"]
//! grid    = ["ceil_div(N, TILE)", "ceil_div(M, TILE)", "1"]
//! shared  = "0"
//! changed = """A block copies a square tile of A and one of B into
//!              shared memory, and its threads read them there."""
//! why     = """Each float is loaded from global memory once a block
//!              instead of 16 times. The price is two barriers a
//!              tile."""
//! look_at = """The global loads against step 2: a sixteenth of the
//!              requests and an eighth of the sectors. Then watch a
//!              warp wait at the two barriers of each tile."""
//! show_me = ["numbers.global_sectors", "experiment.previous_kernel",
//!            "experiment.next_kernel", "time.next_barrier",
//!            "time.next_barrier"]
//! [tile]
//! block_m = "TILE"
//! block_n = "TILE"
//! block_k = "TILE"
//! warp_m = "32 / TILE"
//! warp_n = "TILE"
//! thread_m = 1
//! thread_n = 1
//! [[toggles]]
//! name = "TILE"
//! title = "Side of the tiles"
//! values = [16, 32]
//! default = 16

#ifndef TILE
#define TILE 16
#endif

#include "matrix.cuh"

// C = alpha * A(MxK) * B(KxN) + beta * C(MxN), row-major.
extern "C" __global__ void gemm_shared_tile(const float* A,
                                            const float* B, float* C,
                                            float alpha, float beta,
                                            int M, int N, int K) {
  __shared__ float tile_a[TILE][TILE];
  __shared__ float tile_b[TILE][TILE];
  const Matrix a(A, M, K), b(B, K, N);
  const Output c(C, M, N, alpha, beta);
  const unsigned x = threadIdx.x, y = threadIdx.y;
  const unsigned row = blockIdx.y * TILE + y;
  const unsigned column = blockIdx.x * TILE + x;

  float sum = 0.0f;
  for (unsigned first_k = 0; first_k < K; first_k += TILE) {
    // Each thread brings one float of each tile. Outside of the
    // matrices it is a zero: no thread may leave, all meet at the
    // barriers.
    tile_a[y][x] = a.at(row, first_k + x);
    tile_b[y][x] = b.at(first_k + y, column);
    __syncthreads();  // the tiles are complete

#pragma unroll
    for (int k = 0; k < TILE; ++k) sum += tile_a[y][k] * tile_b[k][x];
    __syncthreads();  // nobody reads the tiles any more
  }

  c.update(row, column, sum);
}
