// A tile in shared memory as the tensor cores' loads want it: its rows
// are pieces of 16 bytes, and eight rows at a time must lie in
// different banks.
#pragma once

#include "async_copy.cuh"

enum PieceLayout { kAsItIs, kPadded, kSwizzled };

// kRows rows of kPieces pieces. Padded, a row has kStep unused pieces
// more; swizzled, an exclusive or moves the pieces of each row by kStep
// more than those of the row above, modulo 8 pieces, which are all 32
// banks.
template <PieceLayout kLayout, int kRows, int kPieces, int kStep>
struct PieceTile {
  static constexpr unsigned kRowBytes =
      (kPieces + (kLayout == kPadded ? kStep : 0)) * 16;
  static constexpr int kRowCount = kRows, kRowPieces = kPieces;
  static constexpr int kPieceCount = kRows * kPieces;
  static constexpr unsigned kBytes = kRows * kRowBytes;

  // Where a piece lies, in bytes from the start of the tile.
  static __device__ unsigned place(unsigned row, unsigned piece) {
    if (kLayout == kSwizzled) piece ^= row * kStep % 8;
    return row * kRowBytes + piece * 16;
  }
};

// The tiles of A or B that a block multiplies one after the other, and
// which of their pieces this thread copies.
//
// Along k the tiles follow each other: kAlongRow for A, whose k is the
// column, else for B, whose k is the row.
template <typename Tile, int kThreads, bool kAlongRow, typename Element>
struct PieceSource {
  static constexpr int kCopies = Tile::kPieceCount / kThreads;
  static constexpr int kRowStep = kThreads / Tile::kRowPieces;
  static constexpr int kElements = 16 / sizeof(Element);  // of a piece

  static_assert(kRowStep % 8 == 0);  // rows swizzled in the same way

  const Element* data;
  unsigned stride, k;  // k of the first piece
  unsigned place, offsets[kCopies];

  // Beyond the matrix' edge the last row or piece is copied once more:
  // what comes of it is not stored. Rows are a whole number of pieces
  // long.
  __device__ PieceSource(const Element* data, unsigned first,
                         unsigned rows, unsigned columns)
      : data(data), stride(columns) {
    const unsigned row = threadIdx.x / Tile::kRowPieces;
    const unsigned piece = threadIdx.x % Tile::kRowPieces;
    const unsigned column = piece * kElements;
    k = kAlongRow ? column : row;
    place = Tile::place(row, piece);
#pragma unroll
    for (int i = 0; i < kCopies; ++i)
      offsets[i] =
          kAlongRow
              ? min(first + row + i * kRowStep, rows - 1) * columns +
                    column
              : row * columns +
                    min(first + column, columns - kElements);
  }
  // Copies the next tile. Zeros stand for what lies beyond the last k.
  __device__ void copy_async(unsigned tile, int k_left) {
#pragma unroll
    for (int i = 0; i < kCopies; ++i) {
      const unsigned below = kAlongRow ? 0 : i * kRowStep;
      copy_16_async(tile + place + i * kRowStep * Tile::kRowBytes,
                    data + (offsets[i] + below * stride),
                    (int)(k + below) < k_left);
    }
    data += kAlongRow ? Tile::kRowPieces * kElements
                      : (size_t)Tile::kRowCount * stride;
  }
};
