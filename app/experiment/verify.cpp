#include "experiment/verify.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

#include "experiment/problem_data.h"

namespace gemmscope::experiment {
namespace {

using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using catalog::ElementType;

// Some rows or columns. The reference is computed part by part: in float64 a matrix and its magnitude take
// four times the memory.
struct Band {
  int64_t first = 0, count = 0;
};

Matrix read_part(std::span<const std::byte> bytes, ElementType type, const metrics::MatrixBuffer& buffer,
                 Band rows, Band columns) {
  Matrix m(rows.count, columns.count);
  for (int64_t row = 0; row < rows.count; ++row)
    for (int64_t column = 0; column < columns.count; ++column)
      m(row, column) = element_value(bytes, type, buffer.index_of(rows.first + row, columns.first + column));
  return m;
}

// Half the distance from 1 to the next number; 0 for integers, which do not round.
double unit_roundoff(ElementType type) {
  switch (type) {
    case ElementType::float16:
      return 0x1p-11;
    case ElementType::bfloat16:
      return 0x1p-8;
    case ElementType::float32:
      return 0x1p-24;
    case ElementType::float64:
      return 0x1p-52;  // 2^−53 for the result and 2^−53 for the reference, which is float64 itself
    default:
      return 0;
  }
}

ElementType sum_type(const catalog::Parameter& c) {
  if (c.accumulate) return *c.accumulate;
  return catalog::is_float(c.type) && c.type != ElementType::float64 ? ElementType::float32 : c.type;
}

struct Expected {
  Matrix exact, bound;
};

double scale(const ProblemData& data, const char* name, double chosen, double without) {
  for (const catalog::Parameter& p : data.parameters)
    if (p.value == name) return chosen;
  return without;
}

// How much of the matrices is float64 at once, in elements: 64 MB and less.
constexpr int64_t kPartOfB = int64_t{1} << 22, kPartOfC = int64_t{1} << 20;
constexpr int64_t kMostDepth = kPartOfB / 64;

// Of one kernel's matrices, in the order that `buffers` say.
class Reference {
 public:
  Reference(const catalog::Problem& problem, const ProblemData& initial,
            const std::vector<metrics::MatrixBuffer>& buffers, double gamma)
      : problem_(problem), initial_(initial), buffers_(buffers), gamma_(gamma) {}

  Expected expected(Band rows, Band columns) {
    const double alpha = scale(initial_, "alpha", problem_.alpha, 1),
                 beta = scale(initial_, "beta", problem_.beta, 0);
    Matrix exact = Matrix::Zero(rows.count, columns.count),
           magnitude = Matrix::Zero(rows.count, columns.count);
    const int64_t depth = buffers_[metrics::kMatrixA].columns;
    for (int64_t k = 0; k < depth; k += kMostDepth) {
      const Band inner{k, std::min(kMostDepth, depth - k)};
      take_b(inner, columns);
      const Matrix a = read('A', rows, inner);
      exact.noalias() += a * b_;
      magnitude.noalias() += a.cwiseAbs() * b_magnitude_;
    }
    exact *= alpha;
    magnitude *= std::abs(alpha);
    const double f = initial_.factor_error;
    Matrix bound = (2 * f + f * f) * magnitude;
    magnitude *= (1 + f) * (1 + f);
    if (beta != 0) {
      const Matrix before = read('C', rows, columns);
      exact += beta * before;
      magnitude += std::abs(beta) * before.cwiseAbs();
    }
    const catalog::Parameter& c = initial_.matrix('C');
    bound += gamma_ * magnitude;
    const double sums = unit_roundoff(sum_type(c)), stored = unit_roundoff(c.type);
    if (stored > sums) bound += stored * (exact.cwiseAbs() + bound);
    if (c.type == ElementType::float16) bound.array() += 0x1p-25;  // below 2^−14 float16 is evenly spaced
    return {std::move(exact), std::move(bound)};
  }

 private:
  Matrix read(char role, Band rows, Band columns) const {
    const metrics::MatrixBuffer& buffer = buffers_[static_cast<size_t>(role - 'A')];
    return read_part(initial_.memory.find(buffer.address, 1)->bytes, initial_.matrix(role).type, buffer, rows,
                     columns);
  }
  // Most often the part of B is the one that the rows before had.
  void take_b(Band inner, Band columns) {
    if (b_.size() > 0 && inner.first == b_row_ && columns.first == b_column_) return;
    b_ = read('B', inner, columns);
    b_magnitude_ = b_.cwiseAbs();
    b_row_ = inner.first;
    b_column_ = columns.first;
  }

  const catalog::Problem& problem_;
  const ProblemData& initial_;
  const std::vector<metrics::MatrixBuffer>& buffers_;
  double gamma_;
  Matrix b_, b_magnitude_;
  int64_t b_row_ = 0, b_column_ = 0;
};

void compare_part(const Expected& e, Band rows, Band columns, std::span<const std::byte> result,
                  ElementType type, const metrics::MatrixBuffer& buffer, Verification& verification) {
  for (int64_t row = 0; row < rows.count; ++row)
    for (int64_t column = 0; column < columns.count; ++column) {
      const int64_t at = buffer.index_of(rows.first + row, columns.first + column);
      const double error = std::abs(element_value(result, type, at) - e.exact(row, column));
      const double bound = e.bound(row, column);
      if (!(error <= bound)) ++verification.wrong_elements;  // true for NaN as well
      if (!std::isfinite(error)) continue;
      verification.largest_error = std::max(verification.largest_error, error);
      if (bound > 0) verification.largest_ratio = std::max(verification.largest_ratio, error / bound);
    }
}

// Compares all of C. `buffers`: the matrices' orders; `gamma`: the bound of a sum's rounding.
Verification compare(const catalog::Problem& problem, const ProblemData& initial,
                     const std::vector<metrics::MatrixBuffer>& buffers, double gamma,
                     std::span<const std::byte> result) {
  const metrics::MatrixBuffer& c = buffers[metrics::kMatrixC];
  const int64_t depth = std::clamp<int64_t>(buffers[metrics::kMatrixA].columns, 1, kMostDepth);
  const int64_t columns = std::clamp<int64_t>(kPartOfB / depth, 64, std::max<int64_t>(c.columns, 64));
  const int64_t rows = std::max<int64_t>(64, kPartOfC / std::max(columns, depth));
  const ElementType type = initial.matrix('C').type;
  Reference reference(problem, initial, buffers, gamma);
  Verification verification;
  for (int64_t column = 0; column < c.columns; column += columns)
    for (int64_t row = 0; row < c.rows; row += rows) {
      const Band some_rows{row, std::min(rows, c.rows - row)},
          some_columns{column, std::min(columns, c.columns - column)};
      compare_part(reference.expected(some_rows, some_columns), some_rows, some_columns, result, type, c,
                   verification);
    }
  return verification;
}

// Counts the elements of C that were NaN before the launch and still have the same bits.
uint64_t untouched(const ProblemData& initial, std::span<const std::byte> result, ElementType type,
                   const metrics::MatrixBuffer& buffer) {
  const auto before = std::span<const std::byte>(initial.memory.find(buffer.address, 1)->bytes);
  const auto size = static_cast<int64_t>(catalog::size_of(type));
  uint64_t count = 0;
  for (int64_t row = 0; row < buffer.rows; ++row)
    for (int64_t column = 0; column < buffer.columns; ++column) {
      const int64_t at = buffer.index_of(row, column);
      const auto bytes = [&](std::span<const std::byte> all) {
        return all.subspan(static_cast<size_t>(at * size), static_cast<size_t>(size));
      };
      if (std::isnan(element_value(before, type, at)) && std::ranges::equal(bytes(result), bytes(before)))
        ++count;
    }
  return count;
}

// Square matrices can be read in the other order. A kernel whose result is right then was only declared
// wrongly.
std::string order_hint(const catalog::Problem& problem, const ProblemData& initial,
                       std::span<const std::byte> result, double gamma) {
  constexpr int64_t kMostTried = 512;                         // above it six more products take too long
  for (unsigned transposed : {7u, 2u, 1u, 3u, 4u, 5u, 6u}) {  // a bit each for A, B, C; common cases first
    if (transposed != 7 && problem.m > kMostTried) break;
    std::vector<metrics::MatrixBuffer> buffers = initial.layout.buffers;
    std::string orders;
    for (size_t i = 0; i < 3; ++i) {
      if (((transposed >> i) & 1) == 0) continue;
      buffers[i].column_major = !buffers[i].column_major;
      orders += fmt::format("{}{} {}-major", orders.empty() ? "" : ", ", "ABC"[i],
                            buffers[i].column_major ? "column" : "row");
    }
    if (!compare(problem, initial, buffers, gamma, result).right()) continue;
    if (transposed == 7)
      return fmt::format("if the matrices are {}-major: declare it, or give {}",
                         buffers[0].column_major ? "column" : "row",
                         buffers[0].column_major ? "--column-major" : "order = \"row\"");
    return fmt::format("with {}: declare it by \"order\" of the parameters (kernels/README.md)", orders);
  }
  return {};
}

// Suggests a declaration under which the kernel would be right, or returns an empty string.
std::string declaration_hint(const catalog::Problem& problem, const ProblemData& initial,
                             std::span<const std::byte> result, double gamma) {
  const auto order_at = [&](double g) {
    const bool square = problem.m == problem.n && problem.n == problem.k;
    return square ? order_hint(problem, initial, result, g) : std::string();
  };
  if (const std::string order = order_at(gamma); !order.empty()) return "all elements are right " + order;
  const catalog::Parameter& c = initial.matrix('C');
  const double rounded = static_cast<double>(problem.k + 3) * unit_roundoff(ElementType::float16);
  if (c.type != ElementType::float16 || c.accumulate || rounded >= 1) return {};
  const double half = rounded / (1 - rounded);
  const bool as_declared = compare(problem, initial, initial.layout.buffers, half, result).right();
  const std::string order = as_declared ? "" : order_at(half);
  if (!as_declared && order.empty()) return {};
  return fmt::format(
      "all elements are right for sums in float16 (accumulate = \"float16\" of C, kernels/README.md){}{}",
      order.empty() ? "" : " ", order);
}

}  // namespace

Verification verify_data(const catalog::Problem& problem, const ProblemData& initial,
                         std::span<const std::byte> result) {
  Verification verification;
  if (!initial.layout.is_gemm()) {
    verification.unchecked = "its parameters do not name the matrices A, B and C";
    return verification;
  }
  const metrics::MatrixBuffer& buffer = initial.layout.buffers[metrics::kMatrixC];
  if (result.size() != buffer.bytes()) {
    verification.wrong_elements = static_cast<uint64_t>(problem.m * problem.n);
    return verification;
  }
  const catalog::Parameter& c = initial.matrix('C');
  const double unit = unit_roundoff(sum_type(c)),
               n = static_cast<double>(problem.k + (initial.factor_error > 0 ? 4 : 3));
  if (n * unit >= 1) {
    verification.unchecked = fmt::format("sums of {} products in {} have no useful rounding bound", problem.k,
                                         catalog::type_name(sum_type(c)));
    return verification;
  }
  const double gamma = n * unit / (1 - n * unit);
  verification = compare(problem, initial, initial.layout.buffers, gamma, result);
  if (verification.right()) return verification;
  if (const uint64_t kept = untouched(initial, result, c.type, buffer); kept > 0) {
    verification.hint = fmt::format(
        "{} of them still have their initial value, because no thread wrote them: check whether the grid's x "
        "and y are meant for rows or for columns of C, and whether the grid covers all of C",
        kept);
  } else {
    verification.hint = declaration_hint(problem, initial, result, gamma);
  }
  return verification;
}

Verification verify_gemm(const catalog::Problem& problem, std::span<const float> c) {
  return verify_data(problem, make_problem_data(problem), std::as_bytes(c));
}

}  // namespace gemmscope::experiment
