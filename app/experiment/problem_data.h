// The matrices of a GEMM: random, the same for the same size on every machine, so that results can be
// compared bit by bit between CPU and GPU.
#pragma once

#include <vector>

#include "catalog/catalog.h"
#include "machine/global_memory.h"
#include "machine/launch.h"
#include "metrics/matrix_layout.h"

namespace gemmscope::experiment {

// Element i of matrix `which` (0 A, 1 B, 2 C): uniform in [−1, 1), multiples of 2^−23.
float random_element(int which, uint64_t i);

struct ProblemData {
  machine::GlobalMemory memory;
  metrics::MatrixLayout layout;                   // A, B, C
  std::vector<std::vector<std::byte>> arguments;  // A, B, C, alpha, beta, M, N, K
};

enum class Contents : uint8_t {
  random,
  zeros,  // for runs whose counters are wanted and not their results
};
// With beta 0, C starts as NaN: a kernel that reads it shows.
ProblemData make_problem_data(const catalog::Problem& problem, Contents contents = Contents::random);

std::span<const float> as_floats(std::span<const std::byte> bytes);

}  // namespace gemmscope::experiment
