// The part of cuBLAS's interface that the runner calls, declared by hand from NVIDIA's cuBLAS reference,
// because not every toolkit with cuda.h has cuBLAS's header. cublas_library.cpp compares it with the header
// if there is one.
#pragma once

namespace gemmscope::gpu {

using CublasHandle = void*;

inline constexpr int kCublasSuccess = 0, kCublasAllocFailed = 3, kCublasExecutionFailed = 13,
                     kCublasNotSupported = 15;
inline constexpr int kCublasNoTranspose = 0;
inline constexpr int kCublasDefaultMath = 0, kCublasPedanticMath = 2;
inline constexpr int kCudaFloat32 = 0, kCudaBfloat16 = 14;
inline constexpr int kCublasCompute32 = 68, kCublasCompute32FastTf32 = 77;
inline constexpr int kCublasDefaultAlgorithm = -1;

using CublasCreate = int (*)(CublasHandle*);
using CublasGetVersion = int (*)(CublasHandle, int*);
using CublasSetMathMode = int (*)(CublasHandle, int);
using CublasGetStatusName = const char* (*)(int);
using CublasDgemm = int (*)(CublasHandle, int transpose_a, int transpose_b, int m, int n, int k,
                            const double* alpha, const double* a, int lda, const double* b, int ldb,
                            const double* beta, double* c, int ldc);
using CublasGemmEx = int (*)(CublasHandle, int transpose_a, int transpose_b, int m, int n, int k,
                             const void* alpha, const void* a, int type_a, int lda, const void* b, int type_b,
                             int ldb, const void* beta, void* c, int type_c, int ldc, int compute_type,
                             int algorithm);

}  // namespace gemmscope::gpu
