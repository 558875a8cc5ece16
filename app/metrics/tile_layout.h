// How a tile of elements lies in shared memory, with padded rows or an exclusive or of the column with bits
// of the row, and the search for the least of these that leaves no bank conflict. The wavefronts are those of
// metrics/banks.h.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "metrics/banks.h"

namespace gemmscope::metrics {

inline constexpr int kMostPadding = 32;  // elements that the search tries

// column ^ ((row >> row_shift) & mask) << column_shift, as libraries swizzle (CUTLASS: Swizzle<bits, base,
// shift>, there on the whole offset).
struct XorSwizzle {
  int row_shift = 0, mask = 0, column_shift = 0;  // mask 2^n − 1; 0: each column stays where it is

  bool any() const { return mask != 0; }
  int64_t place(int64_t row, int64_t column) const {
    return column ^ ((row >> row_shift) & mask) << column_shift;
  }
  friend bool operator==(const XorSwizzle&, const XorSwizzle&) = default;
};

struct TileLayout {
  int64_t rows = 0, columns = 0;  // elements, without padding
  int64_t planes = 1;             // tiles of this shape one after the other, such as stages
  uint32_t element_bytes = 4;
  int padding = 0;  // elements after each row
  XorSwizzle swizzle;
  // By row and column: the column where the element lies, for a swizzle of another form. Empty: `swizzle`.
  std::vector<int32_t> places;

  int64_t place(int64_t row, int64_t column) const;
  int64_t pitch_bytes() const { return (columns + padding) * element_bytes; }
  int64_t bytes() const { return planes * rows * pitch_bytes(); }
};

// What the lanes of a warp instruction access, in elements. `line` counts the rows of all planes.
struct TileAccess {
  SharedOp op = SharedOp::load;
  int words = 1;  // as SharedAccess::words
  int bytes = 4;  // that each address must be a multiple of: a lane's bytes; LDSM: 16
  uint32_t mask = 0xffffffffu;
  std::array<int64_t, machine::kWarpLanes> line{}, column{};
};

// Why an instruction cannot access its elements in a layout.
enum class Misfit : uint8_t {
  none,
  misaligned,  // the address is no multiple of the lane's bytes: the GPU faults
  torn,        // the swizzle does not leave the elements of one access side by side
};
struct PlacedAccess {
  SharedAccess access;
  Misfit misfit = Misfit::none;
  int lane = 0;         // the first that does not fit
  int64_t address = 0;  // its byte
};
// Where the lanes access, from the begin of the tile. Every lane's element must lie within the tile.
PlacedAccess placed(const TileLayout& layout, const TileAccess& access);

// Every swizzle of this form that keeps the columns within the row, the fewest operations first.
std::vector<XorSwizzle> xor_swizzles(const TileLayout& layout);
// The integer operations in the swizzle's expression. What a compiler makes of them may be fewer.
int operation_count(const XorSwizzle& swizzle, const TileLayout& layout);
// "column ^ (row & 7) << 2"; "column" for none.
std::string expression_of(const XorSwizzle& swizzle, const TileLayout& layout);

struct LayoutFixes {
  std::optional<int> padding;        // the smallest, in elements; 0: the plain layout is free of conflicts
  int64_t padding_bytes = 0;         // that it adds to the whole
  std::vector<XorSwizzle> swizzles;  // the fewest operations first
};
// The layouts, in place of the padding and swizzle of `layout`, in which every access takes its fewest
// wavefronts and none is misaligned or torn.
LayoutFixes find_fixes(const TileLayout& layout, std::span<const TileAccess> accesses,
                       int most_padding = kMostPadding);

}  // namespace gemmscope::metrics
