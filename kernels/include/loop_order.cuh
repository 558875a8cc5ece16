// The register tile's three loops in any order: i over its rows, j over
// its columns, k over the elements that are multiplied. The result is
// the same but for rounding; what differs is how soon a sum is needed
// again.
#pragma once

enum LoopOrder {
  kOrderIJK,
  kOrderIKJ,
  kOrderJIK,
  kOrderJKI,
  kOrderKIJ,
  kOrderKJI
};

// Which of i, j, k (0, 1, 2) the outermost, middle and innermost loop
// counts.
__device__ constexpr int loop_at(LoopOrder order, int level) {
  constexpr int kLoops[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2},
                                {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
  return kLoops[order][level];
}

// sums += a * b, with `a` and `b` of kDepth elements k. All loops are
// unrolled, or the arrays would not stay in registers.
template <LoopOrder kOrder, int kRows, int kColumns, int kDepth>
__device__ inline void multiply_add_in_order(
    float (&sums)[kRows][kColumns], const float (&a)[kDepth][kRows],
    const float (&b)[kDepth][kColumns]) {
  constexpr int kCounts[3] = {kRows, kColumns, kDepth};
  constexpr int kOuter = loop_at(kOrder, 0),
                kMiddle = loop_at(kOrder, 1),
                kInner = loop_at(kOrder, 2);
  int at[3];
#pragma unroll
  for (int outer = 0; outer < kCounts[kOuter]; ++outer) {
#pragma unroll
    for (int middle = 0; middle < kCounts[kMiddle]; ++middle) {
#pragma unroll
      for (int inner = 0; inner < kCounts[kInner]; ++inner) {
        at[kOuter] = outer, at[kMiddle] = middle, at[kInner] = inner;
        sums[at[0]][at[1]] += a[at[2]][at[0]] * b[at[2]][at[1]];
      }
    }
  }
}
