//! title   = "Tiles in shared memory"
//! entry   = "gemm_shared_tile"
//! block   = ["TILE", "TILE", "1"]
//! grid    = ["ceil_div(N, TILE)", "ceil_div(M, TILE)", "1"]
//! shared  = "0"
//! changed = """Back to one element a thread, but a block copies a square tile of A and one of B into
//!              shared memory, and its threads read them there."""
//! why     = """Each float is fetched from global memory once a block instead of 16 times. The price: two
//!              barriers a tile, and still two loads from shared memory for each multiply-add."""
//! look_at = """Global loads against step 2: a sixteenth of the requests, an eighth of the sectors. Then
//!              watch a warp wait at the two barriers of each tile."""
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

constexpr int kTile = TILE;

// C = alpha * A(MxK) * B(KxN) + beta * C(MxN), row-major.
extern "C" __global__ void gemm_shared_tile(const float* A, const float* B, float* C, float alpha, float beta,
                                            int M, int N, int K) {
  __shared__ float tile_a[kTile][kTile];
  __shared__ float tile_b[kTile][kTile];
  const int x = threadIdx.x, y = threadIdx.y;
  const int row = blockIdx.y * kTile + y;
  const int column = blockIdx.x * kTile + x;

  float sum = 0.0f;
  for (int first_k = 0; first_k < K; first_k += kTile) {
    // Each thread brings one float of each tile. Threads beyond the edge bring a zero: they must not leave,
    // the others wait for them at the barriers.
    tile_a[y][x] = row < M && first_k + x < K ? A[(size_t)row * K + first_k + x] : 0.0f;
    tile_b[y][x] = first_k + y < K && column < N ? B[(size_t)(first_k + y) * N + column] : 0.0f;
    __syncthreads();  // the tiles are complete

#pragma unroll
    for (int k = 0; k < kTile; ++k) sum += tile_a[y][k] * tile_b[k][x];
    __syncthreads();  // nobody reads the tiles any more
  }

  if (row < M && column < N) {
    float* c = C + (size_t)row * N + column;
    float result = alpha * sum;
    if (beta != 0.0f) result += beta * *c;
    *c = result;
  }
}
