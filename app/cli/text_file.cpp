#include "cli/text_file.h"

#include <lzma.h>

#include <array>
#include <fstream>
#include <iostream>
#include <iterator>

namespace gemmscope::cli {
namespace {

constexpr std::string_view kXzMagic(
    "\xfd"
    "7zXZ\0",
    6);
constexpr uint64_t kMostMemory = uint64_t{256} << 20;
constexpr size_t kMostText = size_t{1} << 30;

std::string read_all(std::istream& stream) {
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

// Fails when the data is broken or ends too early.
Result<std::string> unpack_xz(const std::string& packed, const std::string& path) {
  lzma_stream stream = LZMA_STREAM_INIT;
  if (lzma_stream_decoder(&stream, kMostMemory, LZMA_CONCATENATED) != LZMA_OK)
    return fail("{} cannot be unpacked: there is no memory for it", path);
  stream.next_in = reinterpret_cast<const uint8_t*>(packed.data());
  stream.avail_in = packed.size();
  std::string text;
  std::array<char, 1 << 16> piece{};
  lzma_ret status = LZMA_OK;
  while (status == LZMA_OK && text.size() <= kMostText) {
    stream.next_out = reinterpret_cast<uint8_t*>(piece.data());
    stream.avail_out = piece.size();
    status = lzma_code(&stream, LZMA_FINISH);
    text.append(piece.data(), piece.size() - stream.avail_out);
  }
  lzma_end(&stream);
  if (text.size() > kMostText) return fail("{} is too long: more than 1 GB when unpacked", path);
  if (status != LZMA_STREAM_END) return fail("{} is no complete xz file; unpack it with xz to see why", path);
  return text;
}

}  // namespace

Result<std::string> read_text_file(const std::string& path) {
  std::string text;
  if (path == "-") {
    text = read_all(std::cin);
  } else {
    std::ifstream file(path, std::ios::binary);
    if (!file) return fail("{} cannot be read", path);
    text = read_all(file);
  }
  if (text.starts_with(kXzMagic)) return unpack_xz(text, path);
  return text;
}

}  // namespace gemmscope::cli
