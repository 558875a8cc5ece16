// A variant's turn: prepare, check, sample, and the handling of their errors.
#include <algorithm>

#include "experiment/timing_run.h"

namespace gemmscope::experiment {
namespace {

// A runner that ends without a message is restarted, but only so many times.
constexpr int kLossesOfAVariant = 2, kLossesInARow = 4;

}  // namespace

bool TimingRun::prepare(size_t index, const std::atomic<bool>& cancelled) {
  Entry& entry = entries_[index];
  TimedVariant& shown = timings_.variants[index];
  const gpu::Outcome<gpu::Prepared> prepared =
      entry.choice ? device_.prepare(*entry.compiled, experiment_of(entry), shown.grade, cancelled)
                   : device_.prepare_library(job_.problem, shown.grade, cancelled);
  if (!prepared) return failed(index, prepared.error()), false;
  entry.handle = prepared->handle;
  if (!prepared->library.empty()) timings_.device.library = prepared->library;
  entry.warm_up = {};
  entry.launches = repetitions_for(prepared->first_ms);
  check(index, prepared->verification);
  return shown.trouble.empty();
}

// Times of a wrong result are meaningless. A kernel that is not a product and has no reference cannot be
// checked.
void TimingRun::check(size_t index, const gpu::GpuVerification& verification) {
  TimedVariant& shown = timings_.variants[index];
  const Entry& entry = entries_[index];
  const bool by_reference = entry.choice && is_checked_by_reference(entry.choice->kernel);
  if (!shown.is_product && !by_reference) return;
  if (!verification.checked)
    return give_up(index, fmt::format("it is not timed, because its result could not be checked: {}",
                                      verification.against));
  shown.largest_error = verification.largest_error;
  shown.error_ratio = verification.largest_ratio;
  if (verification.wrong_elements == 0) return;
  const uint64_t count = verification.wrong_elements;
  const double largest = verification.largest_error;
  give_up(index, by_reference
                     ? fmt::format("its result is wrong, so it is not timed: {} element{} from those "
                                   "of {}, largest error {:.3g}",
                                   count, count == 1 ? " differs" : "s differ", verification.against, largest)
                     : fmt::format("C is wrong: {} element{} beyond the rounding bound, largest error "
                                   "{:.3g}",
                                   count, count == 1 ? " is" : "s are", largest));
}

void TimingRun::sample(size_t index, const std::atomic<bool>& cancelled) {
  Entry& entry = entries_[index];
  gpu::TimeRequest request;
  request.handle = *entry.handle;
  request.launches = entry.launches;
  request.flush_l2 = job_.options.flush_l2;
  const gpu::Outcome<gpu::TimeReply> reply = device_.time(request, cancelled);
  if (!reply) return failed(index, reply.error());
  lost_in_a_row_ = 0;
  if (entry.warm_up.done()) return keep(index, *reply);
  entry.warm_up.add(reply->ms, entry.launches);
  entry.launches = repetitions_for(reply->ms);
  if (entry.warm_up.done())
    timings_.variants[index].note =
        entry.warm_up.settled()
            ? ""
            : "its time did not settle within a second of launches before the first sample";
}

void TimingRun::keep(size_t index, const gpu::TimeReply& reply) {
  std::vector<Sample>& samples = timings_.variants[index].samples;
  const std::chrono::duration<double> since = std::chrono::steady_clock::now() - began_;
  if (samples.size() >= job_.options.history) samples.erase(samples.begin());
  samples.push_back({since.count(), reply.ms, reply.sm_clock_mhz});
}

void TimingRun::give_up(size_t index, std::string why) {
  Entry& entry = entries_[index];
  timings_.variants[index].trouble = std::move(why);
  if (entry.handle) device_.release(*entry.handle);
  entry.handle.reset();
}

void TimingRun::failed(size_t index, const gpu::RunnerError& error) {
  Entry& entry = entries_[index];
  switch (fate_after(error.kind)) {
    case Fate::variant_refused:
      return give_up(index, error.message);
    case Fate::no_device:
      timings_.trouble = error.message;
      return forget_handles();
    case Fate::cancelled:  // cancelling ends the runner
      return forget_handles();
    case Fate::handles_lost:
      forget_handles();
      return count_loss(error.message);
    case Fate::variant_faulted:
      lose_runner(index, error.message);
      if (entry.compiled != nullptr) faults_.push_back({entry.compiled, error.message});
      return give_up(index, error.message);
    case Fate::runner_lost:
      lose_runner(index, error.message);
      if (++entry.runners_lost >= kLossesOfAVariant) give_up(index, error.message);
      return count_loss(error.message);
  }
}

void TimingRun::count_loss(const std::string& message) {
  if (++lost_in_a_row_ >= kLossesInARow)
    timings_.trouble =
        fmt::format("the GPU runner ended {} times in a row; the last time: {}", lost_in_a_row_, message);
}

void TimingRun::lose_runner(size_t index, const std::string& message) {
  timings_.notice = fmt::format("{}: {}. The GPU runner is restarted; all samples are kept.",
                                timings_.variants[index].title, message);
  forget_handles();
}

// The handles belonged to the old runner. The next step connects to a new one, and every variant is prepared
// again in its turn.
void TimingRun::forget_handles() {
  for (Entry& entry : entries_) {
    entry.handle.reset();
    if (entry.before != nullptr) entry.before->handle.reset();
  }
  connected_ = false;
}

}  // namespace gemmscope::experiment
