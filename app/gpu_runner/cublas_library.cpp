#include "gpu_runner/cublas_library.h"

#include <dlfcn.h>

#include <cstdlib>
#include <optional>
#include <vector>

#if __has_include(<cublas_v2.h>)
#include <cublas_v2.h>
#endif

namespace gemmscope::gpu {

#if __has_include(<cublas_v2.h>)
static_assert(kCublasSuccess == CUBLAS_STATUS_SUCCESS && kCublasAllocFailed == CUBLAS_STATUS_ALLOC_FAILED &&
              kCublasExecutionFailed == CUBLAS_STATUS_EXECUTION_FAILED &&
              kCublasNotSupported == CUBLAS_STATUS_NOT_SUPPORTED);
static_assert(kCublasNoTranspose == CUBLAS_OP_N && kCublasDefaultMath == CUBLAS_DEFAULT_MATH &&
              kCublasPedanticMath == CUBLAS_PEDANTIC_MATH);
static_assert(kCudaFloat32 == CUDA_R_32F && kCudaBfloat16 == CUDA_R_16BF &&
              kCublasCompute32 == CUBLAS_COMPUTE_32F &&
              kCublasCompute32FastTf32 == CUBLAS_COMPUTE_32F_FAST_TF32 &&
              kCublasDefaultAlgorithm == CUBLAS_GEMM_DEFAULT);
#endif

namespace {

constexpr const char* kNames[] = {"libcublas.so.13", "libcublas.so.12"};

std::string environment(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? "" : value;
}

// Lists the files to try, those on the loader's path first.
std::vector<std::string> candidates() {
  const std::string chosen = environment("GEMMSCOPE_CUBLAS");
  if (!chosen.empty()) return {chosen};
  std::vector<std::string> folders = {""};
#ifdef GEMMSCOPE_CUDA_LIBRARY_FOLDER
  folders.emplace_back(GEMMSCOPE_CUDA_LIBRARY_FOLDER "/");
#endif
  if (const std::string home = environment("CUDA_HOME"); !home.empty()) folders.push_back(home + "/lib64/");
  folders.emplace_back("/usr/local/cuda/lib64/");
  std::vector<std::string> paths;
  for (const std::string& folder : folders)
    for (const char* name : kNames) paths.push_back(folder + name);
  return paths;
}

void* open_library(std::string& reason) {
  for (const std::string& path : candidates()) {
    if (void* const library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL); library != nullptr) return library;
    const char* const error = dlerror();
    if (reason.empty()) reason = error == nullptr ? path : error;
  }
  return nullptr;
}

}  // namespace

const char* CublasLibrary::find_all(void* library) {
  const char* missing = nullptr;
  const auto find = [&](auto& function, const char* name, bool needed = true) {
    function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(dlsym(library, name));
    if (function == nullptr && needed) missing = name;
  };
  find(create_, "cublasCreate_v2");
  find(get_version_, "cublasGetVersion_v2");
  find(set_math_mode_, "cublasSetMathMode");
  find(dgemm_, "cublasDgemm_v2");
  find(gemm_ex_, "cublasGemmEx");
  find(status_name_, "cublasGetStatusName", false);
  return missing;
}

Outcome<CublasLibrary> load_cublas() {
  if (environment("GEMMSCOPE_CUBLAS") == "none")
    return runner_error(ErrorKind::no_library, "cuBLAS is switched off (GEMMSCOPE_CUBLAS=none)");
  std::string reason;
  void* const library = open_library(reason);
  if (library == nullptr)
    return runner_error(ErrorKind::no_library,
                        "cuBLAS is not on the GPU's computer ({}): install it for the bars of NVIDIA's own "
                        "library; everything else works without it",
                        reason);
  CublasLibrary cublas;
  if (const char* const missing = cublas.find_all(library); missing != nullptr)
    return runner_error(ErrorKind::no_library, "this cuBLAS has no {}: install version 12 or newer", missing);
  const int status = cublas.create_(&cublas.handle_);
  if (status == kCublasAllocFailed)
    return runner_error(ErrorKind::out_of_memory, "cuBLAS found no free memory on the GPU ({})",
                        cublas.status_text(status));
  if (status != kCublasSuccess)
    return runner_error(ErrorKind::no_library,
                        "cuBLAS does not start ({}): check that the driver supports this version",
                        cublas.status_text(status));
  int version = 0;  // 130100 is 13.1.0
  cublas.get_version_(cublas.handle_, &version);
  cublas.title_ = fmt::format("cuBLAS {}.{}.{}", version / 10000, version / 100 % 100, version % 100);
  return cublas;
}

std::string CublasLibrary::status_text(int status) const {
  const char* const name = status_name_ == nullptr ? nullptr : status_name_(status);
  return name == nullptr ? fmt::format("status {}", status) : name;
}

Outcome<void> CublasLibrary::checked(int status) const {
  if (status == kCublasSuccess) return {};
  const std::string text = fmt::format("{} cannot multiply: {}", title_, status_text(status));
  switch (status) {
    case kCublasAllocFailed:
      return runner_error(ErrorKind::out_of_memory, "{}", text);
    case kCublasNotSupported:
      return runner_error(ErrorKind::no_library, "{}; cuBLAS has no such product on this GPU", text);
    case kCublasExecutionFailed:
      return runner_error(ErrorKind::kernel_fault, "{}", text);
    default:
      return runner_error(ErrorKind::driver_error, "{}", text);
  }
}

// cuBLAS reads a row-major matrix as the transpose of a column-major one, so it computes C' = B' A'.
Outcome<void> CublasLibrary::multiply(const Gemm& gemm, Precision precision, CUdeviceptr a, CUdeviceptr b,
                                      CUdeviceptr c) const {
  const auto m = static_cast<int>(gemm.m), n = static_cast<int>(gemm.n), k = static_cast<int>(gemm.k);
  const int type = precision == Precision::bf16 ? kCudaBfloat16 : kCudaFloat32;
  const int compute = precision == Precision::tf32 ? kCublasCompute32FastTf32 : kCublasCompute32;
  const int mode = precision == Precision::fp32 ? kCublasPedanticMath : kCublasDefaultMath;
  if (const int status = set_math_mode_(handle_, mode); status != kCublasSuccess) return checked(status);
  const auto pointer = [](CUdeviceptr address) { return reinterpret_cast<void*>(address); };
  return checked(gemm_ex_(handle_, kCublasNoTranspose, kCublasNoTranspose, n, m, k, &gemm.alpha, pointer(b),
                          type, n, pointer(a), type, k, &gemm.beta, pointer(c), kCudaFloat32, n, compute,
                          kCublasDefaultAlgorithm));
}

Outcome<void> CublasLibrary::multiply_float64(int64_t m, int64_t n, int64_t k, CUdeviceptr a, CUdeviceptr b,
                                              CUdeviceptr c) const {
  const auto rows = static_cast<int>(m), columns = static_cast<int>(n), products = static_cast<int>(k);
  const double one = 1, zero = 0;
  // Pedantic mode forbids emulating float64 by narrower types, whatever the environment asks for.
  if (const int status = set_math_mode_(handle_, kCublasPedanticMath); status != kCublasSuccess)
    return checked(status);
  const auto pointer = [](CUdeviceptr address) { return reinterpret_cast<double*>(address); };
  return checked(dgemm_(handle_, kCublasNoTranspose, kCublasNoTranspose, columns, rows, products, &one,
                        pointer(b), columns, pointer(a), products, &zero, pointer(c), columns));
}

Outcome<const CublasLibrary*> cublas_library() {
  static std::optional<Outcome<CublasLibrary>> library;
  if (!library || (!library->has_value() && library->error().kind == ErrorKind::out_of_memory))
    library.emplace(load_cublas());
  if (!library->has_value()) return tl::unexpected(library->error());
  return &library->value();
}

}  // namespace gemmscope::gpu
