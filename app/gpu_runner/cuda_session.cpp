// Keeps what is prepared, and answers requests about it.
#include <algorithm>
#include <cmath>
#include <map>
#include <random>

#include "gpu_runner/device.h"
#include "gpu_runner/local_memory.h"
#include "gpu_runner/nvml.h"
#include "gpu_runner/prepared_kernel.h"

namespace gemmscope::gpu {
namespace {

// Work shorter than kShortMs is also launched before it is timed, for kLeadMs, the time that submitting a
// launch may take.
constexpr double kShortMs = 2, kLeadMs = 0.05;
constexpr double kMostLeads = 20;
// Evicting the L2 cache writes this many times its size.
constexpr size_t kEvictionFactor = 2;
constexpr size_t kEvictionUnknown = size_t{256} << 20;  // bytes, if the size of the cache is not known
constexpr uint32_t kLibraryLimitMs = 60'000;

// Each runner starts at a random handle, so that a handle of an earlier runner is refused. It stays below
// 2^53, which every JSON reader keeps exactly.
uint64_t first_handle() {
  std::random_device random;
  return uint64_t{random() & 0x7fffffff} << 20;
}

class Session {
 public:
  template <typename Request>
  Outcome<Prepared> prepare(const Request& request, const std::optional<Gemm>& gemm, uint32_t limit_ms,
                            const std::function<void()>& wait_a_moment) {
    const Outcome<CudaDevice>& device = cuda_device();
    if (!device) return tl::unexpected(device.error());
    auto created = PreparedKernel::create(*device, request, gemm ? matrices_for(*gemm) : nullptr);
    if (!created) return tl::unexpected(created.error());
    std::unique_ptr<PreparedKernel> kernel = std::move(*created);
    Outcome<Prepared> prepared = first_launch(*kernel, limit_ms, wait_a_moment);
    if (!prepared) {
      // Freeing a kernel's memory waits for the kernel, and a hung kernel would block it.
      if (ends_runner(prepared.error().kind)) std::ignore = kernel.release();
      return prepared;
    }
    prepared->handle = ++last_handle_;
    kernels_.emplace(last_handle_, std::move(kernel));
    return prepared;
  }

  Outcome<TimeReply> time(const TimeRequest& request, const std::function<void()>& wait_a_moment) {
    const auto found = kernels_.find(request.handle);
    if (found == kernels_.end()) return unknown(request.handle);
    if (request.launches == 0)
      return runner_error(ErrorKind::bad_request, "a timing needs at least one launch");
    PreparedKernel& kernel = *found->second;
    if (Outcome<void> laid_out = lay_out_local_memory(*cuda_device(), kernel.local_bytes()); !laid_out)
      return tl::unexpected(laid_out.error());
    const Wait wait{kernel.name(), request.time_limit_ms, wait_a_moment};
    const Outcome<double> ms = request.flush_l2 ? time_cold(kernel, request.launches, wait)
                                                : time_warm(kernel, request.launches, wait);
    if (!ms) return tl::unexpected(ms.error());
    return TimeReply{*ms, nvml_sm_clock_mhz(cuda_device()->pci_bus_id)};
  }

  Outcome<Released> release(uint64_t handle) {
    if (kernels_.erase(handle) == 0) return unknown(handle);
    return Released{};
  }

 private:
  static tl::unexpected<RunnerError> unknown(uint64_t handle) {
    return runner_error(ErrorKind::not_prepared, "nothing is prepared under the handle {}: prepare it again",
                        handle);
  }

  // Keeps the last matrices: a released kernel is often prepared again with other toggles.
  std::shared_ptr<GemmMatrices> matrices_for(const Gemm& gemm) {
    if (last_matrices_ != nullptr && last_matrices_->is_for(gemm)) return last_matrices_;
    last_matrices_.reset();
    std::erase_if(matrices_, [](const auto& weak) { return weak.expired(); });
    for (const std::weak_ptr<GemmMatrices>& weak : matrices_)
      if (std::shared_ptr<GemmMatrices> known = weak.lock(); known != nullptr && known->is_for(gemm))
        last_matrices_ = known;
    if (last_matrices_ == nullptr) {
      last_matrices_ = std::make_shared<GemmMatrices>(*cuda_device()->driver, gemm.m, gemm.n, gemm.k);
      matrices_.push_back(last_matrices_);
    }
    return last_matrices_;
  }

  Outcome<Prepared> first_launch(PreparedKernel& kernel, uint32_t limit_ms,
                                 const std::function<void()>& wait_a_moment) {
    if (Outcome<void> laid_out = lay_out_local_memory(*cuda_device(), kernel.local_bytes()); !laid_out)
      return tl::unexpected(laid_out.error());
    const Outcome<double> ms =
        time_once(*cuda_device()->driver, kernel.enqueue(), {kernel.name(), limit_ms, wait_a_moment});
    if (!ms) return tl::unexpected(ms.error());
    kernel.shortest_ms = *ms;
    Outcome<GpuVerification> verification = kernel.verify(wait_a_moment);
    if (!verification) return tl::unexpected(verification.error());
    Prepared prepared;
    prepared.verification = std::move(*verification);
    prepared.first_ms = *ms;
    prepared.library = kernel.library();
    return prepared;
  }

  Outcome<double> time_warm(PreparedKernel& kernel, uint32_t launches, const Wait& wait) {
    const double ms_at_least = std::max(kernel.shortest_ms, kLeadMs / kMostLeads);
    const uint32_t leads =
        kernel.shortest_ms < kShortMs ? static_cast<uint32_t>(std::ceil(kLeadMs / ms_at_least)) : 0;
    const Outcome<double> ms = time_in_a_row(*cuda_device()->driver, kernel.enqueue(), launches, leads, wait);
    if (ms) kernel.shortest_ms = std::min(kernel.shortest_ms, *ms);
    return ms;
  }

  Outcome<double> time_cold(PreparedKernel& kernel, uint32_t launches, const Wait& wait) {
    const CudaDevice& device = *cuda_device();
    if (!eviction_) {
      int l2_bytes = 0;
      device.driver->device_attribute(&l2_bytes, CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE, device.device);
      const size_t bytes = l2_bytes > 0 ? kEvictionFactor * static_cast<size_t>(l2_bytes) : kEvictionUnknown;
      Outcome<DeviceBuffer> buffer = DeviceBuffer::create(*device.driver, bytes);
      if (!buffer) return tl::unexpected(buffer.error());
      eviction_.emplace(std::move(*buffer));
    }
    return time_with_cold_l2(*device.driver, kernel.enqueue(), launches, *eviction_, wait);
  }

  std::vector<std::weak_ptr<GemmMatrices>> matrices_;
  std::shared_ptr<GemmMatrices> last_matrices_;
  std::map<uint64_t, std::unique_ptr<PreparedKernel>> kernels_;
  std::optional<DeviceBuffer> eviction_;
  uint64_t last_handle_ = first_handle();
};

// The session is never destroyed: its destructor would wait for a hung kernel.
Session& session() {
  static Session* const only = new Session;
  return *only;
}

}  // namespace

Outcome<Prepared> prepare_on_device(const PrepareRequest& request,
                                    const std::function<void()>& wait_a_moment) {
  if (Outcome<void> checked = check_request(request); !checked) return tl::unexpected(checked.error());
  return session().prepare(request, request.gemm, request.time_limit_ms, wait_a_moment);
}

Outcome<Prepared> prepare_on_device(const PrepareLibraryRequest& request,
                                    const std::function<void()>& wait_a_moment) {
  if (Outcome<void> checked = check_gemm(request.gemm); !checked) return tl::unexpected(checked.error());
  return session().prepare(request, request.gemm, kLibraryLimitMs, wait_a_moment);
}

Outcome<TimeReply> time_on_device(const TimeRequest& request, const std::function<void()>& wait_a_moment) {
  return session().time(request, wait_a_moment);
}

Outcome<Released> release_on_device(const ReleaseRequest& request) {
  return session().release(request.handle);
}

}  // namespace gemmscope::gpu
