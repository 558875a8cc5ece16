// A fake device: a test sets how long each variant takes, what is wrong, and when the device dies.
#pragma once

#include <condition_variable>
#include <map>
#include <mutex>
#include <set>
#include <vector>

#include "experiment/timing_run.h"

namespace gemmscope::experiment {

// The behaviour of one variant, by its id. The n-th sample takes ms(n).
struct FakeVariant {
  std::function<double(int n)> ms = [](int) { return 1.0; };
  gpu::GpuVerification verification{true, 1e-5, 0.1, 0, "float64"};
  std::optional<gpu::RunnerError> prepare_error;
  // Called before the n-th sample, from 0.
  std::function<std::optional<gpu::RunnerError>(int n)> time_error = [](int) { return std::nullopt; };
};

class FakeTimingDevice final : public TimingDevice {
 public:
  struct Timed {
    std::string id;
    uint32_t launches;
    bool flush_l2;
  };
  std::map<std::string, FakeVariant> variants;  // others behave as a FakeVariant does
  TimedDevice facts = [] {
    TimedDevice device;
    device.name = "Fake GPU";
    device.compute_capability = 90;
    return device;
  }();
  std::optional<gpu::RunnerError> describe_error;
  std::function<void()> while_timing = [] {};  // called within time()

  // ---- what was asked of it
  std::vector<std::string> prepared, released;
  std::vector<Timed> timed;
  std::vector<isa::Arch> archs;
  int runners = 0, stale_handles = 0;

  gpu::Outcome<TimedDevice> describe(const std::atomic<bool>&) override {
    if (describe_error) return tl::unexpected(*describe_error);
    start();
    return facts;
  }
  gpu::Outcome<gpu::Prepared> prepare(const CompiledKernel& compiled, const Experiment& experiment, Grade,
                                      const std::atomic<bool>&) override {
    archs.push_back(experiment.arch);
    return prepare_id(compiled.kernel.id);
  }
  gpu::Outcome<gpu::Prepared> prepare_library(const catalog::Problem&, Grade grade,
                                              const std::atomic<bool>&) override {
    auto reply = prepare_id(std::string("library ") + grade_name(grade));
    if (reply) reply->library = "cuFake 1.0";
    return reply;
  }
  gpu::Outcome<gpu::TimeReply> time(const gpu::TimeRequest& request,
                                    const std::atomic<bool>& cancelled) override {
    start();
    while_timing();
    if (cancelled) return failed({gpu::ErrorKind::cancelled, "cancelled"});
    const auto found = handles_.find(request.handle);
    if (found == handles_.end()) {
      ++stale_handles;
      return failed({gpu::ErrorKind::bad_request, "a stale handle"});
    }
    const std::string id = found->second;
    const int n = samples_[id]++;
    if (auto error = variants[id].time_error(n)) return failed(*error);
    timed.push_back({id, request.launches, request.flush_l2});
    return gpu::TimeReply{variants[id].ms(n), 1980};
  }
  void release(uint64_t handle) override {
    const auto found = handles_.find(handle);
    if (found == handles_.end()) return;
    released.push_back(found->second);
    handles_.erase(found);
  }
  size_t held() const { return handles_.size(); }

 private:
  void start() {
    if (running_) return;
    running_ = true;
    ++runners;
  }
  template <typename T = gpu::TimeReply>
  tl::unexpected<gpu::RunnerError> failed(const gpu::RunnerError& error) {
    const Fate fate = fate_after(error.kind);
    if (fate != Fate::variant_refused) {
      running_ = false;
      handles_.clear();
    }
    return tl::unexpected(error);
  }
  gpu::Outcome<gpu::Prepared> prepare_id(const std::string& id) {
    start();
    prepared.push_back(id);
    if (variants[id].prepare_error) return failed(*variants[id].prepare_error);
    handles_[++last_handle_] = id;
    gpu::Prepared reply;
    reply.handle = last_handle_;
    reply.verification = variants[id].verification;
    reply.first_ms = 2 * variants[id].ms(0);
    return reply;
  }

  std::map<uint64_t, std::string> handles_;
  std::map<std::string, int> samples_;
  uint64_t last_handle_ = 0;
  bool running_ = false;
};

// A fake compiler, whose machine code is the source.
inline Outcome<CompiledKernel> fake_compile(const catalog::Kernel& kernel, const Experiment&) {
  if (kernel.source.empty()) return tl::unexpected(Failure{"there is no source", {}});
  auto compiled = std::make_shared<CompiledKernel>();
  compiled->kernel = kernel;
  for (const char c : kernel.source) compiled->binary.push_back(static_cast<std::byte>(c));
  return compiled;
}

inline TimedKernel fake_choice(const std::string& id, const std::string& source = "code") {
  TimedKernel choice;
  choice.kernel.id = id;
  choice.kernel.title = "Title of " + id;
  choice.kernel.source = source;
  return choice;
}
inline TimingJob fake_job(const std::vector<std::string>& ids, TimingOptions options = {}) {
  TimingJob job;
  for (const std::string& id : ids) job.variants.push_back(fake_choice(id, "code of " + id));
  job.options = options;
  return job;
}

}  // namespace gemmscope::experiment
