#include "machine/state/warp.h"

#include <algorithm>

namespace gemmscope::machine {

namespace {
// BSYNC gathers lanes at one instruction. WARPSYNC gathers the lanes that name the same mask, wherever they
// are (PTX ISA, bar.warp.sync: from sm_70 on the lanes need not execute the same instruction).
bool meet(const Parked& a, const Parked& b) {
  return a.until == b.until && a.what == b.what && (a.pc == b.pc || a.until == Parked::Until::lanes);
}
}  // namespace

uint32_t Warp::arrived_with(const Parked& one) const {
  uint32_t mask = 0;
  for (const Parked& other : parked)
    if (meet(other, one)) mask |= other.mask;
  return mask;
}

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
    if ((needed & ~arrived_with(p)) != 0) {
      ++i;
      continue;
    }
    const Parked together = p;
    std::erase_if(parked, [&](const Parked& other) {
      if (!meet(other, together)) return false;
      resume(other.pc, other.mask & live);
      return true;
    });
    i = 0;
  }
}

}  // namespace gemmscope::machine
