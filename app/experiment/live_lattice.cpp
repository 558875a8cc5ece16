#include "experiment/live_lattice.h"

#include <utility>

namespace gemmscope::experiment {

LiveLattice::LiveLattice(std::function<void()> wake)
    : requests_(std::move(wake),
                [memory = std::make_shared<LatticeMemory>()](const LatticeRequest& request, auto& work) {
                  LatticeOptions options;
                  options.cancelled = &work.cancelled();
                  options.progress = [&](const Lattice& lattice) {
                    auto copy = std::make_shared<const Lattice>(lattice);
                    work.post([&](std::shared_ptr<const Lattice>& newest) { newest = std::move(copy); });
                  };
                  run_lattice(request, *memory, options);
                }) {}

}  // namespace gemmscope::experiment
