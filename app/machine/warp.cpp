#include "machine/warp.h"

#include <algorithm>

namespace gemmscope::machine {

void Warp::park(Parked::Until until, uint32_t what, uint32_t pc, uint32_t mask) {
  const auto same = std::find_if(parked.begin(), parked.end(), [&](const Parked& p) {
    return p.until == until && p.what == what && p.pc == pc;
  });
  if (same != parked.end()) {
    same->mask |= mask;
  } else {
    parked.push_back({until, what, pc, mask});
  }
  release_parked();
}

void Warp::release_parked() {
  for (size_t i = 0; i < parked.size();) {
    const Parked& p = parked[i];
    const uint32_t needed = (p.until == Parked::Until::barrier ? convergence[p.what] : p.what) & live;
    if ((needed & ~p.mask) != 0) {
      ++i;
      continue;
    }
    resume(p.pc, p.mask & live);
    parked.erase(parked.begin() + static_cast<ptrdiff_t>(i));
  }
}

}  // namespace gemmscope::machine
