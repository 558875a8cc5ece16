#include "drawing/extra_glyphs.h"

#include <imgui.h>
#include <imgui_internal.h>

#include <algorithm>
#include <array>

namespace gemmscope::drawing {
namespace {

// Only the UI thread draws.
struct Wanted {
  std::array<std::vector<uint32_t>, kFontRoleCount> of_role;
  size_t count = 0;
};
Wanted& wanted() {
  static Wanted wanted;
  return wanted;
}

constexpr size_t kMostExtra = 4000;  // in one font; more would outgrow the texture of the fonts

void want(uint32_t character, FontRole role) {
  if (character <= 0xFF || character > IM_UNICODE_CODEPOINT_MAX || is_loaded_always(character)) return;
  std::vector<uint32_t>& all = wanted().of_role[static_cast<size_t>(role)];
  const auto at = std::ranges::lower_bound(all, character);
  if ((at != all.end() && *at == character) || all.size() >= kMostExtra) return;
  all.insert(at, character);
  ++wanted().count;
}

}  // namespace

void want_glyphs(std::string_view utf8, FontRole role) {
  const char* at = utf8.data();
  const char* const end = at + utf8.size();
  while (at < end) {
    if (static_cast<unsigned char>(*at) < 0x80) {
      ++at;
      continue;
    }
    unsigned character = 0;
    at += std::max(1, ImTextCharFromUtf8(&character, at, end));
    want(character, role);
  }
}

void want_glyphs(std::string_view utf8) {
  for (int role = 0; role < kFontRoleCount; ++role) want_glyphs(utf8, static_cast<FontRole>(role));
}

void want_glyphs(std::span<const uint32_t> characters, FontRole role) {
  for (const uint32_t character : characters) want(character, role);
}

const std::vector<uint32_t>& wanted_glyphs(FontRole role) {
  return wanted().of_role[static_cast<size_t>(role)];
}

size_t wanted_glyph_count() { return wanted().count; }

}  // namespace gemmscope::drawing
