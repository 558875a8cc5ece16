// Stands in for a GPU that times kernels. The machine code is executed on the CPU and checked like a GPU's;
// the times are made up.
#pragma once

#include "gpu/protocol.h"

namespace gemmscope::gpu {

// The argument of a kernel: the address of memory, or the machine's tensor map of the matrix there.
std::vector<std::byte> memory_argument(uint64_t address, const std::optional<TensorMapShape>& map);

class CpuTiming {
 public:
  // Executes the launches and checks C. If they are too much for the CPU, nothing is checked, and the result
  // says so. A `wrong` runner damages C first.
  Outcome<Prepared> prepare(const PrepareRequest& request, bool wrong);
  Outcome<Prepared> prepare(const PrepareLibraryRequest& request);
  // Makes up a time from the size and the kernel's name, with a little noise. It is the same in every
  // process.
  Outcome<TimeReply> time(const TimeRequest& request);
  Outcome<Released> release(const ReleaseRequest& request);

 private:
  Prepared keep(double ms, GpuVerification verification);

  struct Kept {
    double ms = 0;
    uint64_t timed = 0;
  };
  std::vector<Kept> kept_;  // by handle - 1; released: 0 ms
};

}  // namespace gemmscope::gpu
