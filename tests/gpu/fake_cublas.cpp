// A stand-in for NVIDIA's libcublas.so.13 over the memory of fake_cuda.cpp. It multiplies on the CPU, and
// only if it is called as the library requires. FAKE_CUBLAS chooses a fault: "broken" does not start,
// "refuses" has no product, "wrong" gives a wrong one.
#include <dlfcn.h>

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include "fake_kernels.h"

namespace {

constexpr int kSuccess = 0, kNotInitialized = 1, kInvalidValue = 7, kNotSupported = 15;
constexpr int kFloat32 = 0, kBfloat16 = 14, kCompute32 = 68, kFastTf32 = 77, kPedantic = 2;
int math_mode = 0;

bool library_is(std::string_view what) {
  const char* const chosen = getenv("FAKE_CUBLAS");
  return chosen != nullptr && what == chosen;
}

// Moves the device's clock by the time of a product.
void work(double ms) {
  void* const cuda = dlopen("libcuda.so.1", RTLD_NOW);
  const auto advance = reinterpret_cast<void (*)(double)>(dlsym(cuda, "fake_cuda_work"));
  if (advance != nullptr) advance(ms);
}

float to_tf32(float value) {
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  bits &= ~0x1fffu;
  memcpy(&value, &bits, sizeof bits);
  return value;
}

float factor(const void* matrix, int type, int compute, int64_t index) {
  if (type == kBfloat16) return fake::widen(static_cast<const uint16_t*>(matrix)[index]);
  const float value = static_cast<const float*>(matrix)[index];
  return compute == kFastTf32 ? to_tf32(value) : value;
}

}  // namespace

extern "C" {

int cublasCreate_v2(void** handle) {
  return *handle = &math_mode, library_is("broken") ? kNotInitialized : kSuccess;
}
int cublasGetVersion_v2(void*, int* version) { return *version = 130100, kSuccess; }
int cublasSetMathMode(void*, int mode) { return math_mode = mode, kSuccess; }
const char* cublasGetStatusName(int status) {
  return status == kNotInitialized ? "CUBLAS_STATUS_NOT_INITIALIZED" : "CUBLAS_STATUS_FAKE";
}

// Column-major, as the library's reference says.
int cublasDgemm_v2(void*, int, int, int m, int n, int k, const double* alpha, const double* a, int lda,
                   const double* b, int ldb, const double* beta, double* c, int ldc) {
  if (lda < m || ldb < k || ldc < m) return kInvalidValue;
  if (library_is("refuses")) return kNotSupported;
  for (int64_t column = 0; column < n; ++column)
    for (int64_t row = 0; row < m; ++row) {
      double sum = 0;
      for (int64_t i = 0; i < k; ++i) sum += a[i * lda + row] * b[column * ldb + i];
      double& element = c[column * ldc + row];
      element = *beta == 0 ? *alpha * sum : *alpha * sum + *beta * element;
    }
  return kSuccess;
}

int cublasGemmEx(void*, int, int, int m, int n, int k, const void* alpha, const void* a, int type_a, int lda,
                 const void* b, int type_b, int ldb, const void* beta, void* c, int type_c, int ldc,
                 int compute, int) {
  if (lda < m || ldb < k || ldc < m || type_c != kFloat32 || type_a != type_b) return kInvalidValue;
  if (compute != kCompute32 && compute != kFastTf32) return kInvalidValue;
  // Float32 without the pedantic mode may be computed in TF32.
  const int seen =
      compute == kCompute32 && type_a == kFloat32 && math_mode != kPedantic ? kFastTf32 : compute;
  if (library_is("refuses")) return kNotSupported;
  const float scale = *static_cast<const float*>(alpha), old = *static_cast<const float*>(beta);
  for (int64_t column = 0; column < n; ++column)
    for (int64_t row = 0; row < m; ++row) {
      float sum = library_is("wrong") ? 1 : 0;
      for (int64_t i = 0; i < k; ++i)
        sum += factor(a, type_a, seen, i * lda + row) * factor(b, type_b, seen, column * ldb + i);
      float& element = static_cast<float*>(c)[column * ldc + row];
      element = old == 0 ? scale * sum : scale * sum + old * element;
    }
  work(0.0625);
  return kSuccess;
}

}  // extern "C"
