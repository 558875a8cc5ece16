#include "compile/host_headers.h"

#include <algorithm>
#include <map>

namespace gemmscope::compile {
namespace {

// The integer types of <stdint.h>, which NVRTC does not declare by itself. All stand-ins share the guard.
constexpr const char* kIntegers = R"(#ifndef GEMMSCOPE_STDINT
#define GEMMSCOPE_STDINT
typedef signed char int8_t; typedef unsigned char uint8_t;
typedef short int16_t; typedef unsigned short uint16_t;
typedef int int32_t; typedef unsigned int uint32_t;
typedef long int64_t; typedef unsigned long uint64_t;
typedef long intptr_t; typedef unsigned long uintptr_t;
#endif
)";
constexpr const char* kLimits = R"(#ifndef GEMMSCOPE_LIMITS
#define GEMMSCOPE_LIMITS
#define INT_MAX 2147483647
#define INT_MIN (-INT_MAX - 1)
#define UINT_MAX 4294967295u
#define FLT_MAX 3.402823466e+38f
#define FLT_MIN 1.175494351e-38f
#define FLT_EPSILON 1.192092896e-7f
#define DBL_MAX 1.7976931348623157e+308
#endif
)";
constexpr const char* kMath = R"(#ifndef GEMMSCOPE_MATH
#define GEMMSCOPE_MATH
#ifndef INFINITY
#define INFINITY __int_as_float(0x7f800000)
#endif
#ifndef NAN
#define NAN __int_as_float(0x7fffffff)
#endif
#ifndef M_PI
#define M_PI 3.14159265358979323846
#endif
#endif
)";
// A tensor map as kernels take it: an opaque structure of 128 bytes.
constexpr const char* kDriver = R"(#ifndef GEMMSCOPE_DRIVER
#define GEMMSCOPE_DRIVER
typedef struct alignas(64) CUtensorMap_st { unsigned long long opaque[16]; } CUtensorMap;
#endif
)";
// Handle and result types that prototypes and structs of host code use.
constexpr const char* kStdio = R"(#ifndef GEMMSCOPE_STDIO
#define GEMMSCOPE_STDIO
struct GemmscopeFile;
typedef GemmscopeFile FILE;
#endif
)";
constexpr const char* kCublas = R"(#ifndef GEMMSCOPE_CUBLAS
#define GEMMSCOPE_CUBLAS
typedef struct cublasContext* cublasHandle_t;
typedef struct cublasLtContext* cublasLtHandle_t;
typedef enum { CUBLAS_STATUS_SUCCESS } cublasStatus_t;
typedef enum { CUBLAS_OP_N, CUBLAS_OP_T, CUBLAS_OP_C } cublasOperation_t;
#endif
)";
constexpr const char* kCurand = R"(#ifndef GEMMSCOPE_CURAND
#define GEMMSCOPE_CURAND
typedef struct curandGenerator_st* curandGenerator_t;
typedef enum { CURAND_STATUS_SUCCESS } curandStatus_t;
#endif
)";
// Host programs check against it, and many of them use the whole namespace.
constexpr const char* kEigen = "namespace Eigen {}\n";
// Assertions are off, as with NDEBUG.
constexpr const char* kAssert = "#ifndef assert\n#define assert(condition) ((void)0)\n#endif\n";

const std::map<std::string_view, const char*>& with_content() {
  static const std::map<std::string_view, const char*> headers = {
      {"stdint.h", kIntegers}, {"cstdint", kIntegers}, {"inttypes.h", kIntegers}, {"cinttypes", kIntegers},
      {"limits.h", kLimits},   {"climits", kLimits},   {"float.h", kLimits},      {"cfloat", kLimits},
      {"math.h", kMath},       {"cmath", kMath},       {"assert.h", kAssert},     {"cassert", kAssert},
      {"stdio.h", kStdio},     {"cstdio", kStdio},     {"cublas.h", kCublas},     {"cublas_v2.h", kCublas},
      {"cublasLt.h", kCublas}, {"curand.h", kCurand},  {"cuda.h", kDriver},       {"Eigen/Core", kEigen},
      {"Eigen/Dense", kEigen}, {"Eigen/Eigen", kEigen}};
  return headers;
}

constexpr std::string_view kEmpty[] = {"algorithm",
                                       "array",
                                       "atomic",
                                       "bitset",
                                       "chrono",
                                       "cctype",
                                       "cerrno",
                                       "cstddef",
                                       "cstdlib",
                                       "cstring",
                                       "ctime",
                                       "condition_variable",
                                       "ctype.h",
                                       "errno.h",
                                       "exception",
                                       "fstream",
                                       "functional",
                                       "future",
                                       "getopt.h",
                                       "iomanip",
                                       "ios",
                                       "iostream",
                                       "istream",
                                       "iterator",
                                       "limits",
                                       "list",
                                       "locale",
                                       "malloc.h",
                                       "memory.h",
                                       "map",
                                       "memory",
                                       "mutex",
                                       "new",
                                       "numeric",
                                       "optional",
                                       "omp.h",
                                       "ostream",
                                       "queue",
                                       "stack",
                                       "random",
                                       "set",
                                       "sstream",
                                       "stddef.h",
                                       "stdexcept",
                                       "stdbool.h",
                                       "stdlib.h",
                                       "string",
                                       "string.h",
                                       "string_view",
                                       "strings.h",
                                       "sys/resource.h",
                                       "sys/time.h",
                                       "sys/stat.h",
                                       "sys/types.h",
                                       "thread",
                                       "time.h",
                                       "tuple",
                                       "type_traits",
                                       "unistd.h",
                                       "unordered_map",
                                       "unordered_set",
                                       "utility",
                                       "valarray",
                                       "vector",
                                       "cusolverDn.h",
                                       "cudnn.h",
                                       "cuda_profiler_api.h",
                                       "nvToolsExt.h",
                                       "nvml.h",
                                       "nvtx3/nvToolsExt.h",
                                       "helper_cuda.h",
                                       "helper_functions.h",
                                       "helper_string.h",
                                       "helper_timer.h",
                                       "cuda_runtime.h",
                                       "cuda_runtime_api.h",
                                       "cudaTypedefs.h",
                                       "device_launch_parameters.h",
                                       "device_functions.h",
                                       "crt/device_functions.h",
                                       "driver_types.h",
                                       "vector_types.h",
                                       "mkl.h",
                                       "cblas.h",
                                       "gtest/gtest.h",
                                       "torch/all.h",
                                       "torch/extension.h",
                                       "torch/library.h",
                                       "torch/python.h",
                                       "torch/torch.h",
                                       "torch/types.h",
                                       "ATen/ATen.h",
                                       "ATen/Dispatch.h",
                                       "ATen/cuda/CUDAContext.h",
                                       "ATen/cuda/Exceptions.h",
                                       "c10/cuda/CUDAException.h",
                                       "c10/cuda/CUDAGuard.h",
                                       "c10/cuda/CUDAStream.h",
                                       "pybind11/numpy.h",
                                       "pybind11/pybind11.h"};

bool is_toolkit_header(std::string_view name) {
  return name.starts_with("cuda") || name.starts_with("cooperative_groups") || name.starts_with("mma") ||
         name.starts_with("cub/") || name.starts_with("thrust/") || name.starts_with("crt/");
}

}  // namespace

std::vector<std::pair<std::string, std::string>> stand_ins(const std::vector<std::string>& missing) {
  std::vector<std::pair<std::string, std::string>> result;
  for (const std::string& name : missing) {
    const auto content = with_content().find(name);
    if (content != with_content().end()) {
      result.emplace_back(name, content->second);
    } else if (std::find(std::begin(kEmpty), std::end(kEmpty), name) != std::end(kEmpty)) {
      result.emplace_back(name, "");
    }
  }
  return result;
}

const std::pair<std::string, std::string>& implicit_types() {
  static const std::pair<std::string, std::string> header = {
      "gemmscope_implicit_types.h",
      "typedef unsigned short ushort;\ntypedef unsigned int uint;\ntypedef unsigned long ulong;\n"
      "namespace std {\nusing ::fabs; using ::sqrt; using ::exp; using ::log; using ::pow;\n"
      "using ::ceil; using ::floor; using ::round;\n}\n"};
  return header;
}

std::string header_advice(std::string_view message) {
  if (message.find("\"register\" storage class") != std::string_view::npos)
    return "; C++17 has no register variables: delete the word; the compiler uses registers anyway";
  constexpr std::string_view kOpen = "open source file \"";  // after "could not" or "cannot", by version
  const size_t at = message.find(kOpen);
  if (at == std::string_view::npos) return {};
  const std::string_view name =
      message.substr(at + kOpen.size(), message.find('"', at + kOpen.size()) - at - kOpen.size());
  if (is_toolkit_header(name))
    return "; it is a header of the CUDA Toolkit, which a full installation puts beside the NVRTC library: "
           "install the full toolkit, or point GEMMSCOPE_NVRTC at the libnvrtc of one";
  return "; put it beside the kernel's file, or, if only host code needs it, guard it with #ifndef "
         "__CUDACC_RTC__ … #endif";
}

}  // namespace gemmscope::compile
