// Compares a GEMM's result with float64.
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

// The same for any declared parameters: `initial` as make_problem_data gives it, `result` after the launch. A
// kernel that takes no alpha computes with 1, one that takes no beta with 0. u is that of the type in which
// the sums are kept (Parameter::accumulate), and
// rounding to C's type comes on top; integers must be exact. Not checked: a kernel without A, B and C, and
// sums so long that the bound says nothing (K u ≥ 1).
//
// Where tensor cores take TF32 of the factors, each is a'= a (1 + δ) with |δ| ≤ f
// (ProblemData::factor_error), so a product moves by at most (2 f + f²) |a b|, and the bound is
//   |alpha| (2 f + f²) |A| |B| + γ(K + 4) (|alpha| (1 + f)² |A| |B| + |beta| |C|).
// γ covers the tensor core's sums as well. Per instruction it adds up to 8 exact products to the sum so far,
// each term cut at 2^−25 of the largest, and cuts the result at 2^−23 of itself: for j products at most (j +
// 1) u / 2 + 2 u. Over all instructions, with the 3 roundings of alpha, beta and their sum, that stays below
// (K + 4) u. Not modelled: factors so small (below 2^−126) that f is no bound of their relative error.
Verification verify_data(const catalog::Problem& problem, const ProblemData& initial,
                         std::span<const std::byte> result);

}  // namespace gemmscope::experiment
