#include "drawing/cell_texture.h"

#include <glad/gl.h>

#include <utility>

namespace gemmscope::drawing {

CellTexture::~CellTexture() { release(); }

CellTexture::CellTexture(CellTexture&& other) noexcept { *this = std::move(other); }

CellTexture& CellTexture::operator=(CellTexture&& other) noexcept {
  if (this == &other) return *this;
  release();
  texture_ = std::exchange(other.texture_, 0);
  columns_ = std::exchange(other.columns_, 0);
  rows_ = std::exchange(other.rows_, 0);
  version_ = other.version_;
  averaged_ = other.averaged_;
  return *this;
}

void CellTexture::release() {
  if (texture_ != 0) glDeleteTextures(1, &texture_);
  texture_ = 0;
}

bool CellTexture::is_current(int columns, int rows, std::uint64_t version) const {
  return texture_ != 0 && columns == columns_ && rows == rows_ && version == version_;
}

Result<void> CellTexture::update(int columns, int rows, std::span<const Color> cells, std::uint64_t version) {
  if (columns < 1 || rows < 1 || columns > kMaxCellsPerSide || rows > kMaxCellsPerSide) {
    return fail("A matrix of {} × {} cells cannot be drawn; each side has 1 to {} cells.", columns, rows,
                kMaxCellsPerSide);
  }
  if (cells.size() != static_cast<std::size_t>(columns) * static_cast<std::size_t>(rows)) {
    return fail("A matrix of {} × {} cells was given {} colours.", columns, rows, cells.size());
  }
  if (is_current(columns, rows, version)) return {};
  const bool same_size = texture_ != 0 && columns == columns_ && rows == rows_;
  if (texture_ == 0) glGenTextures(1, &texture_);
  glBindTexture(GL_TEXTURE_2D, texture_);
  glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
  glPixelStorei(GL_UNPACK_ROW_LENGTH, 0);
  if (same_size) {
    glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, columns, rows, GL_RGBA, GL_UNSIGNED_BYTE, cells.data());
  } else {
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, columns, rows, 0, GL_RGBA, GL_UNSIGNED_BYTE, cells.data());
  }
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
  glBindTexture(GL_TEXTURE_2D, 0);
  columns_ = columns, rows_ = rows, version_ = version;
  averaged_ = false;
  return {};
}

std::uint32_t CellTexture::texture(bool shrunk) const {
  if (!shrunk || averaged_ || texture_ == 0) return texture_;
  glBindTexture(GL_TEXTURE_2D, texture_);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR_MIPMAP_LINEAR);
  glGenerateMipmap(GL_TEXTURE_2D);
  glBindTexture(GL_TEXTURE_2D, 0);
  averaged_ = true;
  return texture_;
}

}  // namespace gemmscope::drawing
