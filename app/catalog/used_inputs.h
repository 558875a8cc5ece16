// Which of the problem's sizes and scales a kernel has to do with.
#pragma once

#include "catalog/catalog.h"

namespace gemmscope::catalog {

struct UsedInputs {
  bool m = false, n = false, k = false, alpha = false, beta = false;
  friend bool operator==(const UsedInputs&, const UsedInputs&) = default;
};

// Those that its parameters, its launches or what must divide them name. A file whose M, N and K are one size
// uses all three.
UsedInputs used_inputs(const Kernel& kernel);

}  // namespace gemmscope::catalog
