#include "gpu/request_checks.h"

#include <cmath>

#include "base/base64.h"

namespace gemmscope::gpu {
namespace {

template <typename Parameters>
size_t buffer_bytes(const Parameters& parameters, bool returned_only) {
  size_t bytes = 0;
  for (const auto& parameter : parameters) {
    const auto* const buffer = std::get_if<BufferParameter>(&parameter);
    if (buffer != nullptr && (buffer->returned || !returned_only))
      bytes += base64_length(buffer->initial.size()) + 16;
  }
  return bytes;
}

bool is_amount(double value) { return std::isfinite(value) && value >= 0; }

}  // namespace

size_t request_bytes(const RunRequest& request) {
  return base64_length(request.cubin.size()) + buffer_bytes(request.parameters, false);
}
size_t reply_bytes(const RunRequest& request) { return buffer_bytes(request.parameters, true); }
size_t request_bytes(const PrepareRequest& request) {
  return base64_length(request.cubin.size()) + buffer_bytes(request.parameters, false);
}

std::chrono::milliseconds reference_time(const Gemm& gemm) {
  constexpr double kSlowestFlops = 1e11, kSlowestElements = 2e7;  // per second
  const auto m = static_cast<double>(gemm.m), n = static_cast<double>(gemm.n),
             k = static_cast<double>(gemm.k);
  const double seconds = 4 * m * n * k / kSlowestFlops + (m * n + m * k + k * n) / kSlowestElements;
  return std::chrono::milliseconds(static_cast<int64_t>(seconds * 1e3));
}

Outcome<void> check_reply(const RunRequest& request, const RunReply& reply) {
  size_t next = 0;
  for (const Parameter& parameter : request.parameters) {
    const auto* const buffer = std::get_if<BufferParameter>(&parameter);
    if (buffer == nullptr || !buffer->returned) continue;
    if (next == reply.buffers.size() || reply.buffers[next].size() != buffer->initial.size())
      return runner_error(ErrorKind::garbage,
                          "the GPU runner returned buffers of a different size than it was given");
    ++next;
  }
  if (next != reply.buffers.size())
    return runner_error(ErrorKind::garbage, "the GPU runner returned {} buffers instead of {}",
                        reply.buffers.size(), next);
  for (const OutsideWrite& write : reply.outside_writes)
    if (write.parameter >= request.parameters.size())
      return runner_error(ErrorKind::garbage, "the GPU runner names parameter {}, which does not exist",
                          write.parameter);
  return {};
}

Outcome<void> check_reply(const Prepared& reply) {
  if (reply.handle == 0)
    return runner_error(ErrorKind::garbage, "the GPU runner prepared a kernel and gave no handle to it");
  const GpuVerification& v = reply.verification;
  if (!is_amount(reply.first_ms) || !is_amount(v.largest_error) || !is_amount(v.largest_ratio))
    return runner_error(ErrorKind::garbage,
                        "the GPU runner reports a first launch of {} ms, an error of {} and a ratio of {}",
                        reply.first_ms, v.largest_error, v.largest_ratio);
  return {};
}

Outcome<void> check_reply(const TimeReply& reply) {
  if (is_amount(reply.ms) && reply.ms > 0 && is_amount(reply.sm_clock_mhz)) return {};
  return runner_error(ErrorKind::garbage, "the GPU runner reports {} ms at {} MHz, which is impossible",
                      reply.ms, reply.sm_clock_mhz);
}

}  // namespace gemmscope::gpu
