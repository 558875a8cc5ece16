//! title   = "Thread coarsening"
//! entry   = "gemm_thread_coarsening"
//! block   = ["TILE", "TILE", "1"]
//! grid    = ["ceil_div(N, TILE * COARSENING)",
//!            "ceil_div(M, TILE)", "1"]
//! shared  = "0"
//! changed = """A block keeps its tile of A and takes several tiles of
//!              B in turn, so each thread computes several elements of
//!              one row of C."""
//! why     = """A's tile is loaded and stored once for several tiles of
//!              C instead of once for each. One block does the work of
//!              several."""
//! look_at = """The global sectors with 1, 2, 4 and 8 tiles of B: they
//!              fall, and the barriers stay as many. Then the number of
//!              blocks: with few large ones some SMs have nothing to
//!              do."""
//! show_me = ["numbers.global_sectors", "toggles.next",
//!            "toggles.next_value", "toggles.next_value",
//!            "toggles.next_value", "toggles.next_value"]
//! [tile]
//! block_m = "TILE"
//! block_n = "TILE * COARSENING"
//! block_k = "TILE"
//! warp_m = "32 / TILE"
//! warp_n = "TILE * COARSENING"
//! thread_m = 1
//! thread_n = "COARSENING"
//! [[toggles]]
//! name = "COARSENING"
//! title = "Tiles of B"
//! values = [1, 2, 4, 8]
//! default = 4
//! [[toggles]]
//! name = "TILE"
//! title = "Side of the tiles"
//! values = [16, 32]
//! default = 16

#ifndef COARSENING
#define COARSENING 4
#endif
#ifndef TILE
#define TILE 16
#endif

#include "matrix.cuh"

// C = alpha * A(MxK) * B(KxN) + beta * C(MxN), row-major.
extern "C" __global__ void gemm_thread_coarsening(const float* A,
                                                  const float* B,
                                                  float* C, float alpha,
                                                  float beta, int M,
                                                  int N, int K) {
  __shared__ float tile_a[TILE][TILE];
  __shared__ float tile_b[TILE][TILE];
  const Matrix a(A, M, K), b(B, K, N);
  const Output c(C, M, N, alpha, beta);
  const unsigned x = threadIdx.x, y = threadIdx.y;
  const unsigned row = blockIdx.y * TILE + y;
  const unsigned column = blockIdx.x * TILE * COARSENING + x;

  float sums[COARSENING] = {};
  for (unsigned first_k = 0; first_k < K; first_k += TILE) {
    tile_a[y][x] = a.at(row, first_k + x);
#pragma unroll
    for (int i = 0; i < COARSENING; ++i) {
      tile_b[y][x] = b.at(first_k + y, column + i * TILE);
      __syncthreads();  // the tiles are complete

#pragma unroll
      for (int k = 0; k < TILE; ++k)
        sums[i] += tile_a[y][k] * tile_b[k][x];
      __syncthreads();  // nobody reads tile_b any more
    }
  }

#pragma unroll
  for (int i = 0; i < COARSENING; ++i)
    c.update(row, column + i * TILE, sums[i]);
}
