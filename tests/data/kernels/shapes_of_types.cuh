// Sizes as types, and a matrix with its bounds: a header that several kernels share.
#ifndef SHAPES_OF_TYPES_CUH
#define SHAPES_OF_TYPES_CUH
namespace shapes {
template <int rows_, int columns_, int depth_ = 1>
struct Shape {
  static constexpr int rows = rows_;
  static constexpr int columns = columns_;
  static constexpr int depth = depth_;
  static constexpr int area = rows * columns;
};

template <typename T>
struct Matrix {
  T* const __restrict__ data;
  const unsigned rows, columns;
  __host__ __device__ bool holds(unsigned row, unsigned column) const {
    return row < rows && column < columns;
  }
  __host__ __device__ T& operator()(unsigned row, unsigned column) const {
    return data[row * columns + column];
  }
};
}  // namespace shapes
#endif
