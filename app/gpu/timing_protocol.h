// Requests that keep a kernel on the GPU, check it and time it; carried by the lines of gpu/protocol.h. No
// matrix travels: the runner fills A, B and C itself with the numbers of base/random_element.h. Other buffers
// do, with what they hold at first.
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

// What the factors of a product are rounded to; sums are float32 in all of them.
enum class Precision : uint8_t { fp32, tf32, bf16 };

// A matrix of the Gemm, in the GPU's global memory: 'A' and 'B' are shared by all that is prepared for the
// same Gemm and type, each kernel has a C of its own.
struct MatrixParameter {
  char role = 'A';
  bool bfloat16 = false;  // else float32
  bool operator==(const MatrixParameter&) const = default;
};

// One kernel of the cubin. `parameters`: indices into those of the request.
struct TimedLaunch {
  std::string kernel;
  std::array<uint32_t, 3> grid{1, 1, 1}, block{1, 1, 1};  // blocks, threads
  uint32_t dynamic_shared_bytes = 0;
  std::vector<uint32_t> parameters;
  bool operator==(const TimedLaunch&) const = default;
};

using TimedParameter = std::variant<MatrixParameter, BufferParameter, ValueParameter>;

// What the launches must make where that is no product: an obvious kernel of the same cubin, launched once on
// buffers of its own with the same contents at first.
struct ReferenceCheck {
  struct Buffer {
    uint32_t parameter = 0;  // index into those of the request: a buffer
    ElementType type = ElementType::float32;
    bool operator==(const Buffer&) const = default;
  };
  TimedLaunch launch;
  std::vector<Buffer> compare;      // by compare_elements (base/compare_elements.h)
  double tolerance = 0;             // from 0, for the same bits, to below 1
  uint32_t time_limit_ms = 60'000;  // for the reference, which need not be fast
  bool operator==(const ReferenceCheck&) const = default;
};

// Loads kernels, launches them once, checks what they made, and keeps them for TimeRequests. The matrices are
// dense and row-major. Before the launches that are checked C holds its random numbers, or NaN if beta is 0;
// after them it is what they made of it.
struct PrepareRequest {
  std::vector<std::byte> cubin;
  std::vector<TimedLaunch> launches;  // one after the other: together they are what is timed
  std::vector<TimedParameter> parameters;
  std::optional<Gemm> gemm;               // what the matrices are of: C is checked
  Precision precision = Precision::fp32;  // how the kernel rounds its factors: part of the bound
  uint32_t time_limit_ms = 10'000;        // for the launches
  std::optional<ReferenceCheck> check;    // not beside a Gemm; without either nothing is checked
  bool operator==(const PrepareRequest&) const = default;
};

// bad_request: sizes that cannot be, no launch, one that names a parameter that is not there, matrices
// without a Gemm, a check that compares nothing or what is no buffer.
Outcome<void> check_request(const PrepareRequest& request);
Outcome<void> check_gemm(const Gemm& gemm);

// By the runner: C against a float64 product (gpu_runner/product_check.h has the bound), or buffers against
// those of a ReferenceCheck.
struct GpuVerification {
  bool checked = false;
  double largest_error = 0, largest_ratio = 0;  // absolute; to the bound or tolerance: right if <= 1
  uint64_t wrong_elements = 0;                  // beyond the bound, or not a number
  // "cuBLAS float64"; "float64 on the CPU, 64 of 8192 rows"; "its reference, the kernel sum"; or why nothing
  // was compared, a sentence.
  std::string against;
  bool operator==(const GpuVerification&) const = default;
};

struct Prepared {
  uint64_t handle = 0;  // for TimeRequest, until it is released or the runner ends
  GpuVerification verification;
  double first_ms = 0;  // of the launches that were checked, by events
  std::string library;  // "cuBLAS 13.1.0" for a product of the library; else empty
  bool operator==(const Prepared&) const = default;
};

// A GPU that draws a desktop or this program's window leaves the kernel for about a millisecond each frame. A
// sample is therefore several stretches of launches with events between them, and their median: a pause falls
// into one of them.
inline constexpr uint32_t kStretches = 5;

// One sample: `launches` times in a row, in kStretches of equal length. What is short is launched before them
// as well, so that the events do not time an empty queue. With flush_l2 each launch has events of its own. Of
// launches that read C (beta is not 0) each reads what the one before wrote. Errors: not_prepared,
// kernel_timeout …
struct TimeRequest {
  uint64_t handle = 0;
  uint32_t launches = 1;
  bool flush_l2 = false;  // the L2 cache is overwritten before each launch, outside the events
  uint32_t time_limit_ms = 10'000;
  bool operator==(const TimeRequest&) const = default;
};
struct TimeReply {
  double ms = 0;            // of one launch: the median of the stretches, or of the launches with flush_l2
  double sm_clock_mhz = 0;  // right after, 0 where the driver does not tell
  bool operator==(const TimeReply&) const = default;
};

struct ReleaseRequest {
  uint64_t handle = 0;
  bool operator==(const ReleaseRequest&) const = default;
};
struct Released {
  bool operator==(const Released&) const = default;
};

// cuBLAS's own product: the reference bar. Errors: no_library.
struct PrepareLibraryRequest {
  Gemm gemm;
  Precision precision = Precision::fp32;  // fp32 is CUBLAS_PEDANTIC_MATH
  bool operator==(const PrepareLibraryRequest&) const = default;
};

}  // namespace gemmscope::gpu
