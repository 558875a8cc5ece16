#include "drawing/fonts.h"

#include <imgui.h>
#include <imgui_freetype.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "drawing/font_files.h"

namespace gemmscope::drawing {
namespace {

enum Family : int { kInter, kJetBrainsMono };

struct RoleFont {
  Family family;
  FontWeight weight;
  float em_pixels;
};

constexpr std::array<RoleFont, kFontRoleCount> kRoleFonts = {{
    {kInter, FontWeight::regular, 14},           // body
    {kInter, FontWeight::semibold, 14},          // body_strong
    {kInter, FontWeight::regular, 12},           // small
    {kInter, FontWeight::semibold, 18},          // title
    {kInter, FontWeight::semibold, 28},          // display
    {kJetBrainsMono, FontWeight::regular, 13},   // mono
    {kJetBrainsMono, FontWeight::regular, 11},   // mono_small
    {kJetBrainsMono, FontWeight::semibold, 13},  // mono_strong
}};

// Pairs of first and last code point, ended by 0. Both fonts have all of these.
constexpr ImWchar kGlyphs[] = {0x0020, 0x00FF,  // Latin-1, with × · µ ° ² ³ ½
                               0x0391, 0x03C9,  // Greek
                               0x2010, 0x2026,  // dashes, quotes, •, …
                               0x2190, 0x2193,  // arrows
                               0x2211, 0x2212,  // Σ, −
                               0x221A, 0x221A, 0x221E, 0x221E, 0x2248,
                               0x2248, 0x2260, 0x2260, 0x2264, 0x2265,  // √ ∞ ≈ ≠ ≤ ≥
                               0x25B6, 0x25B6, 0x2713, 0x2713, 0};      // ▶ ✓

void add_font(ImFontAtlas& atlas, const Result<FontFile>& file, float em_pixels) {
  ImFontConfig config;
  config.OversampleH = config.OversampleV = 1;
  config.PixelSnapH = true;
  config.GlyphRanges = kGlyphs;
  // Light hinting keeps stems on pixel rows and leaves the letters' widths alone.
  config.FontBuilderFlags = ImGuiFreeTypeBuilderFlags_LightHinting;
  if (!file) {
    config.SizePixels = std::round(em_pixels * 1.2f);
    atlas.AddFontDefault(&config);
    return;
  }
  config.FontNo = file->face;
  // Dear ImGui's size is that of a whole line, from ascender to descender.
  const float line_pixels = std::round(em_pixels * file->line_height_per_em);
  if (atlas.AddFontFromFileTTF(file->path.c_str(), line_pixels, &config, kGlyphs) == nullptr) {
    config.SizePixels = line_pixels;
    atlas.AddFontDefault(&config);
  }
}

}  // namespace

std::vector<std::string> load_fonts(ImFontAtlas& atlas, float ui_scale) {
  std::vector<std::string> warnings;
  atlas.Clear();
  atlas.FontBuilderIO = ImGuiFreeType::GetBuilderForFreeType();
  atlas.Flags |= ImFontAtlasFlags_NoMouseCursors;
  for (const RoleFont& role : kRoleFonts) {
    const bool inter = role.family == kInter;
    const Result<FontFile> file = find_font(inter ? "Inter" : "JetBrains Mono", role.weight,
                                            inter ? "fonts-inter" : "fonts-jetbrains-mono");
    if (!file && std::find(warnings.begin(), warnings.end(), file.error().message) == warnings.end()) {
      warnings.push_back(file.error().message);
    }
    add_font(atlas, file, std::round(role.em_pixels * ui_scale));
  }
  atlas.Build();
  return warnings;
}

ImFont* font(FontRole role) {
  const ImVector<ImFont*>& fonts = ImGui::GetIO().Fonts->Fonts;
  const int index = static_cast<int>(role);
  return index < fonts.Size ? fonts[index] : ImGui::GetFont();
}

float line_height(FontRole role) { return font(role)->FontSize; }

float text_width(FontRole role, const std::string& text) {
  const ImFont* face = font(role);
  return face->CalcTextSizeA(face->FontSize, FLT_MAX, 0, text.data(), text.data() + text.size()).x;
}

ScopedFont::ScopedFont(FontRole role) { ImGui::PushFont(font(role)); }
ScopedFont::~ScopedFont() { ImGui::PopFont(); }

float ui_scale_for_framebuffer(int width, int height) {
  // The scale follows the height of the largest 16:9 picture that fits.
  const float lines = std::min(static_cast<float>(height), static_cast<float>(width) * 9 / 16);
  constexpr float kSmall = 720, kLarge = 1080, kScaleAtLarge = 1.3f;
  if (lines <= kSmall) return std::max(lines / kSmall, 0.75f);
  if (lines <= kLarge) return std::lerp(1.0f, kScaleAtLarge, (lines - kSmall) / (kLarge - kSmall));
  return kScaleAtLarge * lines / kLarge;
}

}  // namespace gemmscope::drawing
