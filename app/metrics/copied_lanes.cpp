#include "metrics/copied_lanes.h"

#include <bit>

#include "metrics/counters.h"

namespace gemmscope::metrics {

uint32_t lanes_with_own_bytes(uint32_t reading, const std::array<uint64_t, machine::kWarpLanes>& from) {
  uint32_t own = 0;
  for (uint32_t left = reading; left != 0; left &= left - 1) {
    const auto l = static_cast<size_t>(std::countr_zero(left));
    bool is_read = false;
    for (uint32_t before = own; before != 0 && !is_read; before &= before - 1)
      is_read = from[static_cast<size_t>(std::countr_zero(before))] == from[l];
    if (!is_read) own |= 1u << l;
  }
  return own;
}

SharedAccess sure_access(const machine::Trace& trace, const machine::TraceRecord& record,
                         const machine::TraceAccess& access) {
  SharedAccess sure = shared_access(access);
  if (access.path != machine::Path::async_copy && access.path != machine::Path::bypass_copy) return sure;
  uint32_t own = 0;  // without a global half all lanes fill with zeros
  for (const machine::TraceAccess& half : trace.accesses_of(record))
    if (half.space == machine::Space::global) own = lanes_with_own_bytes(half.mask, half.addresses.all());
  sure.mask &= own;
  return sure;
}

}  // namespace gemmscope::metrics
