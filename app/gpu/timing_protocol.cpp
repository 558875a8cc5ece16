#include "gpu/timing_protocol.h"

#include <algorithm>
#include <cmath>
#include <limits>
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

// Matrices without a Gemm, and tensor maps that a driver would refuse.
Outcome<void> check_matrices(const PrepareRequest& request) {
  for (const TimedParameter& parameter : request.parameters) {
    std::optional<TensorMapShape> map;
    uint64_t bytes = std::numeric_limits<uint64_t>::max();  // a matrix has what its map needs
    if (const auto* const matrix = std::get_if<MatrixParameter>(&parameter)) {
      if (!request.gemm)
        return runner_error(ErrorKind::bad_request,
                            "a launch takes matrices, but no sizes are given for them");
      if (matrix->role == 'C' && matrix->box_rows != 0)
        return runner_error(ErrorKind::bad_request, "C cannot be passed as a tensor map");
      map = tensor_map_of(*matrix, *request.gemm);
    } else if (const auto* const buffer = std::get_if<BufferParameter>(&parameter)) {
      map = buffer->tensor_map;
      bytes = buffer->initial.size();
    }
    if (map)
      if (Outcome<void> checked = check_tensor_map(*map, bytes); !checked) return checked;
  }
  return {};
}

}  // namespace

std::optional<TensorMapShape> tensor_map_of(const MatrixParameter& matrix, const Gemm& gemm) {
  if (matrix.box_rows == 0) return std::nullopt;
  const int64_t rows = matrix.role == 'B' ? gemm.k : gemm.m, columns = matrix.role == 'A' ? gemm.k : gemm.n;
  return TensorMapShape{matrix.bfloat16, static_cast<uint32_t>(rows), static_cast<uint32_t>(columns),
                        matrix.box_rows};
}

// The driver's rules for cuTensorMapEncodeTiled.
Outcome<void> check_tensor_map(const TensorMapShape& shape, uint64_t memory_bytes) {
  constexpr uint64_t kPieceBytes = 16;
  const uint64_t row_bytes = uint64_t{shape.columns} * (shape.bfloat16 ? 2 : 4);
  if (shape.rows > 0 && row_bytes > 0 && memory_bytes / row_bytes < shape.rows)
    return runner_error(ErrorKind::bad_request,
                        "a tensor map describes {} rows of {} bytes in a buffer of {} bytes", shape.rows,
                        row_bytes, memory_bytes);
  if (shape.box_rows >= 1 && shape.box_rows <= kMostBoxRows && shape.rows > 0 && row_bytes > 0 &&
      row_bytes % kPieceBytes == 0)
    return {};
  return runner_error(ErrorKind::bad_request,
                      "a tensor map needs boxes of 1 to {} rows and rows of a multiple of {} bytes, but a "
                      "matrix has {} rows of {} bytes and boxes of {} rows",
                      kMostBoxRows, kPieceBytes, shape.rows, row_bytes, shape.box_rows);
}

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
  if (request.gemm)
    if (Outcome<void> checked = check_gemm(*request.gemm); !checked) return checked;
  if (Outcome<void> checked = check_matrices(request); !checked) return checked;
  return request.check ? check_reference(request) : Outcome<void>{};
}

}  // namespace gemmscope::gpu
