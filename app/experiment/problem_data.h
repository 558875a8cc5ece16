// The data of a launch: the matrices of a GEMM and the other buffers and scalars of the kernel's parameters.
// The values are random, but the same for the same size on every computer (base/random_element.h).
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
  std::vector<catalog::Parameter> parameters;     // their declarations
  double factor_error = 0;  // largest relative error by which tensor cores change an element of A or B
  // The parameter of A, B or C.
  const catalog::Parameter& matrix(char role) const;
};

enum class Contents : uint8_t {
  random,
  zeros,  // the matrices stay zero: for runs that need only the counters
};
// Makes the data of the fixed signature: A, B, C, alpha, beta, M, N, K. With beta 0, C starts as NaN, so that
// a kernel that reads it is detected.
ProblemData make_problem_data(const catalog::Problem& problem);
// Makes the data that the kernel's parameters declare. A matrix is rounded to its type (integers are drawn
// from [−8, 8)). The gaps of a leading dimension are NaN, and so is C where the kernel takes no beta or beta
// is 0; but a user's own kernel that takes beta always finds numbers in C. Errors: a size that is not
// possible, a value that does not fit its type.
Result<ProblemData> make_problem_data(const catalog::Kernel& kernel, const catalog::Problem& problem,
                                      const std::map<std::string, int64_t>& toggles,
                                      Contents contents = Contents::random);
// Whether C starts as NaN, by the rule above.
bool c_starts_as_nan(const catalog::Kernel& kernel, const std::vector<catalog::Parameter>& parameters,
                     const catalog::Problem& problem);

std::span<const float> as_floats(std::span<const std::byte> bytes);

using gemmscope::element_value;

}  // namespace gemmscope::experiment
