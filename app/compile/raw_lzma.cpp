#include "compile/raw_lzma.h"

#include <lzma.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <new>

namespace gemmscope::compile {
namespace {

// Both directions need the same options. The window covers a whole block and its dictionary.
constexpr uint32_t kWindowBytes = 8u << 20;

struct Filters {
  explicit Filters(std::span<const std::byte> dictionary) {
    lzma_lzma_preset(&options, 9 | LZMA_PRESET_EXTREME);
    options.dict_size = kWindowBytes;
    options.pb = 4;  // an instruction has 16 bytes
    options.preset_dict = reinterpret_cast<const uint8_t*>(dictionary.data());
    options.preset_dict_size = static_cast<uint32_t>(dictionary.size());
  }

  lzma_options_lzma options{};
  std::array<lzma_filter, 2> list = {{{LZMA_FILTER_LZMA2, &options}, {LZMA_VLI_UNKNOWN, nullptr}}};
};

const uint8_t* bytes_of(std::span<const std::byte> bytes) {
  return reinterpret_cast<const uint8_t*>(bytes.data());
}

}  // namespace

std::vector<std::byte> pack_bytes(std::span<const std::byte> bytes, std::span<const std::byte> dictionary) {
  const Filters filters(dictionary);
  // LZMA2 stores in 64 KiB pieces, with a few bytes each, what it cannot make smaller.
  std::vector<std::byte> packed(bytes.size() + bytes.size() / 1024 + 128);
  size_t size = 0;
  const lzma_ret status =
      lzma_raw_buffer_encode(filters.list.data(), nullptr, bytes_of(bytes), bytes.size(),
                             reinterpret_cast<uint8_t*>(packed.data()), &size, packed.size());
  if (status != LZMA_OK) throw std::bad_alloc();
  packed.resize(size);
  return packed;
}

std::optional<std::vector<std::byte>> unpack_bytes(std::span<const std::byte> packed, size_t size,
                                                   std::span<const std::byte> dictionary) {
  const Filters filters(dictionary);
  std::vector<std::byte> bytes(size);
  size_t read = 0, written = 0;
  const lzma_ret status =
      lzma_raw_buffer_decode(filters.list.data(), nullptr, bytes_of(packed), &read, packed.size(),
                             reinterpret_cast<uint8_t*>(bytes.data()), &written, size);
  if (status == LZMA_MEM_ERROR) throw std::bad_alloc();
  if (status != LZMA_OK || read != packed.size() || written != size) return {};
  return bytes;
}

}  // namespace gemmscope::compile
