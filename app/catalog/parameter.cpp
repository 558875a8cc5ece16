#include "catalog/parameter.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <set>
#include <utility>

#include "catalog/description.h"

namespace gemmscope::catalog {
namespace {

// The types' names in C and CUDA. A vector type counts as its element type.
const std::map<std::string_view, ElementType>& c_names() {
  using enum ElementType;
  static const std::map<std::string_view, ElementType> names = {{"float", float32},
                                                                {"float2", float32},
                                                                {"float4", float32},
                                                                {"double", float64},
                                                                {"double2", float64},
                                                                {"half", float16},
                                                                {"__half", float16},
                                                                {"half2", float16},
                                                                {"__half2", float16},
                                                                {"nv_half", float16},
                                                                {"nv_bfloat16", bfloat16},
                                                                {"__nv_bfloat16", bfloat16},
                                                                {"nv_bfloat162", bfloat16},
                                                                {"__nv_bfloat162", bfloat16},
                                                                {"char", int8},
                                                                {"signed char", int8},
                                                                {"int8_t", int8},
                                                                {"char4", int8},
                                                                {"unsigned char", uint8},
                                                                {"uint8_t", uint8},
                                                                {"uchar4", uint8},
                                                                {"bool", uint8},
                                                                {"short", int16},
                                                                {"int16_t", int16},
                                                                {"short int", int16},
                                                                {"unsigned short", uint16},
                                                                {"uint16_t", uint16},
                                                                {"int", int32},
                                                                {"signed", int32},
                                                                {"signed int", int32},
                                                                {"int32_t", int32},
                                                                {"int2", int32},
                                                                {"int4", int32},
                                                                {"unsigned", uint32},
                                                                {"unsigned int", uint32},
                                                                {"uint", uint32},
                                                                {"uint32_t", uint32},
                                                                {"uint2", uint32},
                                                                {"uint4", uint32},
                                                                {"long", int64},
                                                                {"long int", int64},
                                                                {"long long", int64},
                                                                {"long long int", int64},
                                                                {"int64_t", int64},
                                                                {"ptrdiff_t", int64},
                                                                {"unsigned long", uint64},
                                                                {"unsigned long long", uint64},
                                                                {"size_t", uint64},
                                                                {"std::size_t", uint64},
                                                                {"uint64_t", uint64},
                                                                {"unsigned long int", uint64},
                                                                {"unsigned long long int", uint64}};
  return names;
}

std::string known_types() {
  std::string names;
  for (const ElementTypeFacts& t : kElementTypes)
    names += fmt::format("{}{}", names.empty() ? "" : ", ", t.name);
  return names;
}

using Keys = std::map<std::string, std::string>;

std::string value_of(const Keys& keys, const std::string& key) {
  const auto found = keys.find(key);
  return found == keys.end() ? "" : found->second;
}

// Fails for a key that is not one of `known`.
Result<void> check_keys(const Keys& keys, const std::string& kind, const std::set<std::string>& known) {
  for (const auto& [key, value] : keys)
    if (!known.count(key)) {
      std::string list;
      for (const std::string& k : known) list += (list.empty() ? "" : ", ") + k;
      return fail("\"{}\" is not a key of a {} (its keys are {})", key, kind, list);
    }
  return {};
}

Result<void> read_matrix(const Keys& keys, Parameter& p) {
  const std::string role = value_of(keys, "matrix"), order = value_of(keys, "order");
  if (role != "A" && role != "B" && role != "C") return fail("\"matrix\" must be A, B or C");
  if (!order.empty() && order != "row" && order != "column") return fail("\"order\" must be row or column");
  p.kind = Parameter::Kind::matrix;
  p.role = role[0];
  p.column_major = order == "column";
  p.leading_dimension = value_of(keys, "leading_dimension");
  if (const std::string sums = value_of(keys, "accumulate"); !sums.empty()) {
    p.accumulate = type_from_name(sums);
    if (!p.accumulate || !is_float(*p.accumulate) || p.role != 'C')
      return fail("\"accumulate\" is for C only and must be float16, bfloat16, float32 or float64");
  }
  p.box_rows = value_of(keys, "box_rows");
  if (p.is_tensor_map() && (p.role == 'C' || p.column_major))
    return fail("\"box_rows\" is for A and B only, row by row: nothing is stored by tensor copies");
  return check_keys(keys, "matrix",
                    {"name", "matrix", "type", "order", "leading_dimension", "accumulate", "box_rows"});
}

Result<void> read_buffer(const Keys& keys, Parameter& p) {
  static const std::map<std::string, Fill> kFills = {{"", Fill::uniform},
                                                     {"uniform", Fill::uniform},
                                                     {"iota", Fill::iota},
                                                     {"zero", Fill::zero},
                                                     {"uninitialised", Fill::uninitialised}};
  p.kind = Parameter::Kind::buffer;
  p.count = value_of(keys, "buffer");
  p.below = value_of(keys, "below");
  const auto fill = kFills.find(value_of(keys, "fill"));
  if (fill == kFills.end() || (!p.below.empty() && keys.count("fill")))
    return fail("\"fill\" must be uniform, iota, zero or uninitialised, without \"below\" beside it");
  p.fill = p.below.empty() ? fill->second : Fill::below;
  return check_keys(keys, "buffer", {"name", "buffer", "type", "fill", "below"});
}

Result<void> read_scalar(const Keys& keys, Parameter& p) {
  p.kind = Parameter::Kind::scalar;
  p.value = value_of(keys, "scalar");
  return check_keys(keys, "scalar", {"name", "scalar", "type"});
}

std::string trimmed(std::string_view text) {
  const size_t first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return std::string(text.substr(first, text.find_last_not_of(" \t") - first + 1));
}

}  // namespace

std::optional<ElementType> type_from_name(std::string_view name) {
  if (const auto known = type_of_name(name)) return known;
  const auto found = c_names().find(name);
  if (found == c_names().end()) return std::nullopt;
  return found->second;
}

Result<Parameter> parameter_from(const Keys& keys) {
  Parameter p;
  p.name = value_of(keys, "name");
  const int kinds = static_cast<int>(keys.count("matrix") + keys.count("buffer") + keys.count("scalar"));
  if (kinds != 1)
    return fail("exactly one of the keys \"matrix\", \"buffer\" and \"scalar\" must say what it is");
  Result<void> read = keys.count("matrix")   ? read_matrix(keys, p)
                      : keys.count("buffer") ? read_buffer(keys, p)
                                             : read_scalar(keys, p);
  if (!read) return tl::unexpected(read.error());
  const std::string type = value_of(keys, "type");
  const bool is_scale = p.value == "alpha" || p.value == "beta";
  p.type = p.kind == Parameter::Kind::scalar && !is_scale ? ElementType::int32 : ElementType::float32;
  if (!type.empty()) {
    const auto known = type_from_name(type);
    if (!known) return fail("\"type\" cannot be {} (types are {})", type, known_types());
    p.type = *known;
  }
  for (const char* key : {"buffer", "scalar"})
    if (keys.count(key) && value_of(keys, key).empty()) return fail("\"{}\" must not be empty", key);
  return p;
}

Result<Parameter> parse_parameter(std::string_view text) {
  Keys keys;
  size_t begin = 0;
  int depth = 0;
  for (size_t i = 0; i <= text.size(); ++i) {
    if (i < text.size()) depth += text[i] == '(' ? 1 : text[i] == ')' ? -1 : 0;
    if (i < text.size() && (text[i] != ',' || depth > 0)) continue;
    const std::string_view part = text.substr(begin, i - begin);
    const size_t equals = part.find('=');
    if (equals == std::string_view::npos)
      return fail("\"{}\": expected KEY=VALUE,…, such as matrix=A,type=float16,order=column", trimmed(part));
    keys[trimmed(part.substr(0, equals))] = trimmed(part.substr(equals + 1));
    begin = i + 1;
  }
  return parameter_from(keys);
}

bool is_gemm(const std::vector<Parameter>& parameters) {
  return std::all_of(std::begin("ABC"), std::end("ABC") - 1, [&](char role) {
    return std::any_of(parameters.begin(), parameters.end(),
                       [role](const Parameter& p) { return p.role == role; });
  });
}

std::vector<Parameter> fixed_signature() {
  std::vector<Parameter> all;
  for (const char role : {'A', 'B', 'C'}) {
    Parameter p;
    p.name = std::string(1, role), p.kind = Parameter::Kind::matrix, p.role = role;
    p.type = ElementType::float32;
    all.push_back(p);
  }
  for (const char* name : {"alpha", "beta", "M", "N", "K"}) {
    Parameter p;
    p.name = p.value = name;
    p.type = all.size() < 5 ? ElementType::float32 : ElementType::int32;
    all.push_back(p);
  }
  return all;
}

std::string describe_parameters(const std::vector<Parameter>& parameters) {
  std::string text = "//! parameters = [\n";
  for (const Parameter& p : parameters) {
    std::string line = fmt::format("name = \"{}\", ", p.name);
    if (p.kind == Parameter::Kind::matrix) {
      line += fmt::format("matrix = \"{}\", order = \"{}\", ", p.role, p.column_major ? "column" : "row");
      if (!p.leading_dimension.empty())
        line += fmt::format("leading_dimension = \"{}\", ", p.leading_dimension);
      if (p.is_tensor_map()) line += fmt::format("box_rows = \"{}\", ", p.box_rows);
    } else if (p.kind == Parameter::Kind::buffer) {
      line += fmt::format("buffer = \"{}\", ", p.count);
    } else {
      line += fmt::format("scalar = \"{}\", ", p.value);
    }
    text += fmt::format("//!   {{ {}type = \"{}\" }},\n", line, type_name(p.type));
  }
  return text + "//! ]\n";
}

namespace {

bool is_decimal(const std::string& text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc{} && end == text.data() + text.size();
}

}  // namespace

Result<void> check_parameter(const Parameter& p, const Values& names) {
  const bool is_number =
      p.kind == Parameter::Kind::scalar && (p.value == "alpha" || p.value == "beta" || is_decimal(p.value));
  for (const auto& [key, expression] :
       {std::pair("leading_dimension", &p.leading_dimension), std::pair("box_rows", &p.box_rows),
        std::pair("buffer", &p.count), std::pair("below", &p.below), std::pair("scalar", &p.value)}) {
    if (expression->empty() || (is_number && expression == &p.value)) continue;
    if (const auto checked = check_expression(*expression, names); !checked)
      return fail("\"{}\" of {}: {}", key, p.name.empty() ? "a parameter" : p.name, checked.error().message);
  }
  return {};
}

}  // namespace gemmscope::catalog
