// The multiply-adds of an outer product in an order of one's choice.
//
// The register file has two banks, even and odd registers, and each
// gives one register a clock. An FFMA reads three. What the FFMA before
// it read in the same place need not be read again (.reuse in the
// machine code): so an order in which each FFMA shares a factor with
// the one before leaves two reads, one of each bank at best.
#pragma once

#include "register_tile.cuh"

enum MultiplyOrder { kRows, kColumns, kSerpentine };

// Each float of a times each float of b. Down every column; in the
// serpentine up every second one, so that also where the column
// changes a factor stays.
template <MultiplyOrder kOrder, int kTileRows, int kTileColumns>
__device__ inline void multiply_add_in(
    float (&sums)[kTileRows][kTileColumns],
    const FragmentsOf<kTileRows, kTileColumns>& f) {
  if (kOrder == kRows) {
    multiply_add(sums, f);
    return;
  }
#pragma unroll
  for (int j = 0; j < kTileColumns; ++j) {
#pragma unroll
    for (int n = 0; n < kTileRows; ++n) {
      const bool up = kOrder == kSerpentine && j % 2 == 1;
      const int i = up ? kTileRows - 1 - n : n;
      sums[i][j] += f.a[i] * f.b[j];
    }
  }
}
