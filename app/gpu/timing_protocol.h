// Requests that keep a kernel on the GPU, check it and time it. The lines of gpu/protocol.h carry them. No
// matrix is sent: the runner fills A, B and C with the numbers of base/random_element.h. Other buffers are
// sent with their first contents.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/element_type.h"
#include "gpu/errors.h"
#include "gpu/parameters.h"

namespace gemmscope::gpu {

// C = alpha * A(MxK) * B(KxN) + beta * C(MxN).
struct Gemm {
  int64_t m = 0, n = 0, k = 0;
  float alpha = 1, beta = 0;
  bool operator==(const Gemm&) const = default;
};

// The format to which the factors of a product are rounded. Sums are float32 in every case.
enum class Precision : uint8_t { fp32, tf32, bf16 };

// A matrix of the Gemm, in the GPU's global memory. All kernels prepared for the same Gemm and type share 'A'
// and 'B'; each kernel has its own C, which starts as NaN if beta is 0, so that a kernel that reads it is
// found.
struct MatrixParameter {
  char role = 'A';
  bool bfloat16 = false;  // else float32
  uint32_t box_rows = 0;  // of 'A' or 'B': not 0 where the kernel gets a tensor map with such boxes
  bool finite = false;    // of 'C': random numbers even if beta is 0, for a kernel that adds 0 * C
  bool operator==(const MatrixParameter&) const = default;
};

// A launch of one kernel of the cubin. `parameters` holds indices into the request's parameters.
struct TimedLaunch {
  std::string kernel;
  std::array<uint32_t, 3> grid{1, 1, 1}, block{1, 1, 1};  // blocks, threads
  uint32_t dynamic_shared_bytes = 0;
  std::vector<uint32_t> parameters;
  bool operator==(const TimedLaunch&) const = default;
};

using TimedParameter = std::variant<MatrixParameter, BufferParameter, ValueParameter>;

// The expected result of launches that compute no product: a simple kernel of the same cubin, launched once
// on its own buffers with the same first contents.
struct ReferenceCheck {
  struct Buffer {
    uint32_t parameter = 0;  // index of a buffer among the request's parameters
    ElementType type = ElementType::float32;
    bool operator==(const Buffer&) const = default;
  };
  TimedLaunch launch;
  std::vector<Buffer> compare;      // compared by base/compare_elements.h
  double tolerance = 0;             // 0 (equal bits) to below 1
  uint32_t time_limit_ms = 60'000;  // for the reference, which need not be fast
  bool operator==(const ReferenceCheck&) const = default;
};

// Loads kernels, launches them once, checks their results, and keeps them for TimeRequests. The matrices are
// dense and row-major. After the checked launches C holds their result.
struct PrepareRequest {
  std::vector<std::byte> cubin;
  std::vector<TimedLaunch> launches;  // run one after the other and timed together
  std::vector<TimedParameter> parameters;
  std::optional<Gemm> gemm;               // sizes of the matrices; C is then checked
  Precision precision = Precision::fp32;  // how the kernel rounds its factors: part of the bound
  uint32_t time_limit_ms = 10'000;        // for the launches
  std::optional<ReferenceCheck> check;    // only without a Gemm; with neither, nothing is checked
  bool operator==(const PrepareRequest&) const = default;
};

// Error: bad_request, for impossible sizes, no launch, a launch with a parameter that does not exist,
// matrices without a Gemm or an impossible tensor map, or a check that compares nothing or something other
// than a buffer.
Outcome<void> check_request(const PrepareRequest& request);
// Error: bad_request, for a map that a driver would refuse, or of more than the memory holds.
Outcome<void> check_tensor_map(const TensorMapShape& shape, uint64_t memory_bytes);
// The tensor map that a kernel gets of a matrix, or nothing if it gets an address.
std::optional<TensorMapShape> tensor_map_of(const MatrixParameter& matrix, const Gemm& gemm);
Outcome<void> check_gemm(const Gemm& gemm);

// The runner's comparison of C with a float64 product (gpu_runner/product_check.h has the bound), or of
// buffers with those of a ReferenceCheck.
struct GpuVerification {
  bool checked = false;
  double largest_error = 0;     // absolute
  double largest_ratio = 0;     // error / bound or tolerance: right if <= 1
  uint64_t wrong_elements = 0;  // beyond the bound, or NaN
  // "cuBLAS float64"; "float64 on the CPU, 64 of 8192 rows"; "its reference, the kernel sum"; or a sentence
  // that says why nothing was compared.
  std::string against;
  bool operator==(const GpuVerification&) const = default;
};

struct Prepared {
  uint64_t handle = 0;  // for TimeRequest, until it is released or the runner ends
  GpuVerification verification;
  double first_ms = 0;  // duration of the checked launches, by events
  std::string library;  // "cuBLAS 13.1.0" for a product of the library; else empty
  bool operator==(const Prepared&) const = default;
};

// A GPU that draws a desktop or this program's window interrupts the kernel for about a millisecond each
// frame. A sample is therefore the median of several batches of launches with events between them: a pause
// falls into one batch.
inline constexpr uint32_t kBatchesPerSample = 5;

// Takes one sample: `launches` launches in a row, in kBatchesPerSample batches of equal length. Short kernels
// are also launched before them, so that the events do not time an empty queue. With flush_l2 each launch has
// its own events. If beta is not 0, each launch reads the C that the one before wrote. Errors: not_prepared,
// kernel_timeout …
struct TimeRequest {
  uint64_t handle = 0;
  uint32_t launches = 1;
  bool flush_l2 = false;  // the L2 cache is overwritten before each launch, outside the events
  uint32_t time_limit_ms = 10'000;
  bool operator==(const TimeRequest&) const = default;
};
struct TimeReply {
  double ms = 0;            // one launch: median of the batches, or of the launches with flush_l2
  double sm_clock_mhz = 0;  // right after the sample; 0 if the driver does not report it
  bool operator==(const TimeReply&) const = default;
};

struct ReleaseRequest {
  uint64_t handle = 0;
  bool operator==(const ReleaseRequest&) const = default;
};
struct Released {
  bool operator==(const Released&) const = default;
};

// Prepares cuBLAS's own product, the reference bar. Errors: no_library.
struct PrepareLibraryRequest {
  Gemm gemm;
  Precision precision = Precision::fp32;  // fp32 is CUBLAS_PEDANTIC_MATH
  bool operator==(const PrepareLibraryRequest&) const = default;
};

}  // namespace gemmscope::gpu
