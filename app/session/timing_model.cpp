// The part of the bench that models times: on which device, at which size, of which variants.
#include <algorithm>

#include "session/device_choice.h"
#include "session/timing_bench.h"

namespace gemmscope::session {
namespace {

using experiment::VariantKey;

// What is to be modelled; no device: nothing can be.
struct Target {
  const sm::SmConfig* device = nullptr;
  catalog::Problem problem;
  std::vector<VariantKey> variants;
};

void add_known(std::vector<VariantKey>& variants, const VariantKey& key, const catalog::Catalog& catalog) {
  if (catalog.find(key.kernel) != nullptr && std::ranges::find(variants, key) == variants.end())
    variants.push_back(key);
}

// Beside measured and recorded times, their device at their size; else the user's experiment.
Target target_of(const ViewState& state, const sm::DeviceList& devices) {
  const TimingState& timings = state.timings;
  Target target;
  const experiment::Timings* shown = shown_timings(timings, state.experiment.problem);
  const bool beside =
      !timings.choice.modelled && shown != nullptr && shown != timings.modelled.get() && shown->problem.m > 0;
  if (beside) target.device = experiment::device_named(devices, shown->device.name);
  for (const VariantKey& racer : timings.racers) add_known(target.variants, racer, *state.catalog);
  if (target.device != nullptr) {
    target.problem = shown->problem;
    for (const experiment::TimedVariant& v : shown->variants)
      if (!v.is_library) add_known(target.variants, experiment::key_of(v), *state.catalog);
    return target;
  }
  target.problem = state.experiment.problem;
  target.device = experiment::device_for(devices, state.experiment.arch, device_asked(state));
  return target;
}

}  // namespace

void TimingBench::read_devices(TimingState& timings) {
  if (devices_) return;
  devices_ = experiment::shipped_devices();
  for (const sm::SmConfig& device : devices_->devices) timings.devices.push_back({device.id, device.name});
}

// How fast the memories of the shown device are, as it states them or as its file has them.
void TimingBench::find_rates(ViewState& state) {
  TimingState& timings = state.timings;
  const experiment::Timings* shown = shown_timings(timings, state.experiment.problem);
  if (shown == nullptr) return;
  read_devices(timings);
  timings.rates = experiment::memory_rates(shown->device, shown->provenance,
                                           experiment::device_named(*devices_, shown->device.name));
}

void TimingBench::model(ViewState& state) {
  TimingState& timings = state.timings;
  read_devices(timings);
  Target target = target_of(state, *devices_);
  if (target.device == nullptr || target.variants.empty()) return;
  if (model_ == nullptr) model_ = std::make_unique<experiment::LiveModel>(wake_);
  const int capability = target.device->compute_capability;
  if (!modelling_ || target.device->id != modelled_device_.id ||
      !holds(*modelling_, target.variants, target.problem, capability, state)) {
    Key key = key_of(std::move(target.variants), target.problem, capability, state);
    modelled_device_ = *target.device;
    modelled_.clear();
    std::vector<experiment::TimedKernel> variants;
    for (const VariantKey& variant : key.racers)
      variants.push_back({*state.catalog->find(variant.kernel), variant.toggles, {}, variant.changes});
    model_->want(experiment::model_request(std::move(variants), key.problem, modelled_device_));
    modelling_ = std::move(key);
    model_cancelled_ = false;
  }
  take_modelled(timings);
}

void TimingBench::take_modelled(TimingState& timings) {
  std::vector<experiment::ModelledVariant> newest = model_->take();
  timings.modelling = model_->busy();
  const auto done = static_cast<int>(modelled_.size() + newest.size());
  timings.modelled_count = {done, model_cancelled_ ? done : static_cast<int>(modelling_->racers.size())};
  if (newest.empty()) return;
  for (experiment::ModelledVariant& variant : newest) modelled_.push_back(std::move(variant));
  timings.modelled = std::make_shared<experiment::Timings>(
      experiment::modelled_timings(modelled_device_, modelling_->problem, modelled_));
  ++timings.version;
}

}  // namespace gemmscope::session
