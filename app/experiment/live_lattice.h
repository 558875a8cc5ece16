// Computes an ablation lattice on threads of its own, so that the window stays responsive. What was computed
// of earlier requests is kept, as long as kernel, size and device are the same.
#pragma once

#include <functional>
#include <memory>

#include "experiment/lattice_run.h"
#include "experiment/newest_request.h"

namespace gemmscope::experiment {

class LiveLattice {
 public:
  // `wake` is called from a thread when there is something to take.
  explicit LiveLattice(std::function<void()> wake);

  // Computes this and drops earlier requests. Returns at once, as do the others.
  void want(LatticeRequest request) { requests_.replace(std::move(request)); }
  void cancel() { requests_.replace(std::nullopt); }
  // Returns the newest state of the lattice; null if there is none since the last call. Never of an older
  // request.
  std::shared_ptr<const Lattice> take() { return requests_.take(); }
  bool busy() const { return requests_.busy(); }

 private:
  NewestRequest<LatticeRequest, std::shared_ptr<const Lattice>> requests_;
};

}  // namespace gemmscope::experiment
