#include "drawing/font_files.h"

#include <fontconfig/fontconfig.h>
#include <ft2build.h>
#include FT_FREETYPE_H

#include <memory>
#include <string_view>

namespace gemmscope::drawing {
namespace {

// Loads fontconfig's configuration once, and frees it when the program ends.
struct FontconfigSession {
  FontconfigSession() { FcInit(); }
  ~FontconfigSession() { FcFini(); }
};

using Pattern = std::unique_ptr<FcPattern, decltype(&FcPatternDestroy)>;

int fontconfig_weight(FontWeight weight) {
  switch (weight) {
    case FontWeight::medium:
      return FC_WEIGHT_MEDIUM;
    case FontWeight::semibold:
      return FC_WEIGHT_DEMIBOLD;
    case FontWeight::regular:
      break;
  }
  return FC_WEIGHT_REGULAR;
}

// fontconfig always returns a font, of another family if need be.
bool has_family(FcPattern* pattern, std::string_view family) {
  FcChar8* name = nullptr;
  for (int i = 0; FcPatternGetString(pattern, FC_FAMILY, i, &name) == FcResultMatch; ++i) {
    if (family == reinterpret_cast<const char*>(name)) return true;
  }
  return false;
}

Result<float> read_line_height(const char* path, int face_index) {
  FT_Library library = nullptr;
  if (FT_Init_FreeType(&library) != 0)
    return fail("FreeType could not be started, so \"{}\" cannot be read.", path);
  FT_Face face = nullptr;
  float height = 0;
  if (FT_New_Face(library, path, face_index, &face) == 0 && face->units_per_EM > 0) {
    height = static_cast<float>(face->ascender - face->descender) / static_cast<float>(face->units_per_EM);
  }
  FT_Done_FreeType(library);  // and its faces
  if (height <= 0)
    return fail("The font file \"{}\" cannot be read as an outline font; reinstall its package.", path);
  return height;
}

}  // namespace

Result<FontFile> find_font(const char* family, FontWeight weight, const char* package) {
  static const FontconfigSession session;
  const Pattern wanted(FcPatternCreate(), &FcPatternDestroy);
  FcPatternAddString(wanted.get(), FC_FAMILY, reinterpret_cast<const FcChar8*>(family));
  FcPatternAddInteger(wanted.get(), FC_WEIGHT, fontconfig_weight(weight));
  FcPatternAddInteger(wanted.get(), FC_SLANT, FC_SLANT_ROMAN);
  FcConfigSubstitute(nullptr, wanted.get(), FcMatchPattern);
  FcDefaultSubstitute(wanted.get());
  FcResult match = FcResultNoMatch;
  const Pattern found(FcFontMatch(nullptr, wanted.get(), &match), &FcPatternDestroy);
  FcChar8* path = nullptr;
  if (!found || !has_family(found.get(), family) ||
      FcPatternGetString(found.get(), FC_FILE, 0, &path) != FcResultMatch) {
    return fail(
        "The font \"{}\" is not installed; text is drawn in a coarse built-in font. Install the package {}.",
        family, package);
  }
  FontFile file{reinterpret_cast<const char*>(path)};
  FcPatternGetInteger(found.get(), FC_INDEX, 0, &file.face);
  const Result<float> line_height = read_line_height(file.path.c_str(), file.face);
  if (!line_height) return tl::unexpected(line_height.error());
  file.line_height_per_em = *line_height;
  return file;
}

}  // namespace gemmscope::drawing
