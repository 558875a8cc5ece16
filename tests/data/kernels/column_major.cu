//! entry = "sgemm_nn"
//! block = [16, 16]
//! grid = ["ceil_div(M, 16)", "ceil_div(N, 16)"]
//! parameters = [
//!   { name = "m", scalar = "M" },
//!   { name = "n", scalar = "N" },
//!   { name = "k", scalar = "K" },
//!   { name = "alpha", scalar = "alpha", type = "float" },
//!   { name = "A", matrix = "A", type = "float", order = "column", leading_dimension = "M + 3" },
//!   { name = "lda", scalar = "M + 3" },
//!   { name = "B", matrix = "B", type = "float", order = "column" },
//!   { name = "ldb", scalar = "K" },
//!   { name = "beta", scalar = "beta", type = "float" },
//!   { name = "C", matrix = "C", type = "float", order = "column", leading_dimension = "M + 1" },
//!   { name = "ldc", scalar = "M + 1" },
//! ]
// Column-major matrices of floats, with gaps between the columns of A and C, as in the BLAS.
extern "C" __global__ void sgemm_nn(int m, int n, int k, float alpha, const float *A, int lda, const float *B,
                                    int ldb, float beta, float *C, int ldc) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
  if (i >= m || j >= n) return;
  float sum = 0;
  for (int p = 0; p < k; ++p) sum += A[i + p * lda] * B[p + j * ldb];
  C[i + j * ldc] = beta == 0 ? alpha * sum : alpha * sum + beta * C[i + j * ldc];
}
