#include "metrics/tile_layout.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

namespace gemmscope::metrics {
namespace {

constexpr int kMostRowShift = 4, kMostMaskBits = 5, kMostColumnShift = 6;

// The mask takes all bits that `row >> row_shift` can have.
bool mask_is_whole(const XorSwizzle& swizzle, const TileLayout& layout) {
  return (layout.rows - 1) >> swizzle.row_shift <= swizzle.mask;
}

// A swizzle within blocks of 2^n columns maps a row onto itself if the row is a whole number of them.
bool stays_in_row(const XorSwizzle& swizzle, const TileLayout& layout) {
  const auto bits = static_cast<uint32_t>(swizzle.mask) << swizzle.column_shift;
  return layout.columns % (int64_t{1} << std::bit_width(bits)) == 0;
}

bool is_free(const TileLayout& layout, std::span<const TileAccess> accesses) {
  return std::all_of(accesses.begin(), accesses.end(), [&](const TileAccess& access) {
    const PlacedAccess where = placed(layout, access);
    return where.misfit == Misfit::none && count_wavefronts(where.access).excess() == 0;
  });
}

TileLayout plain(const TileLayout& layout) {
  TileLayout result;
  result.rows = layout.rows;
  result.columns = layout.columns;
  result.planes = layout.planes;
  result.element_bytes = layout.element_bytes;
  return result;
}

}  // namespace

int64_t TileLayout::place(int64_t row, int64_t column) const {
  if (places.empty()) return swizzle.place(row, column);
  return places[static_cast<size_t>(row * columns + column)];
}

PlacedAccess placed(const TileLayout& layout, const TileAccess& access) {
  PlacedAccess result;
  result.access.op = access.op;
  result.access.words = access.words;
  result.access.mask = access.mask;
  const auto misfit = [&](Misfit what, size_t lane, int64_t address) {
    if (result.misfit != Misfit::none) return;
    result.misfit = what;
    result.lane = static_cast<int>(lane);
    result.address = address;
  };
  const int64_t elements = std::max<int64_t>(1, access.bytes / layout.element_bytes);
  for (size_t lane = 0; lane < machine::kWarpLanes; ++lane) {
    if ((access.mask >> lane & 1u) == 0) continue;
    const int64_t line = access.line[lane], row = line % layout.rows, column = access.column[lane];
    const int64_t place = layout.place(row, column);
    const int64_t address = line * layout.pitch_bytes() + place * layout.element_bytes;
    result.access.addresses[lane] = static_cast<uint64_t>(address);
    // What lies beyond the row follows the row's own order, as in the plain layout.
    for (int64_t i = 1; i < elements && column + i < layout.columns; ++i)
      if (layout.place(row, column + i) != place + i) misfit(Misfit::torn, lane, address);
    if (address % access.bytes != 0) misfit(Misfit::misaligned, lane, address);
  }
  return result;
}

int operation_count(const XorSwizzle& swizzle, const TileLayout& layout) {
  if (!swizzle.any()) return 0;
  return 1 + (swizzle.row_shift > 0) + !mask_is_whole(swizzle, layout) + (swizzle.column_shift > 0);
}

std::string expression_of(const XorSwizzle& swizzle, const TileLayout& layout) {
  if (!swizzle.any()) return "column";
  std::string bits = swizzle.row_shift == 0 ? "row" : fmt::format("row >> {}", swizzle.row_shift);
  if (!mask_is_whole(swizzle, layout)) {
    if (swizzle.row_shift != 0) bits = "(" + bits + ")";
    bits += fmt::format(" & {}", swizzle.mask);
  }
  if (bits != "row") bits = "(" + bits + ")";
  return "column ^ " + bits + (swizzle.column_shift == 0 ? "" : fmt::format(" << {}", swizzle.column_shift));
}

std::vector<XorSwizzle> xor_swizzles(const TileLayout& layout) {
  std::vector<XorSwizzle> all;
  for (int row_shift = 0; row_shift <= kMostRowShift; ++row_shift)
    for (int bits = 1; bits <= kMostMaskBits; ++bits)
      for (int column_shift = 0; column_shift <= kMostColumnShift; ++column_shift) {
        const XorSwizzle swizzle{row_shift, (1 << bits) - 1, column_shift};
        // Bits that no row has change nothing.
        if ((layout.rows - 1) >> row_shift < 1 << (bits - 1) || !stays_in_row(swizzle, layout)) continue;
        all.push_back(swizzle);
      }
  std::stable_sort(all.begin(), all.end(), [&](const XorSwizzle& a, const XorSwizzle& b) {
    return operation_count(a, layout) < operation_count(b, layout);
  });
  return all;
}

LayoutFixes find_fixes(const TileLayout& layout, std::span<const TileAccess> accesses, int most_padding) {
  LayoutFixes fixes;
  TileLayout tried = plain(layout);
  for (; tried.padding <= most_padding; ++tried.padding) {
    if (!is_free(tried, accesses)) continue;
    fixes.padding = tried.padding;
    fixes.padding_bytes = tried.bytes() - plain(layout).bytes();
    break;
  }
  tried.padding = 0;
  for (const XorSwizzle& swizzle : xor_swizzles(layout)) {
    tried.swizzle = swizzle;
    if (is_free(tried, accesses)) fixes.swizzles.push_back(swizzle);
  }
  return fixes;
}

}  // namespace gemmscope::metrics
