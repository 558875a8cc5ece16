// Register tiles without a description: what stands for a file of the
// user's that the pass can rewrite.
constexpr int kTile = 128, kDepth = 8;
__global__ void __launch_bounds__(256)
    own(const float* A, const float* B, float* C, int M, int N, int K) {
  __shared__ float a[kDepth][kTile], b[kDepth][kTile];
  const int row = threadIdx.x / 16 * 8, column = threadIdx.x % 16 * 8;
  float sums[8][8] = {};
  for (int first = 0; first < K; first += kDepth) {
    for (int i = threadIdx.x; i < kTile * kDepth; i += 256) {
      a[i % kDepth][i / kDepth] =
          A[(blockIdx.y * kTile + i / kDepth) * K + first + i % kDepth];
      b[i / kTile][i % kTile] =
          B[(first + i / kTile) * N + blockIdx.x * kTile + i % kTile];
    }
    __syncthreads();
#pragma unroll
    for (int k = 0; k < kDepth; ++k)
#pragma unroll
      for (int i = 0; i < 8; ++i)
#pragma unroll
        for (int j = 0; j < 8; ++j)
          sums[i][j] += a[k][row + i] * b[k][column + j];
    __syncthreads();
  }
  for (int i = 0; i < 8; ++i)
    for (int j = 0; j < 8; ++j)
      C[(blockIdx.y * kTile + row + i) * N + blockIdx.x * kTile +
        column + j] = sums[i][j];
}
void launch(const float* A, const float* B, float* C, int M, int N,
            int K) {
  own<<<dim3(N / kTile, M / kTile), 256>>>(A, B, C, M, N, K);
}
