// Which of the problem's sizes and scales a kernel uses.
#pragma once

#include "catalog/catalog.h"

namespace gemmscope::catalog {

struct UsedInputs {
  bool m = false, n = false, k = false, alpha = false, beta = false;
  friend bool operator==(const UsedInputs&, const UsedInputs&) = default;
};

// An input is used if the kernel's parameters, launches or divisibility rules name it. A file with one size
// for M, N and K uses all three.
UsedInputs used_inputs(const Kernel& kernel);

}  // namespace gemmscope::catalog
