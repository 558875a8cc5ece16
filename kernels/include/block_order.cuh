// Which tile of C a block computes. Blocks start roughly in the order
// of their number; those that run at the same time share the L2 cache,
// so it helps that their tiles lie close together.
#pragma once

enum BlockOrder { kRowByRow, kGrouped, kHilbert };

struct BlockPlace {
  int row, column;  // in tiles
};

// Cell `index` of the Hilbert curve through a square of kSide x kSide
// cells. Each two bits of the index, from the lowest, choose a quarter;
// the curve inside a quarter is mirrored so that its ends meet.
template <int kSide>
__device__ inline BlockPlace hilbert_cell(int index) {
  int x = 0, y = 0;
#pragma unroll
  for (int side = 1; side < kSide; side *= 2, index /= 4) {
    const int right = index / 2 % 2, down = (index ^ right) % 2;
    if (down == 0) {
      if (right == 1) x = side - 1 - x, y = side - 1 - y;
      const int swap = x;
      x = y, y = swap;
    }
    x += side * right, y += side * down;
  }
  return {y, x};
}

// kSide rows in a group, and the side of a Hilbert curve's square.
template <BlockOrder kOrder, int kSide = 8>
__device__ inline BlockPlace block_place() {
  if constexpr (kOrder == kRowByRow)
    return {(int)blockIdx.y, (int)blockIdx.x};

  // Eight rows of tiles after eight rows; the last may be fewer.
  const int columns = gridDim.x, rows = gridDim.y;
  const unsigned block = blockIdx.y * gridDim.x + blockIdx.x;
  const int first_row = block / (kSide * columns) * kSide;
  const int height = min(kSide, rows - first_row);
  const int in_rows = block % (kSide * columns);
  // Down a column of the group, then down the next.
  if constexpr (kOrder == kGrouped)
    return {first_row + in_rows % height, in_rows / height};

  // Square after square of the group. Of one at the edge, which is
  // smaller, the curve's cells outside are passed over.
  const int first_column = in_rows / (kSide * height) * kSide;
  const int width = min(kSide, columns - first_column);
  int cells_left = in_rows % (kSide * height), index = cells_left;
  if (width < kSide || height < kSide) {
    for (index = 0;; ++index) {
      const BlockPlace cell = hilbert_cell<kSide>(index);
      if (cell.row < height && cell.column < width && cells_left-- == 0)
        break;
    }
  }
  const BlockPlace cell = hilbert_cell<kSide>(index);
  return {first_row + cell.row, first_column + cell.column};
}
