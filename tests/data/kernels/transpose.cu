//! block = [32, 8]
//! grid = ["ceil_div(N, 32)", "ceil_div(M, 32)"]
//! [[parameters]]
//! name = "in"
//! buffer = "M * N"
//! fill = "iota"
//! [[parameters]]
//! name = "out"
//! buffer = "M * N"
//! fill = "uninitialised"
//! [[parameters]]
//! name = "rows"
//! scalar = "M"
//! [[parameters]]
//! name = "columns"
//! scalar = "N"
// No GEMM: a transpose through shared memory, with bank conflicts.
__global__ void transpose(const float *in, float *out, int rows, int columns) {
  __shared__ float tile[32][32];
  const int x = blockIdx.x * 32 + threadIdx.x;
  for (int i = threadIdx.y; i < 32; i += 8) {
    const int y = blockIdx.y * 32 + i;
    if (y < rows && x < columns) tile[i][threadIdx.x] = in[y * columns + x];
  }
  __syncthreads();
  const int u = blockIdx.y * 32 + threadIdx.x;
  for (int i = threadIdx.y; i < 32; i += 8) {
    const int v = blockIdx.x * 32 + i;
    if (v < columns && u < rows) out[v * rows + u] = tile[threadIdx.x][i];
  }
}
