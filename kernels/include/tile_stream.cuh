// The tiles of A and B that a block multiplies one after the other, and
// the asynchronous copies that bring them: A's float by float, as it is
// transposed on the way, B's by kWidth floats.
//
// If K is no whole number of tiles, the first tile is the short one: so
// the copies in the main loop test nothing.
#pragma once

#include "async_copy.cuh"

template <int kThreads, int kBlockM, int kBlockN, int kBlockK,
          int kWidth = 4>
struct TileStream {
  struct alignas(16) Tiles {
    float a[kBlockK][kBlockM + 4];  // k-major, padded
    float b[kBlockK][kBlockN];      // a line is a piece of a row of B
  };
  // What a thread copies, and from one copy to the next: rows of A,
  // lines of B.
  static constexpr int kCopiesA = kBlockM * kBlockK / kThreads;
  static constexpr int kCopiesB = kBlockN * kBlockK / kWidth / kThreads;
  static constexpr int kRowStep = kThreads / kBlockK;
  static constexpr int kLineStep = kThreads * kWidth / kBlockN;

  const float *a, *b;  // the next tiles
  unsigned stride;     // of B
  int k_left;
  unsigned a_k, b_k, a_place, b_place;
  unsigned a_offsets[kCopiesA], b_offsets[kCopiesB];

  // Multiplies columns [first_k, first_k + k_count) of A. Beyond the
  // last row or column of C another one is copied once more: what
  // comes of it is not stored.
  __device__ TileStream(const Matrix& A, const Matrix& B,
                        unsigned first_row, unsigned first_column,
                        unsigned first_k, int k_count)
      : a(A.data + first_k),
        b(B.data + (size_t)first_k * B.columns),
        stride(B.columns),
        k_left(k_count) {
    const unsigned thread = threadIdx.x;
    const unsigned row = thread / kBlockK;
    const unsigned column = thread % (kBlockN / kWidth) * kWidth;
    a_k = thread % kBlockK;
    b_k = thread / (kBlockN / kWidth);
    a_place = (a_k * (kBlockM + 4) + row) * 4;
    b_place = (kBlockK * (kBlockM + 4) + b_k * kBlockN + column) * 4;
#pragma unroll
    for (int i = 0; i < kCopiesA; ++i)
      a_offsets[i] =
          min(first_row + row + i * kRowStep, A.rows - 1) * A.columns +
          a_k;
#pragma unroll
    for (int i = 0; i < kCopiesB; ++i)
      b_offsets[i] = (b_k + i * kLineStep) * stride +
                     column_of_b(first_column + column);
  }

  // Zeros stand for what the first tile has too few of.
  __device__ void copy_first(unsigned stage) {
    const int count = (k_left - 1) % kBlockK + 1;
#pragma unroll
    for (int i = 0; i < kCopiesA; ++i)
      copy_4_async(stage + a_place + i * kRowStep * 4, a + a_offsets[i],
                   (int)a_k < count);
#pragma unroll
    for (int i = 0; i < kCopiesB; ++i) {
      const unsigned target =
          stage + b_place + i * kLineStep * kBlockN * 4;
      const bool exists = (int)(b_k + i * kLineStep) < count;
      if (kWidth == 4)
        copy_16_async(target, b + b_offsets[i], exists);
      else
        copy_4_async(target, b + b_offsets[i], exists);
    }
    advance(count);
  }
  // Every call commits a group, also one without copies: so the groups
  // count the tiles.
  __device__ void copy_next(unsigned stage) {
    if (k_left > 0) {
      copy_floats<0>(stage + a_place);
      copy_lines<0>(stage + b_place);
    }
    advance(kBlockK);
  }
  // Whether the last tile was copied this many calls ago.
  __device__ bool is_past(int calls) const {
    return k_left <= -calls * kBlockK;
  }

 private:
  // Lanes that copy one and the same float wait for each other, so
  // single floats beyond the last column are those of the first ones.
  __device__ unsigned column_of_b(unsigned column) const {
    if (kWidth == 1 && column >= stride) column -= stride;
    return min(column, stride - kWidth);
  }
  __device__ void advance(int count) {
    a += count;
    b += (size_t)count * stride;
    k_left -= count;
    commit_copies();
  }
  // Recursive, as only a constant can stand in the instruction.
  template <int i>
  __device__ void copy_floats(unsigned target) {
    asm volatile(
        "cp.async.ca.shared.global [%0 + %2], [%1], 4;" ::"r"(target),
        "l"(a + a_offsets[i]), "n"(i * kRowStep * 4)
        : "memory");
    if constexpr (i + 1 < kCopiesA) copy_floats<i + 1>(target);
  }
  template <int i>
  __device__ void copy_lines(unsigned target) {
    const float* const source = b + b_offsets[i];
    constexpr int kBelow = i * kLineStep * kBlockN * 4;
    if constexpr (kWidth == 4)
      asm volatile(
          "cp.async.cg.shared.global [%0 + %2], [%1], 16;" ::"r"(
              target),
          "l"(source), "n"(kBelow)
          : "memory");
    else
      asm volatile(
          "cp.async.ca.shared.global [%0 + %2], [%1], 4;" ::"r"(target),
          "l"(source), "n"(kBelow)
          : "memory");
    if constexpr (i + 1 < kCopiesB) copy_lines<i + 1>(target);
  }
};
