// Asynchronous copies from global to shared memory (cp.async, sm_80 and
// later), past the registers. A thread's copies since its last commit
// form a group. A group is complete once the thread has waited for it;
// other threads see it after the next barrier.
#pragma once

#include "matrix.cuh"

__device__ inline unsigned shared_address(const void* pointer) {
  return (unsigned)__cvta_generic_to_shared(pointer);
}

// 16 bytes, both addresses multiples of 16. Where `exists` is false
// zeros are stored and nothing is read.
__device__ inline void copy_16_async(unsigned target,
                                     const void* source, bool exists) {
  asm volatile(
      "cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(target),
      "l"(source), "r"(exists ? 16 : 0)
      : "memory");
}
// 4 bytes.
__device__ inline void copy_4_async(unsigned target, const void* source,
                                    bool exists) {
  asm volatile(
      "cp.async.ca.shared.global [%0], [%1], 4, %2;" ::"r"(target),
      "l"(source), "r"(exists ? 4 : 0)
      : "memory");
}

// An element of a matrix, or the quad that starts there; zeros outside.
// For quads the rows' length must be a multiple of 4.
__device__ inline void copy_float_async(float* target,
                                        const Matrix& matrix,
                                        unsigned row, unsigned column) {
  copy_4_async(shared_address(target), matrix.address(row, column),
               matrix.has(row, column));
}
__device__ inline void copy_quad_async(float* target,
                                       const Matrix& matrix,
                                       unsigned row, unsigned column) {
  copy_16_async(shared_address(target), matrix.address(row, column),
                matrix.has(row, column));
}

__device__ inline void commit_copies() {
  asm volatile("cp.async.commit_group;" ::: "memory");
}
// Waits until no more than kPending of this thread's groups are on
// their way.
template <int kPending>
__device__ inline void wait_for_copies() {
  asm volatile("cp.async.wait_group %0;" ::"n"(kPending) : "memory");
}
