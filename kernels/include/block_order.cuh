// Which tile of C a block computes. Blocks start roughly in the order of their number; those that run at the
// same time share the L2 cache, so it helps that their tiles lie close together.
#pragma once

enum BlockOrder { kRowByRow, kGrouped, kHilbert };

struct BlockPlace {
  int row, column;  // in tiles
};

constexpr int kOrderSide = 8;  // of a group of rows, and of a Hilbert curve's square

// Cell `index` of the Hilbert curve through a square of kOrderSide x kOrderSide cells. Each two bits of the
// index, from the lowest, choose a quarter; the curve inside the quarters is turned so that its ends meet.
__device__ inline BlockPlace hilbert_cell(int index) {
  int x = 0, y = 0;
#pragma unroll
  for (int side = 1; side < kOrderSide; side *= 2, index /= 4) {
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

template <BlockOrder kOrder>
__device__ inline BlockPlace block_place() {
  if constexpr (kOrder == kRowByRow) return {(int)blockIdx.y, (int)blockIdx.x};

  // Eight rows of tiles after eight rows; the last may be fewer.
  const int columns = gridDim.x, rows = gridDim.y;
  const unsigned block = blockIdx.y * gridDim.x + blockIdx.x;
  const int first_row = block / (kOrderSide * columns) * kOrderSide;
  const int height = min(kOrderSide, rows - first_row);
  const int in_rows = block % (kOrderSide * columns);
  // Down a column of the group, then down the next.
  if constexpr (kOrder == kGrouped) return {first_row + in_rows % height, in_rows / height};

  // Square after square of the group. Of one at the edge, which is smaller, the curve's cells outside are
  // passed over.
  const int first_column = in_rows / (kOrderSide * height) * kOrderSide;
  const int width = min(kOrderSide, columns - first_column);
  int cells_left = in_rows % (kOrderSide * height), index = cells_left;
  if (width < kOrderSide || height < kOrderSide) {
    for (index = 0;; ++index) {
      const BlockPlace cell = hilbert_cell(index);
      if (cell.row < height && cell.column < width && cells_left-- == 0) break;
    }
  }
  const BlockPlace cell = hilbert_cell(index);
  return {first_row + cell.row, first_column + cell.column};
}
