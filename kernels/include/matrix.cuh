// A row-major matrix in global memory that knows its size. Reading
// outside of it gives zeros, writing outside does nothing: so the
// kernels need no bounds of their own.
//
// A load of four floats needs an address that is a multiple of 16
// bytes. The rows of a matrix start at such addresses only if their
// length is a multiple of 4; otherwise the four floats travel one by
// one. All threads take the same way.
//
// A matrix has less than 2^31 elements, so 32 bits hold every offset in
// it. Indices are unsigned: those outside may wrap around unharmed.
#pragma once

// kWidth neighbouring floats, which one instruction can load or store.
template <int kWidth>
struct alignas(4 * kWidth) Floats {
  float at[kWidth];
  __device__ float& operator[](int i) { return at[i]; }
  __device__ float operator[](int i) const { return at[i]; }
};
using Quad = Floats<4>;

// A or B. Only floats can be read by `at`, `floats` and `quad`.
template <typename Element>
struct MatrixOf {
  const Element* data;
  unsigned rows, columns;

  __device__ MatrixOf(const Element* data, int rows, int columns)
      : data(data), rows(rows), columns(columns) {}

  __device__ bool has(unsigned row, unsigned column) const {
    return row < rows && column < columns;
  }
  __device__ const Element* address(unsigned row,
                                    unsigned column) const {
    return data + (row * columns + column);
  }
  __device__ float at(unsigned row, unsigned column) const {
    return has(row, column) ? *address(row, column) : 0.0f;
  }
  // Neighbours in one row; `column` must be a multiple of kWidth.
  template <int kWidth>
  __device__ Floats<kWidth> floats(unsigned row,
                                   unsigned column) const {
    const float* const source = address(row, column);
    const int valid = row < rows ? (int)(columns - column) : 0;
    Floats<kWidth> result = {};
    if (columns % kWidth == 0) {
      if (valid > 0)
        result = *reinterpret_cast<const Floats<kWidth>*>(source);
    } else {
#pragma unroll
      for (int i = 0; i < kWidth; ++i)
        if (i < valid) result[i] = source[i];
    }
    return result;
  }
  __device__ Quad quad(unsigned row, unsigned column) const {
    return floats<4>(row, column);
  }
};
using Matrix = MatrixOf<float>;

// C = alpha * sums + beta * C. With beta == 0 the old C is not read: it
// may hold anything, NaN too. kAligned promises that the rows' length
// is a multiple of 4.
template <bool kAligned>
struct OutputOf {
  float* data;
  unsigned rows, columns;
  float alpha, beta;

  __device__ OutputOf(float* data, int rows, int columns, float alpha,
                      float beta)
      : data(data),
        rows(rows),
        columns(columns),
        alpha(alpha),
        beta(beta) {}

  __device__ void update(unsigned row, unsigned column,
                         float sum) const {
    update_floats<1>(row, column, &sum);
  }
  __device__ void update_quad(unsigned row, unsigned column,
                              const float* sums) const {
    update_floats<4>(row, column, sums);
  }
  // kWidth neighbours in one row; `column` must be a multiple of
  // kWidth.
  template <int kWidth>
  __device__ void update_floats(unsigned row, unsigned column,
                                const float* sums) const {
    if (row >= rows || column >= columns) return;
    float* const target = data + (row * columns + column);
    if (kAligned || columns % kWidth == 0) {
      auto* const whole = reinterpret_cast<Floats<kWidth>*>(target);
      Floats<kWidth> old = {};
      if (beta != 0.0f) old = *whole;
      Floats<kWidth> result;
#pragma unroll
      for (int i = 0; i < kWidth; ++i)
        result[i] = alpha * sums[i] + beta * old[i];
      *whole = result;
    } else {
#pragma unroll
      for (int i = 0; i < kWidth; ++i) {
        if (column + i >= columns) continue;
        const float old = beta != 0.0f ? target[i] : 0.0f;
        target[i] = alpha * sums[i] + beta * old;
      }
    }
  }
};
using Output = OutputOf<false>;
using AlignedOutput = OutputOf<true>;
