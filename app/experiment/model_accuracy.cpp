#include "experiment/model_accuracy.h"

#include <algorithm>
#include <cmath>
#include <mutex>
#include <thread>

#include "experiment/devices.h"
#include "experiment/model_report.h"
#include "experiment/pipeline.h"
#include "experiment/recorded_time.h"

namespace gemmscope::experiment {
namespace {

constexpr double kDistinct = 1.02;  // pairs of recorded times that are closer have no order

std::vector<AccuracyEntry> entries_of(const Recording& recording) {
  std::vector<AccuracyEntry> entries;
  for (size_t run = 0; run < recording.size(); ++run)
    for (const TimedVariant& variant : recording[run].variants) {
      if (variant.is_library || variant.samples.empty()) continue;
      AccuracyEntry entry;
      entry.run = run;
      entry.problem = recording[run].problem;
      entry.id = variant.id;
      entry.title = variant.title;
      entry.toggles = variant.toggles;
      entry.is_product = variant.is_product;
      entry.recorded_ms = median_ms(variant);
      entries.push_back(std::move(entry));
    }
  return entries;
}

void model_entry(AccuracyEntry& entry, const catalog::Catalog& catalog, const sm::SmConfig& device,
                 const std::atomic<bool>* cancelled) {
  const catalog::Kernel* kernel = catalog.find(entry.id);
  if (kernel == nullptr) {
    entry.trouble = "The catalogue has no such kernel.";
    return;
  }
  if (entry.problem.m < 1) {
    entry.trouble = "The recording does not state the size.";
    return;
  }
  Experiment experiment;
  experiment.kernel = entry.id;
  experiment.problem = entry.problem;
  experiment.toggles = entry.toggles;
  experiment.arch = arch_of(device);
  auto compiled = compile_kernel(*kernel, experiment);
  if (!compiled) {
    entry.trouble = compiled.error().message;
    return;
  }
  const auto report = report_model(**compiled, experiment, device, cancelled);
  if (report)
    entry.modelled_ms = (*report)->milliseconds();
  else
    entry.trouble = report.error().message;
}

int sign(double value) { return (value > 0) - (value < 0); }

}  // namespace

AccuracySummary summarize(const std::vector<AccuracyEntry>& entries) {
  AccuracySummary summary;
  int64_t order = 0;
  for (size_t i = 0; i < entries.size(); ++i) {
    const AccuracyEntry& a = entries[i];
    if (!a.compared()) continue;
    ++summary.compared;
    summary.mean_error += std::abs(a.error());
    if (std::abs(a.error()) > std::abs(summary.worst_error)) {
      summary.worst_error = a.error();
      summary.worst = i;
    }
    for (size_t k = i + 1; k < entries.size(); ++k) {
      const AccuracyEntry& b = entries[k];
      if (!b.compared() || b.run != a.run) continue;
      const double least = std::min(a.recorded_ms, b.recorded_ms);
      if (std::max(a.recorded_ms, b.recorded_ms) <= kDistinct * least) continue;
      ++summary.pairs;
      order += sign(a.recorded_ms - b.recorded_ms) * sign(a.modelled_ms - b.modelled_ms);
    }
  }
  if (summary.compared > 0) summary.mean_error /= static_cast<double>(summary.compared);
  if (summary.pairs > 0) summary.tau = static_cast<double>(order) / static_cast<double>(summary.pairs);
  return summary;
}

std::vector<AccuracyEntry> model_accuracy(const Recording& recording, const catalog::Catalog& catalog,
                                          const sm::SmConfig& device, const AccuracyOptions& options) {
  std::vector<AccuracyEntry> entries = entries_of(recording);
  std::atomic<size_t> next = 0;
  std::mutex mutex;
  size_t done = 0;
  const auto work = [&] {
    for (size_t i = next++; i < entries.size(); i = next++) {
      if (options.cancelled != nullptr && *options.cancelled) return;
      model_entry(entries[i], catalog, device, options.cancelled);
      const std::scoped_lock lock(mutex);
      ++done;
      if (options.progress) options.progress(done, entries.size());
    }
  };
  const size_t wanted = options.threads > 0 ? static_cast<size_t>(options.threads)
                                            : std::max(1u, std::thread::hardware_concurrency());
  std::vector<std::jthread> threads;
  for (size_t i = 1; i < std::min(wanted, entries.size()); ++i) threads.emplace_back(work);
  work();
  threads.clear();
  return entries;
}

}  // namespace gemmscope::experiment
