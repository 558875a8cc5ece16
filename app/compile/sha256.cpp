#include "compile/sha256.h"

#include <fmt/format.h>
#include <openssl/evp.h>

namespace gemmscope::compile {

Sha256::Sha256() : context_(EVP_MD_CTX_new()) { EVP_DigestInit_ex(context_, EVP_sha256(), nullptr); }

Sha256::~Sha256() { EVP_MD_CTX_free(context_); }

void Sha256::add(std::span<const std::byte> bytes) { EVP_DigestUpdate(context_, bytes.data(), bytes.size()); }

void Sha256::add_field(std::string_view text) {
  const uint64_t length = text.size();
  add(std::as_bytes(std::span(&length, 1)));
  add(std::as_bytes(std::span(text)));
}

Digest Sha256::finish() {
  Digest digest;
  EVP_DigestFinal_ex(context_, reinterpret_cast<unsigned char*>(digest.data()), nullptr);
  return digest;
}

std::string hex(const Digest& digest) {
  std::string text;
  for (const std::byte byte : digest) text += fmt::format("{:02x}", static_cast<unsigned>(byte));
  return text;
}

}  // namespace gemmscope::compile
