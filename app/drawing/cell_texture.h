// A matrix of coloured cells as one texture: however many cells, one quad. Needs a current OpenGL context.
#pragma once

#include <cstdint>
#include <span>

#include "base/error.h"
#include "drawing/color.h"

namespace gemmscope::drawing {

inline constexpr int kMaxCellsPerSide = 4096;

class CellTexture {
 public:
  CellTexture() = default;
  ~CellTexture();
  CellTexture(CellTexture&& other) noexcept;
  CellTexture& operator=(CellTexture&& other) noexcept;

  // `version` identifies the content. With an equal version and size there is nothing to upload, so ask
  // is_current() before filling a buffer.
  bool is_current(int columns, int rows, std::uint64_t version) const;
  // cells: row-major, columns × rows of them. Fails when a side is beyond kMaxCellsPerSide or the sizes
  // disagree.
  Result<void> update(int columns, int rows, std::span<const Color> cells, std::uint64_t version);

  int columns() const { return columns_; }
  int rows() const { return rows_; }
  bool empty() const { return texture_ == 0; }

  // The texture for Dear ImGui. With `shrunk` (cells smaller than a pixel) neighbouring cells are averaged.
  std::uint32_t texture(bool shrunk) const;

 private:
  void release();

  std::uint32_t texture_ = 0;
  int columns_ = 0, rows_ = 0;
  std::uint64_t version_ = 0;
  mutable bool averaged_ = false;
};

}  // namespace gemmscope::drawing
