#include "shapes_of_types.cuh"

namespace {
template <typename Tile, typename Block, typename Thread>
__global__ void gemm(const float* __restrict__ A, const float* __restrict__ B, float* __restrict__ C,
                     float alpha, float beta, unsigned M, unsigned N, unsigned K) {
  __shared__ float a[Tile::rows][Tile::depth];
  __shared__ float b[Tile::depth][Tile::columns];
  const shapes::Matrix<const float> from_a{A, M, K}, from_b{B, K, N};
  const shapes::Matrix<float> to_c{C, M, N};
  const unsigned row0 = Tile::rows * blockIdx.y, column0 = Tile::columns * blockIdx.x;
  const unsigned y = threadIdx.x / Block::columns * Thread::rows;
  const unsigned x = threadIdx.x % Block::columns * Thread::columns;
  float c[Thread::rows][Thread::columns] = {};
  for (unsigned k0 = 0; k0 < K; k0 += Tile::depth) {
    for (unsigned i = threadIdx.x; i < Tile::rows * Tile::depth; i += Block::area) {
      const unsigned row = row0 + i / Tile::depth, k = k0 + i % Tile::depth;
      a[i / Tile::depth][i % Tile::depth] = from_a.holds(row, k) ? from_a(row, k) : 0;
    }
    for (unsigned i = threadIdx.x; i < Tile::depth * Tile::columns; i += Block::area) {
      const unsigned k = k0 + i / Tile::columns, column = column0 + i % Tile::columns;
      b[i / Tile::columns][i % Tile::columns] = from_b.holds(k, column) ? from_b(k, column) : 0;
    }
    __syncthreads();
    for (unsigned k = 0; k < Tile::depth; ++k)
      for (unsigned i = 0; i < Thread::rows; ++i)
        for (unsigned j = 0; j < Thread::columns; ++j) c[i][j] += a[y + i][k] * b[k][x + j];
    __syncthreads();
  }
  for (unsigned i = 0; i < Thread::rows; ++i)
    for (unsigned j = 0; j < Thread::columns; ++j)
      if (to_c.holds(row0 + y + i, column0 + x + j)) {
        float& to = to_c(row0 + y + i, column0 + x + j);
        to = alpha * c[i][j] + (beta != 0 ? beta * to : 0);
      }
}
}  // namespace

void run_gemm(const float* device_a, const float* device_b, float* device_c, float alpha, float beta,
              unsigned M, unsigned N, unsigned K) {
  using Tile = shapes::Shape<32, 64, 8>;
  using Block = shapes::Shape<8, 16>;
  using Thread = shapes::Shape<Tile::rows / Block::rows, 4>;

  dim3 block(Block::rows * Block::columns);
  dim3 grid((N - 1) / Tile::columns + 1, (M * Block::rows / Tile::rows - 1) / Block::rows + 1);
  gemm<Tile, Block, Thread><<<grid, block>>>(device_a, device_b, device_c, alpha, beta, M, N, K);
}
