#include "experiment/live_lattice.h"

#include <utility>

namespace gemmscope::experiment {

LiveLattice::LiveLattice(std::function<void()> wake) : wake_(std::move(wake)), thread_([this] { loop(); }) {}

LiveLattice::~LiveLattice() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
    cancelled_ = true;
  }
  ready_.notify_one();
  thread_.join();
}

void LiveLattice::replace(std::optional<LatticeRequest> next) {
  {
    const std::lock_guard lock(mutex_);
    next_ = std::move(next);
    newest_ = nullptr;
    ++generation_;
    cancelled_ = true;
  }
  ready_.notify_one();
}

void LiveLattice::want(LatticeRequest request) { replace(std::move(request)); }
void LiveLattice::cancel() { replace(std::nullopt); }

std::shared_ptr<const Lattice> LiveLattice::take() {
  const std::lock_guard lock(mutex_);
  return std::exchange(newest_, nullptr);
}

bool LiveLattice::busy() const {
  const std::lock_guard lock(mutex_);
  return working_ || next_.has_value();
}

void LiveLattice::loop() {
  LatticeMemory memory;
  for (;;) {
    LatticeRequest request;
    uint64_t generation = 0;
    {
      std::unique_lock lock(mutex_);
      working_ = false;
      ready_.wait(lock, [this] { return stopping_ || next_.has_value(); });
      if (stopping_) return;
      request = *std::exchange(next_, std::nullopt);
      generation = generation_;
      cancelled_ = false;
      working_ = true;
    }
    LatticeOptions options;
    options.cancelled = &cancelled_;
    options.progress = [&](const Lattice& lattice) {
      auto copy = std::make_shared<const Lattice>(lattice);
      {
        const std::lock_guard lock(mutex_);
        if (stopping_ || generation != generation_) return;
        newest_ = std::move(copy);
      }
      wake_();
    };
    run_lattice(request, memory, options);
  }
}

}  // namespace gemmscope::experiment
