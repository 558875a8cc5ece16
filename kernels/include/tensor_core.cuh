// Matrix instructions of one warp, and the loads that feed them. The pictures in the PTX manual ("Matrix
// Fragments for mma.m16n8k8", "ldmatrix") say which lane holds which element.
#pragma once

// Four 8x4 pieces of 32-bit words (or 8x8 of 16-bit ones) from shared memory: lane l gives the address of row
// l % 8 of piece l / 8, and gets word l % 4 of row l / 4 of each piece.
__device__ inline void load_matrices(unsigned& piece_0, unsigned& piece_1, unsigned& piece_2,
                                     unsigned& piece_3, unsigned address) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
               : "=r"(piece_0), "=r"(piece_1), "=r"(piece_2), "=r"(piece_3)
               : "r"(address));
}
// The same, each 8x8 piece of 16-bit elements transposed.
__device__ inline void load_matrices_transposed(unsigned& piece_0, unsigned& piece_1, unsigned& piece_2,
                                                unsigned& piece_3, unsigned address) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0,%1,%2,%3}, [%4];"
               : "=r"(piece_0), "=r"(piece_1), "=r"(piece_2), "=r"(piece_3)
               : "r"(address));
}

// sums(16x8) += a(16x8) * b(8x8) in TF32: of each float the sign, the exponent and 10 bits of the fraction
// count. The products are exact, their sum is a float.
__device__ inline void multiply_add_tf32(float (&sums)[4], const unsigned (&a)[4], const unsigned (&b)[2]) {
  asm volatile(
      "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, "
      "{%0,%1,%2,%3};"
      : "+f"(sums[0]), "+f"(sums[1]), "+f"(sums[2]), "+f"(sums[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}

// sums(16x8) += a(16x16) * b(16x8) of bfloat16: the exponent of a float and 7 bits of the fraction, two in a
// register.
__device__ inline void multiply_add_bf16(float (&sums)[4], const unsigned (&a)[4], const unsigned (&b)[2]) {
  asm volatile(
      "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, "
      "{%0,%1,%2,%3};"
      : "+f"(sums[0]), "+f"(sums[1]), "+f"(sums[2]), "+f"(sums[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}
