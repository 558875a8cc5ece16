// The tiles of A and B that a block multiplies one after the other, as
// tensor copies bring them to stages in shared memory. One thread
// starts all copies. A barrier object for each stage says that it is
// full, another one that all warps have read it.
#pragma once

#include "tensor_copy.cuh"

// Keeps the compiler from computing the value anew at each use: in a
// loop of HMMAs each register that another instruction reads costs a
// cycle.
__device__ inline void keep_in_register(unsigned& value) {
  asm volatile("" : "+r"(value));
}

// A stage holds a box of A, then kBoxesB of B side by side, each with
// kColumnsB columns. Without kEmptyObjects a barrier of all threads
// says that a stage has been read.
template <int kStages, bool kEmptyObjects, int kWarps, typename BoxA,
          typename BoxB, int kBoxesB, int kColumnsB>
struct StagedBoxes {
  static constexpr unsigned kBytes =
      BoxA::kBytes + kBoxesB * BoxB::kBytes;
  static constexpr int kBlockK = BoxB::kRowCount;
  static constexpr int kObjects = 2 * kStages;
  // Copies start so many tiles ahead.
  static constexpr int kAhead = kStages < 4 ? kStages - 1 : 2;

  const TensorMap &a, &b;
  unsigned row, column;  // of the block's tile of C
  unsigned tiles_left, tiles_to_fetch;
  unsigned stages, objects, warp;
  bool elected;
  unsigned fetched_k = 0, write_stage = 0, write_round = 0;
  unsigned read_stage = 0, read_round = 0;
  // Of the tiles that are multiplied now, in bytes from the first
  // stage. All threads have the same: so it takes no register of them.
  unsigned offset = 0;

  __device__ StagedBoxes(char* shared, unsigned long long* objects,
                         const TensorMap& a, const TensorMap& b,
                         unsigned row, unsigned column, unsigned k)
      : a(a),
        b(b),
        row(row),
        column(column),
        tiles_left((k + kBlockK - 1) / kBlockK),
        tiles_to_fetch(tiles_left),
        stages(shared_address(shared)),
        objects(shared_address(objects)),
        warp(__shfl_sync(~0u, threadIdx.x / 32, 0)),
        elected(is_elected()) {
    if (threadIdx.x == 0) {
      for (int s = 0; s < kStages; ++s) {
        full(s).init(1);
        empty(s).init(kWarps);
      }
      publish_barriers();
    }
    __syncthreads();
#pragma unroll 1
    for (int i = 0; i < kAhead; ++i) fetch();
    full(0).wait(0);
  }

  __device__ Barrier full(unsigned s) const {
    return {objects + s * 8};
  }
  __device__ Barrier empty(unsigned s) const {
    return {objects + (kStages + s) * 8};
  }

  // Starts the copies of the next tiles that are not fetched yet.
  __device__ void fetch() {
    if (warp != 0 || tiles_to_fetch == 0) return;
    if (kEmptyObjects && write_round > 0)
      empty(write_stage).wait(write_round - 1);
    if (elected) {
      const unsigned stage = stages + write_stage * kBytes;
      const Barrier arrived = full(write_stage);
      arrived.arrive_and_expect(kBytes);
      copy_box_async(stage, a, row, fetched_k, arrived);
#pragma unroll
      for (int i = 0; i < kBoxesB; ++i)
        copy_box_async(stage + BoxA::kBytes + i * BoxB::kBytes, b,
                       fetched_k, column + i * kColumnsB, arrived);
    }
    __syncwarp();
    fetched_k += kBlockK;
    --tiles_to_fetch;
    if (++write_stage == kStages) write_stage = 0, ++write_round;
  }

  // Gives the present stage back and waits for the next one. False
  // after the last tiles.
  __device__ bool next() {
    if (--tiles_left == 0) return false;
    if (kEmptyObjects) {
      __syncwarp();
      if (elected) empty(read_stage).arrive();
    }
    offset += kBytes;
    if (++read_stage == kStages)
      read_stage = 0, ++read_round, offset = 0;
    full(read_stage).wait(read_round);
    if (!kEmptyObjects) __syncthreads();
    return true;
  }
};
