#include "gpu_runner/product_check.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <mutex>

#include "gpu_runner/matrices.h"
#include "gpu_runner/parallel.h"

namespace gemmscope::gpu {
namespace {

// The bound's factors, which are the same for all elements of a kernel's C.
struct Bound {
  double of_product = 0, of_c = 0;  // multiply |alpha| |A| |B| and |beta| |C|
  double stored = 0;                // multiplies the stored value
};

double factor_rounding(const CheckedKernel& kernel) {
  const auto rounding = [&](bool bfloat16) {
    if (kernel.precision == Precision::fp32 || bfloat16) return 0.0;
    return kernel.precision == Precision::tf32 ? 0x1p-10 : 0x1p-8;
  };
  return (1 + rounding(kernel.types.a_bfloat16)) * (1 + rounding(kernel.types.b_bfloat16)) - 1;
}

Bound bound_of(const CheckedKernel& kernel) {
  const double n = static_cast<double>(kernel.gemm.k + 3) * 0x1p-24;
  const double gamma = n / (1 - n), factors = factor_rounding(kernel);
  return {gamma + factors + gamma * factors, gamma, kernel.c_bfloat16 ? 0x1p-8 : 0};
}

double element(std::span<const std::byte> c, bool bfloat16, size_t index) {
  if (bfloat16) {
    uint16_t bits = 0;
    std::memcpy(&bits, &c[2 * index], sizeof bits);
    return bfloat16_value(bits);
  }
  float value = 0;
  std::memcpy(&value, &c[4 * index], sizeof value);
  return value;
}

void add_element(GpuVerification& verification, double error, double bound) {
  if (!(error <= bound)) ++verification.wrong_elements;  // true for NaN as well
  if (!std::isfinite(error)) return;
  verification.largest_error = std::max(verification.largest_error, error);
  if (bound > 0) verification.largest_ratio = std::max(verification.largest_ratio, error / bound);
}

void check_row(const CheckedKernel& kernel, const Bound& b, const ProductReference& reference, int64_t row,
               std::span<const std::byte> c, GpuVerification& verification) {
  const double alpha = kernel.gemm.alpha, beta = kernel.gemm.beta;
  for (int64_t column = 0; column < reference.n; ++column) {
    const auto i = static_cast<size_t>(row * reference.n + column);
    double exact = alpha * reference.product[i];
    double bound = b.of_product * std::abs(alpha) * reference.magnitude[i];
    if (beta != 0) {
      const auto index = static_cast<uint64_t>(reference.row(row) * reference.n + column);
      const double before = beta * matrix_element('C', kernel.c_bfloat16, index);
      exact += before;
      bound += b.of_c * std::abs(before);
    }
    bound += b.stored * (std::abs(exact) + bound);
    add_element(verification, std::abs(element(c, kernel.c_bfloat16, i) - exact), bound);
  }
}

constexpr int64_t kRowsAtOnce = 64, kColumnsAtOnce = 256;

int64_t affordable_rows(const Gemm& gemm) {
  constexpr int64_t kProducts = int64_t{1} << 31;
  return std::clamp(kProducts / gemm.n / gemm.k, std::min(kRowsAtOnce, gemm.m), gemm.m);
}

// Adds up a block of rows and columns that stays in the cache during the loop over K. `a` has the rows of A.
void add_products(const Gemm& gemm, FactorTypes types, std::span<const double> a, int64_t first_column,
                  int64_t columns, std::span<double> product, std::span<double> magnitude) {
  const auto rows = static_cast<int64_t>(a.size()) / gemm.k;
  double b[kColumnsAtOnce];
  for (int64_t k = 0; k < gemm.k; ++k) {
    for (int64_t j = 0; j < columns; ++j)
      b[j] = matrix_element('B', types.b_bfloat16, static_cast<uint64_t>(k * gemm.n + first_column + j));
    for (int64_t row = 0; row < rows; ++row) {
      const double factor = a[static_cast<size_t>(row * gemm.k + k)];
      double* const sums = &product[static_cast<size_t>(row * gemm.n + first_column)];
      double* const sizes = &magnitude[static_cast<size_t>(row * gemm.n + first_column)];
      for (int64_t j = 0; j < columns; ++j) {
        sums[j] += factor * b[j];
        sizes[j] += std::abs(factor * b[j]);
      }
    }
  }
}

}  // namespace

ProductReference cpu_reference(const Gemm& gemm, FactorTypes types) {
  ProductReference reference{gemm.m, gemm.n, gemm.k, affordable_rows(gemm), {}, {}, {}};
  reference.against = reference.row_count == gemm.m
                          ? "float64 on the CPU"
                          : fmt::format("float64 on the CPU, {} of {} rows", reference.row_count, gemm.m);
  const auto elements = static_cast<size_t>(reference.row_count * gemm.n);
  reference.product.resize(elements);
  reference.magnitude.resize(elements);
  std::vector<double> a;
  for (int64_t first = 0; first < reference.row_count; first += kRowsAtOnce) {
    const int64_t rows = std::min(kRowsAtOnce, reference.row_count - first);
    a.resize(static_cast<size_t>(rows * gemm.k));
    for (int64_t i = 0; i < rows; ++i)
      fill_float64('A', types.a_bfloat16, false, static_cast<uint64_t>(reference.row(first + i) * gemm.k),
                   std::span(a).subspan(static_cast<size_t>(i * gemm.k), static_cast<size_t>(gemm.k)));
    const auto from = static_cast<size_t>(first * gemm.n), size = static_cast<size_t>(rows * gemm.n);
    const std::span product = std::span(reference.product).subspan(from, size);
    const std::span magnitude = std::span(reference.magnitude).subspan(from, size);
    in_parallel(gemm.n, 16, [&](int64_t begin, int64_t end) {
      for (int64_t j = begin; j < end; j += kColumnsAtOnce)
        add_products(gemm, types, a, j, std::min(kColumnsAtOnce, end - j), product, magnitude);
    });
  }
  return reference;
}

GpuVerification check_product(const CheckedKernel& kernel, const ProductReference& reference,
                              std::span<const std::byte> c) {
  GpuVerification all;
  all.checked = true;
  all.against = reference.against;
  const Bound bound = bound_of(kernel);
  std::mutex mutex;
  in_parallel(reference.row_count, 16, [&](int64_t begin, int64_t end) {
    GpuVerification part;
    for (int64_t row = begin; row < end; ++row) check_row(kernel, bound, reference, row, c, part);
    const std::lock_guard lock(mutex);
    all.wrong_elements += part.wrong_elements;
    all.largest_error = std::max(all.largest_error, part.largest_error);
    all.largest_ratio = std::max(all.largest_ratio, part.largest_ratio);
  });
  return all;
}

}  // namespace gemmscope::gpu
