// C++ with helpers: a namespace, a struct, a lambda, 16-byte loads by reinterpret_cast.
#include "vector_helpers.cuh"

namespace demo {

constexpr int kTile = 64;
constexpr int kSlice = 8;

struct Strided {
  const float *base;
  int pitch;
  __device__ float4 quad(int row, int column) const {
    return *reinterpret_cast<const float4 *>(base + row * pitch + column);
  }
};

// 256 threads, 4 x 4 results each; M and N multiples of 64, K of 8.
__global__ void gemm(float *__restrict__ C, const float *__restrict__ A, const float *__restrict__ B,
                     const unsigned M, const unsigned N, const unsigned K) {
  __shared__ float left[kSlice][kTile], right[kSlice][kTile];
  const int tx = threadIdx.x % 16, ty = threadIdx.x / 16;
  const Strided a{A + blockIdx.y * kTile * K, static_cast<int>(K)};
  const Strided b{B + blockIdx.x * kTile, static_cast<int>(N)};
  float sums[4][4] = {};
  const auto stage = [&](unsigned depth) {
    const int i = threadIdx.x;
    if (i < 128) {
      const float4 v = a.quad(i / 2, depth + i % 2 * 4);
      for (int e = 0; e < 4; ++e) left[i % 2 * 4 + e][i / 2] = element(v, e);
    } else {
      const int j = i - 128;
      *reinterpret_cast<float4 *>(&right[j / 16][j % 16 * 4]) = b.quad(depth + j / 16, j % 16 * 4);
    }
  };
  for (unsigned depth = 0; depth < K; depth += kSlice) {
    stage(depth);
    __syncthreads();
#pragma unroll
    for (int s = 0; s < kSlice; ++s)
      for (int r = 0; r < 4; ++r)
        for (int q = 0; q < 4; ++q) sums[r][q] += left[s][ty * 4 + r] * right[s][tx * 4 + q];
    __syncthreads();
  }
  for (int r = 0; r < 4; ++r) {
    const unsigned row = blockIdx.y * kTile + ty * 4 + r, column = blockIdx.x * kTile + tx * 4;
    *reinterpret_cast<float4 *>(&C[row * N + column]) = make_float4(sums[r][0], sums[r][1], sums[r][2], sums[r][3]);
  }
}

}  // namespace demo
