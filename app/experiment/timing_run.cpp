#include "experiment/timing_run.h"

#include <algorithm>
#include <utility>

#include "catalog/product.h"
#include "experiment/changed_code.h"
#include "experiment/timing_choice.h"

namespace gemmscope::experiment {
namespace {

bool same_problem(const catalog::Problem& a, const catalog::Problem& b) {
  return a.m == b.m && a.n == b.n && a.k == b.k && a.alpha == b.alpha && a.beta == b.beta;
}

bool same_code(const CompiledKernel& a, const CompiledKernel& b) {
  const auto same_part = [](const LaunchPart& p, const LaunchPart& q) {
    return p.code_index == q.code_index && p.launch.grid == q.launch.grid &&
           p.launch.block == q.launch.block && p.launch.dynamic_shared_bytes == q.launch.dynamic_shared_bytes;
  };
  return a.binary == b.binary && a.kernel.check == b.kernel.check &&
         std::equal(a.parts.begin(), a.parts.end(), b.parts.begin(), b.parts.end(), same_part);
}

std::string library_id(Grade grade) {
  constexpr std::array kIds = {"cublas_fp32", "cublas_tf32", "cublas_bf16"};
  return kIds[static_cast<size_t>(grade)];
}

std::string known_archs() {
  std::string names;
  for (const isa::Arch arch : isa::kAllArchs)
    names += fmt::format("{}{}.{}", names.empty() ? "" : ", ", isa::sm_number(arch) / 10,
                         isa::sm_number(arch) % 10);
  return names;
}

}  // namespace

TimingRun::TimingRun(TimingDevice& device, CompileFunction compile, TimingJob job,
                     std::unique_ptr<TimingRun> previous)
    : device_(device), compile_(std::move(compile)), job_(std::move(job)) {
  job_.options.history = std::max({size_t{1}, job_.options.history, job_.options.samples_wanted});
  timings_.problem = job_.problem;
  timings_.l2_flushed = job_.options.flush_l2;
  for (TimedKernel& choice : job_.variants) {
    TimedVariant variant;
    variant.id = choice.kernel.id;
    variant.title = choice.kernel.title;
    variant.toggles = choice.toggles;
    variant.changes = choice.changes;
    variant.is_product = catalog::is_product(choice.kernel);
    timings_.variants.push_back(std::move(variant));
    entries_.emplace_back().choice = std::move(choice);
  }
  job_.variants.clear();
  if (job_.options.library_bars) add_library(Grade::fp32);
  if (previous != nullptr) take_over(*previous);
}

void TimingRun::take_over(TimingRun& previous) {
  if (!same_problem(previous.job_.problem, job_.problem) ||
      previous.job_.options.flush_l2 != job_.options.flush_l2) {
    previous.release_all();
    return;
  }
  faults_ = std::move(previous.faults_);
  began_ = previous.began_;
  for (size_t old = 0; old < previous.entries_.size(); ++old) {
    const TimedVariant& was = previous.timings_.variants[old];
    const auto same = std::find_if(timings_.variants.begin(), timings_.variants.end(),
                                   [&](const TimedVariant& v) { return key_of(v) == key_of(was); });
    Entry& entry = previous.entries_[old];
    if (same == timings_.variants.end() || !was.trouble.empty()) continue;
    const auto index = static_cast<size_t>(same - timings_.variants.begin());
    same->samples = was.samples;
    same->largest_error = was.largest_error;
    same->error_ratio = was.error_ratio;
    same->note = was.note;
    entries_[index].before = std::make_shared<Entry>(std::move(entry));
    entry.handle.reset();
  }
  previous.release_all();
}

void TimingRun::add_library(Grade grade) {
  const std::string id = library_id(grade);
  for (const TimedVariant& variant : timings_.variants)
    if (variant.id == id) return;
  TimedVariant variant;
  variant.id = id;
  variant.title = fmt::format("cuBLAS {}", grade_name(grade));
  variant.grade = grade;
  variant.is_library = true;
  timings_.variants.push_back(std::move(variant));
  entries_.emplace_back();
}

void TimingRun::release_all() {
  for (Entry& entry : entries_) {
    if (entry.before != nullptr && entry.before->handle) device_.release(*entry.before->handle);
    if (entry.handle) device_.release(*entry.handle);
    entry.handle.reset();
    entry.before.reset();
  }
}

bool TimingRun::connect(const std::atomic<bool>& cancelled) {
  const gpu::Outcome<TimedDevice> device = device_.describe(cancelled);
  if (!device) {
    if (device.error().kind != gpu::ErrorKind::cancelled) timings_.trouble = device.error().message;
    return false;
  }
  const std::string library = std::exchange(timings_.device.library, {});
  timings_.device = *device;
  if (timings_.device.library.empty()) timings_.device.library = library;
  const std::optional<isa::Arch> arch = arch_for(device->compute_capability);
  if (!arch) {
    timings_.trouble = fmt::format(
        "{} has compute capability {}.{}, for which this program cannot make machine code; it can for {} and "
        "for GPUs that run the same code",
        device->name, device->compute_capability / 10, device->compute_capability % 10, known_archs());
    return false;
  }
  arch_ = *arch;
  connected_ = true;
  return true;
}

bool TimingRun::has_turn(size_t index) const {
  const TimedVariant& variant = timings_.variants[index];
  const size_t wanted = job_.options.samples_wanted;
  return variant.trouble.empty() && (wanted == 0 || variant.samples.size() < wanted);
}

size_t TimingRun::fewest_samples() const {
  size_t fewest = job_.options.history;
  for (const TimedVariant& variant : timings_.variants)
    if (variant.trouble.empty()) fewest = std::min(fewest, variant.samples.size());
  return fewest;
}

bool TimingRun::step(const std::atomic<bool>& cancelled) {
  if (!timings_.trouble.empty() || cancelled) return false;
  if (!connected_ && !connect(cancelled)) return false;
  for (size_t tried = 0; tried < entries_.size(); ++tried) {
    const size_t index = next_;
    next_ = (next_ + 1) % entries_.size();
    if (index == 0) ++rounds_;
    if (!has_turn(index)) continue;
    turn(index, cancelled);
    return timings_.trouble.empty();
  }
  return false;
}

void TimingRun::turn(size_t index, const std::atomic<bool>& cancelled) {
  if (entries_[index].choice && entries_[index].compiled == nullptr) {
    if (!compile(index)) return;
    const std::string why =
        why_not_on_gpu(entries_[index].compiled, experiment_of(entries_[index]), &cancelled);
    if (cancelled) return entries_[index].compiled.reset();  // it was not executed to its end
    if (!why.empty()) {
      drop_before(index);
      return give_up(index, why);
    }
  }
  adopt(index);
  if (!entries_[index].handle && !prepare(index, cancelled)) return;
  sample(index, cancelled);
}

Experiment TimingRun::experiment_of(const Entry& entry) const {
  Experiment experiment;
  experiment.kernel = entry.choice->kernel.id;
  experiment.problem = job_.problem;
  experiment.toggles = entry.choice->toggles;
  experiment.inputs = entry.choice->inputs;
  experiment.changes = entry.choice->changes;
  experiment.arch = arch_;
  return experiment;
}

bool TimingRun::compile(size_t index) {
  Entry& entry = entries_[index];
  Outcome<CompiledKernel> compiled = compile_(entry.choice->kernel, experiment_of(entry));
  if (!compiled) {
    drop_before(index);
    return give_up(index, compiled.error().message), false;
  }
  entry.compiled = std::move(*compiled);
  const Grade grade = executed_grade(*entry.compiled);
  timings_.variants[index].grade = grade;
  const auto fault = std::find_if(faults_.begin(), faults_.end(),
                                  [&](const Fault& f) { return same_code(*f.compiled, *entry.compiled); });
  if (fault != faults_.end()) return give_up(index, fault->message), false;
  if (job_.options.library_bars) add_library(grade);  // `entry` may have moved
  return true;
}

void TimingRun::drop_before(size_t index) {
  const std::shared_ptr<Entry> before = std::exchange(entries_[index].before, nullptr);
  if (before == nullptr) return;
  if (before->handle) device_.release(*before->handle);
  TimedVariant& shown = timings_.variants[index];
  shown.samples.clear();
  shown.largest_error = shown.error_ratio = -1;
  shown.note.clear();
}

// Takes over the previous run's state of this variant if its machine code is still the same.
void TimingRun::adopt(size_t index) {
  Entry& entry = entries_[index];
  if (entry.before == nullptr) return;
  if (entry.compiled != nullptr &&
      (entry.before->compiled == nullptr || !same_code(*entry.before->compiled, *entry.compiled)))
    return drop_before(index);
  const std::shared_ptr<Entry> before = std::exchange(entry.before, nullptr);
  entry.handle = before->handle;
  entry.warm_up = before->warm_up;
  entry.launches = before->launches;
}

}  // namespace gemmscope::experiment
