// A scene as one line: its JSON compressed and written in base64url.
#include <lzma.h>

#include <algorithm>
#include <span>
#include <vector>

#include "base/base64.h"
#include "session/scene_file.h"

namespace gemmscope::session {
namespace {

constexpr std::string_view kPrefix = "gemmscope:";
constexpr size_t kMostLink = 8u << 20, kMostScene = 8u << 20;
constexpr uint32_t kPreset = 6;              // whose dictionary is far below kMostMemory
constexpr uint64_t kMostMemory = 64u << 20;  // that a hostile link may make the decoder take

std::vector<uint8_t> compressed(const std::string& text) {
  std::vector<uint8_t> out(lzma_stream_buffer_bound(text.size()));
  size_t used = 0;
  const auto* bytes = reinterpret_cast<const uint8_t*>(text.data());
  if (lzma_easy_buffer_encode(kPreset, LZMA_CHECK_CRC32, nullptr, bytes, text.size(), out.data(), &used,
                              out.size()) != LZMA_OK)
    used = 0;
  out.resize(used);
  return out;
}

Result<std::string> decompressed(const std::vector<std::byte>& bytes) {
  std::string text(kMostScene, '\0');
  uint64_t memory = kMostMemory;
  size_t read = 0, written = 0;
  const lzma_ret result =
      lzma_stream_buffer_decode(&memory, 0, nullptr, reinterpret_cast<const uint8_t*>(bytes.data()), &read,
                                bytes.size(), reinterpret_cast<uint8_t*>(text.data()), &written, text.size());
  if (result != LZMA_OK) return fail("The link is damaged: copy all of it, from \"gemmscope:\" to its end.");
  text.resize(written);
  return text;
}

}  // namespace

bool is_scene_link(std::string_view text) { return text.starts_with(kPrefix); }

std::string scene_link(const SavedScene& scene) {
  const std::vector<uint8_t> bytes = compressed(scene_text(scene));
  std::string text = base64_encode(std::as_bytes(std::span(bytes)));
  text.resize(std::min(text.find('='), text.size()));
  std::ranges::replace(text, '+', '-');
  std::ranges::replace(text, '/', '_');
  return std::string(kPrefix) + text;
}

Result<SavedScene> parse_scene_link(std::string_view link) {
  if (!is_scene_link(link) || link.size() > kMostLink)
    return fail("A link to a scene begins with \"gemmscope:\".");
  std::string text(link.substr(kPrefix.size()));
  while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.pop_back();
  std::ranges::replace(text, '-', '+');
  std::ranges::replace(text, '_', '/');
  text.append((4 - text.size() % 4) % 4, '=');
  const auto bytes = base64_decode(text);
  if (!bytes) return fail("The link has characters that no link has: copy all of it, and nothing else.");
  const auto scene = decompressed(*bytes);
  if (!scene) return tl::unexpected(scene.error());
  return parse_scene(*scene, "the link");
}

}  // namespace gemmscope::session
