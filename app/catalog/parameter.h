// The parameters of a kernel and their contents. A kernel without a declaration has the fixed signature of
// kernels/README.md; with one it may have any order and any types.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/element_type.h"
#include "base/error.h"

namespace gemmscope::catalog {

using gemmscope::ElementType, gemmscope::is_float, gemmscope::size_of, gemmscope::type_name;
// Accepts the names of the key and those of C: "half", "unsigned int", "float4" (its elements), "size_t".
std::optional<ElementType> type_from_name(std::string_view name);

// What a buffer holds before the launch.
enum class Fill : uint8_t {
  uniform,  // floats in [-1, 1), integers in [-8, 8) (unsigned: [0, 16))
  below,    // uniform integers from 0 to below Parameter::below
  iota,     // 0, 1, 2, …
  zero,
  uninitialised  // floats NaN, integers all ones: reveals a kernel that reads them
};

inline constexpr uint32_t kTensorMapBytes = 128;

struct Parameter {
  enum class Kind : uint8_t { matrix, buffer, scalar };
  std::string name;
  Kind kind = Kind::scalar;
  ElementType type = ElementType::int32;
  // ---- a matrix of C = alpha A B + beta C
  char role = 0;  // 'A' (M x K), 'B' (K x N), 'C' (M x N)
  bool column_major = false;
  std::string leading_dimension;          // expression, in elements; empty: no gaps
  std::optional<ElementType> accumulate;  // type of C's sums; empty: float32, or float64
  // Expression. Not empty: the kernel gets a tensor map (CUtensorMap) of the matrix in place of its address.
  // Its boxes have so many rows of 128 bytes, whose pieces of 16 bytes are swizzled over 128 bytes.
  std::string box_rows;
  // ---- a buffer
  std::string count;  // expression, elements
  Fill fill = Fill::uniform;
  std::string below;  // expression
  // ---- a scalar
  std::string value;  // "alpha", "beta", a decimal number, or an expression

  bool is_tensor_map() const { return !box_rows.empty(); }
  uint32_t argument_bytes() const {
    return kind == Kind::scalar ? size_of(type) : is_tensor_map() ? kTensorMapBytes : 8;
  }
};

// Makes a parameter from keys and values as text: matrix, buffer or scalar, and the keys that belong to it
// (kernels/README.md). Errors are sentences that begin with the key: `"order" must be …`.
Result<Parameter> parameter_from(const std::map<std::string, std::string>& keys);

// Reads a parameter of the command line: "matrix=A,type=float16,order=column". A comma inside parentheses is
// part of a value.
Result<Parameter> parse_parameter(std::string_view text);

// True if A, B and C are all there, so that the result can be compared with float64.
bool is_gemm(const std::vector<Parameter>& parameters);

// The fixed signature: A, B, C, alpha, beta, M, N, K; float32, row-major.
std::vector<Parameter> fixed_signature();

// The key "parameters" of a description, ready to paste: one inline table per line.
std::string describe_parameters(const std::vector<Parameter>& parameters);

}  // namespace gemmscope::catalog
