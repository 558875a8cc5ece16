#include "base/base64.h"

#include <gtest/gtest.h>

namespace gemmscope {
namespace {

std::span<const std::byte> bytes_of(std::string_view text) { return std::as_bytes(std::span(text)); }

// RFC 4648, section 10.
TEST(Base64, StandardVectors) {
  const std::pair<const char*, const char*> vectors[] = {{"", ""},
                                                         {"f", "Zg=="},
                                                         {"fo", "Zm8="},
                                                         {"foo", "Zm9v"},
                                                         {"foob", "Zm9vYg=="},
                                                         {"fooba", "Zm9vYmE="},
                                                         {"foobar", "Zm9vYmFy"}};
  for (const auto& [plain, text] : vectors) {
    EXPECT_EQ(base64_encode(bytes_of(plain)), text);
    const auto back = base64_decode(text);
    ASSERT_TRUE(back.has_value()) << text;
    EXPECT_EQ(std::string(reinterpret_cast<const char*>(back->data()), back->size()), plain);
  }
}

TEST(Base64, EveryByteAtEveryPlaceComesBack) {
  for (size_t length = 1; length <= 7; ++length) {
    for (int value = 0; value < 256; ++value) {
      std::vector<std::byte> bytes(length, std::byte{0x5a});
      for (std::byte& byte : bytes) {
        byte = static_cast<std::byte>(value);
        EXPECT_EQ(base64_decode(base64_encode(bytes)), bytes);
      }
    }
  }
}

TEST(Base64, WhatIsNotItsOwnTextIsRefused) {
  for (const char* text : {"Z", "Zg", "Zg=", "Zg===", "=", "====", "Z===", "Zg==Zg==", "Zm9v\n", "Zm 9",
                           "Zm9-", "Zm9_", "Zh==", "Zm9=", "Zm\x80v", "Zm=v"})
    EXPECT_FALSE(base64_decode(text).has_value()) << text;
}

}  // namespace
}  // namespace gemmscope
