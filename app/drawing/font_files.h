// Asks fontconfig for the file of a font.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <utility>
#include <vector>

#include "base/error.h"

namespace gemmscope::drawing {

enum class FontWeight : unsigned char { regular, medium, semibold };

struct FontFile {
  std::filesystem::path path;
  int face = 0;                  // index in a collection
  float line_height_per_em = 1;  // (ascender - descender) / em
};

// Also looks for fonts in this folder, if it is there.
void add_font_folder(const std::filesystem::path& folder);

// The bytes of a font's file, in memory as long as this lives; empty where it cannot be read.
class MappedFont {
 public:
  explicit MappedFont(FontFile file);
  ~MappedFont();
  MappedFont(MappedFont&& other) noexcept
      : file_(std::move(other.file_)), bytes_(std::exchange(other.bytes_, {})) {}
  MappedFont& operator=(MappedFont&&) = delete;

  const FontFile& file() const { return file_; }
  std::span<const unsigned char> bytes() const { return bytes_; }

 private:
  FontFile file_;
  std::span<const unsigned char> bytes_;
};

// Fonts of the system that together have these characters, as far as there are any, the fewest first.
std::vector<FontFile> find_fonts_of(std::span<const uint32_t> characters);
// Some font of the system has this character.
bool has_font_of(uint32_t character);
// Fails when no installed font has exactly this family; the error names the Debian package to install.
Result<FontFile> find_font(const char* family, FontWeight weight, const char* package);

}  // namespace gemmscope::drawing
