// Compares a GEMM's result with a float64 product.
#pragma once

#include <span>

#include "catalog/catalog.h"
#include "experiment/problem_data.h"
#include "experiment/results.h"

namespace gemmscope::experiment {

// `c` is the result, row-major M x N, of the matrices of make_problem_data(problem). The bound of an element
// is γ(K + 3) (|alpha| |A| |B| + |beta| |C|), with γ(n) = n u / (1 − n u) and u = 2^−24: the standard
// componentwise bound for an inner product in any order (Higham, Accuracy and Stability of Numerical
// Algorithms, §3.1). A `c` of another size is wrong everywhere.
Verification verify_gemm(const catalog::Problem& problem, std::span<const float> c);

// Does this for any declared parameters: `initial` is the data as make_problem_data makes it, `result` is C
// after the launch. A kernel without alpha computes with 1, one without beta with 0. u is that of the type of
// the sums (Parameter::accumulate); rounding to C's type is added. Integers must be exact. Not checked: a
// kernel without A, B and C, and sums so long that the bound is useless (K u ≥ 1).
//
// Where tensor cores convert the factors to TF32, each is a' = a (1 + δ) with |δ| ≤ f
// (ProblemData::factor_error), so a product changes by at most (2 f + f²) |a b|, and the bound is
//   |alpha| (2 f + f²) |A| |B| + γ(K + 4) (|alpha| (1 + f)² |A| |B| + |beta| |C|).
// γ covers the tensor core's sums as well. An instruction adds up to 8 exact products to the sum so far; each
// term is truncated at 2^−25 of the largest, and the result at 2^−23 of itself. For j products the error is
// at most (j + 1) u / 2 + 2 u. Over all instructions, with the 3 roundings of alpha, beta and their sum, that
// stays below (K + 4) u. Not modelled: factors so small (below 2^−126) that f does not bound their relative
// error.
Verification verify_data(const catalog::Problem& problem, const ProblemData& initial,
                         std::span<const std::byte> result);

}  // namespace gemmscope::experiment
