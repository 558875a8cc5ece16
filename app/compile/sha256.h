// OpenSSL's SHA-256 (FIPS 180-4), for cache keys and for detecting damaged files.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

struct evp_md_ctx_st;

namespace gemmscope::compile {

using Digest = std::array<std::byte, 32>;

class Sha256 {
 public:
  Sha256();
  ~Sha256();
  Sha256(const Sha256&) = delete;
  Sha256& operator=(const Sha256&) = delete;

  void add(std::span<const std::byte> bytes);
  // Adds length and text, so that the pairs ("ab", "c") and ("a", "bc") differ.
  void add_field(std::string_view text);
  Digest finish();

 private:
  evp_md_ctx_st* context_;
};

std::string hex(const Digest& digest);

}  // namespace gemmscope::compile
