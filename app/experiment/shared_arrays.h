// The two-dimensional arrays in shared memory that a kernel's source declares or, where it declares none,
// that the stored elements show (shared_contents.h), and where they lie. The cubin does not name them. Their
// sizes are read in the source, with the values of the toggles; a variable that is alone lies at the start,
// and of several the order follows from the accesses of lines that name one of them. Where a row is swizzled,
// the column to which each word belongs follows from the global address that its content came from. Leaves
// out: what cuda_text/shared_declarations.h leaves out, and rows that are no whole number of words.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "catalog/catalog.h"
#include "machine/state/global_memory.h"

namespace gemmscope::experiment {

struct BlockResult;

struct SharedArray {
  std::string name;     // "tile", "tiles.a", "stages[1].b"
  std::string element;  // "float"
  uint32_t element_bytes = 4;
  int64_t rows = 0, columns = 0;  // elements
  uint64_t address = 0;           // in the window of shared memory
  // By word: the word's column of its row where its content belongs, from the global addresses. Empty if that
  // is each word's own column, or not known.
  std::vector<int32_t> content_columns;

  int64_t row_words() const { return columns * element_bytes / 4; }
  uint64_t bytes() const { return static_cast<uint64_t>(rows * columns) * element_bytes; }
  bool holds(uint64_t byte) const { return byte >= address && byte < address + bytes(); }
  bool is_swizzled() const { return !content_columns.empty(); }
};

struct SharedArrays {
  std::vector<SharedArray> arrays;
  std::string why_none;  // a sentence; empty if there are arrays

  const SharedArray* at(uint64_t byte) const;  // null: no array is there
};

// The two-dimensional arrays of a kernel's source with these toggles, wherever they lie; of an unsized
// variable the first element's.
struct DeclaredShape {
  std::string name;
  int64_t rows = 0, columns = 0;
};
std::vector<DeclaredShape> declared_shapes(const catalog::Kernel& kernel, const std::string& symbol,
                                           const std::map<std::string, int64_t>& toggles);

SharedArrays shared_arrays_of(const BlockResult& block, const machine::GlobalMemory& memory);

}  // namespace gemmscope::experiment
