// What gemmscope and its GPU runner say to each other: one JSON object a line over the runner's stdin and
// stdout, a reply for each request, in order. Bytes travel as base64, so that ssh and srun can carry them.
//   > {"gemmscope_gpu":1,"id":1,"request":"hello"}
//   < {"gemmscope_gpu":1,"id":1,"device":{…}}        or
//   {"gemmscope_gpu":1,"id":1,"error":{"kind":…,"message":…}}
// "gemmscope_gpu" (the version) and "id" are the same in every version. Members that a reader does not know
// are ignored: an addition keeps the version, a changed meaning raises it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/error.h"

namespace gemmscope::gpu {

inline constexpr int kProtocolVersion = 1;
// The longest request that a runner takes, and the longest line that is ever sent.
inline constexpr size_t kMaxLineBytes = size_t{1} << 30;

enum class ErrorKind : uint8_t {
  // From the runner.
  no_toolkit,        // built without the CUDA Toolkit
  no_driver,         // no NVIDIA driver, or one that does not start
  no_device,         // a driver without a GPU
  bad_request,       // not a request, or one that contradicts itself or the kernel
  wrong_version,     // also from the client
  out_of_memory,     // of the GPU, or of the runner
  no_library,        // cuBLAS is missing, or does not start
  bad_machine_code,  // the driver refuses the cubin
  no_such_kernel,
  launch_refused,  // grid, block or shared memory beyond the device
  kernel_fault,    // an illegal address, instruction …; the runner ends
  kernel_timeout,  // the kernel did not end; the runner ends
  driver_error,    // any other; the runner ends
  // From the client.
  cannot_start,
  died,
  no_answer,
  garbage,  // an answer that is none
  flood,    // an answer without an end
  cancelled,
};
std::string_view error_kind_name(ErrorKind kind);  // "no_driver"

// After such an error reply the runner ends by itself: the device may be in a state that no call can leave.
constexpr bool ends_runner(ErrorKind kind) {
  return kind == ErrorKind::kernel_fault || kind == ErrorKind::kernel_timeout ||
         kind == ErrorKind::driver_error;
}

struct RunnerError {
  ErrorKind kind = ErrorKind::driver_error;
  std::string message;  // a sentence for a person
};
template <typename T>
using Outcome = tl::expected<T, RunnerError>;

template <typename... Args>
tl::unexpected<RunnerError> runner_error(ErrorKind kind, fmt::format_string<Args...> format, Args&&... args) {
  return tl::unexpected(RunnerError{kind, fmt::format(format, std::forward<Args>(args)...)});
}

// The reply to hello.
struct DeviceFacts {
  std::string name;            // "NVIDIA H200"
  int compute_capability = 0;  // 90 for 9.0
  int sm_count = 0;
  double max_clock_mhz = 0;  // of the SMs
  uint64_t memory_bytes = 0;
  std::string driver_version;  // "580.159.04", empty if the driver does not tell
  std::string cuda_version;    // the newest CUDA that the driver runs, "13.0"
  bool operator==(const DeviceFacts&) const = default;
};

// A buffer in the GPU's global memory; the kernel gets its address, a multiple of 256.
struct BufferParameter {
  std::vector<std::byte> initial;  // as many bytes as the buffer has
  bool returned = false;           // after the launch
  bool operator==(const BufferParameter&) const = default;
};
struct ValueParameter {
  std::vector<std::byte> bytes;  // little-endian, of the parameter's size
  bool operator==(const ValueParameter&) const = default;
};
using Parameter = std::variant<BufferParameter, ValueParameter>;

// Launches a kernel once, on buffers of its own.
struct RunRequest {
  std::vector<std::byte> cubin;
  std::string kernel;
  std::array<uint32_t, 3> grid{1, 1, 1}, block{1, 1, 1};  // blocks, threads
  uint32_t dynamic_shared_bytes = 0;
  uint32_t time_limit_ms = 10'000;  // for the kernel
  std::vector<Parameter> parameters;
  bool operator==(const RunRequest&) const = default;
};

// The kernel wrote beside a buffer, into the guard words around it.
struct OutsideWrite {
  uint32_t parameter = 0;
  int64_t offset =
      0;  // of the first such byte, from the buffer's start: negative before it, its size or more behind it
  bool operator==(const OutsideWrite&) const = default;
};
struct RunReply {
  std::vector<std::vector<std::byte>> buffers;  // those to be returned, in the order of the parameters
  std::vector<OutsideWrite> outside_writes;
  bool operator==(const RunReply&) const = default;
};

struct HelloRequest {};
struct QuitRequest {};
struct Goodbye {};

struct Request {
  uint64_t id = 0;  // chosen by the client, from 1
  std::variant<HelloRequest, RunRequest, QuitRequest> what;
};
struct Reply {
  uint64_t id = 0;  // of the request; 0 in an error about a line whose id could not be read
  std::variant<DeviceFacts, RunReply, Goodbye, RunnerError> what;
};

// Lines without the newline.
std::string encode_request(uint64_t id, const HelloRequest& request);
std::string encode_request(uint64_t id, const RunRequest& request);
std::string encode_request(uint64_t id, const QuitRequest& request);
std::string encode_reply(const Reply& reply);

// What is wrong with a line, and its id as far as it could be read, else 0.
struct DecodeError {
  uint64_t id = 0;
  RunnerError error;  // bad_request, or wrong_version
};
tl::expected<Request, DecodeError> decode_request(std::string_view line);
tl::expected<Reply, DecodeError> decode_reply(std::string_view line);

}  // namespace gemmscope::gpu
