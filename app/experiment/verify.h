// Compares a GEMM's result with float64.
#pragma once

#include <span>

#include "catalog/catalog.h"
#include "experiment/results.h"

namespace gemmscope::experiment {

// `c` is the result, row-major M x N, of the matrices of make_problem_data(problem). The bound of an element
// is γ(K + 3) (|alpha| |A| |B| + |beta| |C|), with γ(n) = n u / (1 − n u) and u = 2^−24: the standard
// componentwise bound for an inner product in any order (Higham, Accuracy and Stability of Numerical
// Algorithms, §3.1). A `c` of another size is wrong everywhere.
Verification verify_gemm(const catalog::Problem& problem, std::span<const float> c);

}  // namespace gemmscope::experiment
