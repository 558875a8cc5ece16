// The protocol of gemmscope and its GPU runner: one JSON object per line over the runner's stdin and stdout,
// and one reply per request, in order. Bytes are sent as base64, so that ssh and srun can carry them.
//   > {"gemmscope_gpu":1,"id":1,"request":"hello"}
//   < {"gemmscope_gpu":1,"id":1,"device":{…}}        or
//   {"gemmscope_gpu":1,"id":1,"error":{"kind":…,"message":…}}
// Every version has "gemmscope_gpu" (the version) and "id". A reader ignores members that it does not know:
// a new member keeps the version, a changed meaning raises it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "gpu/errors.h"
#include "gpu/parameters.h"
#include "gpu/timing_protocol.h"

namespace gemmscope::gpu {

inline constexpr int kProtocolVersion = 1;
// The longest request that a runner accepts, and the longest line that is ever sent.
inline constexpr size_t kMaxLineBytes = size_t{1} << 30;

// The reply to hello.
struct DeviceFacts {
  std::string name;            // "NVIDIA H200"
  int compute_capability = 0;  // 90 for 9.0
  int sm_count = 0;
  double max_clock_mhz = 0;  // SM clock
  uint64_t memory_bytes = 0;
  std::string driver_version;  // "580.159.04", empty if the driver does not report it
  std::string cuda_version;    // the newest CUDA that the driver runs, "13.0"
  // Each of these is 0 if it is not known.
  double memory_gb_per_second = 0;  // 10^9 bytes: memory clock x bus width, both edges of the clock
  int fp32_lanes_per_sm = 0;
  uint64_t l2_bytes = 0;
  bool operator==(const DeviceFacts&) const = default;
};

using Parameter = std::variant<BufferParameter, ValueParameter>;

// Launches a kernel once, on its own buffers.
struct RunRequest {
  std::vector<std::byte> cubin;
  std::string kernel;
  std::array<uint32_t, 3> grid{1, 1, 1}, block{1, 1, 1};  // blocks, threads
  uint32_t dynamic_shared_bytes = 0;
  uint32_t time_limit_ms = 10'000;  // for the kernel
  std::vector<Parameter> parameters;
  bool operator==(const RunRequest&) const = default;
};

// The kernel wrote outside a buffer, into the guard words around it.
struct OutsideWrite {
  uint32_t parameter = 0;
  // First such byte, from the buffer's start: negative before the buffer, at least its size behind it.
  int64_t offset = 0;
  bool operator==(const OutsideWrite&) const = default;
};
struct RunReply {
  std::vector<std::vector<std::byte>> buffers;  // the returned ones, in the order of the parameters
  std::vector<OutsideWrite> outside_writes;
  bool operator==(const RunReply&) const = default;
};

struct HelloRequest {};
struct QuitRequest {};
struct Goodbye {};

struct Request {
  uint64_t id = 0;  // chosen by the client, from 1
  std::variant<HelloRequest, RunRequest, QuitRequest, PrepareRequest, PrepareLibraryRequest, TimeRequest,
               ReleaseRequest>
      what;
};
struct Reply {
  uint64_t id = 0;  // the request's; 0 in an error about a line whose id could not be read
  std::variant<DeviceFacts, RunReply, Goodbye, RunnerError, Prepared, TimeReply, Released> what;
};

// These return a line without its newline.
std::string encode_request(uint64_t id, const HelloRequest& request);
std::string encode_request(uint64_t id, const RunRequest& request);
std::string encode_request(uint64_t id, const QuitRequest& request);
std::string encode_request(uint64_t id, const PrepareRequest& request);
std::string encode_request(uint64_t id, const PrepareLibraryRequest& request);
std::string encode_request(uint64_t id, const TimeRequest& request);
std::string encode_request(uint64_t id, const ReleaseRequest& request);
std::string encode_reply(const Reply& reply);

// What is wrong with a line, and its id, or 0 if the id could not be read.
struct DecodeError {
  uint64_t id = 0;
  RunnerError error;  // bad_request, or wrong_version
};
tl::expected<Request, DecodeError> decode_request(std::string_view line);
tl::expected<Reply, DecodeError> decode_reply(std::string_view line);

}  // namespace gemmscope::gpu
