// Memory of the GPU filled with random words, for benchmarks whose loads must not find the same one everywhere.
#pragma once

#include <cstdint>
#include <random>
#include <vector>

inline char* random_area(size_t bytes) {
  std::vector<uint32_t> words(bytes / 4);
  std::mt19937 generator(1);
  for (uint32_t& word : words) word = generator();
  char* area = nullptr;
  cudaMalloc(&area, bytes);
  cudaMemcpy(area, words.data(), bytes, cudaMemcpyHostToDevice);
  return area;
}
