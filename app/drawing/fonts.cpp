#include "drawing/fonts.h"

#include <imgui.h>
#include <imgui_freetype.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

#include "drawing/font_files.h"
#include "drawing/shipped_fonts.h"
#include "language/current_language.h"

namespace gemmscope::drawing {
namespace {

constexpr uint32_t kFirstIdeograph = 0x2E80;

enum Family : int { kInter, kJetBrainsMono, kChinese };
constexpr const char* kFamilyNames[] = {"Inter", "JetBrains Mono", kChineseFamily};

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

// Dear ImGui keeps pointers to the ranges until the atlas is built.
std::vector<ImWchar> ranges_of(std::span<const uint32_t> extra) {
  std::vector<ImWchar> ranges(std::begin(kGlyphs), std::end(kGlyphs) - 1);
  for (const uint32_t character : extra)
    ranges.insert(ranges.end(), {static_cast<ImWchar>(character), static_cast<ImWchar>(character)});
  ranges.push_back(0);
  return ranges;
}

ImFontConfig config_of(int face, bool merges) {
  ImFontConfig config;
  config.OversampleH = config.OversampleV = 1;
  config.PixelSnapH = true;
  config.MergeMode = merges;
  config.FontNo = face;
  // Light hinting keeps stems on pixel rows and leaves the letters' widths alone.
  config.FontBuilderFlags = ImGuiFreeTypeBuilderFlags_LightHinting;
  return config;
}

// Adds the font, or merges what it has of the characters into the one before. Returns false when it cannot be
// read.
bool add_font(ImFontAtlas& atlas, const FontFile& file, float em_pixels, const ImWchar* ranges, bool merges) {
  const ImFontConfig config = config_of(file.face, merges);
  // Dear ImGui's size is that of a whole line, from ascender to descender.
  const float line_pixels = std::round(em_pixels * file.line_height_per_em);
  return atlas.AddFontFromFileTTF(file.path.c_str(), line_pixels, &config, ranges) != nullptr;
}

void add_shipped(ImFontAtlas& atlas, Family family, float em_pixels, const ImWchar* ranges, bool merges) {
  ImFontConfig config = config_of(0, merges);
  config.FontDataOwnedByAtlas = false;
  const ShippedFont font = shipped_font(kFamilyNames[family]);
  if (font.bytes.empty()) {
    config.SizePixels = std::round(em_pixels * 1.2f);
    if (!merges) atlas.AddFontDefault(&config);
    return;
  }
  // The atlas reads the bytes and does not write to them.
  atlas.AddFontFromMemoryTTF(const_cast<unsigned char*>(font.bytes.data()),
                             static_cast<int>(font.bytes.size()),
                             std::round(em_pixels * font.line_height_per_em), &config, ranges);
}

void add_mapped(ImFontAtlas& atlas, const MappedFont& font, float em_pixels, const ImWchar* ranges) {
  ImFontConfig config = config_of(font.file().face, true);
  config.FontDataOwnedByAtlas = false;
  // The atlas reads the bytes and does not write to them.
  atlas.AddFontFromMemoryTTF(const_cast<unsigned char*>(font.bytes().data()),
                             static_cast<int>(font.bytes().size()),
                             std::round(em_pixels * font.file().line_height_per_em), &config, ranges);
}

}  // namespace

bool is_loaded_always(uint32_t character) {
  for (const ImWchar* range = kGlyphs; *range != 0; range += 2)
    if (character >= range[0] && character <= range[1]) return true;
  return false;
}

namespace {

std::array<float, kFontRoleCount>& loaded_em() {
  static std::array<float, kFontRoleCount> pixels{};
  return pixels;
}

// Every character that any font lacks.
std::vector<uint32_t> all_of(ExtraGlyphs extra) {
  std::vector<uint32_t> all;
  for (int role = 0; extra != nullptr && role < kFontRoleCount; ++role) {
    const std::vector<uint32_t>& own = extra(static_cast<FontRole>(role));
    all.insert(all.end(), own.begin(), own.end());
  }
  std::ranges::sort(all);
  all.erase(std::ranges::unique(all).begin(), all.end());
  return all;
}

// The font files that stand in for what ours lack: read once, and shared by all sizes.
std::vector<MappedFont> map_fallbacks(ExtraGlyphs extra) {
  std::vector<MappedFont> fallbacks;
  for (const FontFile& file : find_fonts_of(all_of(extra)))
    if (MappedFont font(file); !font.bytes().empty()) fallbacks.push_back(std::move(font));
  return fallbacks;
}

}  // namespace

std::vector<std::string> load_fonts(ImFontAtlas& atlas, float ui_scale, ExtraGlyphs extra, float least_em) {
  std::vector<std::string> warnings;
  atlas.Clear();
  atlas.FontBuilderIO = ImGuiFreeType::GetBuilderForFreeType();
  atlas.Flags |= ImFontAtlasFlags_NoMouseCursors;
  const std::vector<MappedFont> fallbacks = map_fallbacks(extra);
  std::array<std::vector<ImWchar>, kFontRoleCount> ranges;
  for (size_t i = 0; i < ranges.size(); ++i) {
    const RoleFont& role = kRoleFonts[i];
    const std::span<const uint32_t> lacking =
        extra == nullptr ? std::span<const uint32_t>() : extra(static_cast<FontRole>(i));
    ranges[i] = ranges_of(lacking);
    const bool inter = role.family == kInter;
    const float em = std::max(std::round(std::max(role.em_pixels, least_em) * ui_scale), kLeastEmPixels);
    loaded_em()[i] = em;
    const Result<FontFile> file = find_font(inter ? "Inter" : "JetBrains Mono", role.weight,
                                            inter ? "fonts-inter" : "fonts-jetbrains-mono");
    if (!file && std::find(warnings.begin(), warnings.end(), file.error().message) == warnings.end()) {
      warnings.push_back(file.error().message);
    }
    if (!file || !add_font(atlas, *file, em, ranges[i].data(), false))
      add_shipped(atlas, role.family, em, ranges[i].data(), false);
    if (lacking.empty()) continue;
    // What the role's own font lacks: from the other family, then from any font of the system, then from the
    // Chinese font of the program.
    add_shipped(atlas, inter ? kJetBrainsMono : kInter, em, ranges[i].data(), true);
    for (const MappedFont& fallback : fallbacks) add_mapped(atlas, fallback, em, ranges[i].data());
    if (lacking.back() >= kFirstIdeograph) add_shipped(atlas, kChinese, em, ranges[i].data(), true);
  }
  atlas.Build();
  atlas.ClearInputData();  // the files are no longer needed
  return warnings;
}

ImFont* font(FontRole role) {
  const ImVector<ImFont*>& fonts = ImGui::GetIO().Fonts->Fonts;
  const int index = static_cast<int>(role);
  return index < fonts.Size ? fonts[index] : ImGui::GetFont();
}

float em_pixels(FontRole role) { return loaded_em()[static_cast<size_t>(role)]; }

float line_height(FontRole role) { return font(role)->FontSize; }

FontRole font_in_use() {
  const ImVector<ImFont*>& fonts = ImGui::GetIO().Fonts->Fonts;
  const int index = fonts.index_from_ptr(fonts.find(ImGui::GetFont()));
  return index < kFontRoleCount ? static_cast<FontRole>(index) : FontRole::body;
}

namespace {

bool is_for_code(FontRole role) {
  return role == FontRole::mono || role == FontRole::mono_small || role == FontRole::mono_strong;
}

}  // namespace

std::string_view shown_text(std::string_view text, FontRole role) {
  return is_for_code(role) ? text : language::translated(text);
}

float text_width(FontRole role, std::string_view text) {
  return verbatim_width(role, is_for_code(role) ? text : language::translated_unheard(text));
}

float verbatim_width(FontRole role, std::string_view text) {
  const ImFont* face = font(role);
  return face->CalcTextSizeA(face->FontSize, FLT_MAX, 0, text.data(), text.data() + text.size()).x;
}

ScopedFont::ScopedFont(FontRole role) { ImGui::PushFont(font(role)); }
ScopedFont::~ScopedFont() { ImGui::PopFont(); }

namespace {

constexpr float kLarge = 1080, kScaleAtLarge = 1.3f;

// The height of the largest 16:9 picture that fits.
float lines_of(int width, int height) {
  return std::min(static_cast<float>(height), static_cast<float>(width) * 9 / 16);
}

}  // namespace

float ui_scale_on_a_wall(int width, int height) { return kScaleAtLarge * lines_of(width, height) / kLarge; }

float ui_scale_for_framebuffer(int width, int height) {
  const float lines = lines_of(width, height);
  constexpr float kSmall = 720;
  if (lines <= kSmall) return std::max(lines / kSmall, 0.75f);
  if (lines <= kLarge) return std::lerp(1.0f, kScaleAtLarge, (lines - kSmall) / (kLarge - kSmall));
  return kScaleAtLarge * lines / kLarge;
}

}  // namespace gemmscope::drawing
