// Matrix instructions of one warp, and the loads that feed them. The
// pictures in the PTX manual ("Matrix Fragments for mma.m16n8k8",
// "ldmatrix") say which lane holds which element.
#pragma once

// A word of shared memory.
__device__ inline void load_word(unsigned& word, unsigned address) {
  asm volatile("ld.shared.b32 %0, [%1];" : "=r"(word) : "r"(address));
}

// Two neighbouring words.
__device__ inline void load_pair(unsigned& word_0, unsigned& word_1,
                                 unsigned address) {
  asm volatile("ld.shared.v2.b32 {%0,%1}, [%2];"
               : "=r"(word_0), "=r"(word_1)
               : "r"(address));
}

// Four 8x4 pieces of 32-bit words, or 8x8 of 16-bit ones, from shared
// memory: lane l gets word l % 4 of row l / 4 of each piece.
// `address_of` is called with a piece and a row and gives the address
// of its 16 bytes. With kLdmatrix, one instruction loads all four: lane
// l gives the address of row l % 8 of piece l / 8. Without, each lane
// loads its own words.
template <bool kLdmatrix, typename AddressOf>
__device__ inline void load_pieces(unsigned& word_0, unsigned& word_1,
                                   unsigned& word_2, unsigned& word_3,
                                   unsigned lane,
                                   AddressOf address_of) {
  if constexpr (kLdmatrix) {
    asm volatile(
        "ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
        : "=r"(word_0), "=r"(word_1), "=r"(word_2), "=r"(word_3)
        : "r"(address_of(lane / 8, lane % 8)));
  } else {
    load_word(word_0, address_of(0, lane / 4) + lane % 4 * 4);
    load_word(word_1, address_of(1, lane / 4) + lane % 4 * 4);
    load_word(word_2, address_of(2, lane / 4) + lane % 4 * 4);
    load_word(word_3, address_of(3, lane / 4) + lane % 4 * 4);
  }
}

// Four 8x8 pieces of 16-bit elements, each transposed: lane l gets the
// elements of column l / 4 in rows l % 4 * 2 and the one below.
template <bool kLdmatrix, typename AddressOf>
__device__ inline void load_pieces_transposed(
    unsigned& word_0, unsigned& word_1, unsigned& word_2,
    unsigned& word_3, unsigned lane, AddressOf address_of) {
  if constexpr (kLdmatrix) {
    asm volatile(
        "ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 "
        "{%0,%1,%2,%3}, [%4];"
        : "=r"(word_0), "=r"(word_1), "=r"(word_2), "=r"(word_3)
        : "r"(address_of(lane / 8, lane % 8)));
  } else {
    const auto load_word = [&](unsigned& word, unsigned piece) {
      unsigned short half[2];
#pragma unroll
      for (int i = 0; i < 2; ++i)
        asm volatile(
            "ld.shared.b16 %0, [%1];"
            : "=h"(half[i])
            : "r"(address_of(piece, lane % 4 * 2 + i) + lane / 4 * 2));
      word = half[0] | (unsigned)half[1] << 16;
    };
    load_word(word_0, 0), load_word(word_1, 1);
    load_word(word_2, 2), load_word(word_3, 3);
  }
}

// To the nearest TF32 number. The tensor cores truncate what is not.
__device__ inline void round_to_tf32(unsigned& word) {
  asm("cvt.rna.tf32.f32 %0, %1;"
      : "=r"(word)
      : "f"(__uint_as_float(word)));
}

// sums(16x8) += a(16x8) * b(8x8) in TF32: of each float the sign, the
// exponent and 10 bits of the fraction count. The products are exact,
// their sum is a float.
__device__ inline void multiply_add_tf32(float (&sums)[4],
                                         const unsigned (&a)[4],
                                         const unsigned (&b)[2]) {
  asm volatile(
      "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 "
      "{%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
      : "+f"(sums[0]), "+f"(sums[1]), "+f"(sums[2]), "+f"(sums[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]),
        "r"(b[1]));
}

// sums(16x8) += a(16x16) * b(16x8) of bfloat16: the exponent of a float
// and 7 bits of the fraction, two in a register.
__device__ inline void multiply_add_bf16(float (&sums)[4],
                                         const unsigned (&a)[4],
                                         const unsigned (&b)[2]) {
  asm volatile(
      "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 "
      "{%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
      : "+f"(sums[0]), "+f"(sums[1]), "+f"(sums[2]), "+f"(sums[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]),
        "r"(b[1]));
}
