// Reads the members of a line's JSON objects, for protocol.cpp and timing_lines.cpp.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/base64.h"
#include "gpu/protocol.h"

namespace gemmscope::gpu {

using nlohmann::json;

// Reads the members of an object. `problem` keeps the first member that is missing or of the wrong type.
// A member that cannot be read gives an empty value.
class Members {
 public:
  Members(const json& object, std::string place, std::string& problem)
      : object_(object), place_(std::move(place)), problem_(problem) {
    if (!object_.is_object()) complain("", "an object");
  }

  bool has(const char* name) const { return object_.is_object() && object_.contains(name); }
  const json& at(const char* name) const {
    static const json nothing;
    return has(name) ? object_.at(name) : nothing;
  }

  std::string text(const char* name) {
    const json& value = at(name);
    if (value.is_string()) return value.get<std::string>();
    return complain(name, "a text"), std::string{};
  }
  bool truth(const char* name) {
    if (at(name).is_boolean()) return at(name).get<bool>();
    return complain(name, "true or false"), false;
  }
  double real(const char* name) {
    if (at(name).is_number()) return at(name).get<double>();
    return complain(name, "a number"), 0;
  }
  template <typename T>
  T whole(const char* name) {
    return whole_value<T>(at(name), name);
  }
  std::vector<std::byte> bytes(const char* name) { return bytes_value(at(name), name); }
  std::array<uint32_t, 3> triple(const char* name) {
    const json& list = at(name);
    if (!list.is_array() || list.size() != 3)
      return complain(name, "a list of three numbers"), std::array<uint32_t, 3>{};
    std::array<uint32_t, 3> values{};
    for (size_t i = 0; i < 3; ++i) values[i] = whole_value<uint32_t>(list[i], name);
    return values;
  }
  Members inner(const char* name, std::string place) const { return {at(name), std::move(place), problem_}; }
  const json& list(const char* name) {
    static const json empty = json::array();
    if (at(name).is_array()) return at(name);
    return complain(name, "a list"), empty;
  }

  template <typename T>
  T whole_value(const json& value, const char* name) {
    if (value.is_number_unsigned() &&
        value.get<uint64_t>() <= static_cast<uint64_t>(std::numeric_limits<T>::max()))
      return static_cast<T>(value.get<uint64_t>());
    if (std::is_signed_v<T> && value.is_number_integer() && !value.is_number_unsigned() &&
        value.get<int64_t>() >= static_cast<int64_t>(std::numeric_limits<T>::min()))
      return static_cast<T>(value.get<int64_t>());
    return complain(name, fmt::format("a whole number up to {}", std::numeric_limits<T>::max())), T{};
  }
  std::vector<std::byte> bytes_value(const json& value, const char* name) {
    std::optional<std::vector<std::byte>> bytes;
    if (value.is_string()) bytes = base64_decode(value.get_ref<const std::string&>());
    if (bytes) return std::move(*bytes);
    return complain(name, "bytes in base64"), std::vector<std::byte>{};
  }

 private:
  void complain(std::string_view name, std::string_view expected) {
    if (!problem_.empty()) return;
    const std::string member = name.empty() ? place_ : fmt::format("\"{}\" of {}", name, place_);
    problem_ = fmt::format("{} is missing or is not {}", member, expected);
  }

  const json& object_;
  std::string place_;
  std::string& problem_;
};

inline json parameter_json(const BufferParameter& buffer) {
  json object = {{"buffer", base64_encode(buffer.initial)}, {"returned", buffer.returned}};
  if (buffer.unwritten) object["unwritten"] = true;
  if (const auto& map = buffer.tensor_map)
    object["tensor_map"] = {{"bfloat16", map->bfloat16},
                            {"rows", map->rows},
                            {"columns", map->columns},
                            {"box_rows", map->box_rows}};
  return object;
}
inline json parameter_json(const ValueParameter& value) { return {{"value", base64_encode(value.bytes)}}; }

inline TensorMapShape read_tensor_map(Members members) {
  return {members.truth("bfloat16"), members.whole<uint32_t>("rows"), members.whole<uint32_t>("columns"),
          members.whole<uint32_t>("box_rows")};
}
inline BufferParameter read_buffer(Members& members) {
  BufferParameter buffer{members.bytes("buffer"), members.truth("returned")};
  if (members.has("unwritten")) buffer.unwritten = members.truth("unwritten");
  if (members.has("tensor_map"))
    buffer.tensor_map = read_tensor_map(members.inner("tensor_map", "a tensor map"));
  return buffer;
}
inline ValueParameter read_value(Members& members) { return {members.bytes("value")}; }

}  // namespace gemmscope::gpu
