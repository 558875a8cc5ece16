// Reads which arrays a kernel declares in shared memory: __shared__ float tile[32][33]; or a struct of such
// arrays. What is not understood is left out: templates, dimensions that are no constant integers, members of
// classes with bases.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "cuda_text/integer_expression.h"
#include "cuda_text/source_outline.h"

namespace gemmscope::cuda_text {

// A two-dimensional array within a variable.
struct DeclaredArray {
  std::string name;  // "tile", "tiles.a", "stages[1].b"
  std::string element;
  uint32_t element_bytes = 0;
  int64_t rows = 0, columns = 0;
  uint64_t offset = 0;  // bytes from the begin of its variable
};
// A __shared__ variable.
struct SharedVariable {
  std::string name;
  bool external = false;  // its memory is the launch's dynamic shared memory
  bool unsized = false;   // name[]: `bytes` and `arrays` are of one element
  uint64_t bytes = 0, alignment = 4;
  std::vector<DeclaredArray> arrays;
};

// The shared variables of the kernel with this symbol and of __device__ functions, in the order of the text,
// as far as their size is known. `complete` is set to false where one was left out. `given`: the values of
// macros.
std::vector<SharedVariable> shared_variables(const SourceOutline& outline, std::string_view symbol,
                                             const IntegerNames& given, bool& complete);

// The arrays of an unsized variable in `bytes` of memory: those of stages[0], stages[1], …
std::vector<DeclaredArray> arrays_in(const SharedVariable& variable, uint64_t bytes);

}  // namespace gemmscope::cuda_text
