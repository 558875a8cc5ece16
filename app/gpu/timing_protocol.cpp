#include "gpu/timing_protocol.h"

#include <algorithm>
#include <cmath>
#include <string_view>

namespace gemmscope::gpu {
namespace {

// Limits of a matrix: 16,384 x 16,384 elements. The runner's computer holds a float64 product and its bound.
constexpr int64_t kMaxRows = int64_t{1} << 20, kMaxElements = int64_t{1} << 28;

Outcome<void> check_launch(const PrepareRequest& request, const TimedLaunch& launch) {
  for (const uint32_t index : launch.parameters)
    if (index >= request.parameters.size())
      return runner_error(ErrorKind::bad_request, "{} is launched with parameter {}, but there are only {}",
                          launch.kernel, index, request.parameters.size());
  return {};
}

Outcome<void> check_reference(const PrepareRequest& request) {
  const ReferenceCheck& check = *request.check;
  const std::string& name = check.launch.kernel;
  if (Outcome<void> checked = check_launch(request, check.launch); !checked) return checked;
  if (request.gemm)
    return runner_error(ErrorKind::bad_request,
                        "a product is checked against float64, but {} is given as its reference", name);
  if (!(check.tolerance >= 0 && check.tolerance < 1))
    return runner_error(ErrorKind::bad_request, "the tolerance against {} must be from 0 to below 1", name);
  if (check.compare.empty())
    return runner_error(ErrorKind::bad_request, "nothing is compared with what {} makes", name);
  for (const ReferenceCheck::Buffer& compared : check.compare) {
    const bool known = compared.parameter < request.parameters.size();
    const auto* const buffer =
        known ? std::get_if<BufferParameter>(&request.parameters[compared.parameter]) : nullptr;
    if (buffer == nullptr || buffer->initial.size() % size_of(compared.type) != 0)
      return runner_error(ErrorKind::bad_request,
                          "parameter {}, which is compared with what {} makes, is not a buffer of {}",
                          compared.parameter, name, type_name(compared.type));
  }
  return {};
}

}  // namespace

Outcome<void> check_gemm(const Gemm& gemm) {
  const auto m = gemm.m, n = gemm.n, k = gemm.k;
  const auto refuse = [&](std::string_view why) {
    return runner_error(ErrorKind::bad_request, "a product with M {}, N {}, K {} {}", m, n, k, why);
  };
  if (std::min({m, n, k}) < 1) return refuse("has no elements");
  if (std::max({m, n, k}) > kMaxRows || std::max({m * n, m * k, k * n}) > kMaxElements)
    return refuse("is too large: choose a smaller problem");
  if (!std::isfinite(gemm.alpha) || !std::isfinite(gemm.beta))
    return refuse("needs finite numbers for alpha and beta");
  return {};
}

Outcome<void> check_request(const PrepareRequest& request) {
  if (request.launches.empty())
    return runner_error(ErrorKind::bad_request,
                        "there is nothing to launch: a request names one kernel or more");
  for (const TimedLaunch& launch : request.launches)
    if (Outcome<void> checked = check_launch(request, launch); !checked) return checked;
  const bool has_matrix = std::ranges::any_of(request.parameters, [](const TimedParameter& parameter) {
    return std::holds_alternative<MatrixParameter>(parameter);
  });
  if (has_matrix && !request.gemm)
    return runner_error(ErrorKind::bad_request, "a launch takes matrices, but no sizes are given for them");
  if (request.check)
    if (Outcome<void> checked = check_reference(request); !checked) return checked;
  return request.gemm ? check_gemm(*request.gemm) : Outcome<void>{};
}

}  // namespace gemmscope::gpu
