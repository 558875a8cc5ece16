// A bounds-checked cursor over little-endian bytes. Reading past the end gives zeroes and sets failed(), so
// that a parser checks once per record instead of once per field.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>
#include <type_traits>

namespace gemmscope::cubin {

static_assert(std::endian::native == std::endian::little, "cubins are little-endian and read in place");

class ByteReader {
 public:
  explicit ByteReader(std::span<const std::byte> bytes, size_t position = 0)
      : bytes_(bytes), position_(position), failed_(position > bytes.size()) {}

  bool failed() const { return failed_; }
  bool at_end() const { return failed_ || position_ == bytes_.size(); }
  size_t position() const { return position_; }

  template <typename T>
  T read() {
    static_assert(std::is_trivially_copyable_v<T>);
    T value{};
    const auto source = take(sizeof(T));
    if (!source.empty()) std::memcpy(&value, source.data(), sizeof(T));
    return value;
  }

  // Takes the next `count` bytes, or none if fewer are left.
  std::span<const std::byte> take(size_t count) {
    if (failed_ || count > bytes_.size() - position_) {
      failed_ = true;
      return {};
    }
    const auto taken = bytes_.subspan(position_, count);
    position_ += count;
    return taken;
  }

  // Read DWARF's variable-length integers and drop bits beyond the 64th.
  uint64_t uleb128() {
    uint64_t value = 0;
    for (unsigned shift = 0;; shift += 7) {
      const auto byte = read<uint8_t>();
      if (shift < 64) value |= uint64_t{byte & 0x7fu} << shift;
      if (failed_ || (byte & 0x80) == 0) return value;
    }
  }
  int64_t sleb128() {
    uint64_t value = 0;
    for (unsigned shift = 0;; shift += 7) {
      const auto byte = read<uint8_t>();
      if (shift < 64) value |= uint64_t{byte & 0x7fu} << shift;
      if (failed_ || (byte & 0x80) == 0) {
        if (shift + 7 < 64 && (byte & 0x40) != 0) value |= ~uint64_t{0} << (shift + 7);
        return static_cast<int64_t>(value);
      }
    }
  }

  // Reads up to the next zero byte, which is consumed but not returned.
  std::string_view c_string() {
    const auto rest = failed_ ? std::span<const std::byte>{} : bytes_.subspan(position_);
    const void* zero = rest.empty() ? nullptr : std::memchr(rest.data(), 0, rest.size());
    if (zero == nullptr) {
      failed_ = true;
      return {};
    }
    const auto* text = reinterpret_cast<const char*>(rest.data());
    const size_t length = static_cast<size_t>(static_cast<const char*>(zero) - text);
    position_ += length + 1;
    return {text, length};
  }

 private:
  std::span<const std::byte> bytes_;
  size_t position_;
  bool failed_;
};

}  // namespace gemmscope::cubin
