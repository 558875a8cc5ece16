#include "drawing/font_files.h"

#include <fcntl.h>
#include <fontconfig/fontconfig.h>
#include <ft2build.h>
#include FT_FREETYPE_H
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <climits>
#include <memory>
#include <string_view>
#include <vector>

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

using CharSet = std::unique_ptr<FcCharSet, decltype(&FcCharSetDestroy)>;

CharSet char_set(std::span<const uint32_t> characters) {
  CharSet set(FcCharSetCreate(), &FcCharSetDestroy);
  for (const uint32_t character : characters) FcCharSetAddChar(set.get(), character);
  return set;
}

// The upright outline font that fontconfig thinks best for these characters; it need not have any of them.
Pattern best_font_of(std::span<const uint32_t> characters) {
  const Pattern wanted(FcPatternCreate(), &FcPatternDestroy);
  FcPatternAddString(wanted.get(), FC_FAMILY, reinterpret_cast<const FcChar8*>("sans-serif"));
  FcPatternAddCharSet(wanted.get(), FC_CHARSET, char_set(characters).get());
  // The same character has other forms in Chinese, Japanese and Korean; our own texts are Simplified Chinese.
  FcPatternAddString(wanted.get(), FC_LANG, reinterpret_cast<const FcChar8*>("zh-cn"));
  FcPatternAddBool(wanted.get(), FC_SCALABLE, FcTrue);
  FcPatternAddBool(wanted.get(), FC_COLOR, FcFalse);
  FcPatternAddInteger(wanted.get(), FC_SLANT, FC_SLANT_ROMAN);
  FcConfigSubstitute(nullptr, wanted.get(), FcMatchPattern);
  FcDefaultSubstitute(wanted.get());
  FcResult match = FcResultNoMatch;
  return {FcFontMatch(nullptr, wanted.get(), &match), &FcPatternDestroy};
}

// Removes from `missing` what the font has; false: it has nothing of it.
bool take_from(FcPattern* font, std::vector<uint32_t>& missing) {
  FcCharSet* has = nullptr;
  if (font == nullptr || FcPatternGetCharSet(font, FC_CHARSET, 0, &has) != FcResultMatch) return false;
  return std::erase_if(missing, [&](uint32_t c) { return FcCharSetHasChar(has, c) != FcFalse; }) > 0;
}

Result<FontFile> file_of(FcPattern* font) {
  FcChar8* path = nullptr;
  if (FcPatternGetString(font, FC_FILE, 0, &path) != FcResultMatch) return fail("The font has no file.");
  FontFile file{reinterpret_cast<const char*>(path)};
  int index = 0;
  FcPatternGetInteger(font, FC_INDEX, 0, &index);
  file.face = index & 0xFFFF;  // the rest names an instance of a variable font
  const Result<float> line_height = read_line_height(file.path.c_str(), file.face);
  if (!line_height) return tl::unexpected(line_height.error());
  file.line_height_per_em = *line_height;
  return file;
}

// Loads fontconfig's configuration at the first call.
void use_fontconfig() { static const FontconfigSession session; }

}  // namespace

void add_font_folder(const std::filesystem::path& folder) {
  std::error_code error;
  if (!std::filesystem::is_directory(folder, error)) return;
  use_fontconfig();
  FcConfigAppFontAddDir(nullptr, reinterpret_cast<const FcChar8*>(folder.c_str()));
}

MappedFont::MappedFont(FontFile file) : file_(std::move(file)) {
  const int opened = open(file_.path.c_str(), O_RDONLY | O_CLOEXEC);
  if (opened < 0) return;
  struct stat facts = {};
  constexpr off_t kMostBytes = INT_MAX;  // Dear ImGui counts in int
  if (fstat(opened, &facts) == 0 && facts.st_size > 0 && facts.st_size <= kMostBytes) {
    const auto size = static_cast<size_t>(facts.st_size);
    void* const at = mmap(nullptr, size, PROT_READ, MAP_PRIVATE, opened, 0);
    if (at != MAP_FAILED) bytes_ = {static_cast<const unsigned char*>(at), size};
  }
  close(opened);
}

MappedFont::~MappedFont() {
  if (!bytes_.empty()) munmap(const_cast<unsigned char*>(bytes_.data()), bytes_.size());
}

bool has_font_of(uint32_t character) {
  use_fontconfig();
  std::vector<uint32_t> missing{character};
  return take_from(best_font_of(missing).get(), missing);
}

std::vector<FontFile> find_fonts_of(std::span<const uint32_t> characters) {
  if (characters.empty()) return {};
  use_fontconfig();
  std::vector<FontFile> files;
  std::vector<uint32_t> missing(characters.begin(), characters.end());
  constexpr size_t kMostFonts = 6;
  while (!missing.empty() && files.size() < kMostFonts) {
    // Where no font has most of them, one is looked for that has the first.
    Pattern found = best_font_of(missing);
    const std::vector<uint32_t> before = missing;
    if (!take_from(found.get(), missing)) {
      found = best_font_of(std::span(before).first(1));
      if (!take_from(found.get(), missing)) {
        missing.erase(missing.begin());  // no font has it
        continue;
      }
    }
    if (Result<FontFile> file = file_of(found.get())) files.push_back(*std::move(file));
  }
  return files;
}

Result<FontFile> find_font(const char* family, FontWeight weight, const char* package) {
  use_fontconfig();
  const Pattern wanted(FcPatternCreate(), &FcPatternDestroy);
  FcPatternAddString(wanted.get(), FC_FAMILY, reinterpret_cast<const FcChar8*>(family));
  FcPatternAddInteger(wanted.get(), FC_WEIGHT, fontconfig_weight(weight));
  FcPatternAddInteger(wanted.get(), FC_SLANT, FC_SLANT_ROMAN);
  FcConfigSubstitute(nullptr, wanted.get(), FcMatchPattern);
  FcDefaultSubstitute(wanted.get());
  FcResult match = FcResultNoMatch;
  const Pattern found(FcFontMatch(nullptr, wanted.get(), &match), &FcPatternDestroy);
  if (!found || !has_family(found.get(), family)) {
    return fail("The font \"{}\" is not installed; a plainer one is used. Install the package {}.", family,
                package);
  }
  return file_of(found.get());
}

}  // namespace gemmscope::drawing
