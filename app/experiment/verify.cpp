#include "experiment/verify.h"

#include <Eigen/Dense>
#include <cmath>

#include "experiment/problem_data.h"

namespace gemmscope::experiment {
namespace {

using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

Matrix random_matrix(int which, int64_t rows, int64_t columns) {
  Matrix m(rows, columns);
  for (int64_t i = 0; i < rows * columns; ++i) m.data()[i] = random_element(which, static_cast<uint64_t>(i));
  return m;
}

}  // namespace

Verification verify_gemm(const catalog::Problem& problem, std::span<const float> c) {
  if (c.size() != static_cast<size_t>(problem.m * problem.n)) {
    Verification other_shape;
    other_shape.wrong_elements = static_cast<uint64_t>(problem.m * problem.n);
    return other_shape;
  }
  const Matrix a = random_matrix(0, problem.m, problem.k), b = random_matrix(1, problem.k, problem.n);
  const double alpha = problem.alpha, beta = problem.beta;
  Matrix exact = alpha * (a * b), magnitude = std::abs(alpha) * (a.cwiseAbs() * b.cwiseAbs());
  if (beta != 0) {
    const Matrix before = random_matrix(2, problem.m, problem.n);
    exact += beta * before;
    magnitude += std::abs(beta) * before.cwiseAbs();
  }
  constexpr double kUnit = 0x1p-24;
  const double n = static_cast<double>(problem.k + 3), gamma = n * kUnit / (1 - n * kUnit);
  Verification result;
  for (int64_t i = 0; i < problem.m * problem.n; ++i) {
    const double error = std::abs(static_cast<double>(c[static_cast<size_t>(i)]) - exact.data()[i]);
    const double bound = gamma * magnitude.data()[i];
    if (!(error <= bound)) ++result.wrong_elements;  // true for NaN as well
    if (std::isfinite(error)) result.largest_error = std::max(result.largest_error, error);
    if (bound > 0 && std::isfinite(error))
      result.largest_ratio = std::max(result.largest_ratio, error / bound);
  }
  return result;
}

}  // namespace gemmscope::experiment
