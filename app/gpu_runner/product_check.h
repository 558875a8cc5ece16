// Compares a kernel's C with a float64 product.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "gpu/timing_protocol.h"

namespace gemmscope::gpu {

// A times B and |A| times |B| in float64, for all rows or some: `row_count` rows of n elements, row-major.
struct ProductReference {
  int64_t m = 0, n = 0, k = 0;
  int64_t row_count = 0;
  std::vector<double> product, magnitude;
  std::string against;  // "cuBLAS float64"

  // The matrix row of the i-th row held: the first, the last, and rows evenly spread between them.
  int64_t row(int64_t i) const { return row_count < 2 ? 0 : i * (m - 1) / (row_count - 1); }
};

// Whether the factors are stored as bfloat16.
struct FactorTypes {
  bool a_bfloat16 = false, b_bfloat16 = false;
  auto operator<=>(const FactorTypes&) const = default;
};

// Computes on the CPU: all rows of a small problem, else as many as take seconds, at least 64.
ProductReference cpu_reference(const Gemm& gemm, FactorTypes types);

struct CheckedKernel {
  Gemm gemm;
  FactorTypes types;
  bool c_bfloat16 = false;
  Precision precision = Precision::fp32;
};

// `c` holds the reference's rows, one after the other, in C's type. The bound of an element is that of
// experiment/verify.h, γ(K + 3) (|alpha| |A| |B| + |beta| |C|) with u = 2^−24, for any order of the sum.
//  - Factors that the kernel itself rounds, float32 to TF32 or bfloat16, add (1 + f)^2 − 1 times
//    |alpha| |A| |B|: f = 2^−10 for TF32, whose low 13 bits the tensor cores ignore (measured), and 2^−8 for
//    bfloat16, which rounds to nearest. If A and B are bfloat16 already, their products are exact.
//  - The tensor cores' sums stay within the same γ. They are truncated to 2^−25 of the largest term and to 24
//    bits after each instruction (measured), which is less than one rounding per product.
//  - Rounding to a bfloat16 C is added.
GpuVerification check_product(const CheckedKernel& kernel, const ProductReference& reference,
                              std::span<const std::byte> c);

}  // namespace gemmscope::gpu
