// What can go wrong with a GPU and the process that owns it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "base/error.h"

namespace gemmscope::gpu {

enum class ErrorKind : uint8_t {
  // From the runner.
  no_toolkit,        // built without the CUDA Toolkit
  no_driver,         // no NVIDIA driver, one that does not start, or one that is too old
  no_device,         // a driver without a GPU
  bad_request,       // not a request, or it contradicts itself or the kernel
  wrong_version,     // also from the client
  out_of_memory,     // on the GPU, or in the runner
  no_library,        // cuBLAS is missing, or does not start
  bad_machine_code,  // the driver refuses the cubin: for another GPU, or newer than the driver
  no_such_kernel,
  not_prepared,    // this runner did not give the handle, or released it: prepare again
  launch_refused,  // grid, block or shared memory beyond the device's limits
  kernel_fault,    // an illegal address, instruction …; the runner ends
  kernel_timeout,  // the kernel did not end; the runner ends
  device_lost,     // the GPU disappeared or broke; the runner ends
  driver_error,    // any other error; the runner ends
  // From the client.
  cannot_start,
  died,
  no_answer,
  garbage,  // not a valid answer
  flood,    // an answer that does not end
  cancelled,
};
std::string_view error_kind_name(ErrorKind kind);  // "no_driver"

// The runner ends by itself after such an error: the device may be in a state that no call can repair.
constexpr bool ends_runner(ErrorKind kind) {
  return kind == ErrorKind::kernel_fault || kind == ErrorKind::kernel_timeout ||
         kind == ErrorKind::device_lost || kind == ErrorKind::driver_error;
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

}  // namespace gemmscope::gpu
