//! title   = "Thread coarsening"
//! entry   = "gemm_thread_coarsening"
//! block   = ["TILE", "TILE", "1"]
//! grid    = ["ceil_div(N, TILE * COARSENING)", "ceil_div(M, TILE)", "1"]
//! shared  = "0"
//! changed = """Seen from the square tiles of step 5: a block keeps its tile of A and takes several tiles
//!              of B in turn, so each thread computes several elements of one row of C."""
//! why     = """A's tile is fetched and stored once for several tiles of C instead of once for each. The
//!              work of what would have been several blocks is done by one."""
//! look_at = """Global sectors and barriers with 1, 2, 4 and 8 tiles. Then the number of blocks: with few
//!              large ones, some multiprocessors have nothing to do."""
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

constexpr int kTile = TILE;
constexpr int kCoarsening = COARSENING;

// C = alpha * A(MxK) * B(KxN) + beta * C(MxN), row-major.
extern "C" __global__ void gemm_thread_coarsening(const float* A, const float* B, float* C, float alpha,
                                                  float beta, int M, int N, int K) {
  __shared__ float tile_a[kTile][kTile];
  __shared__ float tile_b[kTile][kTile];
  const int x = threadIdx.x, y = threadIdx.y;
  const int row = blockIdx.y * kTile + y;
  const int first_column = blockIdx.x * kTile * kCoarsening + x;

  float sums[kCoarsening] = {};
  for (int first_k = 0; first_k < K; first_k += kTile) {
    tile_a[y][x] = row < M && first_k + x < K ? A[(size_t)row * K + first_k + x] : 0.0f;
#pragma unroll
    for (int c = 0; c < kCoarsening; ++c) {
      const int column = first_column + c * kTile;
      tile_b[y][x] = first_k + y < K && column < N ? B[(size_t)(first_k + y) * N + column] : 0.0f;
      __syncthreads();  // the tiles are complete
#pragma unroll
      for (int k = 0; k < kTile; ++k) sums[c] += tile_a[y][k] * tile_b[k][x];
      __syncthreads();  // nobody reads tile_b any more, and after the last one not tile_a either
    }
  }

#pragma unroll
  for (int i = 0; i < kCoarsening; ++i) {
    const int column = first_column + i * kTile;
    if (row < M && column < N) {
      float* c = C + (size_t)row * N + column;
      float result = alpha * sums[i];
      if (beta != 0.0f) result += beta * *c;
      *c = result;
    }
  }
}
