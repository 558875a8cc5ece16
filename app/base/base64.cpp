#include "base/base64.h"

#include <openssl/evp.h>

namespace gemmscope {

std::string base64_encode(std::span<const std::byte> bytes) {
  std::string text(base64_length(bytes.size()) + 1, '\0');  // EVP_EncodeBlock ends the text with a 0
  EVP_EncodeBlock(reinterpret_cast<unsigned char*>(text.data()),
                  reinterpret_cast<const unsigned char*>(bytes.data()), static_cast<int>(bytes.size()));
  text.pop_back();
  return text;
}

std::optional<std::vector<std::byte>> base64_decode(std::string_view text) {
  if (text.size() % 4 != 0) return std::nullopt;
  const size_t padding = text.ends_with("==") ? 2 : text.ends_with('=') ? 1 : 0;
  std::vector<std::byte> bytes(text.size() / 4 * 3);
  const int size =
      EVP_DecodeBlock(reinterpret_cast<unsigned char*>(bytes.data()),
                      reinterpret_cast<const unsigned char*>(text.data()), static_cast<int>(text.size()));
  if (size != static_cast<int>(bytes.size())) return std::nullopt;
  bytes.resize(bytes.size() - padding);
  // EVP_DecodeBlock passes over spaces at the ends and bits of the padding that are not zero.
  if (base64_encode(bytes) != text) return std::nullopt;
  return bytes;
}

}  // namespace gemmscope
