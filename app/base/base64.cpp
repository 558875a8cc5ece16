#include "base/base64.h"

#include <array>
#include <cstdint>

namespace gemmscope {
namespace {

constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr uint32_t kNoDigit = 64;

constexpr std::array<uint8_t, 256> digit_values() {
  std::array<uint8_t, 256> values{};
  values.fill(kNoDigit);
  for (size_t i = 0; i < kDigits.size(); ++i)
    values[static_cast<unsigned char>(kDigits[i])] = static_cast<uint8_t>(i);
  return values;
}
constexpr std::array<uint8_t, 256> kValues = digit_values();

uint32_t value_of(char digit) { return kValues[static_cast<unsigned char>(digit)]; }

}  // namespace

std::string base64_encode(std::span<const std::byte> bytes) {
  std::string text(base64_length(bytes.size()), '=');
  for (size_t in = 0, out = 0; in < bytes.size(); in += 3, out += 4) {
    const size_t left = bytes.size() - in;
    uint32_t bits = std::to_integer<uint32_t>(bytes[in]) << 16;
    if (left > 1) bits |= std::to_integer<uint32_t>(bytes[in + 1]) << 8;
    if (left > 2) bits |= std::to_integer<uint32_t>(bytes[in + 2]);
    text[out] = kDigits[bits >> 18];
    text[out + 1] = kDigits[bits >> 12 & 63];
    if (left > 1) text[out + 2] = kDigits[bits >> 6 & 63];
    if (left > 2) text[out + 3] = kDigits[bits & 63];
  }
  return text;
}

std::optional<std::vector<std::byte>> base64_decode(std::string_view text) {
  if (text.size() % 4 != 0) return std::nullopt;
  const size_t padding = text.ends_with("==") ? 2 : text.ends_with('=') ? 1 : 0;
  std::vector<std::byte> bytes(text.size() / 4 * 3);
  uint32_t worst = 0;  // keeps the bit of kNoDigit once a character is no digit
  for (size_t in = 0, out = 0; in < text.size(); in += 4, out += 3) {
    const size_t digits = in + 4 == text.size() ? 4 - padding : 4;
    uint32_t bits = 0;
    for (size_t i = 0; i < 4; ++i) {
      const uint32_t value = i < digits ? value_of(text[in + i]) : 0;
      worst |= value;
      bits = bits << 6 | (value & 63);
    }
    // Padding bits must be zero, so that each byte sequence has one text only.
    if ((digits == 2 && (bits & 0xffff) != 0) || (digits == 3 && (bits & 0xff) != 0)) return std::nullopt;
    bytes[out] = static_cast<std::byte>(bits >> 16);
    bytes[out + 1] = static_cast<std::byte>(bits >> 8);
    bytes[out + 2] = static_cast<std::byte>(bits);
  }
  if ((worst & kNoDigit) != 0) return std::nullopt;
  bytes.resize(bytes.size() - padding);
  return bytes;
}

}  // namespace gemmscope
