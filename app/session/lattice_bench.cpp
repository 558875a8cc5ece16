#include "session/lattice_bench.h"

#include <fmt/format.h>

#include "session/device_choice.h"

namespace gemmscope::session {

void LatticeBench::drop(LatticeState& lattice) {
  if (live_ != nullptr && key_) live_->cancel();
  key_.reset();
  newest_ = nullptr;
  if (lattice.lattice != nullptr || !lattice.none.empty()) ++lattice.version;
  lattice.lattice = nullptr;
  lattice.none.clear();
  lattice.choice.first_row = 0;
}

void LatticeBench::cancel(LatticeState& lattice) {
  if (live_ == nullptr || !live_->busy()) return;
  live_->cancel();
  if (lattice.lattice == nullptr) lattice.none = "It was cancelled before its first point was computed.";
  ++lattice.version;
}

void LatticeBench::want(ViewState& state, const catalog::Kernel& kernel, Key key) {
  LatticeState& lattice = state.lattice;
  drop(lattice);
  key_ = std::move(key);
  Result<sm::SmConfig> device = experiment::choose_device(*devices_, state.experiment.arch, key_->device);
  if (kernel.toggles.empty())
    lattice.none = fmt::format("{} has no toggles, so there is nothing to change.", kernel.title);
  else if (!device)
    lattice.none = device.error().message;
  if (!lattice.none.empty()) return;
  experiment::LatticeRequest request{kernel, key_->around, *std::move(device), {}, true};
  request.around.arch = experiment::arch_of(request.device);
  if (live_ == nullptr) live_ = std::make_unique<experiment::LiveLattice>(wake_);
  live_->want(std::move(request));
}

void LatticeBench::update(ViewState& state) {
  LatticeState& lattice = state.lattice;
  const catalog::Kernel* kernel = state.catalog->find(state.experiment.kernel);
  Key key{state.experiment, kernel == nullptr ? "" : kernel->source, device_asked(state), lattice.rounds};
  key.around.block = {0, 0, 0};
  key.around.launch = 0;
  if (!key_ || !(*key_ == key)) {
    if (lattice.visible && kernel != nullptr) {
      if (!devices_) devices_ = experiment::shipped_devices();
      want(state, *kernel, std::move(key));
    } else if (key_) {
      drop(lattice);
    }
  }
  if (live_ != nullptr) take(state);
}

void LatticeBench::take(ViewState& state) {
  LatticeState& lattice = state.lattice;
  const bool running = live_->busy();  // asked first, so that the last state is among those taken
  auto newest = live_->take();
  lattice.running = running;
  if (newest == nullptr && (newest_ == nullptr || timings_version_ == state.timings.version)) return;
  if (newest != nullptr) newest_ = std::move(newest);
  timings_version_ = state.timings.version;
  auto with_times = std::make_shared<experiment::Lattice>(*newest_);
  if (state.experiment.inputs.empty()) {  // timings do not say with which inputs they were taken
    if (state.timings.live != nullptr) experiment::add_times(*with_times, *state.timings.live);
    for (const experiment::Timings& timings : state.timings.recordings)
      experiment::add_times(*with_times, timings);
  }
  lattice.lattice = std::move(with_times);
  ++lattice.version;
}

}  // namespace gemmscope::session
