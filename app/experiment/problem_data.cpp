#include "experiment/problem_data.h"

#include <Eigen/Core>
#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>

#include "base/random_element.h"
#include "catalog/expression.h"
#include "machine/state/tensor_map.h"

namespace gemmscope::experiment {
namespace {

using catalog::ElementType;
using catalog::Fill;
using catalog::Parameter;
using Values = std::map<std::string, int64_t, std::less<>>;

constexpr uint64_t kMostBufferBytes = uint64_t{16} << 30;
constexpr uint32_t kPieceBytes = 16, kMostBoxRows = 256;

// Calls `f` with a value of the C++ type.
template <typename F>
auto with_type(ElementType type, F f) {
  switch (type) {
    case ElementType::float16:
      return f(Eigen::half());
    case ElementType::bfloat16:
      return f(Eigen::bfloat16());
    case ElementType::float64:
      return f(double());
    case ElementType::int8:
      return f(int8_t());
    case ElementType::uint8:
      return f(uint8_t());
    case ElementType::int16:
      return f(int16_t());
    case ElementType::uint16:
      return f(uint16_t());
    case ElementType::int32:
      return f(int32_t());
    case ElementType::uint32:
      return f(uint32_t());
    case ElementType::int64:
      return f(int64_t());
    case ElementType::uint64:
      return f(uint64_t());
    case ElementType::float32:
      break;
  }
  return f(float());
}

template <typename T>
constexpr bool kIsFloat = !std::is_integral_v<T>;

template <typename T>
T poison() {
  if constexpr (kIsFloat<T>)
    return static_cast<T>(std::numeric_limits<float>::quiet_NaN());
  else
    return static_cast<T>(~T{0});
}

template <typename T>
T random_value(int which, uint64_t i) {
  if constexpr (kIsFloat<T>)
    return static_cast<T>(random_element(which, i));
  else
    return static_cast<T>(static_cast<int64_t>(random_bits(which, i) >> 60) - (std::is_signed_v<T> ? 8 : 0));
}

template <typename T>
T filled(const Parameter& p, int which, uint64_t i, int64_t below) {
  switch (p.fill) {
    case Fill::uniform:
      return random_value<T>(which, i);
    case Fill::below:
      return static_cast<T>(static_cast<float>(random_bits(which, i) % static_cast<uint64_t>(below)));
    case Fill::iota:
      if constexpr (kIsFloat<T>)
        return static_cast<T>(static_cast<float>(i));
      else
        return static_cast<T>(i);
    case Fill::zero:
      return static_cast<T>(0);
    case Fill::uninitialised:
      return poison<T>();
  }
  return static_cast<T>(0);
}

class Maker {
 public:
  Maker(const catalog::Kernel& kernel, const catalog::Problem& problem, Values values, Contents contents,
        ProblemData& data)
      : kernel_(kernel.id),
        problem_(problem),
        values_(std::move(values)),
        contents_(contents),
        data_(data),
        poison_c_(c_starts_as_nan(kernel, data.parameters, problem)) {}

  Result<void> make() {
    const bool gemm = catalog::is_gemm(data_.parameters);
    if (gemm) data_.layout.buffers.resize(3);
    for (const Parameter& p : data_.parameters) {
      const Result<void> made = p.kind == Parameter::Kind::matrix   ? add_matrix(p, gemm)
                                : p.kind == Parameter::Kind::buffer ? add_buffer(p)
                                                                    : add_scalar(p);
      if (!made) return made;
    }
    return {};
  }

 private:
  Result<int64_t> evaluated(const Parameter& p, const std::string& expression, int64_t lowest) {
    const auto value = catalog::evaluate(expression, values_);
    if (!value) return fail("Kernel {}, parameter {}: {}.", kernel_, p.name, value.error().message);
    if (*value < lowest)
      return fail("Kernel {}, parameter {}: {} = {}, but it must be at least {}.", kernel_, p.name,
                  expression, *value, lowest);
    return *value;
  }

  Result<uint64_t> allocate(const Parameter& p, const std::string& name, uint64_t elements) {
    if (elements > kMostBufferBytes / catalog::size_of(p.type))
      return fail("Kernel {}, parameter {}: {} elements are more than 16 GiB.", kernel_, p.name, elements);
    return data_.memory.allocate(name, elements * catalog::size_of(p.type));
  }

  // An H200 takes boxes of 1 to 256 rows, and matrices whose rows are whole pieces of 16 bytes.
  Result<std::vector<std::byte>> tensor_map(const Parameter& p, const metrics::MatrixBuffer& buffer) {
    const auto rows = evaluated(p, p.box_rows, 1);
    if (!rows) return tl::unexpected(rows.error());
    const uint64_t pitch_bytes = static_cast<uint64_t>(buffer.pitch()) * buffer.element_bytes;
    if (*rows > kMostBoxRows || pitch_bytes % kPieceBytes != 0)
      return fail(
          "Kernel {}, parameter {}: a tensor map needs boxes of at most {} rows and rows of a multiple of {} "
          "bytes, but these have {} rows and {} bytes.",
          kernel_, p.name, kMostBoxRows, kPieceBytes, *rows, pitch_bytes);
    const machine::TensorMap map =
        machine::matrix_map(buffer.address, buffer.element_bytes, static_cast<uint32_t>(buffer.rows),
                            static_cast<uint32_t>(buffer.columns), pitch_bytes, static_cast<uint32_t>(*rows));
    const auto bytes = machine::tensor_map_bytes(map);
    return std::vector<std::byte>(bytes.begin(), bytes.end());
  }

  Result<void> add_matrix(const Parameter& p, bool gemm) {
    const int which = p.role - 'A';
    metrics::MatrixBuffer buffer;
    buffer.name = std::string(1, p.role);
    buffer.rows = p.role == 'B' ? problem_.k : problem_.m;
    buffer.columns = p.role == 'A' ? problem_.k : problem_.n;
    buffer.element_bytes = catalog::size_of(p.type);
    buffer.column_major = p.column_major;
    if (!p.leading_dimension.empty()) {
      const auto pitch = evaluated(p, p.leading_dimension, buffer.line());
      if (!pitch) return tl::unexpected(pitch.error());
      buffer.leading_dimension = *pitch;
    }
    const auto address = allocate(p, buffer.name, buffer.elements());
    if (!address) return tl::unexpected(address.error());
    buffer.address = *address;
    if (p.is_tensor_map()) {
      auto map = tensor_map(p, buffer);
      if (!map) return tl::unexpected(map.error());
      data_.arguments.push_back(*std::move(map));
    } else {
      data_.arguments.push_back(machine::argument(buffer.address));
    }
    const bool unread = p.role == 'C' && poison_c_;
    if (contents_ == Contents::random)
      with_type(p.type, [&](auto zero) {
        using T = decltype(zero);
        auto* const elements = reinterpret_cast<T*>(data_.memory.bytes(buffer.name).data());
        std::fill_n(elements, buffer.elements(), poison<T>());
        uint64_t i = 0;
        for (int64_t row = 0; row < buffer.rows && !unread; ++row)
          for (int64_t column = 0; column < buffer.columns; ++column)
            elements[buffer.index_of(row, column)] = random_value<T>(which, i++);
      });
    if (unread) data_.memory.declare_uninitialised(buffer.name);
    if (gemm) data_.layout.buffers[static_cast<size_t>(which)] = std::move(buffer);
    return {};
  }

  Result<void> add_buffer(const Parameter& p) {
    const auto count = evaluated(p, p.count, 1);
    if (!count) return tl::unexpected(count.error());
    int64_t below = 1;
    if (!p.below.empty()) {
      const auto value = evaluated(p, p.below, 1);
      if (!value) return tl::unexpected(value.error());
      below = *value;
    }
    const int which = static_cast<int>(data_.arguments.size()) + 3;
    const std::string name = fmt::format("parameter {}", p.name.empty() ? std::to_string(which - 3) : p.name);
    const auto address = allocate(p, name, static_cast<uint64_t>(*count));
    if (!address) return tl::unexpected(address.error());
    data_.arguments.push_back(machine::argument(*address));
    with_type(p.type, [&](auto zero) {
      using T = decltype(zero);
      auto* const elements = reinterpret_cast<T*>(data_.memory.bytes(name).data());
      for (uint64_t i = 0; i < static_cast<uint64_t>(*count); ++i)
        elements[i] = filled<T>(p, which, i, below);
    });
    if (p.fill == Fill::uninitialised) data_.memory.declare_uninitialised(name);
    return {};
  }

  Result<void> add_scalar(const Parameter& p) {
    double value = 0;
    int64_t integer = 0;
    const auto [end, error] = std::from_chars(p.value.data(), p.value.data() + p.value.size(), value);
    const bool is_number = error == std::errc{} && end == p.value.data() + p.value.size();
    if (p.value == "alpha" || p.value == "beta") {
      value = p.value == "alpha" ? problem_.alpha : problem_.beta;
    } else if (!is_number) {
      const auto evaluated_value = evaluated(p, p.value, std::numeric_limits<int64_t>::min());
      if (!evaluated_value) return tl::unexpected(evaluated_value.error());
      integer = *evaluated_value;
      value = static_cast<double>(integer);
    }
    if (is_number || integer == 0) integer = static_cast<int64_t>(value);
    if (!catalog::is_float(p.type) && static_cast<double>(integer) != value)
      return fail("Kernel {}, parameter {}: {} = {} is not of type {}.", kernel_, p.name, p.value, value,
                  catalog::type_name(p.type));
    bool fits = true;
    with_type(p.type, [&](auto zero) {
      using T = decltype(zero);
      if constexpr (kIsFloat<T>) {
        data_.arguments.push_back(machine::argument(static_cast<T>(value)));
      } else {
        fits = std::is_same_v<T, uint64_t> ? integer >= 0
                                           : static_cast<int64_t>(static_cast<T>(integer)) == integer;
        data_.arguments.push_back(machine::argument(static_cast<T>(integer)));
      }
    });
    if (!fits)
      return fail("Kernel {}, parameter {}: {} = {} does not fit {}.", kernel_, p.name, p.value, integer,
                  catalog::type_name(p.type));
    return {};
  }

  const std::string& kernel_;
  const catalog::Problem& problem_;
  const Values values_;
  const Contents contents_;
  ProblemData& data_;
  bool poison_c_;
};

}  // namespace

bool c_starts_as_nan(const catalog::Kernel& kernel, const std::vector<Parameter>& parameters,
                     const catalog::Problem& problem) {
  const bool takes_beta =
      std::ranges::any_of(parameters, [](const Parameter& p) { return p.value == "beta"; });
  // A user's kernel often adds 0 * C.
  return !takes_beta || (problem.beta == 0 && !kernel.opened);
}

const Parameter& ProblemData::matrix(char role) const {
  return *std::find_if(parameters.begin(), parameters.end(),
                       [role](const Parameter& p) { return p.role == role; });
}

namespace {

// TF32 keeps 10 bits of the fraction. Rounding to nearest is off by at most half of the last bit, truncation
// by less than one.
Result<double> factor_error(const catalog::Kernel& kernel, const Values& values) {
  if (!kernel.tf32) return 0.0;
  if (kernel.rounded_expression.empty()) return 0x1p-10;
  const auto rounded = catalog::evaluate(kernel.rounded_expression, values);
  if (!rounded) return fail("Kernel {}, key factors_rounded: {}.", kernel.id, rounded.error().message);
  return *rounded != 0 ? 0x1p-11 : 0x1p-10;
}

}  // namespace

ProblemData make_problem_data(const catalog::Problem& problem) {
  catalog::Kernel fixed;
  return *make_problem_data(fixed, problem, {});
}

Result<ProblemData> make_problem_data(const catalog::Kernel& kernel, const catalog::Problem& problem,
                                      const std::map<std::string, int64_t>& toggles, Contents contents) {
  auto values = catalog::expression_values(kernel, problem, toggles);
  if (!values) return tl::unexpected(values.error());
  ProblemData data;
  const auto error = factor_error(kernel, *values);
  if (!error) return tl::unexpected(error.error());
  data.factor_error = *error;
  data.parameters = kernel.parameters.empty() ? catalog::fixed_signature() : kernel.parameters;
  if (auto made = Maker(kernel, problem, *std::move(values), contents, data).make(); !made)
    return tl::unexpected(made.error());
  return data;
}

std::span<const float> as_floats(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const float*>(bytes.data()), bytes.size() / sizeof(float)};
}

}  // namespace gemmscope::experiment
