#include "gpu_runner/cuda_timing.h"

#include <algorithm>
#include <chrono>
#include <utility>
#include <vector>

#include "gpu/timing_protocol.h"

namespace gemmscope::gpu {
namespace {

// Launches between two marks in the stream. This is below the depth (about 1,000) at which cuLaunchKernel
// blocks, where no time limit could end it.
constexpr uint32_t kLaunchesAhead = 128;

// Time to poll without sleeping. It is much longer than one sleep, so that work which outlasts it also keeps
// the stream busy during a sleep.
constexpr std::chrono::milliseconds kAwake{20};

class Event {
 public:
  static Outcome<Event> create(const CudaDriver& cuda) {
    Event event(cuda);
    const CUresult result = cuda.create_event(&event.event_, CU_EVENT_DEFAULT);
    if (result == CUDA_SUCCESS) return event;
    event.event_ = nullptr;
    return cuda.failure(result, ErrorKind::driver_error, "a CUDA event for the timing cannot be created");
  }
  Event(Event&& other) noexcept : cuda_(other.cuda_), event_(std::exchange(other.event_, nullptr)) {}
  Event& operator=(Event&&) = delete;
  ~Event() {
    if (event_ != nullptr) cuda_->destroy_event(event_);  // does not wait
  }

  Outcome<void> record() const {
    const CUresult result = cuda_->record_event(event_, nullptr);
    if (result == CUDA_SUCCESS) return {};
    return cuda_->failure(result, ErrorKind::kernel_fault, "a CUDA event for the timing cannot be recorded");
  }
  bool is_pending() const { return cuda_->query_event(event_) == CUDA_ERROR_NOT_READY; }
  Outcome<void> wait(const Wait& wait) const {
    return wait_until(
        *cuda_, [this] { return cuda_->query_event(event_); }, wait);
  }
  Outcome<double> ms_since(const Event& start) const {
    float ms = 0;
    const CUresult result = cuda_->elapsed_ms(&ms, start.event_, event_);
    if (result == CUDA_SUCCESS) return ms;
    return cuda_->failure(result, ErrorKind::driver_error, "the time between two CUDA events cannot be read");
  }

 private:
  explicit Event(const CudaDriver& cuda) : cuda_(&cuda) {}
  const CudaDriver* cuda_;
  CUevent event_ = nullptr;
};

Outcome<std::vector<Event>> create_events(const CudaDriver& cuda, size_t count) {
  std::vector<Event> events;
  events.reserve(count);
  while (events.size() < count) {
    Outcome<Event> event = Event::create(cuda);
    if (!event) return tl::unexpected(event.error());
    events.push_back(std::move(*event));
  }
  return events;
}

double median(std::vector<double> values) {
  const size_t upper = values.size() / 2, lower = (values.size() - 1) / 2;
  std::sort(values.begin(), values.end());
  return (values[lower] + values[upper]) / 2;
}

// A time limit that several waits share.
class Deadline {
 public:
  explicit Deadline(const Wait& wait)
      : wait_(wait), end_(std::chrono::steady_clock::now() + std::chrono::milliseconds(wait.limit_ms)) {}
  // Polls without sleeping at first: the stream could run empty during a sleep.
  Outcome<void> wait_awake(const Event& event) const {
    const auto awake_end = std::chrono::steady_clock::now() + kAwake;
    while (event.is_pending() && std::chrono::steady_clock::now() < awake_end) continue;
    return wait_for(event);
  }
  Outcome<void> wait_for(const Event& event) const {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(end_ - std::chrono::steady_clock::now());
    Outcome<void> ended =
        event.wait({wait_.kernel, static_cast<uint32_t>(std::max<int64_t>(left.count(), 0)), wait_.a_moment});
    if (!ended && ended.error().kind == ErrorKind::kernel_timeout)
      return runner_error(ErrorKind::kernel_timeout,
                          "the launches of {} did not end within {} ms and were stopped", wait_.kernel,
                          wait_.limit_ms);
    return ended;
  }

 private:
  const Wait& wait_;
  std::chrono::steady_clock::time_point end_;
};

}  // namespace

Outcome<double> time_once(const CudaDriver& cuda, const Enqueue& enqueue, const Wait& wait) {
  return time_in_a_row(cuda, enqueue, 1, 0, wait);
}

Outcome<double> time_in_a_row(const CudaDriver& cuda, const Enqueue& enqueue, uint32_t launches,
                              uint32_t leads, const Wait& wait) {
  const uint32_t batches = std::min(launches, kBatchesPerSample);
  const auto begin_of = [&](uint32_t batch) {
    return static_cast<uint32_t>(uint64_t{batch} * launches / batches);
  };
  Outcome<std::vector<Event>> borders = create_events(cuda, batches + 1), marks = create_events(cuda, 2);
  if (!borders) return tl::unexpected(borders.error());
  if (!marks) return tl::unexpected(marks.error());
  const Deadline deadline(wait);
  Outcome<void> step;
  for (uint32_t i = 0; i < leads && step; ++i) step = enqueue();
  uint32_t batch = 0;
  for (uint32_t i = 0; i < launches && step; ++i) {
    if (i == begin_of(batch)) step = (*borders)[batch++].record();
    // Two marks alternate: while this waits for the older mark, the launches after it keep the stream busy.
    if (i > 0 && i % kLaunchesAhead == 0 && step) {
      const uint32_t turn = i / kLaunchesAhead;
      step = (*marks)[turn % 2].record();
      if (step && turn > 1) step = deadline.wait_awake((*marks)[(turn - 1) % 2]);
    }
    if (step) step = enqueue();
  }
  if (step) step = borders->back().record();
  if (step) step = deadline.wait_for(borders->back());
  if (!step) return tl::unexpected(step.error());
  std::vector<double> of_one_launch;
  for (uint32_t i = 0; i < batches; ++i) {
    const Outcome<double> ms = (*borders)[i + 1].ms_since((*borders)[i]);
    if (!ms) return ms;
    of_one_launch.push_back(*ms / (begin_of(i + 1) - begin_of(i)));
  }
  return median(std::move(of_one_launch));
}

Outcome<double> time_with_cold_l2(const CudaDriver& cuda, const Enqueue& enqueue, uint32_t launches,
                                  const DeviceBuffer& eviction, const Wait& wait) {
  const uint32_t at_once = std::min(launches, kLaunchesAhead);
  Outcome<std::vector<Event>> events = create_events(cuda, size_t{2} * at_once);
  if (!events) return tl::unexpected(events.error());
  const Deadline deadline(wait);
  std::vector<double> of_one_launch;
  for (uint32_t done = 0; done < launches; done += at_once) {
    const uint32_t count = std::min(at_once, launches - done);
    Outcome<void> step;
    for (uint32_t i = 0; i < count && step; ++i) {
      const CUresult result =
          cuda.fill_later(eviction.address(), static_cast<unsigned char>(i), eviction.bytes(), nullptr);
      if (result != CUDA_SUCCESS)
        return cuda.failure(result, ErrorKind::kernel_fault, "the L2 cache cannot be overwritten");
      step = (*events)[2 * i].record();
      if (step) step = enqueue();
      if (step) step = (*events)[2 * i + 1].record();
    }
    if (step) step = deadline.wait_for((*events)[2 * count - 1]);
    for (uint32_t i = 0; i < count && step; ++i) {
      const Outcome<double> ms = (*events)[2 * i + 1].ms_since((*events)[2 * i]);
      if (!ms) return ms;
      of_one_launch.push_back(*ms);
    }
    if (!step) return tl::unexpected(step.error());
  }
  return median(std::move(of_one_launch));
}

}  // namespace gemmscope::gpu
