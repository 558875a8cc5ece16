// The element types of a buffer, and how an element is read.
#pragma once

#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <optional>
#include <span>
#include <string_view>

namespace gemmscope {

enum class ElementType : uint8_t {
  float16,
  bfloat16,
  float32,
  float64,
  int8,
  uint8,
  int16,
  uint16,
  int32,
  uint32,
  int64,
  uint64
};

struct ElementTypeFacts {
  ElementType type;
  const char* name;
  uint32_t bytes;
  bool floating;
};
// Indexed by ElementType.
inline constexpr std::array kElementTypes = {ElementTypeFacts{ElementType::float16, "float16", 2, true},
                                             ElementTypeFacts{ElementType::bfloat16, "bfloat16", 2, true},
                                             ElementTypeFacts{ElementType::float32, "float32", 4, true},
                                             ElementTypeFacts{ElementType::float64, "float64", 8, true},
                                             ElementTypeFacts{ElementType::int8, "int8", 1, false},
                                             ElementTypeFacts{ElementType::uint8, "uint8", 1, false},
                                             ElementTypeFacts{ElementType::int16, "int16", 2, false},
                                             ElementTypeFacts{ElementType::uint16, "uint16", 2, false},
                                             ElementTypeFacts{ElementType::int32, "int32", 4, false},
                                             ElementTypeFacts{ElementType::uint32, "uint32", 4, false},
                                             ElementTypeFacts{ElementType::int64, "int64", 8, false},
                                             ElementTypeFacts{ElementType::uint64, "uint64", 8, false}};

constexpr const ElementTypeFacts& facts_of(ElementType type) {
  return kElementTypes[static_cast<size_t>(type)];
}
constexpr const char* type_name(ElementType type) { return facts_of(type).name; }  // "float16"
constexpr uint32_t size_of(ElementType type) { return facts_of(type).bytes; }
constexpr bool is_float(ElementType type) { return facts_of(type).floating; }
constexpr std::optional<ElementType> type_of_name(std::string_view name) {
  for (const ElementTypeFacts& facts : kElementTypes)
    if (name == facts.name) return facts.type;
  return std::nullopt;
}

// Converts an IEEE 754 binary16 number.
inline double half_value(uint16_t bits) {
  const int exponent = bits >> 10 & 31, fraction = bits & 1023;
  const double size = exponent == 0   ? std::ldexp(fraction, -24)
                      : exponent < 31 ? std::ldexp(1024 + fraction, exponent - 25)
                      : fraction == 0 ? std::numeric_limits<double>::infinity()
                                      : std::numeric_limits<double>::quiet_NaN();
  return bits & 0x8000 ? -size : size;
}

// Reads element `index` of a buffer of this type. 64-bit integers beyond 2^53 are rounded.
inline double element_value(std::span<const std::byte> bytes, ElementType type, uint64_t index) {
  const auto read = [&](auto value) {
    std::memcpy(&value, bytes.data() + index * sizeof value, sizeof value);
    return value;
  };
  switch (type) {
    case ElementType::float16:
      return half_value(read(uint16_t()));
    case ElementType::bfloat16:
      return static_cast<double>(std::bit_cast<float>(uint32_t{read(uint16_t())} << 16));
    case ElementType::float32:
      return static_cast<double>(read(float()));
    case ElementType::float64:
      return read(double());
    case ElementType::int8:
      return read(int8_t());
    case ElementType::uint8:
      return read(uint8_t());
    case ElementType::int16:
      return read(int16_t());
    case ElementType::uint16:
      return read(uint16_t());
    case ElementType::int32:
      return read(int32_t());
    case ElementType::uint32:
      return read(uint32_t());
    case ElementType::int64:
      return static_cast<double>(read(int64_t()));
    case ElementType::uint64:
      return static_cast<double>(read(uint64_t()));
  }
  return 0;
}

}  // namespace gemmscope
