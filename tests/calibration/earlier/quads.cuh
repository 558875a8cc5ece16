// Reading and writing a quad, four neighbouring floats of one row, safe at every edge of a matrix.
//
// A float4 access needs a 16-byte aligned address. A row of `columns` floats keeps that alignment only when
// `columns` is a multiple of 4, and then no quad straddles the edge; otherwise the floats travel one by one.
// All threads agree on which way is taken, so the choice costs no divergence.
//
// `valid` says how many floats of the quad lie inside the matrix: 0 or less none, 4 or more all.
#pragma once

// Zeros stand for what lies outside.
__device__ inline float4 load_quad(const float* source, int valid, bool rows_are_aligned) {
  if (rows_are_aligned) {
    return valid > 0 ? *reinterpret_cast<const float4*>(source) : make_float4(0.0f, 0.0f, 0.0f, 0.0f);
  }
  return make_float4(valid > 0 ? source[0] : 0.0f, valid > 1 ? source[1] : 0.0f, valid > 2 ? source[2] : 0.0f,
                     valid > 3 ? source[3] : 0.0f);
}

// C = alpha * sums + beta * C for one quad of C. With beta == 0 the old C is not read: it may hold anything,
// NaN too.
__device__ inline void update_quad(float* target, int valid, bool rows_are_aligned, const float* sums,
                                   float alpha, float beta) {
  const float4 old = load_quad(target, beta != 0.0f ? valid : 0, rows_are_aligned);
  const float4 result = make_float4(alpha * sums[0] + beta * old.x, alpha * sums[1] + beta * old.y,
                                    alpha * sums[2] + beta * old.z, alpha * sums[3] + beta * old.w);
  if (rows_are_aligned) {
    if (valid > 0) *reinterpret_cast<float4*>(target) = result;
  } else {
    if (valid > 0) target[0] = result.x;
    if (valid > 1) target[1] = result.y;
    if (valid > 2) target[2] = result.z;
    if (valid > 3) target[3] = result.w;
  }
}
