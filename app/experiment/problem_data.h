// What a launch works on: the matrices of a GEMM and whatever else the kernel's parameters name. Random, the
// same for the same size on every machine (base/random_element.h).
#pragma once

#include <vector>

#include "catalog/catalog.h"
#include "machine/state/global_memory.h"
#include "machine/state/launch.h"
#include "metrics/matrix_layout.h"

namespace gemmscope::experiment {

struct ProblemData {
  machine::GlobalMemory memory;
  metrics::MatrixLayout layout;                   // A, B, C, if the kernel has all three; else empty
  std::vector<std::vector<std::byte>> arguments;  // in the order of the parameters
  std::vector<catalog::Parameter> parameters;     // what they are
  double factor_error = 0;  // the most by which tensor cores change an element of A or B, relative to it
  // The buffer of A, B or C in `memory`.
  const catalog::Parameter& matrix(char role) const;
};

enum class Contents : uint8_t {
  random,
  zeros,  // of the matrices: for runs whose counters are wanted and not their results
};
// The fixed signature: A, B, C, alpha, beta, M, N, K. With beta 0, C starts as NaN: a kernel that reads it
// shows.
ProblemData make_problem_data(const catalog::Problem& problem);
// What the kernel's parameters declare. A matrix is rounded to its type (integers: drawn from [−8, 8)), the
// gaps of a leading dimension are NaN, and so is C where the kernel takes no beta; a user's own kernel that
// takes one finds numbers in C even if it is 0. Errors: a size that is not possible, a value that does not
// fit its type.
Result<ProblemData> make_problem_data(const catalog::Kernel& kernel, const catalog::Problem& problem,
                                      const std::map<std::string, int64_t>& toggles,
                                      Contents contents = Contents::random);

std::span<const float> as_floats(std::span<const std::byte> bytes);

using gemmscope::element_value;

}  // namespace gemmscope::experiment
