// Copies of whole boxes of a matrix to shared memory (sm_90 and later)
// and the barrier objects that say when their bytes are there. One
// thread starts a copy; the hardware computes all addresses. The PTX
// manual calls them cp.async.bulk.tensor and mbarrier.
#pragma once

#include "async_copy.cuh"

// Where a matrix lies, its size and that of a box: the host makes it
// (CUtensorMap). A row of a box has 128 bytes, and its pieces are
// swizzled as those of PieceTile; zeros stand for what lies outside the
// matrix.
struct alignas(64) TensorMap {
  unsigned char bytes[128];
};

// A barrier object in shared memory. Its phases are numbered from 0; a
// phase is over after so many arrivals and all bytes that they expect.
struct Barrier {
  unsigned address;

  __device__ void init(unsigned arrivals) const {
    asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(address),
                 "r"(arrivals)
                 : "memory");
  }
  __device__ void arrive() const {
    asm volatile("mbarrier.arrive.shared.b64 _, [%0];" ::"r"(address)
                 : "memory");
  }
  // Arrives, and `bytes` have to come before the phase is over.
  __device__ void arrive_and_expect(unsigned bytes) const {
    asm volatile(
        "mbarrier.arrive.expect_tx.shared.b64 _, [%0], %1;" ::"r"(
            address),
        "r"(bytes)
        : "memory");
  }
  __device__ void wait(unsigned phase) const {
    asm volatile(
        "{\n"
        ".reg .pred over;\n"
        "again:\n"
        "mbarrier.try_wait.parity.shared.b64 over, [%0], %1;\n"
        "@!over bra again;\n"
        "}" ::"r"(address),
        "r"(phase % 2)
        : "memory");
  }
};

// Makes new barrier objects known to the copies; a barrier of all
// threads has to follow.
__device__ inline void publish_barriers() {
  asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
}

// True in one thread of a warp, the same each time.
__device__ inline bool is_elected() {
  unsigned elected;
  asm volatile(
      "{\n"
      ".reg .pred p;\n"
      "elect.sync _|p, 0xffffffff;\n"
      "selp.u32 %0, 1, 0, p;\n"
      "}"
      : "=r"(elected));
  return elected;
}

// Starts the copy of the box at (row, column) to `target`, a multiple
// of 1024; `full` counts its bytes.
__device__ inline void copy_box_async(unsigned target,
                                      const TensorMap& matrix,
                                      unsigned row, unsigned column,
                                      Barrier full) {
  asm volatile(
      "cp.async.bulk.tensor.2d.shared::cluster.global"
      ".mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], [%4];" ::"r"(
          target),
      "l"(&matrix), "r"(column), "r"(row), "r"(full.address)
      : "memory");
}
