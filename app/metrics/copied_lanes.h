// Which lanes of an asynchronous copy take wavefronts for certain.
//
// Copies write to shared memory when their bytes arrive, so a GPU's count depends on more than addresses. In
// all recordings it is at least that of the lanes which bring bytes of their own: a lane that fills with
// zeros, or copies what a lane before it copies, may cost nothing. With those lanes an H200 counted 3 to 6 %
// fewer in 5 of the recorded launches of steps 16 and 17, at ragged sizes
// (tests/experiment/calibration_test.cpp).
#pragma once

#include <array>
#include <cstdint>

#include "machine/record/trace.h"
#include "machine/state/row_file.h"
#include "metrics/banks.h"

namespace gemmscope::metrics {

// Of the lanes that read `from`: those before which no lane reads the same address.
uint32_t lanes_with_own_bytes(uint32_t reading, const std::array<uint64_t, machine::kWarpLanes>& from);

// The shared half of a copy, or any other access of the record; of a copy only the lanes above.
SharedAccess sure_access(const machine::Trace& trace, const machine::TraceRecord& record,
                         const machine::TraceAccess& access);

}  // namespace gemmscope::metrics
