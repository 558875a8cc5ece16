#include "drawing/extra_glyphs.h"

#include <imgui.h>
#include <imgui_internal.h>

#include <algorithm>

#include "drawing/fonts.h"

namespace gemmscope::drawing {
namespace {

// Only the UI thread draws.
std::vector<uint32_t>& wanted() {
  static std::vector<uint32_t> characters;
  return characters;
}

constexpr size_t kMostExtra = 4000;  // more would outgrow the texture of the fonts

void want(uint32_t character) {
  if (character <= 0xFF || character > IM_UNICODE_CODEPOINT_MAX || is_loaded_always(character)) return;
  std::vector<uint32_t>& all = wanted();
  const auto at = std::ranges::lower_bound(all, character);
  if ((at == all.end() || *at != character) && all.size() < kMostExtra) all.insert(at, character);
}

}  // namespace

void want_glyphs(std::string_view utf8) {
  const char* at = utf8.data();
  const char* const end = at + utf8.size();
  while (at < end) {
    if (static_cast<unsigned char>(*at) < 0x80) {
      ++at;
      continue;
    }
    unsigned character = 0;
    at += std::max(1, ImTextCharFromUtf8(&character, at, end));
    want(character);
  }
}

const std::vector<uint32_t>& wanted_glyphs() { return wanted(); }

}  // namespace gemmscope::drawing
